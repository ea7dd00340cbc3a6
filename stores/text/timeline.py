"""Which of two times is earlier, at the coarser precision of the two."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

_SHAPE = re.compile(r"^\d{4}(-\d\d(-\d\d)?)?$")


def compare_dates(a: str, b: str) -> int:
    """-1, 0 or 1; 0 also where one of them cannot be read.

    Takes ISO dates, datetimes, "2026-08" and "2026". Two datetimes with zones are compared as instants; a datetime
    and a coarser date by the datetime's own calendar day.
    """
    left, right = _moment(a), _moment(b)
    if left and right:
        if (left.tzinfo is None) != (right.tzinfo is None):
            left, right = left.replace(tzinfo=None), right.replace(tzinfo=None)
        return (left > right) - (left < right)
    x, y = _parts(a), _parts(b)
    if x is None or y is None:
        return 0
    size = min(len(x), len(y))
    return (x[:size] > y[:size]) - (x[:size] < y[:size])


def _moment(text: str) -> datetime | None:
    if _SHAPE.match(text.strip()):
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment
    except OverflowError:  # within a day of year 1 or 9999
        return moment.replace(tzinfo=UTC)


def _parts(text: str) -> tuple[int, ...] | None:
    """(year[, month[, day]]), validated."""
    stripped = text.strip()
    try:
        if not _SHAPE.match(stripped):
            moment = datetime.fromisoformat(stripped)
            return moment.year, moment.month, moment.day
        numbers = tuple(int(part) for part in stripped.split("-"))
        date(*(numbers + (1, 1))[:3])
    except ValueError:
        return None
    return numbers
