"""Relative dates put against the time of the message, where that can be done exactly; the rest stays as said."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from scrubjay.graph.rules.tables import pattern

_NUMBERS = {
    "a": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "an": 1,
}
_ZH_NUMBERS = {"一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


@dataclass(frozen=True, slots=True)
class Span:
    """Days from `first` to `last`, and how they are written."""

    first: date
    last: date
    precision: str
    """day | week | month | year"""

    @property
    def start(self) -> str:
        """ISO at the span's precision."""
        if self.precision == "year":
            return f"{self.first.year}"
        return self.first.isoformat()[:7] if self.precision == "month" else self.first.isoformat()

    @property
    def end(self) -> str:
        """ISO day on which it ends."""
        return self.last.isoformat()

    def english(self) -> str:
        """ "on 13 May 2026", "in the week of 11 May 2026", "in August 2026", "in 2024"."""
        day = f"{self.first.day} {_MONTHS[self.first.month - 1]} {self.first.year}"
        words = {"day": f"on {day}", "week": f"in the week of {day}", "year": f"in {self.first.year}"}
        return words.get(self.precision) or f"in {_MONTHS[self.first.month - 1]} {self.first.year}"

    def chinese(self) -> str:
        """ "2026年5月13日", "2026年8月"."""
        first = self.first
        if self.precision == "week":
            return f"{first.year}年{first.month}月{first.day}日这一周"
        month = "" if self.precision == "year" else f"{first.month}月"
        return f"{first.year}年{month}" + (f"{first.day}日" if self.precision == "day" else "")


@dataclass(frozen=True, slots=True)
class Resolved:
    """A text without relative dates, and the first span it told."""

    text: str
    span: Span | None = None


def day(at: date) -> Span:
    return Span(at, at, "day")


def week(at: date) -> Span:
    monday = at - timedelta(days=at.weekday())
    return Span(monday, monday + timedelta(days=6), "week")


def month(year: int, number: int) -> Span:
    year, number = year + (number - 1) // 12, (number - 1) % 12 + 1
    return Span(date(year, number, 1), date(year, number, monthrange(year, number)[1]), "month")


def year(number: int) -> Span:
    return Span(date(number, 1, 1), date(number, 12, 31), "year")


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.get(word.casefold(), _ZH_NUMBERS.get(word, 0))


_STEPS = {"last": -1, "this": 0, "next": 1, "上": -1, "这": 0, "本": 0, "下": 1, "去": -1, "今": 0, "明": 1}
_UNITS = {"week": "week", "month": "month", "year": "year", "周": "week", "星期": "week", "月": "month", "年": "year"}


def _shifted(at: date, unit: str, steps: int) -> Span:
    if unit == "day":
        return day(at + timedelta(days=steps))
    if unit == "week":
        return week(at + timedelta(weeks=steps))
    return month(at.year, at.month + steps) if unit == "month" else year(at.year + steps)


_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1, "昨天": -1, "今天": 0, "明天": 1, "前天": -2, "后天": 2}
_ENGLISH = pattern("times.english")
_CHINESE = pattern("times.chinese")


def resolve(text: str, at: str, chinese: bool = False) -> Resolved:
    """The text with dates for "yesterday", "last month", …; unchanged when `at` is no ISO time."""
    today = _day_of(at)
    if today is None:
        return Resolved(text)
    told: list[Span] = []

    def replace_english(found: re.Match[str]) -> str:
        span = _english_span(found, today)
        told.append(span)
        words = span.english()
        prep = found["prep"]
        return words if not prep or prep.casefold() in ("on", "for") else f"{prep} {words.split(' ', 1)[1]}"

    def replace_chinese(found: re.Match[str]) -> str:
        span = _chinese_span(found, today)
        told.append(span)
        return span.chinese()

    pattern: re.Pattern[str] = _CHINESE if chinese else _ENGLISH
    replacer: Callable[[re.Match[str]], str] = replace_chinese if chinese else replace_english
    try:
        return Resolved(pattern.sub(replacer, text), told[0] if told else None)
    except (ValueError, OverflowError):  # a date before year 1 or beyond 9999: it stays as said
        return Resolved(text)


def _day_of(at: str) -> date | None:
    try:
        return datetime.fromisoformat(at).date()
    except ValueError:
        return None


def _english_span(found: re.Match[str], today: date) -> Span:
    if found["after"] or found["before"]:
        return day(today + timedelta(days=2 if found["after"] else -2))
    if found["day"]:
        return day(today + timedelta(days=_DAYS[found["day"].casefold()]))
    if found["step"]:
        return _shifted(today, found["unit"].casefold(), _STEPS[found["step"].casefold()])
    if found["ago"]:
        return _shifted(today, found["ago"].casefold(), -_count(found["n"]))
    return _shifted(today, found["ahead"].casefold(), _count(found["m"]))


def _chinese_span(found: re.Match[str], today: date) -> Span:
    if found["day"]:
        return day(today + timedelta(days=_DAYS[found["day"]]))
    if found["ystep"]:
        return year(today.year + _STEPS[found["ystep"]])
    if found["step"]:
        return _shifted(today, _UNITS[found["unit"]], _STEPS[found["step"]])
    return _shifted(today, "day" if found["ago"] == "天" else _UNITS[found["ago"]], -_count(found["n"]))
