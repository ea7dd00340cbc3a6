"""How facts and memories are put before a model: short numbers, and every text a quoted string."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from scrubjay.prompts.shown import ShownFact, ShownMemory

_LINE_BREAKS = re.compile("[\x7f-\x9f\u2028\u2029]")
"""what JSON leaves as it is and a reader may take for the end of a line"""


def quoted(value: object) -> str:
    """Compact JSON: a line break or a quotation mark in the text cannot end it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _LINE_BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _details(fact: ShownFact) -> dict[str, object]:
    """What differs from a plain statement about the user that holds now."""
    shown: dict[str, object] = {
        "about": fact.subject if fact.subject != "user" else "",
        "slots": list(fact.attributes),
        "modality": fact.modality if fact.modality != "actual" else "",
        "from": fact.valid_from,
        "to": fact.valid_to,
    }
    return {key: value for key, value in shown.items() if value}


def fact_line(fact: ShownFact) -> str:
    """F1. "text" {"slots":["home city"]}"""
    details = _details(fact)
    return f"{fact.number}. {quoted(fact.text)}" + (f" {quoted(details)}" if details else "")


def memory_lines(memory: ShownMemory) -> list[str]:
    """2. "text", and its facts under it only where it rests on several."""
    lines = [f"{memory.number}. {quoted(memory.text)}"]
    if len(memory.facts) > 1:
        lines += [f"  {f.number}{' (ended)' if f.past else ''} {quoted(f.text)}" for f in memory.facts]
    return lines


def section(title: str, lines: Iterable[str]) -> str:
    """A title and its lines, or nothing when there are none."""
    body = "\n".join(lines)
    return f"{title}:\n{body}\n" if body else ""
