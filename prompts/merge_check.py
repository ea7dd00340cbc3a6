"""What a merged text lost of its facts, and what it invented.

Hard: names, numbers with units, dates and polarity of the current facts survive, and none is new. Soft: the share of
content stems kept. Facts that ended may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from scrubjay.stores.text.cleaning import normalise, plain
from scrubjay.stores.text.days import Day, covers, day_spans, fields, weekdays
from scrubjay.stores.text.naming import has_name, names
from scrubjay.stores.text.polarity import polarity
from scrubjay.stores.text.quantities import Quantity, agree, quantities
from scrubjay.stores.text.tables import entry
from scrubjay.stores.text.words import content_stems, occurrences

ENOUGH = 0.8
"""share of the current facts' content stems that a merged text should keep"""
LENGTH_FACTOR, LENGTH_SLACK = 3, 200


@dataclass(frozen=True)
class MergeReport:
    """What the check found; every line names its kind first: "number: …", "name: …", "date: …", "polarity: …"."""

    lost: tuple[str, ...]
    """of the current facts"""
    invented: tuple[str, ...]
    """in none of the facts"""
    stems_kept: float
    """share of the current facts' content stems, 0 to 1"""
    missing_stems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """The hard checks passed."""
        return not self.lost and not self.invented

    @property
    def thin(self) -> bool:
        """Fewer than ENOUGH of the content stems are left: worth a repair turn, no reason to refuse."""
        return self.stems_kept < ENOUGH

    @property
    def problems(self) -> tuple[str, ...]:
        """What a repair turn is told; [] when there is nothing to repair."""
        thin = (f"words missing: {', '.join(self.missing_stems)}",) if self.thin else ()
        return (*(f"lost {line}" for line in self.lost), *(f"invented {line}" for line in self.invented), *thin)


def merge_check(
    text: str, *, current: Sequence[str], ended: Sequence[str], dates: Sequence[str], subject: str = "user"
) -> MergeReport:
    """Compare a merged text with the facts it was made of and the dates that it may draw on.

    A fact given twice (equal when normalised) is one fact.
    """
    current = list({normalise(fact): fact for fact in reversed(current)}.values())
    kept = content_stems(text, subject)
    wanted = frozenset().union(*(content_stems(fact, subject) for fact in current))
    missing = tuple(sorted(wanted - kept))
    share = 1.0 if not wanted else 1 - len(missing) / len(wanted)
    lost = [line for fact in current for line in _lost(text, fact, subject)]
    facts = [*current, *ended]
    invented = [*_new_names(text, facts, subject), *_new_numbers(text, facts), *_new_dates(text, facts, dates)]
    return MergeReport(_once(lost), _once(invented), share, missing)


def _once(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(lines))


def unusable(text: str, inputs: Sequence[str]) -> str | None:
    """Why a reply is no merged text at all: blank, or longer than 3 × its inputs + 200 characters."""
    if not text.strip():
        return "the text is blank"
    limit = LENGTH_FACTOR * sum(map(len, inputs)) + LENGTH_SLACK
    if len(text) > limit:
        return f"the text has {len(text)} characters, more than {limit}: three times what it was made of and 200"
    return None


def _lost(text: str, fact: str, subject: str) -> list[str]:
    source, target = plain(fact), plain(text)
    have, days = quantities(target), day_spans(target)
    gone = [f"name: {name}" for name in sorted(names(fact)) if not has_name(text, name) and not has_name(subject, name)]
    gone += [f"number: {q.text}" for q in quantities(source) if q.sure and not _kept_number(q, have)]
    gone += [f"date: {shown(d)}" for d in day_spans(source) if not any(covers(o.iso, d.iso) for o in days)]
    return gone + _lost_polarity(text, fact, subject)


def _kept_number(number: Quantity, have: tuple[Quantity, ...]) -> bool:
    """In any spelling; a unit that the fact states must be there."""
    return any(agree(number, other) and (other.unit or not number.unit or number.clock) for other in have)


def _lost_polarity(text: str, fact: str, subject: str) -> list[str]:
    """What the fact denies must be denied (or told as past), what it states may not be denied only."""
    said, kept = polarity(fact, subject), polarity(text, subject)
    gone = []
    if said.denied and not said.denied & (kept.denied | kept.ended):
        gone.append(f"polarity: not {', '.join(sorted(said.denied))}")
    flipped = (said.affirmed - said.denied - said.ended) & (kept.denied - kept.affirmed - kept.ended)
    if flipped:
        gone.append(f"polarity: {', '.join(sorted(flipped))} is denied")
    return gone


def _new_names(text: str, facts: Sequence[str], subject: str) -> list[str]:
    known = [*facts, subject]
    return [f"name: {name}" for name in sorted(names(text)) if not any(has_name(source, name) for source in known)]


def _new_numbers(text: str, facts: Sequence[str]) -> list[str]:
    known = tuple(q for fact in facts for q in quantities(plain(fact)))
    new = [q for q in quantities(plain(text)) if q.sure and not any(agree(q, other) for other in known)]
    return [f"number: {q.text}" for q in new]


def _new_dates(text: str, facts: Sequence[str], dates: Sequence[str]) -> list[str]:
    """Dates that no fact states and that are not the write's or the validity's own, at a coarser precision."""
    stated = [d for fact in facts for d in day_spans(plain(fact))]
    known = [d.iso for d in stated] + [d[:10] for d in dates]
    there = day_spans(plain(text))
    new = [d for d in there if not any(_derived(d, k) for k in known)]
    spare = [d for d in stated if not any(covers(o.iso, d.iso) for o in there)]
    return [*(f"date: {_instead(d, spare)}" for d in new), *_new_weekdays(text, facts, known)]


