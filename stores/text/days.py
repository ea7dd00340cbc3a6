"""Dates in a text, at their own precision: ISO strings, "--03-14" for a day without its year, "--11" for a month."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from scrubjay.stores.text.cleaning import blank, plain
from scrubjay.stores.text.tables import entry


@dataclass(frozen=True, slots=True)
class Day:
    """A date as written; a field that it does not state is None. Offsets count in `plain(text)`."""

    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int

    @property
    def iso(self) -> str:
        head = f"{self.year:04d}" if self.year is not None else "-"
        parts = [head, *(f"{p:02d}" for p in (self.month, self.day) if p is not None)]
        return "-".join(parts)


_YEAR = r"(?P<year>(?:19|20)\d\d)"
_NUM = r"[0-9一二三四五六七八九十〇零]"


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    months: dict[str, int] = entry("en", "months")
    long = "|".join(sorted((m for m in months), key=len, reverse=True))
    name = rf"(?P<month>{long})\.?"
    full = "|".join(m for m in months if (len(m) > 4 or m in ("june", "july")) and m != "march")
    day = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
    upto = r"(?:\s?[-–]\s?(?P<last>\d{1,2})(?:st|nd|rd|th)?)?"
    texts = [
        r"(?<![\d.])(?P<year>(?:19|20)\d\d)[-/.](?P<m>0?[1-9]|1[0-2])[-/.](?P<day>0?[1-9]|[12]\d|3[01])(?:T[\d:.+Z-]+)?(?![\d.]?\d)",
        r"(?<![\d.-])(?P<year>(?:19|20)\d\d)-(?P<m>0[1-9]|1[0-2])(?![\d-])",
        r"(?<![\d.])(?P<day>0?[1-9]|[12]\d|3[01])\.(?P<m>0?[1-9]|1[0-2])\.(?P<year>(?:19|20)\d\d)(?!\d)",
        rf"(?<![\w.]){day}{upto}\s(?:of\s)?{name}(?:,?\s{_YEAR})?(?!\w)",
        rf"(?<![\w]){name}\s(?:the\s)?{day}{upto}(?![\d:.]?\d)(?!\w)(?:,?\s{_YEAR}(?!\w))?(?!\s?[ap]\.?m\b)",
        rf"(?<![\w]){name},?\s(?:of\s)?{_YEAR}(?!\w)",
        rf"(?<![\w])(?P<month>{full})(?!\w)",
        r"(?<![\w])(?P<month>May|March)(?!\w)",
        rf"(?:(?P<year>(?:19|20)\d\d)\s?年\s?)(?P<m>{_NUM}{{1,3}})\s?月(?:份)?(?:\s?(?P<day>{_NUM}{{1,3}})\s?[日号])?",
        rf"(?<!{_NUM})(?<![A-Za-z])(?P<m>{_NUM}{{1,3}})\s?月(?:份)?(?:\s?(?P<day>{_NUM}{{1,3}})\s?[日号])?",
        r"(?<!\d)(?P<year>(?:19|20)\d\d)\s?年(?!半)",
        r"(?<![\w$€£¥₹#/+-])(?<!\d[.,:])(?P<year>(?:19|20)\d\d)(?![\w%°:/]|[.,]\d|[-–]\d|\s?[元块米克页字步人]|\s(?:[mkµ]?g|[kcm]?m|m?l|lb|kcal|euros?|dollars?|pounds?|miles?|steps|calories|people)\b)",
    ]
    return tuple(re.compile(t, re.IGNORECASE if "May|March" not in t else 0) for t in texts)


def small_numeral(text: str) -> int | None:
    """1–99 in digits or in Chinese numerals."""
    if text.isascii() and text.isdigit():
        return int(text)
    digits: dict[str, int] = entry("zh", "digits")
    tens, ten, ones = text.partition("十")
    if not ten:
        return digits.get(text) if len(text) == 1 else None
    if len(tens) > 1 or len(ones) > 1:
        return None
    return (digits.get(tens, 1) if tens else 1) * 10 + (digits.get(ones, 0) if ones else 0)


def _read(match: re.Match[str]) -> list[Day]:
    got = match.groupdict()
    months: dict[str, int] = entry("en", "months")
    month = small_numeral(got["m"]) if got.get("m") else months.get((got.get("month") or "").lower())
    year = int(got["year"]) if got.get("year") else None
    days = [small_numeral(d) for d in (got.get("day"), got.get("last")) if d]
    if (month is not None and not 1 <= month <= 12) or any(d is None or not 1 <= d <= 31 for d in days):
        return []
    if got.get("m") and month is None:
        return []
    return [Day(year, month, d, match.start(), match.end()) for d in days or [None]]


_BEFORE_MONTH = re.compile(
    r"\b(?:in|of|since|until|till|by|from|to|last|next|this|through|during|mid|early|late|for)[\s-]$", re.IGNORECASE
)


def _sure_month(source: str, match: re.Match[str]) -> bool:
    """A bare "May" or "March" is a month only after a word that a time follows."""
    if match.group() not in ("May", "March"):
        return True
    return bool(_BEFORE_MONTH.search(source[: match.start()]))


@lru_cache(maxsize=4096)
def day_spans(source: str) -> tuple[Day, ...]:
    """The dates of a plain text, in order; "16-17 September" is two that share a span."""
    found: list[Day] = []
    taken = source
    for pattern in _patterns():
        fresh = [d for m in pattern.finditer(taken) if _sure_month(source, m) for d in _read(m)]
        taken = blank(taken, ((d.start, d.end) for d in fresh), "\u2502")
        found += fresh
    return tuple(sorted(found, key=lambda d: (d.start, d.iso)))


def dates(text: str) -> frozenset[str]:
    """The dates that the text states, canonical: "2026-09-17", "2026-09", "2026", "--03-14", "--11"."""
    return frozenset(d.iso for d in day_spans(plain(text)))


def weekdays(text: str) -> frozenset[int]:
    """The days of the week that the text names, 1 = Monday."""
    source = plain(text)
    names: dict[str, int] = entry("en", "weekdays")
    found = {names.get(w.lower(), 0) for w in re.findall(rf"(?<!\w)({'|'.join(names)})s?(?!\w)", source, re.IGNORECASE)}
    signs: dict[str, int] = entry("zh", "weekdays")
    return frozenset(
        (found - {0}) | {signs[c] for c in re.findall(r"(?:周|星期|礼拜)([一二三四五六日天])(?![年])", source)}
    )


def fields(date: str) -> tuple[int | None, int | None, int | None] | None:
    """(year, month, day) of an ISO date, datetime, "2026-08", "2026", "--03-14" or "--11"; None when unreadable."""
    match = re.match(r"^(?:(\d{4})|-)(?:-(\d\d)(?:-(\d\d))?)?(?:[T ].*)?$", date.strip())
    if not match or not any(match.groups()):
        return None
    year, month, day = (int(g) if g else None for g in match.groups())
    return year, month, day


def covers(fine: str, coarse: str) -> bool:
    """Every field that `coarse` states is stated equally by `fine`."""
    a, b = fields(fine), fields(coarse)
    return a is not None and b is not None and all(y is None or x == y for x, y in zip(a, b, strict=True))
