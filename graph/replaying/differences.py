"""What came out otherwise, stage by stage; an empty list means identical. Milliseconds are never compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scrubjay.graph.deciders.replies import Heard
from scrubjay.graph.replaying.made import Made
from scrubjay.nodes.settings import WriteContext
from scrubjay.stores.records import Decision, Json, Memory, WriteRow

STAGES = (
    "load_context", "extract", "surprisal_gate", "retrieve", "judge", "merge", "replace", "delete", "review", "commit",
)  # fmt: skip
ASKING = {"extract": "extract", "judge": "judge", "merge": "merge"}
"""tag of a question → the stage that asks it"""
BODY = {
    "fact": "extract", "gate": "surprisal_gate", "candidates": "retrieve", "relations": "judge", "links": "judge",
    "reason": "commit", "memory_id": "commit", "round": "commit", "error": "extract",
}  # fmt: skip
"""part of a decision → the stage that made it; what is not here follows from another part, or is an action's text"""
TEXTS = ("targets", "before", "after", "wording", "details", "text_problems")
"""parts that belong to whatever was done with the fact"""
PROBLEMS = {
    "extract": "extract", "extraction": "extract", "fact": "extract", "embedder": "surprisal_gate", "judge": "judge",
    "merge": "merge", "conflict": "commit", "not": "commit", "edited": "review", "edit": "judge", "still": "judge",
    "memory": "judge", "call": "judge", "extra": "judge", "unknown": "judge",
}  # fmt: skip
"""first word of a problem's code → stage"""
OF_MESSAGES = ("unknown_role", "not_text", "recalled", "id_reused", "unfinished_turn")


@dataclass(frozen=True)
class Difference:
    """One thing that is not as recorded."""

    stage: str
    what: str
    recorded: Any
    replayed: Any
    fact: int | None = None
    """number in the write; None where it concerns the write as a whole"""
    because: str = ""
    """the stage that made a question another one"""

    def as_json(self) -> Json:
        return asdict(self)


def differences(recorded: Made, replayed: Made, heard: Sequence[Heard], left: Sequence[Json]) -> list[Difference]:
    """In the order of the stages, then of the facts."""
    found = [
        *of_input(recorded.row, replayed.row), *of_decisions(recorded, replayed), *of_row(recorded.row, replayed.row),
        *of_memories(recorded, replayed), *of_the_rest(recorded, replayed),
    ]  # fmt: skip
    asked = list(of_questions(heard, left, {d.stage for d in found}))
    return sorted([*found, *asked], key=place)


def place(d: Difference) -> tuple[int, int]:
    return STAGES.index(d.stage), d.fact or 0


def unequal(stage: str, what: str, recorded: Any, replayed: Any, fact: int | None = None) -> Iterator[Difference]:
    if recorded != replayed:
        yield Difference(stage, what, recorded, replayed, fact)


def of_input(recorded: WriteRow, replayed: WriteRow) -> Iterator[Difference]:
    """Settings one by one, and the messages that were read."""
    old, new = settings(recorded), settings(replayed)
    for name in old | new:
        yield from unequal("load_context", name, old.get(name), new.get(name))
    for name in recorded.input | replayed.input:
        yield from unequal("load_context", name, recorded.input.get(name), replayed.input.get(name))


def settings(row: WriteRow) -> Json:
    """Flat, a setting that was not known then at its default."""
    known = dict(row.settings)
    context = known.pop("context", {})
    return {**WriteContext.model_validate(context).model_dump(mode="json"), **known}


def of_decisions(recorded: Made, replayed: Made) -> Iterator[Difference]:
    old, new = recorded.by_fact, replayed.by_fact
    for n in sorted(old | new):
        fact = n or None
        if n not in old or n not in new:
            yield Difference("extract", "fact", told(old.get(n)), told(new.get(n)), fact)
        else:
            yield from of_decision(old[n], new[n], fact)


def told(decision: Decision | None) -> str | None:
    """What a decision is about, in a word."""
    if decision is None:
        return None
    return str(decision.body["fact"]["text"]) if decision.body.get("fact") else decision.outcome


