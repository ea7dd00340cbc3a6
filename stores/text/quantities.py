"""Numbers in a text with their units and clock times: digits, words and Chinese numerals read alike. No dates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import cache, lru_cache

from scrubjay.stores.text.cleaning import CJK_CHARACTERS, blank, plain
from scrubjay.stores.text.days import day_spans
from scrubjay.stores.text.tables import LANGUAGES, entry, phrases


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as written. Offsets count in `plain(text)`."""

    value: str
    """canonical: no grouping, no trailing zeros; "09:00" for a time; "7a" for what mixes letters and digits"""
    unit: str
    """canonical, "" where there is none"""
    start: int
    end: int
    clock: bool = False
    sure: bool = True
    """False for "one", "zero", "first", 一 …: often no number at all, so never missed, but accepted as one"""
    half_known: bool = True
    """False for a clock time without am / pm below 13: it may be twelve hours later"""

    @property
    def text(self) -> str:
        if self.unit in "$€£¥₹" and self.unit:
            return f"{self.unit}{self.value}"
        return f"{self.value}{'' if self.unit == '%' else ' ' if self.unit else ''}{self.unit}"


_BLANK = "\u2502"
_CURRENCY = {"$": "$", "€": "€", "£": "£", "₹": "₹", "¥": "¥"}
_SCALE = {
    "k": 1000,
    "m": 1000000,
    "bn": 1000000000,
    "thousand": 1000,
    "million": 1000000,
    "billion": 1000000000,
    "万": 10000,
    "亿": 100000000,
    "千": 1000,
    "百": 100,
}
_NUMBER = re.compile(
    r"(?P<sign>(?<![\w.)\]-])-)?(?P<money>[$€£¥₹]\s?)?"
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d])|\d+(?:\.\d+)+|\d+)"
    r"(?P<scale>\s?(?:万|亿|千(?![米克瓦])|百)|k(?![\w])|bn\b|\s(?:thousand|million|billion)\b|(?<=\d)M\b)?"
    r"(?P<ordinal>(?:st|nd|rd|th)(?!\w))?"
)
_MIXED = re.compile(rf"(?<![^\W_])(?=[^\W_]*\d)(?=[^\W_]*[A-Za-z])(?:(?![{CJK_CHARACTERS}])[^\W_])+(?![^\W_])")
_CLOCK = re.compile(
    r"(?<![\d.])(?<!\d:)(?P<h>[01]?\d|2[0-4])[:](?P<m>[0-5]\d)(?::[0-5]\d)?(?![\d:])\s?(?P<half>[ap]\.?\s?m\b\.?|o'clock)?",
    re.IGNORECASE,
)
_HALF = re.compile(r"\s?(?P<half>[ap]\.?m\b|[ap]\.m\.|o'clock)", re.IGNORECASE)


def canonical(text: str) -> str:
    """ "1,150" → "1150", "3.20" → "3.2"; what is no plain number (3.11.2) stays as it is."""
    bare = text.replace(",", "")
    if bare.count(".") > 1 or re.match(r"0\d", bare):  # a version, a code
        return bare
    try:
        value = Decimal(bare)
    except InvalidOperation:
        return bare
    return format(value.normalize(), "f") if value else "0"


@cache
def _units() -> tuple[re.Pattern[str], dict[str, str]]:
    names = {name: unit for lang in LANGUAGES for unit, listed in entry(lang, "units").items() for name in listed}
    ordered = sorted(names, key=len, reverse=True)
    latin = "|".join(re.escape(n) for n in ordered if not re.match(f"[{CJK_CHARACTERS}]", n))
    cjk = "|".join(re.escape(n) for n in ordered if re.match(f"[{CJK_CHARACTERS}]", n))
    return re.compile(rf"[\s-]?(?:(?P<latin>{latin})(?![A-Za-z0-9])|(?P<cjk>{cjk}))", re.IGNORECASE), names


def _unit(source: str, end: int) -> tuple[str, int]:
    pattern, names = _units()
    match = pattern.match(source, end)
    if not match:
        return "", end
    found = match.group("latin") or match.group("cjk")
    return names[found.lower()], match.end()


def _clock(hour: int, minute: int, half: str | None) -> tuple[str, bool]:
    """("15:30", known half)."""
    mark = (half or "").lower().replace(".", "").replace(" ", "")
    if mark == "pm" and hour < 12:
        hour += 12
    if mark == "am" and hour == 12:
        hour = 0
    return f"{hour % 24:02d}:{minute:02d}", mark in ("am", "pm") or hour > 12


def _colon_times(source: str) -> Iterator[Quantity]:
    for m in _CLOCK.finditer(source):
        value, known = _clock(int(m["h"]), int(m["m"]), m["half"])
        yield Quantity(value, "", m.start(), m.end(), clock=True, half_known=known)


@cache
def _chinese_clock() -> re.Pattern[str]:
    parts = "|".join(sorted(entry("zh", "day_parts"), key=len, reverse=True))
    numeral = r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})"
    return re.compile(
        rf"(?P<part>{parts})?(?P<h>{numeral})点(?:(?P<half>半)|(?P<quarter>[一三])刻"
        rf"|(?P<m>\d{{2}}|[零〇]?[一二三四五六七八九十]{{1,3}})分?|(?P<sure>钟|多|整|左右|到|前|后|才|[,，。、睡起吃上下开出关回]))?"
    )


