"""The language tables, read once and only when a text is looked at: `en.json` and `zh.json` are the data.

Entries named like phrases are regular expressions. English ones are bounded by non-word characters when compiled,
Chinese ones are plain substrings. A text is matched against both languages, since people mix them.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "zh")


@cache
def table(language: str) -> dict[str, Any]:
    """The whole table of one language."""
    data: dict[str, Any] = json.loads(Path(__file__).with_name(f"{language}.json").read_text("utf-8"))
    return data


@cache
def entry(language: str, key: str) -> Any:
    """One entry, `[]` where the language has none."""
    return table(language).get(key, [])


@cache
def word_set(key: str) -> frozenset[str]:
    """A blank-separated English entry as a set."""
    return frozenset(entry("en", key).split())


def joined(language: str, expressions: list[str]) -> str:
    """Alternatives as one expression, bounded in English."""
    body = "|".join(f"(?:{e})" for e in expressions)
    return rf"(?<![\w'])(?:{body})(?!\w)" if language == "en" else f"(?:{body})"


@cache
def phrases(key: str, language: str | None = None) -> re.Pattern[str]:
    """The expressions of an entry, of both languages or of one; matches nothing where there are none."""
    picked = [language] if language else list(LANGUAGES)
    parts = [joined(name, entry(name, key)) for name in picked if entry(name, key)]
    return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)


@cache
def kinds(key: str) -> dict[str, re.Pattern[str]]:
    """An entry that maps kinds to expressions, the two languages' put together."""
    names = dict.fromkeys(name for language in LANGUAGES for name in entry(language, key))
    return {name: re.compile(_of_kind(key, name), re.IGNORECASE) for name in names}


def _of_kind(key: str, name: str) -> str:
    parts = [(language, entry(language, key)) for language in LANGUAGES]
    return "|".join(joined(language, found[name]) for language, found in parts if name in found)
