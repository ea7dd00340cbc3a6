"""What-if, told: recorded and alternative side by side, words that differ marked; and the same as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.text import Text

from scrubjay.stores.records import Decision, Json, Memory
from scrubjay.studio.documents import decision_json, memory_json, short_memory
from scrubjay.studio.screen import Screen, harmless
from scrubjay.studio.telling import headline, why

if TYPE_CHECKING:
    from scrubjay.graph.replaying.anew import WhatIfAll
    from scrubjay.graph.replaying.what_if import DecisionPair, MemoryPair, Way, WhatIf

NOTHING = "(nothing)"
SHOWN = 20
"""memories a list; --json has all"""


def tell(screen: Screen, found: WhatIf) -> None:
    place = f" from {found.from_node}" if found.from_node else ""
    verdict = "would have been the same" if found.same else "would have been different"
    screen.line((f"write {found.write_id}{place}: ", "bold"), verdict)
    for name, (old, new) in found.changed.items():
        screen.line((f"{name} ", "dim"), screen.changed(shown(old), shown(new)), indent=2)
    screen.line(("decisions", "bold"), ("  (as recorded, as it would be)", "dim"))
    rows = [decision_row(pair) for pair in found.decisions]
    screen.table(["fact", "recorded", "would be", "because"], rows, indent=2)
    screen.line(("memories", "bold"))
    for pair in found.memories:
        tell_pair(screen, pair)
    screen.line(calls_line(found.calls))
    if found.applied:
        screen.line((f"carried out by write {found.applied}", "bold"))


def shown(value: object) -> str:
    return NOTHING if value is None else str(value)


def decision_row(pair: DecisionPair) -> list[str]:
    said = pair.alternative or pair.recorded
    fact = said.body["fact"]["text"] if said is not None and said.body.get("fact") else NOTHING
    because = why(pair.alternative) if pair.alternative is not None and pair.alternative.body.get("fact") else ""
    return [f"F{pair.fact} {fact}", done(pair.recorded), done(pair.alternative), because]


def done(decision: Decision | None) -> str:
    return NOTHING if decision is None else headline(decision)


def tell_pair(screen: Screen, pair: MemoryPair) -> None:
    old, new = text_of(pair.recorded), text_of(pair.alternative)
    if (old, status(pair.recorded)) == (new, status(pair.alternative)):
        screen.line(("same  ", "dim"), old, (f"  [{pair.memory_id}]", "dim"), indent=2)
        return
    text = screen.changed(old, new) if old != new else Text(harmless(new))
    was, would = status(pair.recorded), status(pair.alternative)
    standing = was if was == would else f"{was} → {would}"
    screen.line(("differs  ", "yellow"), text, (f"  [{pair.memory_id}: {standing}]", "dim"), indent=2)


def text_of(memory: Memory | None) -> str:
    return NOTHING if memory is None else memory.text


def status(memory: Memory | None) -> str:
    return "none" if memory is None else memory.status


def tell_all(screen: Screen, found: WhatIfAll) -> None:
    screen.line((f"{found.writes} writes run anew for user {found.scope.user_id}", "bold"))
    names = sorted(found.actions | found.actions_then)
    rows = [[name, found.actions_then.get(name, 0), found.actions.get(name, 0)] for name in names]
    screen.table(["facts", ("recorded", "right"), ("would be", "right")], rows, indent=2)
    tell_list(screen, "only in the store", found.only_here, "red")
    tell_list(screen, "only in the alternative", found.only_there, "green")
    screen.line((f"in both: {len(found.same)}", "bold"))
    for write_id, reason in found.left_out:
        screen.line(("left out ", "yellow"), f"{write_id}: {reason}", indent=2)
    screen.line(calls_line(found.calls))


def tell_list(screen: Screen, title: str, memories: tuple[Memory, ...], style: str) -> None:
    screen.line((f"{title}: {len(memories)}", "bold"))
    for memory in memories[:SHOWN]:
        screen.line((memory.text, style), (f"  [{memory.id}]", "dim"), indent=2)
    if len(memories) > SHOWN:
        screen.line((f"and {len(memories) - SHOWN} more, see --json", "dim"), indent=2)


def calls_line(calls: Mapping[str, Mapping[Way, int]]) -> str:
    """ "questions: extract 1 from the record; judge 1 live" """
    told = [
        f"{tag} " + ", ".join(f"{n} {'live' if way == 'live' else 'from the record'}" for way, n in ways.items() if n)
        for tag, ways in calls.items()
    ]
    return "questions: " + ("; ".join(told) or "none")


def what_if_json(found: WhatIf) -> Json:
    return {
        "write_id": found.write_id, "from": found.from_node, "same": found.same,
        "calls": found.calls, "applied": found.applied,
        "changed": {name: {"recorded": old, "alternative": new} for name, (old, new) in found.changed.items()},
        "differences": [d.as_json() for d in found.differences],
        "decisions": [
            {
                "fact": p.fact, "recorded": p.recorded and decision_json(p.recorded),
                "alternative": p.alternative and decision_json(p.alternative),
            }
            for p in found.decisions
        ],
        "memories": [
            {
                "id": p.memory_id, "recorded": p.recorded and memory_json(p.recorded),
                "alternative": p.alternative and memory_json(p.alternative),
            }
            for p in found.memories
        ],
    }  # fmt: skip


def what_if_all_json(found: WhatIfAll) -> Json:
    return {
        "user": found.scope.user_id, "agent": found.scope.agent_id, "since": found.since, "writes": found.writes,
        "left_out": [{"write_id": write_id, "why": reason} for write_id, reason in found.left_out],
        "calls": found.calls, "calls_recorded": found.calls_then,
        "actions": found.actions, "actions_recorded": found.actions_then,
        "only_here": [short_memory(m) for m in found.only_here],
        "only_there": [short_memory(m) for m in found.only_there],
        "same": [short_memory(m) for m in found.same],
    }  # fmt: skip
