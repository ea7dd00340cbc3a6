"""Claims about a thing or quality: "rent is 1,150", "dentist appointment moved to 15 March"."""

from __future__ import annotations

import re
from functools import cache

from scrubjay.graph.rules.claim import USUAL, Claim, Mode
from scrubjay.graph.rules.tables import has, pattern, table, words
from scrubjay.graph.rules.turns import dayparts, people
from scrubjay.graph.rules.values import fold, name, occupation, orgname, place, strip_tail

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_KINDS = {
    "date": re.compile(
        rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b"
        rf"|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b|\b\d{{4}}-\d\d(?:-\d\d)?\b"
        r"|\bthe \d{1,2}(?:st|nd|rd|th)\b"
        r"|\b(?:today|tomorrow|tonight|yesterday)\b|\b\d{1,2}/\d{1,2}(?:/\d{2,4})?\b(?! ?%)",
        re.IGNORECASE,
    ),
    "time": re.compile(
        r"\b\d{1,2}(?::\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|o'clock)\b|\b\d{1,2}:\d\d\b|\bnoon\b|\bmidnight\b", re.IGNORECASE
    ),
    "weekday": re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE),
    "money": re.compile(
        r"[$€£¥]\s?\d|\d[\d,.]*\s?(?:dollars?|euros?|pounds?|bucks|usd|eur|gbp|k\b|[$€£¥])", re.IGNORECASE
    ),
    "percent": re.compile(r"\d\s?(?:%|percent|per cent)"),
}
_UNIT = pattern("possession.unit")


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(table("slots")[name], re.IGNORECASE)


def slot_of(thing: str) -> str:
    """The slot's one name: "phone number" → "phone", "favorite color" → "favourite color"."""
    plain = re.sub(r"^(?:new|current|monthly|own|usual|actual|real|next|upcoming) ", "", thing)
    plain = re.sub(r"^favorite\b", "favourite", plain).replace("'s ", " ").replace("color", "colour")
    plain = re.sub(r"^(?:flat|apartment|house|room|studio|home|place) rent$", "rent", plain)
    plain = re.sub(r"^(.*(?:wedding|exam|test|appointment|interview|flight|surgery)) date$", r"\1", plain)
    plain = re.sub(r"\bcheckup\b", "check-up", plain)
    return str(table("en")["slot_synonyms"].get(plain, plain))


def read_possession(thing: str, predicate: str) -> tuple[Claim, ...]:
    """The claim about the thing, none for what is no value of it."""
    if re.match(r"(?:old|previous|former|last|first|ex|late)\b", thing) and thing not in words("single_slots"):
        return ()
    if re.fullmatch(table("turns")["drinks"], thing):
        return _drink(thing, predicate)
    slot = slot_of(f"{thing} deadline" if _DUE.match(predicate) and not thing.endswith(("deadline", "date")) else thing)
    if (found := re.match(table("turns")["counts"], predicate)) and people(found["count"]):
        return _claim(slot, found["count"], "change" if has("now", predicate) else "state")
    if found := _pattern("possession_changes").match(predicate):
        return () if slot in USUAL else _claim(slot, found["v"], "change", found["o"] or "")
    if found := _pattern("possession_states").match(predicate):
        mode = _state_mode(found, predicate)
        newly = mode == "state" and thing.startswith("new ") and slot in USUAL | words("single_slots")
        return _claim(slot, found["v"], "change" if newly else mode)
    return ()


_DUE = re.compile(r"(?:is|was|are)(?: now| still| actually)* due (?:on|by|in|the)?\b")


def _drink(thing: str, predicate: str) -> tuple[Claim, ...]:
    """ "morning drink is chai": a habit, and one among others for another part of the day."""
    changed = _pattern("possession_changes").match(predicate)
    found = changed or _pattern("possession_states").match(predicate)
    value = fold(found["v"]) if found else ""
    if not found or not value.endswith(tuple(table("en")["classes"][_DRINKS]) + _DRINKABLE):
        return ()
    mode: Mode = "change" if changed else _state_mode(found, predicate)
    origin = fold(changed["o"] or "") if changed else ""
    return (Claim(_DRINKS, value, mode, " ".join(sorted(dayparts(thing))), origin),)


_DRINKS = "drink preference"
_DRINKABLE = ("milk", "juice", "tea", "coffee", "water", "latte", "soda", "cola", "shake", "beer", "cider", "wine")


def _state_mode(found: re.Match[str], predicate: str) -> Mode:
    if found["verb"].casefold() in ("was", "were"):
        return "past"
    if re.match(r"(?:not|no longer)\b", found["v"]):
        return "neg"
    return "change" if has("now", predicate) else "state"


def _claim(slot: str, value: str, mode: Mode, origin: str = "") -> tuple[Claim, ...]:
    if slot in USUAL:  # "my job is boring", "my company is in Leeds" name neither
        return _usual(slot, value, mode)
    kinds = kinds_of(value)
    if re.fullmatch(table("turns")["groups"], slot.split(" ")[-1]) and (count := people(value)):
        return (Claim(f"{slot} size", count, mode, kinds=frozenset({"number"})),)
    slot = _NUMBERED.get(slot, slot) if kinds == {"number"} else slot
    folded = fold(re.sub(r"^(?:not|no longer) ", "", value))
    if not folded or (kinds == {"text"} and mode != "neg" and not _worded(slot, value)):
        return ()
    if slot in words("named_slots"):
        folded = name(value) or folded  # "Ana, nice to meet you"
    if has("bounded", value) and not kinds & {"date", "time", "weekday"}:
        mode = "bounded"
    return (Claim(slot, folded, mode, origin=fold(origin), kinds=kinds),)


_NUMBERED = {"room": "room number", "flight number": "flight", "seat number": "seat", "locker number": "locker"}


def _worded(slot: str, value: str) -> bool:
    """Is it a value in words of such a slot? "Ana" of a name, "pizza" of a favourite; never "too high" of a rent."""
    first = value.casefold().split()[0].strip(".,")
    if first in words("not_values"):
        return False
    if slot in words("named_slots"):
        return name(value) is not None
    if slot == "email":
        return "@" in value
    if slot == "address":
        return value[:1].isupper()
    return slot in words("worded_slots") or slot.startswith("favourite ") or slot not in words("single_slots")


def _usual(slot: str, value: str, mode: Mode) -> tuple[Claim, ...]:
    read = {"home city": place, "employer": orgname, "job": occupation}.get(slot)
    found = read(value) if read else None
    return (Claim(slot, found, mode),) if found else ()


_UNITS = {"kilo": "kg", "kilogram": "kg", "lb": "pound", "milligram": "mg", "min": "minute", "hour": "h"}


def kinds_of(value: str) -> frozenset[str]:
    """What sorts of value the words hold."""
    kinds = {name for name, pattern in _KINDS.items() if pattern.search(value)}
    if unit := _UNIT.search(value):
        name = unit[1].casefold().rstrip("s")
        kinds.add(f"unit:{_UNITS.get(name, name)}")
    if not kinds and re.search(r"\d", value):
        kinds.add("number")
    return frozenset(kinds or {"text"})


def appointment(predicate: str) -> tuple[Claim, ...]:
    """ "has a dentist appointment on 14 March": one that may stand beside others."""
    found = _pattern("appointments").search(predicate)
    if not found:
        return ()
    value = strip_tail(found["v"])
    one = found["whose"].casefold() != "user's " or has("also", predicate)
    mode: Mode = "change" if not one and has("now", predicate) else "state"
    return (Claim(slot_of(found["np"].casefold()), fold(value), mode, kinds=kinds_of(value), indefinite=one),)
