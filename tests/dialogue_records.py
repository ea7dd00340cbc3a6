"""What a generated dialogue is made of, and what it should leave behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Language = Literal["en", "zh"]
Says = Literal["yes", "no", "any"]


@dataclass(frozen=True, slots=True)
class Say:
    """One user message: one write."""

    text: str
    at: str
    """ISO datetime with zone"""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that a memory may assert."""

    value: str
    """a term, its spellings parted by "|": "4 May|May 4" """
    says: Says = "yes"
    """no: the memory denies it ("does not like …")"""
    about: str = ""
    """a term that must stand beside it in the memory, spellings parted by "|" """


@dataclass(frozen=True, slots=True)
class Expect:
    """Gold labels of a dialogue, over the active memories at its end."""

    current: tuple[Claim, ...] = ()
    """at least one memory asserts it"""
    ended: tuple[Claim, ...] = ()
    """no memory asserts it any more; if one does it is stale, which is allowed and counted"""
    kept: tuple[Claim, ...] = ()
    """once asserted, always asserted: losing it is a wrong supersession or a wrong deletion"""
    never: tuple[Claim, ...] = ()
    """no memory asserts it of the user as a fact"""
    forgotten: tuple[str, ...] = ()
    """no memory contains it at all"""
    once: tuple[Claim, ...] = ()
    """one memory should do; more are duplicates"""
    folds: bool = False
    """a duplicate fails the dialogue instead of being counted only"""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A few messages of one user."""

    kind: str
    language: Language
    messages: tuple[Say, ...]
    expect: Expect
    near: bool = False
    """a near miss: nothing of the user's own may change"""
    number: int = 0
    """its place in the stream: with the seed, it names the dialogue"""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Templates of one topic: any `first`, later any `then`."""

    first: tuple[str, ...]
    then: tuple[str, ...]
    """empty: the first message again, word for word"""
    slots: Mapping[str, tuple[str, ...]]
    """"old,new" → a pool from which both are drawn; "a+b" → a pool of "x / y" pairs"""
    expect: Expect
    topic: str
    """what it is about, so that no remark in between touches the same thing"""
    last: tuple[str, ...] = ()
    """a third message, where there is one"""
    lower: bool = True
    """may also be written in lower case alone"""


@dataclass(frozen=True, slots=True)
class Kind:
    """A sort of dialogue."""

    name: str
    patterns: tuple[Pattern, ...]
    near: bool = False
    language: Language = "en"
    aside: bool = False
    """an unrelated fact always stands in between"""


@dataclass(frozen=True, slots=True)
class Aside:
    """An unrelated fact of the user's, which must outlive the dialogue."""

    topic: str
    texts: tuple[str, ...]
    pool: tuple[str, ...] = field(default=())
