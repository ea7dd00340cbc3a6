"""What a person sees and what a program reads: rich text with nothing interpreted, or one JSON document."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scrubjay.studio.word_diff import Piece, word_diff

UNBOUND = 10_000
"""columns when nobody looks: what is piped must not be broken into lines"""
STYLES = {"same": "", "old": "red strike", "new": "green"}
MARKS = {"same": ("", ""), "old": ("[-", "-]"), "new": ("{+", "+}")}
"""as git marks words where there is no colour"""
_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""controls, line breaks, marks that reorder what is read, halves of characters"""
_LOUD = re.compile(_HIDDEN.pattern.replace("\x00-\x1f", ""))
"""those that json.dumps leaves as they are; its own line breaks stay"""


def harmless(text: str) -> str:
    """On one line, and unable to move the cursor, colour the screen or reorder the line."""
    return _HIDDEN.sub(_visible, text)


def _visible(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"\\u{code:04x}"


class Screen:
    """Standard output for people; made per command, since tests and pipes change what lies under it."""

    def __init__(self) -> None:
        self.console = Console(highlight=False, markup=False, emoji=False)
        if not self.console.is_terminal and "COLUMNS" not in os.environ:
            self.console = Console(highlight=False, markup=False, emoji=False, width=UNBOUND)

    @property
    def coloured(self) -> bool:
        return self.console.color_system is not None and not self.console.no_color

    def line(self, *parts: str | Text | tuple[str, str], indent: int = 0, hang: int = 0) -> None:
        """Plain text, (text, style) or rich text; continuation lines hang `hang` columns to the right of the first."""
        text = Text.assemble(*(_part(p) for p in parts))
        width = max(20, self.console.width - indent - hang)
        first, rest = text[:hang], text[hang:]
        for number, row in enumerate(rest.wrap(self.console, width) or [Text()]):
            whole = Text(" " * indent) + (first if not number else Text(" " * hang)) + row
            whole.rstrip()
            self.console.print(whole, soft_wrap=True)

    def blank(self) -> None:
        self.console.print()

    def changed(self, old: str, new: str) -> Text:
        """A coloured word diff; with marks where there is no colour."""
        found = Text()
        for piece in word_diff(harmless(old), harmless(new)):
            found.append(self._piece(piece), STYLES[piece.kind] if self.coloured else "")
        return found

    def _piece(self, piece: Piece) -> str:
        before, after = ("", "") if self.coloured else MARKS[piece.kind]
        return f"{before}{piece.text}{after}"

    def table(self, columns: Sequence[str | tuple[str, str]], rows: Iterable[Sequence[Any]], indent: int = 0) -> None:
        """A column is its title, or (title, "right" | "id"): numbers, and ids that are never broken."""
        table = Table(box=None, pad_edge=False, header_style="bold")
        for column in columns:
            title, kind = (column, "") if isinstance(column, str) else column
            table.add_column(title, justify="right" if kind == "right" else "left", no_wrap=kind != "")
        for row in rows:
            table.add_row(*(c if isinstance(c, Text) else Text(harmless(str(c))) for c in row))
        with self.console.capture() as drawn:
            self.console.print(Padding(table, (0, 0, 0, indent), expand=False))
        for row in drawn.get().splitlines():
            self.console.file.write(row.rstrip() + "\n")


def _part(part: str | Text | tuple[str, str]) -> Text:
    if isinstance(part, Text):
        return part
    text, style = part if isinstance(part, tuple) else (part, "")
    return Text(harmless(text), style)


def note(text: str) -> None:
    """For the person beside the output: on standard error, so that it never mixes with a document."""
    print(harmless(text), file=sys.stderr)


def emit(document: Mapping[str, Any]) -> None:
    """One JSON document, and nothing else, on standard output."""
    print(_LOUD.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(document, ensure_ascii=False, indent=2)))
