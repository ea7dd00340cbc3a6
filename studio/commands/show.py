"""scrubjay show: one memory, whole."""

from __future__ import annotations

from scrubjay.stores.records import Memory
from scrubjay.studio.documents import memory_json
from scrubjay.studio.opening import owned_memory, reading
from scrubjay.studio.options import STORE, IdArgument, JsonOption, OwnerOption, StoreOption
from scrubjay.studio.screen import Screen, emit


def show(id: IdArgument, store: StoreOption = STORE, user: OwnerOption = None, json: JsonOption = False) -> None:
    """Show one memory, whole. All fields, the facts that it rests on, where each was said, and its links.

    Example: scrubjay show m_01m8q17nrn9zm65m_1
    """
    with reading(store) as opened:
        memory = owned_memory(opened, id, user)
        waiting = [p for p in opened.proposals(memory.scope) if memory.id in p.body["versions"]]
    if json:
        emit(memory_json(memory) | {"proposals": [p.id for p in waiting]})
        return
    screen = Screen()
    tell(screen, memory)
    for proposal in waiting:
        screen.line((f"{proposal.body['action']} waits for approval: scrubjay review {proposal.id}", "yellow"))


def tell(screen: Screen, memory: Memory) -> None:
    screen.line((memory.text, "bold"))
    for name, value in fields(memory):
        screen.line((f"{name:<11}", "dim"), value, indent=2)
    screen.line(("facts", "bold"))
    for standing in memory.facts:
        told = ", ".join([standing.fact.type, *standing.fact.attributes])
        screen.line(f"{standing.standing:<9}{standing.fact.text}", (f"  [{standing.fact.id}: {told}]", "dim"), indent=2)
        for source in (s for s in memory.sources if s.fact_id == standing.fact.id):
            quote = f'"{source.quote}"' if source.quote else "(no exact quote)"
            screen.line((f"said {source.at[:16]} in {source.message_id}: ", "dim"), quote, indent=11)
    if memory.links:
        screen.line(("links", "bold"))
    for link in memory.links:
        screen.line(f"{link.kind.replace('_', ' ')} {link.memory_id}", indent=2)


def fields(memory: Memory) -> list[tuple[str, str]]:
    """Those that say something."""
    valid = " to ".join(filter(None, (memory.valid_from or ("…" if memory.valid_to else ""), memory.valid_to)))
    found = [
        ("id", memory.id),
        ("user", memory.scope.user_id),
        ("agent", memory.scope.agent_id),
        ("status", memory.status + (", no vector yet" if memory.pending_embedding else "")),
        ("version", f"{memory.version}, of {memory.recorded_from} by {memory.write_id}"),
        ("made", memory.created_at),
        ("type", memory.type),
        ("about", memory.subject),
        ("attributes", ", ".join(memory.attributes)),
        ("valid", valid),
        ("metadata", ", ".join(f"{k}={v}" for k, v in memory.metadata.items())),
    ]
    return [(name, value) for name, value in found if value]