def of_decision(old: Decision, new: Decision, fact: int | None) -> Iterator[Difference]:
    for name, stage in BODY.items():
        yield from unequal(stage, name, old.body.get(name), new.body.get(name), fact)
    action = old.action if old.action in STAGES else "commit"
    for name in TEXTS:
        yield from unequal(action, name, old.body.get(name), new.body.get(name), fact)
    for name in ("action", "outcome", "memory_ids", "fact_id", "id"):
        yield from unequal("commit", name, getattr(old, name), getattr(new, name), fact)


def of_row(recorded: WriteRow, replayed: WriteRow) -> Iterator[Difference]:
    for name in ("outcome", "incomplete", "key", "conversation_id", "run_id", "kind", "about", "revision"):
        yield from unequal("commit", name, getattr(recorded, name), getattr(replayed, name))
    yield from unequal("commit", "changes", recorded.result.get("changes"), replayed.result.get("changes"))
    old, new = recorded.result.get("problems", []), replayed.result.get("problems", [])
    for problem in [p for p in old if p not in new]:
        yield Difference(stage_of(problem), "problem", problem["text"], None, problem.get("n"))
    for problem in [p for p in new if p not in old]:
        yield Difference(stage_of(problem), "problem", None, problem["text"], problem.get("n"))


def stage_of(problem: Json) -> str:
    if problem["code"] in OF_MESSAGES:
        return "load_context"
    return PROBLEMS.get(problem["code"].partition("_")[0], "commit")


def of_memories(recorded: Made, replayed: Made) -> Iterator[Difference]:
    """Version by version, field by field."""
    for memory_id in sorted(recorded.memories | replayed.memories):
        old = {m.version: m for m in recorded.memories.get(memory_id, ())}
        new = {m.version: m for m in replayed.memories.get(memory_id, ())}
        for version in sorted(old | new):
            yield from of_version(memory_id, old.get(version), new.get(version))


def of_version(memory_id: str, old: Memory | None, new: Memory | None) -> Iterator[Difference]:
    if old == new:
        return
    number = (old or new).version  # type: ignore[union-attr]
    if old is None or new is None:
        what = f"memory {memory_id} v{number}"
        yield Difference("commit", what, old and old.text, new and new.text)
        return
    for name in Memory.__dataclass_fields__:
        what = f"memory {memory_id} v{number} {name}"
        yield from unequal("commit", what, getattr(old, name), getattr(new, name))


def of_the_rest(recorded: Made, replayed: Made) -> Iterator[Difference]:
    for fact_id in sorted(recorded.facts | replayed.facts):
        yield from unequal("commit", f"fact {fact_id}", recorded.facts.get(fact_id), replayed.facts.get(fact_id))
    yield from unequal("review", "proposals", as_made(recorded), as_made(replayed))
    yield from unequal("commit", "messages read", recorded.messages, replayed.messages)


def as_made(made: Made) -> list[Json]:
    """Proposals as they were made, whoever settled them since."""
    return [{"id": p.id, **p.body, "item": {**p.body["item"], "milliseconds": None}} for p in made.proposals]


def of_questions(heard: Sequence[Heard], left: Sequence[Json], touched: set[str]) -> Iterator[Difference]:
    """Questions that were put otherwise, or not at all; `touched`: the stages that differ."""
    for one in heard:
        stage = ASKING.get(one.tag, "judge")
        if one.how == "prompt changed":
            yield Difference(stage, one.how, one.recorded, one.asked)
        elif one.how != "recorded":
            yield Difference(stage, one.how, one.recorded, one.asked, because=blamed(stage, touched))
    for call in left:
        stage = ASKING.get(call["tag"], "judge")
        recorded = f"{call['prompt']} {call['hash']}"
        yield Difference(stage, "question not asked", recorded, None, because=blamed(stage, touched))


def blamed(stage: str, touched: Mapping[str, Any] | set[str]) -> str:
    """The first stage before this one that differs; where none does, the one that lays the question out."""
    before = STAGES[: STAGES.index(stage)]
    return next((s for s in before if s in touched), before[-1])
