"""The seam: whoever answers a request. Nodes know this protocol and nothing of models."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from langchain_core.runnables import RunnableConfig
from pydantic import BaseModel

from scrubjay.prompts.request import Request


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; 0 where it does not say."""

    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `value` is None when no usable reply came, and `error` then says why."""

    value: BaseModel | None
    raw: str = ""
    """the last reply as it came"""
    problems: tuple[str, ...] = ()
    """what was wrong along the way, and what `check` still finds wrong with `value`"""
    error: str | None = None
    model: str = ""
    """who answered: "rules", "recorded:move", "openai:gpt-4o-mini" """
    usage: Usage = field(default_factory=Usage)
    milliseconds: float = 0.0
    repairs: int = 0
    """extra turns spent on a reply that did not fit"""


class Decider(Protocol):
    """Turns a request into an answer; raises nothing for a bad reply, only for a programming error.

    A model that fails, a reply that is no JSON: an Answer with `value=None`, so that the node's safe default applies.
    """

    @property
    def name(self) -> str: ...

    def decide(self, request: Request[Any], config: RunnableConfig) -> Answer: ...

    async def adecide(self, request: Request[Any], config: RunnableConfig) -> Answer: ...
