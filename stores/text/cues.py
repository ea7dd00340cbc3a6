"""Words that say how a statement stands in time, under which condition, and whether it asks to be forgotten."""

from __future__ import annotations

import re

from scrubjay.stores.text.cleaning import plain
from scrubjay.stores.text.tables import kinds, phrases


def change_cues(text: str) -> frozenset[str]:
    """Kinds of change words: moved, switched, now, ended, instead, again, began, corrected, split, pushed."""
    return frozenset(name for name, pattern in kinds("change").items() if pattern.search(plain(text)))


def has_change_cue(text: str) -> bool:
    """The text says that something is other than before."""
    return bool(change_cues(text))


def has_past_cue(text: str) -> bool:
    """The text speaks of what no longer holds."""
    return bool(phrases("past").search(plain(text)))


def asks_to_forget(text: str) -> bool:
    """An explicit wish about memory, and not "forget the weather", "I forget my keys" or "don't forget"."""
    asked = phrases("not_forget").sub(lambda m: "\u2502" * len(m.group()), plain(text))
    return any(pattern.search(asked) for pattern in (_forget("en"), _forget("zh")))


def _forget(language: str) -> re.Pattern[str]:
    return phrases("forget", language)


def bound_spans(text: str) -> tuple[tuple[str, str, int], ...]:
    """(kind, words, offset) of every time bound, condition and modal; "since this week" is a start and no bound."""
    source = plain(text)
    found = [
        (name, m.group(), m.start()) for name, pattern in kinds("bounds").items() for m in pattern.finditer(source)
    ]
    return tuple(sorted((f for f in found if not _starts(source, f)), key=lambda f: (f[2], f[0])))


def _starts(source: str, found: tuple[str, str, int]) -> bool:
    kind, _, at = found
    before = source[:at].rstrip().lower()
    return kind in ("bound:day", "bound:week", "bound:month", "bound:season") and bool(
        re.search(rf"(?:{phrases('bound_start').pattern})$", before, re.IGNORECASE)
    )


def bounds(text: str) -> frozenset[str]:
    """Kinds of time bounds and conditions: "bound:week", "bound:until", "condition:if", "modal:might" …"""
    return frozenset(kind for kind, _, _ in bound_spans(text))
