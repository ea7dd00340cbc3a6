"""Judge: how does a new fact stand to what is remembered? One file for the replies and requests of all detectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import BaseModel, BeforeValidator, Field

from scrubjay.prompts.lines import fact_line, memory_lines, section
from scrubjay.prompts.numbers import parse_number, parse_numbers
from scrubjay.prompts.relations import DATA_NOTE, EXPLAINED, Relation, parse_relation
from scrubjay.prompts.request import Request
from scrubjay.prompts.shown import ShownFact, ShownMemory
from scrubjay.prompts.targets import Targets, unknown
from scrubjay.prompts.tolerance import REPLY, listed, listed_or_none, number, text_or_blank

__all__ = [
    "JointGroup",
    "JointVerdict",
    "JudgeJointRequest",
    "JudgeManyRequest",
    "JudgeOneRequest",
    "ManyVerdicts",
    "Number",
    "OneVerdict",
    "Relation",
    "TargetVerdict",
    "parse_number",
    "parse_numbers",
    "parse_relation",
]

Number = Annotated[int | str, BeforeValidator(number)]
"""what a model calls a number: 2, "2", "2.1", "F1"; read it with parse_number"""

Reason = Annotated[str, BeforeValidator(text_or_blank)]
Clauses = Annotated[list[str], BeforeValidator(listed_or_none)]
Numbers = Annotated[list[Number], BeforeValidator(listed_or_none)]


def _new_facts(value: object) -> object:
    """A bare 1 among the facts is F1."""
    items = listed(value)
    read = [parse_number(item) for item in items] if isinstance(items, list) else items
    return [f"F{n}" if n.isdigit() else n for n in read] if isinstance(read, list) else read


_ONE = f"""\
You keep a memory store true. Compare one new fact with the memories listed and name the one that it concerns most.

{EXPLAINED}
{DATA_NOTE}
Give the reason first, in at most 20 words, then the relation, then the target: the number of one memory ("2") or of \
one of its facts ("2.1"), null for independent. Reply with one JSON object:
{{"reason":"…","relation":"supersedes","target":"2.1","still_true":[]}}
"""

_MANY = f"""\
You keep a memory store true. Compare one new fact with every memory listed and name all that it concerns.

{EXPLAINED}
{DATA_NOTE}
One verdict for each memory, or fact of a memory, that is concerned: the reason first, in at most 20 words, then the \
relation, then the number of the memory ("2") or of its fact ("2.1"). Leave out those that are independent; an empty \
list says that all are. One fact may end several memories: go through all of them. Reply with one JSON object:
{{"verdicts":[{{"reason":"…","relation":"supersedes","memory":"2.1","still_true":[]}}]}}
"""

_JOINT = f"""\
You keep a memory store true. Compare the new facts with every memory listed, and with one another, and put together \
what concerns each other.

{EXPLAINED}
{DATA_NOTE}
Reply with groups: the reason first, in at most 20 words, then facts, memories, relation, text, still_true.
- Every fact stands in at least one group; in several if it stands differently to different memories.
- Numbers of memories ("2") or of their facts ("2.1"). "memories":[] and "independent" for a fact that concerns none. \
One fact may end several memories: go through all of them.
- New facts that say one thing together form one group with relation refines.
- text: for refines and supersedes, if a text is asked for, the one text that replaces the group's memories, in the \
language of the facts, at most 400 characters. refines: all that the facts and memories say. supersedes: the new fact, \
what goes on being true, and at most one clause "(previously: …)" for what ended. Each name, number, date and "not" as \
it stands; nothing that is in neither. Else null.
One JSON object:
{{"groups":[{{"reason":"…","facts":["F1"],"memories":["2.1"],"relation":"supersedes","text":"…","still_true":[]}}]}}
"""


class OneVerdict(BaseModel):
    """listwise: at most one target. Reason before relation before target."""

    model_config = REPLY

    reason: Reason = ""
    relation: str
    target: Number | list[Number] | None = None
    """"2" for the whole memory, "2.1" for one of its facts"""
    still_true: Clauses = Field(default_factory=list)


class TargetVerdict(BaseModel):
    """One relation of the fact to one memory, or to one fact of it."""

    model_config = REPLY

    reason: Reason = ""
    relation: str
    memory: Number
    still_true: Clauses = Field(default_factory=list)


class ManyVerdicts(BaseModel):
    """listwise_multitarget: every memory that is concerned; empty means independent of all."""

    model_config = REPLY

    verdicts: Annotated[list[TargetVerdict], BeforeValidator(listed)]


class JointGroup(BaseModel):
    """joint: facts and memories that belong together; `memories: []` says independent."""

    model_config = REPLY

    reason: Reason = ""
    facts: Annotated[list[Number], BeforeValidator(_new_facts)]
    memories: Numbers = Field(default_factory=list)
    relation: str
    text: str | None = None
    """the new memory's text for refines and supersedes"""
    still_true: Clauses = Field(default_factory=list)


