"""Negation: which words of a text are denied, and which it speaks of as ended."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from scrubjay.stores.text.cleaning import plain
from scrubjay.stores.text.tables import phrases, word_set
from scrubjay.stores.text.words import occurrences

_HARD = re.compile(r"[;()\n!?。|]|\.(?=\s|$)|\s[-–—]+\s|[–—]|:(?=\s)|(?<=[\u3400-\u9fff])[:,]|[,](?=[\u3400-\u9fff])")
_COMMA = re.compile(r",(?=\s)")
_LIST_ITEM = 3
"""a piece of at most so many words after a comma goes on with a list"""


@dataclass(frozen=True, slots=True)
class Polarity:
    """Content stems by how the text speaks of them; a stem said twice may stand in several sets."""

    denied: frozenset[str]
    affirmed: frozenset[str]
    ended: frozenset[str]
    """under "previously", "instead of", "switched from …": true once"""


def _blanked(source: str) -> str:
    return phrases("not_negation").sub(lambda m: "_" * len(m.group()), source)


@lru_cache(maxsize=4096)
def _breaks(source: str) -> tuple[int, ...]:
    """Where a clause surely ends."""
    return tuple(m.start() for m in _HARD.finditer(source))


def _clause(source: str, at: int) -> tuple[int, int]:
    """The clause around an offset, ended by strong punctuation and by commas that open no list item."""
    marks = _breaks(source)
    i = bisect_right(marks, at)
    start = marks[i - 1] + 1 if i else 0
    end = marks[i] if i < len(marks) else len(source)
    return start, end


def _reach(source: str, start: int) -> int:
    """How far a negation that ends at `start` reaches within its clause."""
    _, end = _clause(source, start - 1)  # the cue's own clause, also when a mark follows at once
    stops = [m.start() for m in phrases("scope_end").finditer(source, start, end)]
    stops += [m.start() for m in phrases("negation").finditer(source, start, end)]
    for comma in _COMMA.finditer(source, start, end):
        piece = re.split(r",\s", source[comma.end() : end], maxsplit=1)[0].split()
        if len(piece) > _LIST_ITEM or (piece and piece[0].lower() in word_set("clause_openers")):
            stops.append(comma.start())
            break
    return min([*(s for s in stops if s > start), end])


@lru_cache(maxsize=4096)
def _denied_ranges(source: str) -> tuple[tuple[int, int], ...]:
    """Character ranges that a cue denies; a range inside another one (a negative verb under "not") undoes it."""
    hidden = _blanked(source)
    verbs = {cue.start(): cue.end() for cue in phrases("negative_verbs").finditer(hidden)}
    words = [cue for cue in phrases("negation").finditer(hidden) if cue.start() not in verbs]  # "can't stand" is a verb
    ranges = [(cue.end(), _reach(hidden, cue.end())) for cue in words]
    for start, end in verbs.items():
        if hidden[end : _reach(hidden, end)].strip(" 了"):  # else the cue stands last: see `_tails`
            ranges.append((start, _reach(hidden, end)))
    return tuple(ranges + _tails(hidden, ranges))


def _tails(hidden: str, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """ "wine is over", 烟断了: the cue stands last; nothing where the clause is negated already."""
    found: list[tuple[int, int]] = []
    for cue in phrases("negation_tail").finditer(hidden):
        start, _ = _clause(hidden, cue.start())
        marks = (_COMMA, phrases("scope_end"), phrases("and_clause"))
        start = max([start, *(m.end() for p in marks for m in p.finditer(hidden, start, cue.start()))])
        end = cue.start() + max(cue.group().find("'"), 0)  # "the wine's done": the wine
        if not any(s < end and e > start for s, e in ranges + found):
            found.append((start, end))
    return found


@lru_cache(maxsize=4096)
def _ended_ranges(source: str) -> tuple[tuple[int, int], ...]:
    ranges: list[tuple[int, int]] = []
    for cue in phrases("ended_from").finditer(source):
        _, end = _clause(source, cue.end() - 1)
        comma = _COMMA.search(source, cue.end(), end)
        to = phrases("ended_to").search(source, cue.end(), end)
        closing = _closing(source, cue.start()) if source[: cue.start()].rstrip().endswith("(") else None
        ranges.append((cue.start(), closing or min([end, *(m.start() for m in (comma, to) if m)])))
    return tuple(ranges)


def _closing(source: str, at: int) -> int | None:
    """Where the bracket that opens before `at` is closed."""
    depth = 1
    for mark in re.finditer(r"[()]", source[at:]):
        depth += 1 if mark.group() == "(" else -1
        if not depth:
            return at + mark.start()
    return None


def _inside(start: int, ranges: tuple[tuple[int, int], ...]) -> int:
    return sum(1 for a, b in ranges if a <= start < b)


@lru_cache(maxsize=4096)
def polarity(text: str, subject: str = "user") -> Polarity:
    """How the text speaks of each of its content stems."""
    source = plain(text)
    no, gone = _denied_ranges(source), _ended_ranges(source)
    denied, affirmed, ended = set(), set(), set()
    for o in occurrences(text, subject):
        if _inside(o.start, no) % 2:
            denied.add(o.stem)
        elif _inside(o.start, gone):
            ended.add(o.stem)
        else:
            affirmed.add(o.stem)
    return Polarity(frozenset(denied), frozenset(affirmed), frozenset(ended))


def denials(text: str) -> frozenset[str]:
    """The content stems that stand under a negation: "does not like cheese" gives like and chees."""
    return polarity(text).denied


def negated(text: str) -> bool:
    """Something in the text is denied; "does not dislike" denies nothing."""
    source = plain(text)
    ranges = _denied_ranges(source)
    return any(a >= b or _inside(b - 1, ranges) % 2 for a, b in ranges)