def _chinese_times(source: str) -> Iterator[Quantity]:
    for m in _chinese_clock().finditer(source):
        hour = _chinese(m["h"])
        minute = 30 if m["half"] else 15 * (_chinese(m["quarter"]) or 0) if m["quarter"] else _chinese(m["m"] or "0")
        if hour is None or minute is None or hour > 24 or minute > 59:
            continue
        if m["h"] == "一" and not any((m["part"], m["half"], m["quarter"], m["m"], m["sure"] in ("多", "钟", "整"))):
            continue  # 一点: "a little"
        after = entry("zh", "day_parts").get(m["part"] or "", 0)
        value, known = _clock(hour, int(minute), "pm" if after and hour < 12 else None)
        end = m.end("sure") - len(m["sure"]) if m["sure"] else m.end()
        yield Quantity(value, "", m.start(), end, clock=True, half_known=known or bool(m["part"]))


def _chinese(text: str) -> int | None:
    """A numeral of digits and powers: 两万二 → 22000, 一百零五 → 105, 二〇二六 → 2026."""
    if text.isascii():
        return int(text) if text.isdigit() else None
    digits, powers = entry("zh", "digits"), entry("zh", "powers")
    if not any(c in powers for c in text):
        return int("".join(str(digits[c]) for c in text)) if all(c in digits for c in text) else None
    total = section = 0
    digit, last = None, 1
    for c in text:
        if c in digits:
            digit = digits[c]
            last = 1 if digit == 0 else last
        elif powers[c] >= 10000:
            total += (section + (digit or 0) or 1) * powers[c]
            section, digit, last = 0, None, powers[c]
        else:
            section += (1 if digit is None else digit) * powers[c]
            digit, last = None, powers[c]
    return int(total + section + (digit or 0) * (last // 10 if last > 10 else 1))


def _chinese_numbers(source: str) -> Iterator[Quantity]:
    hidden = phrases("not_numerals").sub(lambda m: _BLANK * len(m.group()), source)
    numerals = "".join(entry("zh", "digits")) + "".join(entry("zh", "powers"))
    measures = "".join(entry("zh", "measures"))
    for m in re.finditer(rf"[{numerals}]+(?:点[{numerals}]+)?", hidden):
        head, dot, tail = m.group().partition("点")
        value = _chinese(head)
        if value is None or (not any(c in entry("zh", "digits") or c == "十" for c in head)):
            continue
        shown = f"{value}.{_chinese(tail)}" if dot and len(tail) < 4 else str(value)
        unit, end = _unit(source, m.end())
        unit_or_measure = bool(unit) or source[m.end() : m.end() + 1] in tuple(measures)
        if len(head) == 1 and not unit_or_measure:
            continue
        yield _with_half(source, Quantity(shown, unit, m.start(), end, sure=head not in ("一", "零")))


def _with_half(source: str, quantity: Quantity) -> Quantity:
    """ "two and a half years", 两年半: half a unit more."""
    if source.startswith("半", quantity.end) and quantity.unit and quantity.value.isdigit():
        return replace(quantity, value=f"{quantity.value}.5", end=quantity.end + 1)
    return quantity


def _digit_numbers(source: str) -> Iterator[Quantity]:
    for m in _NUMBER.finditer(source):
        value = canonical((m["sign"] or "") + m["number"])
        scale = (m["scale"] or "").strip().lower()
        if scale and value.count(".") < 2:
            value = canonical(str(Decimal(value) * _SCALE[scale]))
        half = _HALF.match(source, m.end())
        if half and value.isdigit() and int(value) <= 12 and not m["money"]:
            clock, known = _clock(int(value), 0, half["half"])
            yield Quantity(clock, "", m.start(), half.end(), clock=True, half_known=known)
            continue
        unit, end = _unit(source, m.end())
        if m["money"]:
            unit, end = _CURRENCY[m["money"].strip()], m.end()
        yield _with_half(source, Quantity(value, unit, m.start(), end, sure=value != "0" or bool(unit)))


def _mixed(source: str) -> Iterator[Quantity]:
    """ "7a", "B12", "mp3": compared as they stand, unless they are a number with a unit, a scale or an ending."""
    pattern, _ = _units()
    for m in _MIXED.finditer(source):
        word = m.group().lower()
        if re.fullmatch(r"v\d+", word):  # "v3.11.2": the version is a number
            continue
        number = re.match(r"\d+(?:k|bn|st|nd|rd|th|am|pm|s)?$", word) or re.match(r"\d+m$", word)
        unit = (d := re.match(r"\d+", word)) and (u := pattern.match(word, d.end())) and u.end() == len(word)
        decimal = source[max(0, m.start() - 1) : m.start()] in (".", ",") and word[0].isdigit()
        if not number and not unit and not decimal:
            yield Quantity(word, "", m.start(), m.end())


@cache
def _word_pattern() -> re.Pattern[str]:
    words = "|".join(sorted([*entry("en", "numbers"), *entry("en", "multipliers")], key=len, reverse=True))
    ordinals = "|".join(sorted(entry("en", "ordinals"), key=len, reverse=True))
    one = rf"(?:{words})"
    return re.compile(
        rf"(?<![\w'])(?:(?P<half>half)(?= (?:an? )?(?:hour|day|year|dozen|mile|pound|kilo|litre|liter|marathon)\b)"
        rf"|(?P<past>half past )?(?P<words>{one}(?:[\s-](?:and\s)?{one})*)(?P<tail>[\s-](?:{ordinals}))?"
        rf"|(?P<ordinal>{ordinals}))(?!\w)",
        re.IGNORECASE,
    )


def _sum_of_words(words: list[str]) -> list[int]:
    """Values of a run of number words: "twenty five" is one number, "seven three" are two."""
    numbers, scales = entry("en", "numbers"), entry("en", "multipliers")
    values: list[int] = []
    total, current, last = 0, 0, 10**12
    for word in words:
        if word in scales:
            if scales[word] == 100:
                current = (current or 1) * 100
            else:
                total, current = total + (current or 1) * scales[word], 0
            last = scales[word]
            continue
        value = numbers[word]
        if (total or current) and not (last >= 100 or (20 <= last <= 90 and 0 < value < 10)):
            values.append(total + current)
            total = current = 0
        current += value
        last = value
    return [*values, total + current]


def _english_numbers(source: str) -> Iterator[Quantity]:
    ordinals = entry("en", "ordinals")
    for m in _word_pattern().finditer(source):
        if m["half"]:
            unit = re.match(r" (?:an? )?(\w+)", source[m.end() :])
            name = _units()[1].get(unit.group(1).lower(), "") if unit else ""
            yield Quantity("0.5", name, m.start(), m.end())
        elif m["ordinal"]:
            value = ordinals[m["ordinal"].lower()]
            if value == 2 and re.search(r"\b(?:an?|every|per|split|the) $", source[: m.start()], re.IGNORECASE):
                continue
            yield Quantity(str(value), "", m.start(), m.end(), sure=value != 1)
        else:
            yield from _spoken(source, m)


def _spoken(source: str, m: re.Match[str]) -> Iterator[Quantity]:
    words = [w for w in re.split(r"[\s-]+", m["words"].lower()) if w != "and"]
    values = _sum_of_words(words)
    if m["tail"]:
        values[-1] += entry("en", "ordinals")[m["tail"].strip(" -").lower()]
    half = _HALF.match(source, m.end())
    for n, value in enumerate(values, 1):
        last = n == len(values)
        if last and (half or m["past"]) and value <= 12:
            clock, known = _clock(value, 30 if m["past"] else 0, half["half"] if half else None)
            yield Quantity(clock, "", m.start(), half.end() if half else m.end(), clock=True, half_known=known)
            continue
        unit, end = _unit(source, m.end()) if last else ("", m.end())
        more = re.match(r" and a half\b", source[m.end() :]) if last else None
        if more:
            unit, end = _unit(source, m.end() + more.end())
        bare = words in (["one"], ["zero"], ["once"]) and not unit
        yield Quantity(f"{value}.5" if more else str(value), unit, m.start(), end, sure=not bare and words != ["zero"])


_READERS = (_colon_times, _chinese_times, _mixed, _digit_numbers, _chinese_numbers, _english_numbers)


@lru_cache(maxsize=4096)
def quantities(source: str) -> tuple[Quantity, ...]:
    """The numbers of a plain text, in order, read from the surest shape down; dates are blanked out first."""
    left = blank(source, ((d.start, d.end) for d in day_spans(source)), _BLANK)
    found: list[Quantity] = []
    for reader in _READERS:
        fresh = list(reader(left))
        found += fresh
        left = blank(left, ((q.start, q.end) for q in fresh), _BLANK)
    return tuple(sorted(found, key=lambda q: (q.start, q.value)))


def numbers(text: str) -> frozenset[str]:
    """Numbers of the text, canonical: "1150", "3", "09:00", "5 mg", "$64", "22000"; dates are not among them."""
    return frozenset(q.text for q in quantities(plain(text)) if q.sure)


def agree(a: Quantity, b: Quantity) -> bool:
    """The same number in another spelling: no unit stands for any unit, 7 for 7 am or 19:00, 7:30 for 19:30."""
    if a.clock or b.clock:
        return _same_time(a, b)
    return a.value == b.value and (a.unit == b.unit or not a.unit or not b.unit)


def _same_time(a: Quantity, b: Quantity) -> bool:
    """A bare hour may be before or after noon."""
    x, y = _minutes(a), _minutes(b)
    if x is None or y is None or a.unit or b.unit:
        return False
    return x == y or (not (a.clock and a.half_known and b.clock and b.half_known) and x % 720 == y % 720)


def _minutes(quantity: Quantity) -> int | None:
    if quantity.clock:
        hour, minute = quantity.value.split(":")
        return int(hour) * 60 + int(minute)
    return int(quantity.value) * 60 if quantity.value.isdigit() and int(quantity.value) <= 24 else None
