"""Small slips in a well-meant reply, put right before the schema is applied; the schema itself does not change."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from pydantic import ConfigDict

from scrubjay.prompts.numbers import DIGITS, SHOWN, parse_number


def listed(value: object) -> object:
    """A single value where a list is expected; null stays null and is refused."""
    return [value] if isinstance(value, str | int | float | dict) else value


def listed_or_none(value: object) -> object:
    """A single value, or null, where a list is expected that may well be empty."""
    return [] if value is None else listed(value)


def text_or_blank(value: object) -> object:
    """null where a text is expected."""
    return "" if value is None else value


def text_or_null(value: object) -> object:
    """Blank text, or the word, where null is meant."""
    return None if isinstance(value, str) and value.strip().casefold() in ("", "null", "none", "n/a") else value


def number(value: object) -> object:
    """2.1 without quotation marks is a fact's number, not a fraction; what is too long to name anything is text."""
    too_long = abs(value) >= 10**DIGITS if isinstance(value, int) else isinstance(value, str) and len(value) > SHOWN
    return parse_number(value) if too_long or isinstance(value, float) else value


def one_of(words: Collection[str], otherwise: str | None = None) -> Callable[[Any], Any]:
    """A word in any case; a word that is not in the list becomes `otherwise`, or stays and is refused."""

    def read(value: Any) -> Any:
        word = value.strip().casefold() if isinstance(value, str) else value
        return word if word in words or otherwise is None else otherwise

    return read


def without_defaults(schema: dict[str, Any]) -> None:
    """Strict structured output refuses a schema that names defaults; leaving a field out stays allowed here."""
    for field in schema.get("properties", {}).values():
        field.pop("default", None)


REPLY = ConfigDict(extra="ignore", json_schema_extra=without_defaults)
"""how every reply model is configured"""
