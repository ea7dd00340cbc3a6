"""Negation: which words of a text are denied, and which it speaks of as ended.

A text is cut into clauses first and each is read alone, so that joining facts with ";" or brackets changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from scrubjay.stores.text.cleaning import plain
from scrubjay.stores.text.tables import phrases, word_set
from scrubjay.stores.text.words import occurrences

_HARD = re.compile(r"[;()\n!?。|–—]|\.(?!\w)|(?<!\w)-+(?!\w)|:(?!\w)|(?<=[\u3400-\u9fff])[:,]|,(?=[\u3400-\u9fff])")
_COMMA = re.compile(r",(?=\s)")
_ASIDE = re.compile(r"\(\s*(?:previously|formerly|before|此前|之前|以前|原)", re.IGNORECASE)
_LIST_ITEM = 3
"""a piece of at most so many words after a comma goes on with a list"""
_FAR = 160
"""characters that a negation reaches at most"""

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Polarity:
    """Content stems by how the text speaks of them; a stem said twice may stand in several sets."""

    denied: frozenset[str]
    affirmed: frozenset[str]
    ended: frozenset[str]
    """under "previously", "instead of", "switched from …": true once"""


def _clauses(source: str) -> Iterator[tuple[str, int]]:
    """Each clause without the blanks around it, and where it starts."""
    start = 0
    for end, after in [*((m.start(), m.end()) for m in _HARD.finditer(source)), (len(source), len(source))]:
        clause = source[start:end]
        yield clause.strip(), start + len(clause) - len(clause.lstrip())
        start = after


def _reach(clause: str, start: int) -> int:
    """How far a negation that ends at `start` reaches."""
    end = min(len(clause), start + _FAR)
    stops = [m.start() for key in ("scope_end", "negation") for m in phrases(key).finditer(clause, start, end)]
    for comma in _COMMA.finditer(clause, start, end):
        piece = re.split(r",\s", clause[comma.end() : end], maxsplit=1)[0].split()
        if len(piece) > _LIST_ITEM or (piece and piece[0].lower().partition("'")[0] in word_set("clause_openers")):
            stops.append(comma.start())
            break
    return min([*(s for s in stops if s > start), end])


def _denied(clause: str) -> list[Range]:
    """What its cues deny; a range inside another one (a negative verb under "not") undoes it."""
    hidden = phrases("not_negation").sub(lambda m: "_" * len(m.group()), clause)
    verbs = {cue.start(): cue.end() for cue in phrases("negative_verbs").finditer(hidden)}
    words = [cue for cue in phrases("negation").finditer(hidden) if cue.start() not in verbs]  # "can't stand" is a verb
    ranges = [(cue.end(), _reach(hidden, cue.end())) for cue in words]
    for start, end in verbs.items():
        if hidden[end : _reach(hidden, end)].strip(" 了"):  # else the cue stands last: see `_tails`
            ranges.append((start, _reach(hidden, end)))
    return ranges + _tails(hidden, ranges)


def _tails(hidden: str, ranges: list[Range]) -> list[Range]:
    """ "wine is over", 烟断了: the cue stands last; nothing where the clause is negated already."""
    found: list[Range] = []
    for cue in phrases("negation_tail").finditer(hidden):
        start = max(0, cue.start() - _FAR)
        marks = (_COMMA, phrases("scope_end"), phrases("and_clause"))
        start = max([start, *(m.end() for p in marks for m in p.finditer(hidden, start, cue.start()))])
        end = cue.start() + max(cue.group().find("'"), 0)  # "the wine's done": the wine
        if not any(s < end and e > start for s, e in ranges + found):
            found.append((start, end))
    return found


def _ended(clause: str) -> list[Range]:
    """ "switched from coffee to tea": the coffee."""
    ranges = []
    for cue in phrases("ended_from").finditer(clause):
        end = min(len(clause), cue.end() + _FAR)
        stops = [m.start() for p in (_COMMA, phrases("ended_to")) for m in p.finditer(clause, cue.end(), end)]
        ranges.append((cue.start(), min([*stops, end])))
    return ranges


def _asides(source: str) -> Iterator[Range]:
    """ "(previously: …)" up to its own closing bracket."""
    for opening in _ASIDE.finditer(source):
        depth = 0
        for mark in re.finditer(r"[()]", source[opening.start() :]):
            depth += 1 if mark.group() == "(" else -1
            if not depth:
                yield opening.start(), opening.start() + mark.start()
                break


@lru_cache(maxsize=4096)
def _denied_parity(source: str) -> tuple[bytes, bool]:
    """For every character whether it is denied (1), and whether anything is."""
    parity = bytearray(len(source))
    found: list[Range] = []
    for clause, at in _clauses(source):
        found += [(at + a, at + b) for a, b in _denied(clause)]
    for start, end in found:
        for i in range(start, end):
            parity[i] ^= 1
    return bytes(parity), any(a >= b or parity[b - 1] for a, b in found)


@lru_cache(maxsize=4096)
def _ended_mask(source: str) -> bytes:
    mask = bytearray(len(source))
    ranges = [(at + a, at + b) for clause, at in _clauses(source) for a, b in _ended(clause)]
    for start, end in [*ranges, *_asides(source)]:
        mask[start:end] = b"\1" * (end - start)
    return bytes(mask)


def set_apart(source: str) -> bytes:
    """For every character of a plain text whether it is denied or told as ended (not 0)."""
    return bytes(a | b for a, b in zip(_denied_parity(source)[0], _ended_mask(source), strict=True))


def denied_groups(text: str, subject: str = "user") -> tuple[tuple[str, ...], ...]:
    """The denied stems in order, those of one stretch together."""
    parity = _denied_parity(plain(text))[0]
    groups: list[list[str]] = []
    last = -1
    for o in (o for o in occurrences(text, subject) if parity[o.start]):
        if last < 0 or b"\0" in parity[last : o.start]:
            groups.append([])
        groups[-1].append(o.stem)
        last = o.start
    return tuple(map(tuple, groups))


@lru_cache(maxsize=4096)
def polarity(text: str, subject: str = "user") -> Polarity:
    """How the text speaks of each of its content stems."""
    source = plain(text)
    no, gone = _denied_parity(source)[0], _ended_mask(source)
    sets: tuple[set[str], set[str], set[str]] = set(), set(), set()
    for o in occurrences(text, subject):
        sets[0 if no[o.start] else 2 if gone[o.start] else 1].add(o.stem)
    return Polarity(*map(frozenset, sets))


def denials(text: str) -> frozenset[str]:
    """The content stems that stand under a negation: "does not like cheese" gives like and chees."""
    return polarity(text).denied


def negated(text: str) -> bool:
    """Something in the text is denied; "does not dislike" denies nothing."""
    return _denied_parity(plain(text))[1]
