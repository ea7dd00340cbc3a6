"""One claim of a statement: a slot, its value, and what the statement does to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from scrubjay.graph.rules.tables import table, words

Mode = Literal["state", "change", "end", "neg", "past", "unsure", "bounded"]
"""it is so, became so, is no longer so, is not so, was so; nobody can tell; is so for a while only"""

_AMOUNT = re.compile(r"^\d[\d.,]* ?(?:\w+ of )?")
ENDING = ("end", "neg")
USUAL = frozenset({"home city", "employer", "job", "drink preference", "relationship status", "diet", "children"})
"""Slots that most people have one of: another value is a change when it is said to be one"""


@dataclass(frozen=True, slots=True)
class Claim:
    """`slot` "home city", `value` "austin"; for many-valued slots the attribute names the value too."""

    slot: str
    value: str
    mode: Mode = "state"
    detail: str = ""
    """what limits the value: "with friends" """
    origin: str = ""
    """the value it changed from, where told"""
    kinds: frozenset[str] = frozenset()
    """of a thing's value: number, money, date, time, weekday, unit:km, text"""
    indefinite: bool = False
    """ "has an appointment": one of several, perhaps"""

    @property
    def many(self) -> bool:
        """Can the slot hold several values at once?"""
        return not (self.slot in USUAL or self.single or self.slot in table("en")["classes"] or self.kinds)

    @property
    def single(self) -> bool:
        """Does the slot hold one value by nature?"""
        if self.kinds == {"text"} and self.slot in words("single_slots"):
            return self.slot in words("named_slots") | words("worded_slots") | {"address", "email"}
        return self.slot in words("single_slots") or self.slot.startswith(("favourite ", "favorite "))

    @property
    def attribute(self) -> str:
        """The name under which the slot is kept."""
        shared = self.slot in ("allergy", "pet", "language", "learning", "origin", "intolerance", "switch", "prefers")
        if self.slot.startswith("does:"):
            return f"{self.slot[5:]} {_AMOUNT.sub('', self.value)}".strip()
        if self.mode in ("past", "bounded"):
            many = f" {self.value}" if self.many else ""
            return f"{'past' if self.mode == 'past' else 'temporary'} {self.slot}{many}"
        return self.slot if shared or not self.many else f"{self.slot} {self.value}".strip()
