"""Which words a text lost and gained: by words, and by characters where words stand without blanks (CJK)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from scrubjay.stores.text.cleaning import CJK_CHARACTERS

Kind = Literal["same", "old", "new"]

ALIKE = 0.35
"""texts that share less than this are shown whole, the old one before the new one: a mosaic of words helps nobody"""
LONGEST = 4000
"""tokens of both texts together up to which they are compared: the comparison is quadratic"""
_TOKEN = re.compile(rf"[{CJK_CHARACTERS}]|(?:(?![{CJK_CHARACTERS}])\w)+(?:['’.,]\w+)*|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text that both have, or only the old or the new one."""

    kind: Kind
    text: str


def word_diff(old: str, new: str) -> list[Piece]:
    """`same` and `old` pieces joined are the old text, `same` and `new` pieces joined are the new one."""
    mine, yours = tokens(old), tokens(new)
    if len(mine) + len(yours) > LONGEST:
        return whole(old, new)
    matcher = SequenceMatcher(None, mine, yours, autojunk=False)
    if matcher.ratio() < ALIKE:
        return whole(old, new)
    return joined(_bridged(list(_changes(matcher, mine, yours))))


def tokens(text: str) -> list[str]:
    """Words, single CJK characters, blanks and marks; joined they are the text."""
    return _TOKEN.findall(text)


def whole(old: str, new: str) -> list[Piece]:
    if old == new:
        return [Piece("same", old)] if old else []
    return [piece for piece in (Piece("old", old), Piece("new", new)) if piece.text]


def _changes(matcher: SequenceMatcher[str], old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            yield Piece("same", "".join(old[a:b]))
            continue
        yield Piece("old", "".join(old[a:b]))
        yield Piece("new", "".join(new[c:d]))


def _bridged(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """A blank or a comma that two changes happen to share is no common text: it joins both."""
    last = len(pieces) - 1
    for i, piece in enumerate(pieces):
        if piece.kind == "same" and 0 < i < last and not re.search(r"\w", piece.text):
            yield Piece("old", piece.text)
            yield Piece("new", piece.text)
        elif piece.text:
            yield piece


def joined(pieces: Iterator[Piece]) -> list[Piece]:
    """Neighbouring changes as one: first all that went, then all that came."""
    found: list[Piece] = []
    gone, come = "", ""
    for piece in pieces:
        if piece.kind == "old":
            gone += piece.text
        elif piece.kind == "new":
            come += piece.text
        else:
            found += [*whole_change(gone, come), piece]
            gone, come = "", ""
    return [*found, *whole_change(gone, come)]


def whole_change(gone: str, come: str) -> list[Piece]:
    return [piece for piece in (Piece("old", gone), Piece("new", come)) if piece.text]
