"""scrubjay list: what is remembered."""

from __future__ import annotations

from typing import Annotated

import typer

from scrubjay.stores.records import Scope
from scrubjay.studio.documents import memory_json
from scrubjay.studio.opening import reading
from scrubjay.studio.options import STORE, USER, AgentOption, JsonOption, StoreOption, UserOption
from scrubjay.studio.screen import Screen, emit

LimitOption = Annotated[
    int | None, typer.Option("--limit", metavar="N", min=1, help="Memories at most; all where not given.")
]
OffsetOption = Annotated[int, typer.Option("--offset", metavar="N", min=0, help="Memories to leave out at the start.")]


def list_(
    limit: LimitOption = None,
    offset: OffsetOption = 0,
    store: StoreOption = STORE,
    user: UserOption = USER,
    agent: AgentOption = "",
    json: JsonOption = False,
) -> None:
    """List what is remembered of a user. The active memories, oldest first.

    Example: scrubjay list --user ana --limit 20
    """
    scope = Scope(user, agent)
    with reading(store) as opened:
        memories = opened.active(scope, limit=limit, offset=offset)
        total = opened.count_active(scope)
        waiting = len(opened.proposals(scope))
    if json:
        told = [memory_json(m) for m in memories]
        emit({"user_id": user, "agent_id": agent, "total": total, "pending": waiting, "memories": told})
        return
    screen = Screen()
    rows = [
        (i, m.text, m.type, f"v{m.version}", m.recorded_from[:10], m.id) for i, m in enumerate(memories, offset + 1)
    ]
    if rows:
        screen.table([("#", "right"), "text", "type", "version", ("since", "id"), ("id", "id")], rows)
    else:
        screen.line(f"no memories of user {user}" + (f" at offset {offset}: there are {total}" if total else ""))
    if waiting:
        screen.line(
            (f"{waiting} {'change waits' if waiting == 1 else 'changes wait'} for approval: scrubjay review", "yellow")
        )
