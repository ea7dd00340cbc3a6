"""The cue tables: words, patterns and cues as data, read once when first needed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table(name: str) -> dict[str, Any]:
    """One data file of this folder, parsed."""
    data: dict[str, Any] = json.loads(files("scrubjay.graph.rules").joinpath(f"{name}.json").read_text("utf-8"))
    return data


@cache
def words(name: str) -> frozenset[str]:
    """A word list of the English table."""
    return frozenset(table("en")[name])


@cache
def cue(name: str, lang: str = "en") -> re.Pattern[str]:
    """All cues of one kind as one pattern."""
    bounded = [one.removeprefix(r"\b") for one in table("cues")[lang][name] if one.startswith(r"\b")]
    others = [one for one in table("cues")[lang][name] if not one.startswith(r"\b")]
    if bounded:  # tried at the edges of words alone: several times faster than each with its own edge
        others.append(rf"\b(?:{'|'.join(bounded)})")
    return re.compile("|".join(others), re.IGNORECASE)


@cache
def pattern(name: str) -> re.Pattern[str]:
    """One expression of patterns.json; a list there is one expression in pieces."""
    entry = table("patterns")[name]
    source = entry["re"] if isinstance(entry["re"], str) else "".join(entry["re"])
    return re.compile(source, re.IGNORECASE if entry["fold"] else 0)


def has(name: str, text: str, lang: str = "en") -> bool:
    """Does the text carry a cue of this kind?"""
    return cue(name, lang).search(text) is not None


@dataclass(frozen=True, slots=True)
class Verbs:
    """Every known verb form, by what it is needed for."""

    third: dict[str, str]
    """base → third person: "live" → "lives" """
    past: frozenset[str]
    """past and participle forms, the same for every person"""
    base: dict[str, str]
    """any form → base"""
    finite: frozenset[str]
    """forms that can follow "my sister": lives, moved, is"""


@cache
def verbs() -> Verbs:
    """Built from the irregular rows and the regular bases."""
    rows = [row.split() for row in table("en")["irregular"]]
    rows += [_regular(base) for base in table("en")["regular"]]
    third = {row[0]: row[1] for row in rows if row[0] != row[2] or row[0] == "read"}  # "I quit" tells of the past
    past = frozenset(form for row in rows for form in row[2:4] if form not in third)
    base = {form: row[0] for row in rows for form in reversed(row)}
    return Verbs(third, past, base, past | frozenset(third.values()) | words("finite_auxiliaries"))


def _regular(base: str) -> list[str]:
    """live → live lives lived lived living."""
    if base in words("doubled"):
        return [base, base + "s", base + base[-1] + "ed", base + base[-1] + "ed", base + base[-1] + "ing"]
    if base.endswith("y") and base[-2] not in "aeiou":
        return [base, base[:-1] + "ies", base[:-1] + "ied", base[:-1] + "ied", base + "ing"]
    third = base + ("es" if base.endswith(("s", "sh", "ch", "x", "z")) else "s")
    if base.endswith("e"):
        stem = base if base.endswith(("ee", "ye")) else base[:-1]
        past = base + "d"
        ing = "dying" if base == "die" else stem + "ing"
        return [base, third, past, past, ing]
    return [base, third, base + "ed", base + "ed", base + "ing"]
