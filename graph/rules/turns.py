"""Turns of speech that say the same as a plain statement: "The PIN for my card is 9073" → "My card PIN is 9073"."""

from __future__ import annotations

import re
from functools import cache

from scrubjay.graph.rules.tables import has, table, words


@cache
def _turns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(rf"{row['re']}$", re.IGNORECASE), row["to"]) for row in table("turns")["turns"])


def turned(text: str) -> str:
    """The plain statement; the text itself where no turn fits, or where it is no assertion."""
    if len(text) > 200:
        return text
    found = next(((m, to) for turn, to in _turns() if (m := turn.match(text))), None)
    if found is None or has("hypothetical", text) or has("reported", text):
        return text
    return _owner(found[0].expand(found[1]))


_OF_PERSON = re.compile(r"^My (?P<who>[\w-]+) (?P<rest>(?:phone )?(?:number|name|address|rent|birthday)\b.*)$")


def _owner(text: str) -> str:
    """ "My sister number is" → "My sister's number is"."""
    found = _OF_PERSON.match(text)
    owner = found["who"].casefold() if found else ""
    if found and (owner in words("persons") or owner in words("pets")):
        return f"My {found['who']}'s {found['rest']}"
    return text


def people(value: str) -> str | None:
    """ "11 people" → "11": how many a team is."""
    found = re.match(table("turns")["people"], value, re.IGNORECASE)
    return found["v"].casefold() if found else None


def dayparts(text: str) -> frozenset[str]:
    """The parts of the day that the text names."""
    return frozenset(part for part, cue in table("turns")["dayparts"].items() if re.search(cue, text, re.IGNORECASE))
