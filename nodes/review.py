"""review: the whole plan in one place before anything is changed; additions and repeats need no approval."""

from __future__ import annotations

from scrubjay.nodes.plan import plan_of
from scrubjay.nodes.reading import timed
from scrubjay.nodes.state import Write
from scrubjay.nodes.tools import Tools


def review(state: Write, *, tools: Tools) -> Write:
    """Collects the resolved groups; every plan passes."""
    started = tools.timer()
    plan = plan_of(state)
    calls = [*state["calls"], *(c for item in plan for c in item["calls"])]
    kept = [{**item, "calls": []} for item in plan]
    timings = timed("review", state, started, tools)
    for item in plan:
        name = item["group"]["action"]
        timings[name] = max(timings.get(name, 0.0), item.get("milliseconds", 0.0))
    return {"plan": kept, "calls": calls, "timings": timings}  # type: ignore[typeddict-item]
