"""The detectors: what is asked about facts and candidates, and how a reply is read as relations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from pydantic import BaseModel

from scrubjay.nodes.asking import AnyRequest
from scrubjay.nodes.chunking import chunks
from scrubjay.nodes.numbering import Numbering, numbering
from scrubjay.nodes.settings import Settings
from scrubjay.nodes.state import FactState, Json, RelationState, Write
from scrubjay.nodes.vocabulary import label, problem
from scrubjay.prompts.judge import (
    JointGroup,
    JointVerdict,
    JudgeJointRequest,
    JudgeManyRequest,
    JudgeOneRequest,
    ManyVerdicts,
    Number,
    OneVerdict,
)
from scrubjay.prompts.numbers import parse_number
from scrubjay.prompts.relations import parse_relation

Read = Callable[[BaseModel], tuple[list[RelationState], list[Json]]]


@dataclass(frozen=True)
class Asked:
    """A request, the facts it is about, and how to read its reply."""

    request: AnyRequest
    facts: tuple[int, ...]
    read: Read


def listwise(state: Write, facts: Sequence[FactState], settings: Settings) -> list[Asked]:
    """One question a fact, one target at most."""
    return [one_target(numbering(state, [f]), f) for f in facts]


def pointwise(state: Write, facts: Sequence[FactState], settings: Settings) -> list[Asked]:
    """One question a pair."""
    asked: list[Asked] = []
    for fact in facts:
        for found in state["candidates"][str(fact["n"])]:
            alone: Write = {**state, "candidates": {str(fact["n"]): [found]}}
            asked.append(one_target(numbering(alone, [fact]), fact))
    return asked


def one_target(numbers: Numbering, fact: FactState) -> Asked:
    request = JudgeOneRequest(fact=numbers.shown_new[0], memories=numbers.shown_memories(), fact_keys=numbers.fact_keys)
    return Asked(request, (fact["n"],), lambda reply: read_one(cast(OneVerdict, reply), numbers, fact["n"]))


def listwise_multitarget(state: Write, facts: Sequence[FactState], settings: Settings) -> list[Asked]:
    """One question a fact, any number of targets."""
    return [many_targets(numbering(state, [f]), f) for f in facts]


def many_targets(numbers: Numbering, fact: FactState) -> Asked:
    request = JudgeManyRequest(
        fact=numbers.shown_new[0], memories=numbers.shown_memories(), fact_keys=numbers.fact_keys
    )
    return Asked(request, (fact["n"],), lambda reply: read_many(cast(ManyVerdicts, reply), numbers, fact["n"]))


def joint(state: Write, facts: Sequence[FactState], settings: Settings) -> list[Asked]:
    """One question for all facts of the write; big writes in chunks, facts that share a candidate together."""
    asked: list[Asked] = []
    for chunk in chunks(state, facts):
        numbers = numbering(chunk.state, chunk.facts)
        request = JudgeJointRequest(
            facts=numbers.shown_new, memories=numbers.shown_memories(), fact_keys=numbers.fact_keys,
            with_text=settings.resolver == "rewrite",
        )  # fmt: skip
        about = tuple(f["n"] for f in chunk.facts)
        asked.append(Asked(request, about, joint_reader(numbers, about, chunk.problems)))
    return asked


def joint_reader(numbers: Numbering, about: tuple[int, ...], cut: list[Json]) -> Read:
    def read(reply: BaseModel) -> tuple[list[RelationState], list[Json]]:
        relations, problems = read_joint(cast(JointVerdict, reply), numbers, about)
        return relations, cut + problems

    return read


def none(state: Write, facts: Sequence[FactState], settings: Settings) -> list[Asked]:
    """Nothing is asked: every fact is added, and linked to what is near."""
    return []


DETECTORS: dict[str, Callable[[Write, Sequence[FactState], Settings], list[Asked]]] = {
    "none": none,
    "pointwise": pointwise,
    "listwise": listwise,
    "listwise_multitarget": listwise_multitarget,
    "joint": joint,
}


def read_one(reply: OneVerdict, numbers: Numbering, n: int) -> tuple[list[RelationState], list[Json]]:
    """The first number that names something; the rest is recorded."""
    relation = parse_relation(reply.relation)
    if relation is None:
        return [], [problem("unknown_relation", f"{reply.relation!r} is no relation", n)]
    if relation == "independent":
        return [], []
    named = reply.target if isinstance(reply.target, list) else [reply.target]
    targets, problems = resolve([t for t in named if t is not None], numbers, n)
    if not targets and not problems:
        problems = [problem("invalid_target", f"{relation} without a target", n)]
    problems += [problem("extra_target", f"{ref} was named too", n) for ref, _ in targets[1:] if ref != targets[0][0]]
    first = [t for t in targets if t[0] == targets[0][0]]
    return relations_for(n, first, relation, reply.reason, reply.still_true), problems


def read_many(reply: ManyVerdicts, numbers: Numbering, n: int) -> tuple[list[RelationState], list[Json]]:
    found: list[RelationState] = []
    problems: list[Json] = []
    for verdict in reply.verdicts:
        relation = parse_relation(verdict.relation)
        if relation is None:
            problems.append(problem("unknown_relation", f"{verdict.relation!r} is no relation", n))
        elif relation != "independent":
            targets, wrong = resolve([verdict.memory], numbers, n)
            problems += wrong
            found += relations_for(n, targets, relation, verdict.reason, verdict.still_true)
    return found, problems


def read_joint(reply: JointVerdict, numbers: Numbering, about: Sequence[int]) -> tuple[list[RelationState], list[Json]]:
    """Relations of every group; a fact in no group stays independent, and the record says so."""
    found: list[RelationState] = []
    problems: list[Json] = []
    seen: set[int] = set()
    for joined in reply.groups:
        members = sorted({int(p[1:]) for p in map(parse_number, joined.facts) if p[1:].isdigit()} & set(about))
        seen |= set(members)
        relations, wrong = read_group(joined, members, numbers)
        found, problems = found + relations, problems + wrong
    problems += [problem("fact_without_verdict", "no group names this fact", n) for n in about if n not in seen]
    return found, problems


def read_group(joined: JointGroup, members: list[int], numbers: Numbering) -> tuple[list[RelationState], list[Json]]:
    relation = parse_relation(joined.relation)
    if not members:
        return [], [problem("invalid_fact", f"a group names no fact of this write: {joined.facts}")]
    if relation is None:
        return [], [problem("unknown_relation", f"{joined.relation!r} is no relation", members[0])]
    if relation == "independent":
        return [], []
    targets, problems = resolve(joined.memories, numbers, members[0])
    if not joined.memories and len(members) > 1:  # facts of one write that belong together
        targets, members_left = [(label(members[0]), None)], members[1:]
    else:
        members_left = members
        if not joined.memories:
            problems.append(problem("invalid_target", f"{relation} without a memory", members[0]))
    names = [label(n) for n in members] + sorted({ref for ref, _ in targets})
    found: list[RelationState] = []
    for n in members_left:
        for r in relations_for(n, targets, relation, joined.reason, joined.still_true):
            found.append({**r, "text": joined.text, "members": names})
    return found, problems


def resolve(named: Sequence[Number], numbers: Numbering, n: int) -> tuple[list[tuple[str, str | None]], list[Json]]:
    """Numbers to (ref, fact id); what names nothing is recorded and dropped (mem0#3931)."""
    found: list[tuple[str, str | None]] = []
    problems: list[Json] = []
    for number in named:
        target = numbers.target(parse_number(number))
        if target is None or target[0] == label(n):
            problems.append(problem("invalid_target", f"{number!r} names no candidate", n))
        else:
            found.append(target)
    return found, problems


def relations_for(
    n: int, targets: Sequence[tuple[str, str | None]], relation: str, reason: str, still_true: Sequence[str]
) -> list[RelationState]:
    """One relation a target; facts named one by one are collected under their memory."""
    ends: dict[str, list[str]] = {}
    for ref, fact_id in targets:
        ends.setdefault(ref, [])
        if fact_id is not None:
            ends[ref].append(fact_id)
    return [
        {"n": n, "ref": ref, "ends": named, "relation": relation, "said": relation, "because": "", "reason": reason,
         "still_true": list(still_true), "text": None, "members": []}
        for ref, named in ends.items()
    ]  # fmt: skip
