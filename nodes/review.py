"""review: the whole plan in one place before anything is changed; additions and repeats need no approval."""

from __future__ import annotations

from scrubjay.nodes.plan import plan_of
from scrubjay.nodes.reading import timed
from scrubjay.nodes.state import Json, Resolved, Write
from scrubjay.nodes.tools import Tools
from scrubjay.nodes.vocabulary import problem


def review(state: Write, *, tools: Tools) -> Write:
    """Collects the resolved groups; every plan passes."""
    started = tools.timer()
    plan = plan_of(state)
    calls = [*state["calls"], *(c for item in plan for c in item["calls"])]
    kept = [{**item, "calls": []} for item in plan]
    told = state["problems"]
    problems = [*told, *(p for item in plan for p in text_problems(item) if p not in told)]
    timings = timed("review", state, started, tools)
    for item in plan:
        name = item["group"]["action"]
        timings[name] = max(timings.get(name, 0.0), item.get("milliseconds", 0.0))
    return {"plan": kept, "calls": calls, "timings": timings, "problems": problems}  # type: ignore[typeddict-item]


def text_problems(item: Resolved) -> list[Json]:
    """What went wrong with a text, under the facts that it was for."""
    group = item["group"]
    coded = [text.partition(": ") for text in item["problems"]]
    return [problem(code, text, n) for n in group["facts"][:1] for code, _, text in coded]
