"""scrubjay history: every version of a memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from scrubjay.graph.undoing.timeline import undone_by
from scrubjay.stores.records import Decision, Json, Memory, WriteRow
from scrubjay.studio.documents import memory_json
from scrubjay.studio.opening import owned_memory, reading
from scrubjay.studio.options import STORE, IdArgument, JsonOption, OwnerOption, StoreOption
from scrubjay.studio.screen import Screen, emit, harmless

EVENTS = {"add": "ADD", "merge": "UPDATE", "replace": "UPDATE", "delete": "DELETE", "none": "NONE"}
"""mem0's names for what happened"""


@dataclass(frozen=True)
class Step:
    """One version, and what led to it."""

    memory: Memory
    before: Memory | None
    action: str
    note: str = ""
    """where its write undid or brought back others, or is itself undone"""

    @property
    def event(self) -> str:
        return "DELETE" if self.memory.status == "deleted" else EVENTS[self.action]

    @property
    def turned(self) -> list[tuple[str, str | None, str]]:
        """(fact text, standing before, standing now) where that changed; None for a new one."""
        old = {s.fact.id: s.standing for s in self.before.facts} if self.before else {}
        return [
            (s.fact.text, old.get(s.fact.id), s.standing) for s in self.memory.facts if old.get(s.fact.id) != s.standing
        ]


def history(id: IdArgument, store: StoreOption = STORE, user: OwnerOption = None, json: JsonOption = False) -> None:
    """Show every version of a memory. When and by which write it was made, which words changed, which facts ended.

    Example: scrubjay history m_01m8q17nrn9zm65m_1
    """
    with reading(store) as opened:
        memory = owned_memory(opened, id, user)
        reversals = opened.reversals(memory.scope)
        found = steps(opened.history(memory.id), opened.decisions(memory_id=memory.id), reversals)
    if json:
        emit({"id": memory.id, "versions": [step_json(s) for s in found]})
        return
    screen = Screen()
    for step in found:
        tell(screen, step)


def steps(versions: Sequence[Memory], decisions: Sequence[Decision], reversals: Sequence[WriteRow] = ()) -> list[Step]:
    """Each version with the action of the decision that made it."""
    befores = [None, *versions[:-1]]
    return [
        Step(v, before, action_of(v, decisions), note_of(v.write_id, reversals))
        for v, before in zip(versions, befores, strict=True)
    ]


def note_of(write_id: str, reversals: Sequence[WriteRow]) -> str:
    """ "undo of w_1", "undone by w_2", or nothing"""
    row = next((row for row in reversals if row.id == write_id), None)
    if row is not None:
        return f"{row.kind} of {', '.join(row.about)}"
    undo = undone_by(write_id, reversals)
    return f"undone by {undo}" if undo else ""


def action_of(version: Memory, decisions: Sequence[Decision]) -> str:
    """Of the decision of the same write that resulted in this memory or had it for a target."""
    for decision in decisions:
        parts = {part for memory_id, part in decision.memory_ids if memory_id == version.id}
        if decision.write_id == version.write_id and parts & {"result", "target"} and decision.action != "none":
            return "add" if decision.outcome == "pending_review" else decision.action  # what waits changes nothing yet
    return "none"


def step_json(step: Step) -> Json:
    turned = [{"text": text, "before": before, "standing": now} for text, before, now in step.turned]
    made = {"action": step.action, "event": step.event, "note": step.note, "standings": turned}
    return {**made, **memory_json(step.memory)}


def tell(screen: Screen, step: Step) -> None:
    memory = step.memory
    head = f"v{memory.version}  {memory.recorded_from[:19]}  {step.action} ({step.event})  {memory.status}"
    note = f", {step.note}" if step.note else ""
    screen.line((head, "bold"), (f"  by {memory.write_id}{note}", "dim"))
    same = step.before is None or step.before.text == memory.text
    text = Text(harmless(memory.text)) if same or step.before is None else screen.changed(step.before.text, memory.text)
    screen.line(text, indent=4)
    for fact, before, now in step.turned:
        screen.line((f"{before or 'new'} → {now}: ", "dim"), fact, indent=4)
    for link in memory.links if memory.status != "active" else ():
        screen.line((f"{link.kind.replace('_', ' ')} {link.memory_id}", "dim"), indent=4)