def _derived(day: Day, known: str) -> bool:
    """The known date at its own or a coarser precision, its year known or left open."""
    return covers(known, day.iso)


def _instead(new: Day, spare: list[Day]) -> str:
    """ "June → September 2023": the new date and the one it stands for, nearest in shape."""
    same = [d for d in spare if (d.day is None, d.month is None) == (new.day is None, new.month is None)]
    if not same:
        return shown(new)
    old = min(same, key=lambda d: (d.year != new.year, d.month != new.month, d.iso))
    before = shown(old) if old.year != new.year else shown(Day(None, old.month, old.day, old.start, old.end))
    return f"{before} → {shown(new)}"


def shown(day: Day) -> str:
    """A date for people: "14 March 2026", "September 2023", "2021"."""
    names_of = {n: name.capitalize() for name, n in reversed(entry("en", "months").items())}
    parts = [str(day.day or ""), names_of[day.month] if day.month else "", str(day.year or "")]
    return " ".join(filter(None, parts))


def _new_weekdays(text: str, facts: Sequence[str], known: Sequence[str]) -> list[str]:
    allowed = frozenset().union(*(weekdays(fact) for fact in facts)) | {_weekday(k) for k in known}
    listed = {n: name.capitalize() for name, n in entry("en", "weekdays").items()}
    return [f"date: {listed[n]}" for n in sorted(weekdays(text) - allowed)]


def _weekday(iso: str) -> int:
    """1 for Monday; 0 where the date is not a full one."""
    read = fields(iso)
    try:
        return date(*read).isoweekday() if read and None not in read else 0  # type: ignore[arg-type]
    except ValueError:
        return 0


@dataclass(frozen=True, slots=True)
class _Item:
    """A content word, number or date of an old text; offsets count in its plain form."""

    start: int
    end: int
    said: bool
    """the new text says it too"""


_CLAUSE_END = re.compile(
    r"[;,()\n!?。|—–]|\.(?=\s|$)|\s(?:and|but|while|because|so|although|though|after having|where|which|who)(?=\s)"
)
_LEADING = re.compile(r"^(?:and|but|while|because|so|also|then|that|it|user(?='s\s)|is|are)\s+", re.IGNORECASE)
_WHOLE = 0.75
"""share of a clause's items from which the whole clause is shown"""
DETAILS = 12
"""phrases listed at most"""


def details_lost(text: str, of: Sequence[str], subject: str = "user") -> list[str]:
    """What the old texts said and `text` does not, as phrases of theirs: "over three years", "listening to …"."""
    return _details(text, of, subject, said=False)


def details_kept(text: str, of: Sequence[str], subject: str = "user") -> list[str]:
    """What the old texts said and `text` still says, as phrases of theirs."""
    return _details(text, of, subject, said=True)


def _details(text: str, of: Sequence[str], subject: str, *, said: bool) -> list[str]:
    found: list[str] = []
    for old in of:
        source = plain(old)
        items = _items(source, text, subject)
        for start, end in _clauses(source):
            inside = [i for i in items if start <= i.start < end]
            found += [source[a:b] for a, b in _runs(inside, start, end, said)]
    phrases = (_LEADING.sub("", phrase.strip(" \t,;:.。，；")) for phrase in found)
    return list(dict.fromkeys(p for p in phrases if p))[:DETAILS]


def _items(source: str, text: str, subject: str) -> list[_Item]:
    target = plain(text)
    stems, have, days = content_stems(text, subject), quantities(target), day_spans(target)
    items = [_Item(o.start, o.end, o.stem in stems) for o in occurrences(source, subject)]
    counted = [_Item(q.start, q.end, _kept_number(q, have)) for q in quantities(source) if q.sure]
    dated = [_Item(d.start, d.end, any(covers(o.iso, d.iso) for o in days)) for d in day_spans(source)]
    taken = counted + dated
    words = [i for i in items if not any(t.start <= i.start < t.end for t in taken)]
    return _smoothed(sorted(words + taken, key=lambda i: (i.start, i.end)))


def _smoothed(items: list[_Item]) -> list[_Item]:
    """A pair of characters between two that are said, overlapping both, is said as well: only its place is new."""
    smooth = list(items)
    for n in range(1, len(items) - 1):
        before, item, after = items[n - 1 : n + 2]
        if not item.said and before.said and after.said and before.end > item.start and after.start < item.end:
            smooth[n] = replace(item, said=True)
    return smooth


def _clauses(source: str) -> Iterator[tuple[int, int]]:
    start = 0
    for mark in _CLAUSE_END.finditer(source):
        yield start, mark.start()
        start = mark.end()
    yield start, len(source)


def _runs(items: list[_Item], start: int, end: int, said: bool) -> Iterator[tuple[int, int]]:
    """Spans of neighbouring items that are (not) said; a lone word takes its neighbour along for context."""
    hits = [i.said is said for i in items]
    if items and sum(hits) >= _WHOLE * len(items):
        yield start, end
        return
    if said:
        hits = [hit and any(hits[max(0, i - 1) : i] + hits[i + 1 : i + 2]) for i, hit in enumerate(hits)]
    n = 0
    while n < len(items):
        if not hits[n]:
            n += 1
            continue
        last = n
        while last + 1 < len(items) and hits[last + 1]:
            last += 1
        yield _with_context(items, n, last, start)
        n = last + 1


def _with_context(items: list[_Item], first: int, last: int, start: int) -> tuple[int, int]:
    left = items[first - 1].end if first else start
    if first == last and last + 1 < len(items):
        return left, items[last + 1].end
    if first == last and first:
        return items[first - 1].start, items[last].end
    return left, max(i.end for i in items[first : last + 1])
