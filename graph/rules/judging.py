"""Judge by rules: the relation of each new fact to each memory shown, and the numbers that name it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scrubjay.graph.rules.forget import is_wish, retracts
from scrubjay.graph.rules.relate import STRENGTH, Relation, claims_of, relate
from scrubjay.nodes.resolving import distinct
from scrubjay.prompts.judge import (
    JointGroup,
    JointVerdict,
    JudgeJointRequest,
    JudgeManyRequest,
    JudgeOneRequest,
    ManyVerdicts,
    Number,
    OneVerdict,
    TargetVerdict,
)  # fmt: skip
from scrubjay.prompts.shown import ShownFact, ShownMemory
from scrubjay.stores.text import render

_REASONS: dict[Relation, str] = {
    "retracts": "the user asks that this be forgotten",
    "supersedes": "the same slot was said to have changed or ended",
    "contradicts": "another value of the same slot, and nothing says that it changed",
    "refines": "the same, told with more",
    "duplicate": "the same, told again",
    "independent": "nothing in the words joins them",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One relation of a fact and the numbers it concerns: "2", or "2.1" and "2.3" of a memory with more facts."""

    relation: Relation
    targets: tuple[str, ...]
    old: tuple[ShownFact, ...]


def verdicts(fact: ShownFact, memories: Sequence[ShownMemory]) -> list[Verdict]:
    """All relations but `independent`, memory by memory, the strongest of each."""
    found = [_of_memory(fact, memory) for memory in memories if memory.number != fact.number]
    return _unambiguous(fact, [verdict for verdict in found if verdict.relation != "independent"])


def _of_memory(fact: ShownFact, memory: ShownMemory) -> Verdict:
    shown = memory.facts or (
        ShownFact(number=memory.number, text=memory.text, subject=fact.subject, modality=fact.modality),
    )
    if is_wish(fact):
        return _verdict("retracts", memory, [old for old in shown if retracts(fact, old)])
    related = [(relate(fact, old), old) for old in shown]
    strongest = min((relation for relation, _ in related), key=STRENGTH.index)
    return _verdict(strongest, memory, [old for relation, old in related if relation == strongest])


def _verdict(relation: Relation, memory: ShownMemory, old: list[ShownFact]) -> Verdict:
    """The memory's own number where all its current facts are meant, else the facts' numbers."""
    if not old or relation == "independent":
        return Verdict("independent", (), ())
    current = [fact for fact in memory.facts if not fact.past]
    whole = not any(fact.past for fact in old) and len(old) >= len(current)
    whole = whole or relation not in ("supersedes", "retracts")
    return Verdict(relation, (memory.number,) if whole else tuple(fact.number for fact in old), tuple(old))


def _unambiguous(fact: ShownFact, found: list[Verdict]) -> list[Verdict]:
    """A change that does not say from what, and could end several different things, ends none for sure."""
    ending = [verdict for verdict in found if verdict.relation == "supersedes"]
    claims = claims_of(fact)
    if not any(claim.slot == "drink preference" and claim.mode == "change" and not claim.origin for claim in claims):
        return found
    values = {claim.value for verdict in ending for old in verdict.old for claim in claims_of(old)}
    if len(values) < 2:
        return found
    return [replace(v, relation="contradicts") if v.relation == "supersedes" else v for v in found]


def one(request: JudgeOneRequest) -> OneVerdict:
    """The strongest relation; among equals the memory shown first."""
    found = verdicts(request.fact, request.memories)
    if not found:
        return OneVerdict(reason=_REASONS["independent"], relation="independent")
    best = min(found, key=lambda verdict: STRENGTH.index(verdict.relation))
    target: Number | list[Number] = best.targets[0] if len(best.targets) == 1 else list(best.targets)
    return OneVerdict(reason=_REASONS[best.relation], relation=best.relation, target=target)


def many(request: JudgeManyRequest) -> ManyVerdicts:
    """One verdict a memory or fact concerned."""
    return ManyVerdicts(
        verdicts=[
            TargetVerdict(reason=_REASONS[verdict.relation], relation=verdict.relation, memory=number)
            for verdict in verdicts(request.fact, request.memories)
            for number in verdict.targets
        ]
    )


def joint(request: JudgeJointRequest) -> JointVerdict:
    """A group for each fact and relation, with the text that the memory will bear, so that none need be asked for."""
    return JointVerdict(groups=[group for fact in request.facts for group in _groups(fact, request)])


def _groups(fact: ShownFact, request: JudgeJointRequest) -> list[JointGroup]:
    found = verdicts(fact, [memory for memory in request.memories if _earlier(memory.number, fact.number)])
    if not found:
        return [JointGroup(reason=_REASONS["independent"], facts=[fact.number], relation="independent")]
    named: dict[Relation, list[Verdict]] = {}
    for verdict in found:
        named.setdefault(verdict.relation, []).append(verdict)
    return [
        JointGroup(
            reason=_REASONS[relation],
            facts=[fact.number],
            memories=[number for verdict in of_it for number in verdict.targets],
            relation=relation,
            text=_text(fact, of_it, request) if request.with_text else None,
        )
        for relation, of_it in named.items()
    ]


def _text(fact: ShownFact, found: Sequence[Verdict], request: JudgeJointRequest) -> str | None:
    """As code words it: the new fact with what it is told beside (refines), or with what it ends (supersedes)."""
    if found[0].relation == "supersedes":
        return render([fact.text], distinct([old.text for verdict in found for old in reversed(verdict.old)])).text
    if found[0].relation != "refines":
        return None
    numbers = {number for verdict in found for number in verdict.targets}
    facts = [old for memory in request.memories if memory.number in numbers for old in reversed(_facts(memory))]
    kept = [old.text for old in facts if not old.past]
    return render(distinct([fact.text, *kept]), distinct([old.text for old in facts if old.past])).text


def _facts(memory: ShownMemory) -> tuple[ShownFact, ...]:
    return memory.facts or (ShownFact(number=memory.number, text=memory.text),)


def _earlier(memory: str, fact: str) -> bool:
    """Of the facts of one write, only those said before can be a target."""
    if not (memory.startswith("F") and fact.startswith("F")):
        return True
    return memory[1:].isdigit() and fact[1:].isdigit() and int(memory[1:]) < int(fact[1:])
