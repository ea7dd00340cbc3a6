"""Extract: which self-contained facts do the new messages state?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from scrubjay.prompts.request import Request
from scrubjay.prompts.shown import ShownMessage
from scrubjay.stores.records import FactType, Modality


class ExtractedFact(BaseModel):
    """One fact as the decider returns it."""

    model_config = ConfigDict(extra="ignore")

    text: str
    type: FactType = "other"
    subject: str = "user"
    attributes: list[str] = Field(default_factory=list)
    quote: str = ""
    message: int | None = None
    modality: Modality = "actual"
    valid_from: str | None = None
    valid_to: str | None = None


class Extraction(BaseModel):
    """An empty list is an answer: nothing is worth keeping."""

    model_config = ConfigDict(extra="ignore")

    facts: list[ExtractedFact]


@dataclass(frozen=True, kw_only=True)
class ExtractRequest(Request[Extraction]):
    """The seven sections, of which only `messages` with `new=True` are a source."""

    tag: ClassVar[str] = "extract"
    name: ClassVar[str] = "extract"
    template: ClassVar[str] = ""
    reply_model: ClassVar[type[BaseModel]] = Extraction

    messages: tuple[ShownMessage, ...]
    observed_at: str
    """when the newest message was said, ISO with zone"""
    today: str
    """ISO date"""
    summary: str = ""
    known_facts: tuple[str, ...] = ()
    """taken earlier from this conversation"""
    related: tuple[str, ...] = ()
    """existing memories, to resolve references"""
    strictness: str = "balanced"
    """sparse | balanced | exhaustive"""
    instructions: str = ""

    def render(self) -> list[tuple[str, str]]:
        raise NotImplementedError

    def check(self, reply: Extraction) -> Sequence[str]:
        raise NotImplementedError
