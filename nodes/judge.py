"""judge: how each new fact stands to its candidates; then vetoes and groups, in code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from scrubjay.nodes.asking import KEPT, AnyRequest, Asking, Step
from scrubjay.nodes.decider import Answer
from scrubjay.nodes.detectors import DETECTORS, Asked
from scrubjay.nodes.extract import windows
from scrubjay.nodes.grouping import group
from scrubjay.nodes.reading import record_step, replies_so_far, settings_of
from scrubjay.nodes.state import FactState, Json, RelationState, Write
from scrubjay.nodes.tools import Tools
from scrubjay.nodes.verdicts import as_judged, kept_by_hand
from scrubjay.nodes.veto import checked
from scrubjay.nodes.vocabulary import label, passing, problem


def judge(tools: Tools) -> Asking[Write]:
    """The node: as many questions as the detector needs."""
    step = Step[Write](
        name="judge",
        prepare=partial(prepare, tools=tools),
        apply=partial(apply, tools=tools),
        budget=partial(budget, tools=tools),
        known=replies_so_far,
        record=partial(record_step, "judge"),
    )
    return Asking(step, tools.decider, tools.timer)


def asked_of(state: Write, tools: Tools) -> list[Asked]:
    """What the detector asks about the facts that have candidates."""
    facts = [f for f in passing(state["facts"]) if state["candidates"].get(str(f["n"]))]
    return DETECTORS[settings_of(state, tools).detector](state, facts, settings_of(state, tools))


def prepare(state: Write, *, tools: Tools) -> list[AnyRequest]:
    return [a.request for a in asked_of(state, tools)]


def apply(state: Write, answers: Sequence[Answer], *, tools: Tools) -> Write:
    """Relations as judged, then as the checks leave them, then groups."""
    settings = settings_of(state, tools)
    said: list[RelationState] = []
    links: list[Json] = []
    problems = list(state["problems"])
    for asked, answer in zip(asked_of(state, tools), answers, strict=True):
        problems += [problem("judge_reply", p, n) for p in answer.problems for n in asked.facts[:1]]
        if answer.value is None:
            lost, unlinked = unanswered(state, asked, answer)
            problems, links = problems + lost, links + unlinked
            continue
        relations, found = asked.read(answer.value)
        said, problems = said + relations, problems + [p for p in found if p not in problems]
    if settings.detector == "none":
        links += related(state, passing(state["facts"]))
    relations, gone = kept_by_hand(checked(said, state, settings), state)
    grouped = group(state, relations, budget(state, tools=tools) - fresh(answers))
    return {
        "relations": relations, "judged": as_judged(relations), "groups": grouped.groups,
        "links": links + grouped.links, "problems": problems + gone + grouped.problems,
    }  # fmt: skip


def fresh(answers: Sequence[Answer]) -> int:
    """Calls that this step made: replies kept from an earlier round and refused ones cost nothing."""
    return sum(a.model != KEPT and not (a.error or "").startswith("call_cap") for a in answers)


def unanswered(state: Write, asked: Asked, answer: Answer) -> tuple[list[Json], list[Json]]:
    """No usable reply: the facts are added, linked to their candidates, and the record says so (RULES §2)."""
    error = answer.error or "no usable reply"
    code = "call_cap" if error.startswith("call_cap") else "judge_failed"
    facts = [f for f in passing(state["facts"]) if f["n"] in asked.facts]
    return [problem(code, error, f["n"]) for f in facts], related(state, facts)


def related(state: Write, facts: Sequence[FactState]) -> list[Json]:
    """Links from facts to all their candidates."""
    return [
        {"n": f["n"], "kind": "related", "ref": c["ref"]}
        for f in facts
        for c in state["candidates"].get(str(f["n"]), [])
        if c["ref"] != label(f["n"])
    ]


def budget(state: Write, *, tools: Tools) -> int:
    """Calls left under the write's cap."""
    facts = len(passing(state["facts"]))
    return settings_of(state, tools).cap(facts, len(windows(state["batch"]))) - len(state.get("calls", []))
