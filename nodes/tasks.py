"""The edge after judge: one task a group that needs a text, each with all that it needs."""

from __future__ import annotations

from langgraph.types import Send

from scrubjay.nodes.judge import budget
from scrubjay.nodes.nonsense import reads_state
from scrubjay.nodes.reading import settings_of
from scrubjay.nodes.resolving import Task
from scrubjay.nodes.state import GroupState, Write
from scrubjay.nodes.tools import Tools
from scrubjay.nodes.verdicts import overruled
from scrubjay.nodes.vocabulary import members

WORDED = ("merge", "replace", "delete")
"""actions that need a text: one node each"""


@reads_state
def tasks(state: Write, *, tools: Tools) -> list[Send] | str:
    """Straight to review when every group is an addition or a repeat; verdicts edited by hand count as judged."""
    state = {**state, **overruled(state, budget(state, tools=tools))}
    resolver = settings_of(state, tools).resolver
    return [
        Send(str(g["action"]), task_of(state, g, resolver)) for g in state["groups"] if g["action"] in WORDED
    ] or "review"


def task_of(state: Write, group: GroupState, resolver: str) -> Task:
    """What one task is sent."""
    facts = [f for f in state["facts"] if f["n"] in members(group)]
    known = {t["ref"]: state["known"][t["ref"]] for t in group["targets"]}
    said = [m["at"] for m in state["batch"]]
    valid = [v for f in facts for v in (f["valid_from"], f["valid_to"]) if v]
    old = [v for m in known.values() for f in m["facts"] for v in (f["valid_from"], f["valid_to"]) if v]
    return {
        "group": group, "facts": facts, "known": known, "resolver": resolver,
        "dates": list(dict.fromkeys(said + valid + old)), "calls": [c for c in state["calls"] if c["tag"] == "merge"],
    }  # fmt: skip
