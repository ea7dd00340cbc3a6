"""What a decider is shown of facts and memories: numbers instead of ids."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ShownMessage:
    """One message of the conversation."""

    number: int
    role: str
    """user | assistant"""
    text: str
    at: str = ""
    """ISO datetime with zone"""
    name: str | None = None
    new: bool = True
    """False: context only, never a source"""
    id: str = ""
    """the message's own id, for recorded deciders; no prompt shows it"""


@dataclass(frozen=True, kw_only=True)
class ShownFact:
    """A fact under its number: "F1" for a new one, "2.1" for one that memory 2 rests on."""

    number: str
    text: str
    type: str = "other"
    subject: str = "user"
    attributes: tuple[str, ...] = ()
    modality: str = "actual"
    valid_from: str | None = None
    valid_to: str | None = None
    quote: str = ""
    """the words of the message, for new facts"""
    past: bool = False
    """True: it ended, but its wording stands in the memory's text"""


@dataclass(frozen=True, kw_only=True)
class ShownMemory:
    """A candidate under its number, "1", "2", …, or an earlier fact of the same write under its own ("F1")."""

    number: str
    text: str
    facts: tuple[ShownFact, ...] = ()
    score: float | None = None
    """cosine to the fact, None where words alone found it"""
