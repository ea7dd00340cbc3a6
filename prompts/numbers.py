"""What a model calls a number, read in one place: 2, "2", "[2]", "m2", "#2", "Memory 2", 2.1, "F1", "fact 1"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

DIGITS = 6
"""no list is so long that a longer number could name something in it; state and checkpoints get none"""
SHOWN = 40
"""characters of what is no number, for the message that says so"""
CUT = "[cut]"
_FACT_WORDS = r"facts?|f|事实"
_OTHER_WORDS = r"memory|memories|mem|m|candidates?|no|nr|number|id|记忆|编号|第"
_NUMBER = re.compile(
    rf"[\[({{<#\"'*\s]*(?:(?P<fact>{_FACT_WORDS})|{_OTHER_WORDS})?(?:(?<=\w)[_\-])?[\s.:#]*(?P<second>f)?(?P<digits>\d{{1,{DIGITS}}}(?:\.\d{{1,{DIGITS}}})?)(?:条|号)?[\])}}>\"'*\s.:]*",
    re.IGNORECASE,
)


def parse_number(value: object) -> str:
    """The number as it is shown ("2", "2.1", "F1"); what is no number comes back as text, shortened, and names nothing.

    "fact 1" is "F1" but "fact 2.1" is "2.1", since only new facts are numbered with an F. A number of more than DIGITS
    digits is no number here.
    """
    text = unicodedata.normalize("NFKC", _spelled(value)).strip()
    found = None if isinstance(value, bool) else _NUMBER.fullmatch(text)
    if found is None:
        return text if len(text) <= SHOWN else text[: SHOWN - len(CUT)] + CUT
    whole, _, part = found["digits"].partition(".")
    if part:
        return f"{int(whole)}.{int(part)}"
    return f"F{int(whole)}" if found["fact"] or found["second"] else str(int(whole))


def _spelled(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        return str(value)
    except ValueError:  # Python spells out no integer of more than 4300 digits
        return "a number without end"


def parse_numbers(value: object) -> list[str]:
    """Every number of a reply's field, in order and once: a single one, a list, "1, 2", or None."""
    if value is None:
        return []
    if isinstance(value, str):
        items: Iterable[object] = (part for part in re.split(r"[,;，、；]|\band\b", value) if part.strip())
    else:
        items = value if isinstance(value, list | tuple) else [value]
    return list(dict.fromkeys(parse_number(item) for item in items))
