"""review: the whole plan in one place before anything is changed; what the policy lists waits for a person.

Additions and repeats need no approval, nor does what touches no stored memory.
"""

from __future__ import annotations

from scrubjay.nodes.approving import reviewed
from scrubjay.nodes.judge import budget
from scrubjay.nodes.nonsense import reads_state
from scrubjay.nodes.plan import plan_of
from scrubjay.nodes.reading import settings_of, timed
from scrubjay.nodes.resolving import apply
from scrubjay.nodes.state import Json, Resolved, Write
from scrubjay.nodes.tasks import WORDED, task_of
from scrubjay.nodes.tools import Tools
from scrubjay.nodes.verdicts import overruled, unpaid
from scrubjay.nodes.vocabulary import problem


@reads_state
def review(state: Write, *, tools: Tools) -> Write:
    """Collects the resolved groups, and marks those that wait; may stop the run to ask (`how="interrupt"`)."""
    started = tools.timer()
    edits = overruled(state, budget(state, tools=tools))
    state = {**state, **edits}
    state = {**state, "resolved": worded(state, tools)}
    plan, answered = reviewed(plan_of(state), state, settings_of(state, tools))
    calls = [*state["calls"], *(c for item in plan for c in item["calls"])]
    kept = [{**item, "calls": []} for item in plan]
    told = state["problems"]
    problems = [*told, *(p for item in plan for p in text_problems(item) if p not in told)]
    timings = timed("review", state, started, tools)
    for item in plan:
        name = item["group"]["action"]
        timings[name] = max(timings.get(name, 0.0), item.get("milliseconds", 0.0))
    done: Write = {"calls": calls, "timings": timings, "problems": problems, "answered": answered}
    return {**edits, **done, "plan": kept}  # type: ignore[typeddict-item]


def worded(state: Write, tools: Tools) -> list[Resolved]:
    """Groups with their texts: what the tasks made, or the deterministic text of a group that an edit made later."""
    resolver = settings_of(state, tools).resolver
    done = {r["group"]["id"]: r for r in state.get("resolved", [])}
    found: list[Resolved] = []
    for group in state["groups"]:
        made = done.get(group["id"])
        if made is not None and unpaid(made["group"]) == unpaid(group):  # made for this group
            found.append(made)
        elif group["action"] in WORDED:
            found += apply(task_of(state, group, resolver), [])["resolved"]
    return found


def text_problems(item: Resolved) -> list[Json]:
    """What went wrong with a text, under the facts that it was for."""
    group = item["group"]
    coded = [text.partition(": ") for text in item["problems"]]
    return [problem(code, text, n) for n in group["facts"][:1] for code, _, text in coded]
