"""Judge: how does a new fact stand to what is remembered? One file for the replies and requests of all detectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from scrubjay.prompts.request import Request
from scrubjay.prompts.shown import ShownFact, ShownMemory

Relation = Literal["duplicate", "refines", "supersedes", "retracts", "contradicts", "independent"]
Number = int | str
"""what a model calls a number: 2, "2", "2.1", "F1" """


class OneVerdict(BaseModel):
    """listwise: at most one target. Reason before relation before target."""

    model_config = ConfigDict(extra="ignore")

    reason: str = ""
    relation: str
    target: Number | list[Number] | None = None
    """"2" for the whole memory, "2.1" for one of its facts"""
    still_true: list[str] = Field(default_factory=list)


class TargetVerdict(BaseModel):
    """One relation of the fact to one memory, or to one fact of it."""

    model_config = ConfigDict(extra="ignore")

    reason: str = ""
    relation: str
    memory: Number
    still_true: list[str] = Field(default_factory=list)


class ManyVerdicts(BaseModel):
    """listwise_multitarget: every memory that is concerned; empty means independent of all."""

    model_config = ConfigDict(extra="ignore")

    verdicts: list[TargetVerdict]


class JointGroup(BaseModel):
    """joint: facts and memories that belong together; `memories: []` says independent."""

    model_config = ConfigDict(extra="ignore")

    reason: str = ""
    facts: list[Number]
    memories: list[Number] = Field(default_factory=list)
    relation: str
    text: str | None = None
    """the new memory's text for refines and supersedes"""
    still_true: list[str] = Field(default_factory=list)


class JointVerdict(BaseModel):
    """Every fact stands in at least one group."""

    model_config = ConfigDict(extra="ignore")

    groups: list[JointGroup]


@dataclass(frozen=True, kw_only=True)
class JudgeOneRequest(Request[OneVerdict]):
    """listwise (and, with one memory, pointwise)."""

    tag: ClassVar[str] = "judge"
    name: ClassVar[str] = "judge_one"
    template: ClassVar[str] = ""
    reply_model: ClassVar[type[BaseModel]] = OneVerdict

    fact: ShownFact
    memories: tuple[ShownMemory, ...]

    def render(self) -> list[tuple[str, str]]:
        raise NotImplementedError

    def check(self, reply: OneVerdict) -> Sequence[str]:
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class JudgeManyRequest(Request[ManyVerdicts]):
    """listwise_multitarget."""

    tag: ClassVar[str] = "judge"
    name: ClassVar[str] = "judge_many"
    template: ClassVar[str] = ""
    reply_model: ClassVar[type[BaseModel]] = ManyVerdicts

    fact: ShownFact
    memories: tuple[ShownMemory, ...]

    def render(self) -> list[tuple[str, str]]:
        raise NotImplementedError

    def check(self, reply: ManyVerdicts) -> Sequence[str]:
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class JudgeJointRequest(Request[JointVerdict]):
    """joint: all facts of a write (or a chunk of them) with all their candidates, numbered once."""

    tag: ClassVar[str] = "judge"
    name: ClassVar[str] = "judge_joint"
    template: ClassVar[str] = ""
    reply_model: ClassVar[type[BaseModel]] = JointVerdict

    facts: tuple[ShownFact, ...]
    memories: tuple[ShownMemory, ...]
    with_text: bool = True
    """False where the resolver needs no text"""

    def render(self) -> list[tuple[str, str]]:
        raise NotImplementedError

    def check(self, reply: JointVerdict) -> Sequence[str]:
        raise NotImplementedError
