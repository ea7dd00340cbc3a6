"""What an extracted fact dropped of the words that it was taken from.

A fact with a loss may be added and may end nothing: "staying there this week" must not become "lives there".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from scrubjay.stores.text.cleaning import fold, plain
from scrubjay.stores.text.cues import asks_to_forget, bound_spans, bounds
from scrubjay.stores.text.days import Day, covers, day_spans, fields
from scrubjay.stores.text.naming import has_name, name_spans
from scrubjay.stores.text.polarity import denied_groups, negated, polarity, set_apart
from scrubjay.stores.text.quantities import Quantity, agree, quantities
from scrubjay.stores.text.tables import entry, phrases

NOT_ACTUAL = ("planned", "hypothetical", "fiction", "question")


@dataclass(frozen=True)
class _Fact:
    """The fact and what stands beside its text."""

    text: str
    subject: str
    valid_from: str | None
    valid_to: str | None
    modality: str
    observed_at: str
    speaker: str | None

    @property
    def validity(self) -> tuple[str, ...]:
        return tuple(v for v in (self.valid_from, self.valid_to) if v)

    @property
    def times(self) -> tuple[str, ...]:
        """Every date that the fact carries, in its words or as validity."""
        return (*(d.iso for d in day_spans(plain(self.text))), *(v[:10] for v in self.validity))


def extraction_loss(
    text: str,
    quote: str,
    *,
    subject: str,
    valid_from: str | None,
    valid_to: str | None,
    modality: str,
    observed_at: str,
    speaker: str | None = None,
) -> list[str]:
    """Each loss in words that a model can act on; [] when the fact carries all that its quote says.

    Polarity, bounds and conditions, numbers and dates in any spelling, names. "now", "still", "recently" and relative
    dates are no loss. A wish to forget need not repeat what is to be forgotten.
    """
    fact = _Fact(text, subject, valid_from, valid_to, modality, observed_at, speaker)
    if asks_to_forget(quote) or asks_to_forget(text):
        return []
    return [
        *_polarity(fact, quote),
        *_bounds(fact, quote),
        *_numbers(fact, quote),
        *_dates(fact, quote),
        *_names(fact, quote),
    ]


def _polarity(fact: _Fact, quote: str) -> list[str]:
    """A word that the quote only denies and the fact only states, or the other way round."""
    said, kept = polarity(quote, fact.subject), polarity(fact.text, fact.subject)
    stated = kept.affirmed - kept.denied - said.affirmed
    denied = (
        frozenset(s for group in denied_groups(quote, fact.subject) if _flips(group, stated) for s in group) & stated
    )
    if denied and not _carries_denial(fact.text, quote):
        return [f"the quote denies {_listed(quote, denied)}, the fact states it: keep the negation"]
    turned = (said.affirmed - said.denied) & (kept.denied - kept.affirmed)
    if turned and not negated(quote) and not _says_more(quote):
        return [f"the quote states {_listed(quote, turned)}, the fact denies it"]
    return []


def _flips(group: tuple[str, ...], stated: frozenset[str]) -> bool:
    """The fact states what the stretch is about, its last word or two of them; "not at Acme" leaves "at Globex"."""
    return group[-1] in stated or len(stated.intersection(group)) > 1


def _carries_denial(text: str, quote: str) -> bool:
    """ "allergic", "free of", "only" … deny in other words; "as of" says that what came before has ended."""
    source = plain(text)
    if any(m.group().lower() not in plain(quote).lower() for m in phrases("kept_negation").finditer(source)):
        return True
    return bool(phrases("as_of").search(source)) and bool(phrases("past").search(plain(quote)))


def _says_more(quote: str) -> bool:
    """The quote ends something in words of its own, or leans on "it" or "too": what it denies may lie outside."""
    source = plain(quote)
    return any(phrases(key).search(source) for key in ("negation_tail", "kept_negation", "anaphora"))


def _listed(source: str, stems: frozenset[str]) -> str:
    """The stems as the words of the text, in its order."""
    from_text = [w for w in re.findall(r"[\w'-]+", plain(source)) if any(fold(w).startswith(s[:4]) for s in stems)]
    return ", ".join(f"'{w}'" for w in dict.fromkeys(from_text)) or ", ".join(sorted(stems))


def _bounds(fact: _Fact, quote: str) -> list[str]:
    found: dict[str, str] = {}
    for kind, words, at in bound_spans(quote):
        if not _bound_carried(fact, quote, kind, at):
            found.setdefault(kind, words)
    return [f"the quote says '{words.strip()}', the fact does not" for words in found.values()]


def _bound_carried(fact: _Fact, quote: str, kind: str, at: int) -> bool:
    if kind in bounds(fact.text) or _worded(fact.text, kind):
        return True
    if kind.startswith(("modal", "condition")):
        return fact.modality in NOT_ACTUAL
    return bool(fact.valid_to) or _dated(fact.text) or _happened(quote, at)


def _worded(text: str, kind: str) -> bool:
    """Other words for the same bound."""
    folded = fold(text)
    latin = entry("en", "bound_carriers").get(kind, [])
    if latin and re.search(rf"(?<!\w)(?:{'|'.join(latin)})", folded):
        return True
    return any(re.search(word, folded) for word in entry("zh", "bound_carriers").get(kind, []))


def _dated(text: str) -> bool:
    """The fact states a date that is more than the start of something open."""
    source = plain(text)
    opened = re.compile(r"(?:as of|since|from|starting|自|从|截至)\s*(?:the )?$", re.IGNORECASE)
    return any(not opened.search(source[: d.start]) and not _open_end(source, d) for d in day_spans(source))


def _open_end(source: str, day: Day) -> bool:
    return bool(re.match(r"\s*(?:on\b|onwards?\b|起|开始|以来)", source[day.end :]))


def _happened(quote: str, at: int) -> bool:
    """The bound is the time of something that happened ("moved this week"), no end of a state."""
    source = plain(quote)
    start = max(source.rfind(mark, 0, at) for mark in ".;!?。！？；，") + 1
    tail = re.split(r"[.;!?。！？；]", source[start:])[0]
    done = "|".join(entry("en", "completed"))
    return bool(
        re.search(rf"(?<!\w)(?<!have )(?<!'ve )(?<!has )(?:{done})(?!\w)", tail, re.IGNORECASE)
        or re.search(r"[\u4e00-\u9fff]了", tail)
    )


def _numbers(fact: _Fact, quote: str) -> list[str]:
    source = plain(quote)
    have = quantities(plain(fact.text))
    apart = _not_needed(fact, quote)
    needed = (q for q in quantities(source) if q.sure and not apart[q.start])
    lost = [q for q in needed if not _number_carried(fact, source, q, have)]
    shown = dict.fromkeys(source[q.start : q.end].strip() for q in lost)
    return [f"the quote says '{words}', the fact does not" for words in shown]


def _number_carried(fact: _Fact, source: str, number: Quantity, have: tuple[Quantity, ...]) -> bool:
    if any(agree(number, other) for other in have):
        return True
    if number.clock:
        return any(_clock_of(v) == number.value for v in fact.validity)
    if number.value.isdigit() and not number.unit and _day_carried(fact, source, number):
        return True
    return _span_carried(fact, source, number)


def _clock_of(moment: str) -> str:
    match = re.search(r"T(\d\d:\d\d)", moment)
    return match.group(1) if match else ""


def _day_carried(fact: _Fact, source: str, number: Quantity) -> bool:
    """ "the 20th", 28号: the day of a date that was resolved."""
    written = source[number.start : number.end] + source[number.end : number.end + 1]
    if not re.search(r"(?:st|nd|rd|th|号|日)\W*$|[a-z]$", written):
        return False
    return any((f := fields(t)) and f[2] == int(number.value) for t in fact.times)


_UNIT_DAYS = {"hour": 1 / 24, "day": 1, "night": 1, "week": 7, "month": 30.44, "year": 365.25, "decade": 3652.5}


def _span_carried(fact: _Fact, source: str, number: Quantity) -> bool:
    """A span of time is carried by the date that it leads to, or comes from; "after ten weeks" by the date it ended."""
    days = _UNIT_DAYS.get(number.unit)
    now = _moment(fact.observed_at)
    if days is None or now is None or not re.fullmatch(r"\d+(\.\d+)?", number.value):
        return False
    try:
        span = timedelta(days=days * float(number.value))
        ends = [now - span, now + span]
    except OverflowError:
        return False
    if re.search(r"\bafter\s$", source[: number.start], re.IGNORECASE):
        ends.append(now)
    return any(_near(time, end, timedelta(days=max(days, 1))) for time in fact.times for end in ends)


def _near(time: str, moment: datetime, slack: timedelta) -> bool:
    """The date, at its own precision, holds the moment or lies within the slack of it."""
    read = fields(time)
    if read is None or read[0] is None:
        return False
    if day := _moment(time[:10]):
        return abs(day.date() - moment.date()) <= slack
    around = (moment - slack, moment, moment + slack)
    return any(covers(at.date().isoformat(), time) for at in around)


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _dates(fact: _Fact, quote: str) -> list[str]:
    source = plain(quote)
    lost = [d for d in day_spans(source) if not _date_carried(fact, d)]
    shown = dict.fromkeys(source[d.start : d.end].strip() for d in lost)
    return [f"the quote says '{words}', the fact does not" for words in shown]


def _date_carried(fact: _Fact, day: Day) -> bool:
    """Stated at the same or a finer precision; the year may go where it is the message's own."""
    if any(covers(time, day.iso) for time in fact.times):
        return True
    if day.year is None or not fact.observed_at.startswith(str(day.year)) or day.month is None:
        return False
    without = Day(None, day.month, day.day, day.start, day.end).iso
    return any(covers(time, without) for time in fact.times)


def _names(fact: _Fact, quote: str) -> list[str]:
    around = " ".join(filter(None, (fact.text, fact.subject, fact.speaker)))
    apart = _not_needed(fact, quote)
    needed = dict.fromkeys(name for name, start in name_spans(quote) if not apart[start])
    return [f"the quote names '{name}', the fact does not" for name in needed if not has_name(around, name)]


def _not_needed(fact: _Fact, quote: str) -> bytes:
    """What the quote only denies or tells as ended, where the fact is about the rest of it.

    So is the Seattle of "moved from Seattle to Austin".
    """
    source = plain(quote)
    rest = polarity(quote, fact.subject).affirmed & polarity(fact.text, fact.subject).affirmed
    return set_apart(source) if rest else bytes(len(source))