class JointVerdict(BaseModel):
    """Every fact stands in at least one group."""

    model_config = REPLY

    groups: Annotated[list[JointGroup], BeforeValidator(listed)]


@dataclass(frozen=True, kw_only=True)
class JudgeOneRequest(Request[OneVerdict]):
    """listwise (and, with one memory, pointwise)."""

    tag: ClassVar[str] = "judge"
    name: ClassVar[str] = "judge_one"
    template: ClassVar[str] = _ONE
    reply_model: ClassVar[type[BaseModel]] = OneVerdict

    fact: ShownFact
    memories: tuple[ShownMemory, ...]

    def render(self) -> list[tuple[str, str]]:
        """The fixed part; then the fact and the memories."""
        return [("system", self.template), ("human", _ask([self.fact], self.memories))]

    def check(self, reply: OneVerdict) -> Sequence[str]:
        """An unknown relation, numbers that name nothing, more than one target, clauses that stand in no named fact."""
        numbers = parse_numbers(reply.target)
        problems = list(Targets(self.memories).problems(reply.relation, numbers, reply.still_true))
        if len(numbers) > 1:
            problems.append(f"one target only, not {', '.join(numbers)}")
        return problems


@dataclass(frozen=True, kw_only=True)
class JudgeManyRequest(Request[ManyVerdicts]):
    """listwise_multitarget."""

    tag: ClassVar[str] = "judge"
    name: ClassVar[str] = "judge_many"
    template: ClassVar[str] = _MANY
    reply_model: ClassVar[type[BaseModel]] = ManyVerdicts

    fact: ShownFact
    memories: tuple[ShownMemory, ...]

    def render(self) -> list[tuple[str, str]]:
        """The fixed part; then the fact and the memories."""
        return [("system", self.template), ("human", _ask([self.fact], self.memories))]

    def check(self, reply: ManyVerdicts) -> Sequence[str]:
        """As for one target, per verdict."""
        targets = Targets(self.memories)
        return [
            f"verdict {i}: {problem}"
            for i, v in enumerate(reply.verdicts, 1)
            for problem in targets.problems(v.relation, parse_numbers(v.memory), v.still_true)
        ]


@dataclass(frozen=True, kw_only=True)
class JudgeJointRequest(Request[JointVerdict]):
    """joint: all facts of a write (or a chunk of them) with all their candidates, numbered once."""

    tag: ClassVar[str] = "judge"
    name: ClassVar[str] = "judge_joint"
    template: ClassVar[str] = _JOINT
    reply_model: ClassVar[type[BaseModel]] = JointVerdict

    facts: tuple[ShownFact, ...]
    memories: tuple[ShownMemory, ...]
    with_text: bool = True
    """False where the resolver needs no text"""

    def render(self) -> list[tuple[str, str]]:
        """The fixed part; then the facts, the memories, and whether texts are wanted."""
        wanted = "Texts: yes\n" if self.with_text else "Texts: no, text is null in every group\n"
        return [("system", self.template), ("human", _ask(self.facts, self.memories) + wanted)]

    def check(self, reply: JointVerdict) -> Sequence[str]:
        """Per group as for one target; facts that are unknown, and facts that no group names."""
        problems = [
            f"group {i}: {problem}"
            for i, group in enumerate(reply.groups, 1)
            for problem in self._group_problems(group)
        ]
        named = {n for group in reply.groups for n in parse_numbers(group.facts)}
        missing = [fact.number for fact in self.facts if fact.number not in named]
        return problems + ([f"no group names {', '.join(missing)}: every fact stands in one"] if missing else [])

    def _group_problems(self, group: JointGroup) -> Iterator[str]:
        facts = parse_numbers(group.facts)
        yield from unknown("fact", facts, [fact.number for fact in self.facts])
        if not facts:
            yield "it names no fact"
        yield from Targets(self.memories).problems(
            group.relation, parse_numbers(group.memories), group.still_true, alone=len(facts) > 1
        )


def _ask(facts: Iterable[ShownFact], memories: Iterable[ShownMemory]) -> str:
    lines = [line for memory in memories for line in memory_lines(memory)]
    return section("New facts", map(fact_line, facts)) + (section("Memories", lines) or "Memories: none\n")
