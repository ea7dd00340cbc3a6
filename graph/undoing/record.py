"""An undo or redo as a write of its own: row, decisions, changes, so that every reader of the record understands it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.graph.undoing.plan import Plan, Restored
from scrubjay.stores.names import decision_id
from scrubjay.stores.records import Action, Commit, Decision, Json, Memory, Source, WriteRow


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a write gets from outside: the rest follows from the store."""

    write_id: str
    at: str


def commit_of(plan: Plan, stamp: Stamp) -> Commit:
    """One transaction, made against the revision that the plan was made on."""
    changes = [m.change for m in plan.memories]
    return Commit(
        write=_row(plan, stamp),
        expected_revision=plan.revision,
        sources=_once([s for c in changes for s in c.returned]),
        versions=tuple(c.version for c in changes if c.version),
        decisions=tuple(_decisions(plan, stamp)),
        withdrawn=_once([s for c in changes for s in c.withdrawn]),
        settles=tuple(p.id for p in plan.proposals),
    )


def key_of(plan: Plan) -> str:
    """The same for everybody who undoes the same thing at the same time: of two, one is written."""
    said = json.dumps([plan.asked.kind, plan.about, plan.generation])
    return f"{plan.asked.kind}:{hashlib.sha256(said.encode()).hexdigest()[:32]}"


def _row(plan: Plan, stamp: Stamp) -> WriteRow:
    asked = plan.asked
    return WriteRow(
        id=stamp.write_id, key=key_of(plan), scope=plan.row.scope, conversation_id=plan.row.conversation_id,
        run_id=plan.row.run_id, at=stamp.at, outcome="applied", incomplete=(),
        input={"messages": [], "asked": asked.write_id, "together": asked.together, "undo": plan.undo}, settings={},
        calls=(), result={"changes": reported(plan.memories, stamp.write_id), "problems": _problems(plan)},
        revision_read=plan.revision, kind=asked.kind, about=plan.about,
    )  # fmt: skip


def _problems(plan: Plan) -> list[Json]:
    text = "its undo closed this proposal, and it stays closed: say again what is to be changed"
    return [{"code": "proposal_closed", "text": f"{proposal_id}: {text}"} for proposal_id in plan.closed]


def reported(memories: Sequence[Restored], write_id: str) -> list[Json]:
    """As other writes report theirs; a memory of which only sources changed keeps its version and is none."""
    return [
        {
            "memory_id": m.memory_id, "action": action_of(m), "before": _told(m.now), "after": _told(m.wanted),
            "retired": [m.memory_id] if _active(m.now) and not _active(m.wanted) else [], "write_id": write_id,
            "outcome": "applied",
        }
        for m in memories if m.change.version
    ]  # fmt: skip


def action_of(memory: Restored) -> Action:
    """What is done to the memory, in the words of other writes."""
    if memory.change.version is None:
        return "none"
    if _active(memory.wanted):
        return "replace" if _active(memory.now) else "add"
    return "replace" if memory.wanted is not None and memory.wanted.status == "superseded" else "delete"


def _active(memory: Memory | None) -> bool:
    return memory is not None and memory.status == "active"


def _told(memory: Memory | None) -> str | None:
    return memory.text if memory is not None and _active(memory) else None


def _once(sources: list[Source]) -> tuple[Source, ...]:
    return tuple(dict.fromkeys(sources))


# -- decisions
def _decisions(plan: Plan, stamp: Stamp) -> list[Decision]:
    """One a memory; an undo that only ends proposals has one that says so."""
    found = [_decision(plan, stamp, n, action_of(m), m) for n, m in enumerate(plan.memories, 1)]
    return found or [_decision(plan, stamp, 0, "none", None)]


def _decision(plan: Plan, stamp: Stamp, n: int, action: Action, memory: Restored | None) -> Decision:
    return Decision(
        id=decision_id(stamp.write_id, n, action), write_id=stamp.write_id, fact_number=n or None,
        fact_id=None, action=action, outcome="applied", at=stamp.at, body=_body(plan, action, memory),
        memory_ids=((memory.memory_id, "result"),) if memory else (),
    )  # fmt: skip


def _body(plan: Plan, action: Action, memory: Restored | None) -> Json:
    """The fields of any decision; nobody was asked, so there is neither fact nor judge nor strategy."""
    return {
        "kind": plan.asked.kind, "about": list(plan.about), "undo": plan.undo, "fact": None, "gate": None,
        "candidates": [], "relations": [], "links": [], "problems": _problems(plan), "reason": reason_of(plan),
        "memory_id": memory.memory_id if memory else None, "targets": [], "wording": None, "details": {},
        "text_problems": [], **(_before_and_after(memory) if memory else {"before": None, "after": None}),
        "proposals": [p.id for p in plan.proposals], "strategy": None, "detector": None, "resolver": None,
        "threshold": None, "round": 0, "model": None, "prompts": [], "error": None, "tokens_in": 0, "tokens_out": 0,
    }  # fmt: skip


def reason_of(plan: Plan) -> str:
    """ "undo of w_1, w_2", or what is brought back by which redo"""
    about = ", ".join(plan.about)
    return f"undo of {about}" if plan.undo is None else f"redo of {about}, undone by {plan.undo}"


def _before_and_after(memory: Restored) -> Json:
    """Texts for people, versions and sources for who wants to know exactly."""
    change, now, wanted = memory.change, memory.now, memory.wanted
    return {
        "before": _told(now), "after": _told(wanted),
        "versions": {
            "before": now.version if now else None, "like": wanted.version if wanted else None,
            "made": change.version.version if change.version else None,
        },
        "status": {"before": now.status if now else None, "after": wanted.status if wanted else "deleted"},
        "sources": {"withdrawn": [_source(s) for s in change.withdrawn], "back": [_source(s) for s in change.returned]},
    }  # fmt: skip


def _source(source: Source) -> Json:
    return {"fact_id": source.fact_id, "message_id": source.message_id, "quote": source.quote}
