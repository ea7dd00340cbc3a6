"""scrubjay as-of: what was remembered after a write, or at some time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrubjay.stores.records import Json, Memory
from scrubjay.studio.commands.search import figure, hit_json
from scrubjay.studio.documents import memory_json
from scrubjay.studio.opening import How, must_exist, writing
from scrubjay.studio.options import STORE, USER, AgentOption, JsonOption, StoreOption, UserOption
from scrubjay.studio.screen import Screen, emit
from scrubjay.studio.short_ids import full_id

if TYPE_CHECKING:
    from scrubjay.graph.as_of import AsOf, Held
    from scrubjay.graph.memory import Memory as Agent
    from scrubjay.nodes.recalling import SearchHit

Columns = Sequence[str | tuple[str, str]]
WhenArgument = Annotated[
    str, typer.Argument(metavar="WRITE|TIME", help="A write's id, or a time with zone such as 2026-05-12T10:00+02:00.")
]
QueryOption = Annotated[
    str | None, typer.Option("--query", metavar="TEXT", help="Search what was remembered then, best first.")
]
ValidOption = Annotated[
    str | None,
    typer.Option(
        "--valid-at",
        metavar="DATE",
        help="The facts that held then, as far as was known: 2026-05-12 or 2026-05.",
    ),
]
LimitOption = Annotated[
    int | None,
    typer.Option("--limit", metavar="N", min=1, help="Memories at most; all where not given, 5 of a search."),
]


def as_of(
    when: WhenArgument,
    query: QueryOption = None,
    valid_at: ValidOption = None,
    limit: LimitOption = None,
    store: StoreOption = STORE,
    user: UserOption = USER,
    agent: AgentOption = "",
    json: JsonOption = False,
) -> None:
    """Look at the memory as it was. After a write or at a time; nothing is changed, no model is called.

    Example: scrubjay as-of 2026-03-01T00:00+00:00 --user ana --query "where does she live"
    """
    if query is not None and valid_at is not None:
        raise typer.BadParameter("give --query or --valid-at, not both")
    must_exist(store)
    with writing(store, How(), banner=False) as memory, opened(memory, when, user, agent) as past:
        look = look_for(past, query, valid_at, limit)
        if json:
            emit({"as_of": when, "moment": past.moment, "user_id": past.scope.user_id, **look.document})
        elif look.rows:
            Screen().table(look.columns, look.rows)
        else:
            Screen().line(f"nothing of user {past.scope.user_id} then")


def opened(memory: Agent, when: str, user: str, agent: str) -> AsOf:
    """By a time of the user, or by a write, full id or part, whosever it is."""
    from scrubjay.graph.as_of import zoned  # noqa: PLC0415  for who looks back

    if zoned(when) is not None:
        return memory.as_of(when, user_id=user, agent_id=agent)
    return memory.as_of(full_id(memory.store, when, ("write",))[1])


@dataclass(frozen=True)
class Look:
    """What was asked for, for programs and for people."""

    document: Json
    columns: Columns
    rows: Sequence[Sequence[Any]]


def look_for(past: AsOf, query: str | None, valid_at: str | None, limit: int | None) -> Look:
    if query is not None:
        return found(query, past.search(query, limit=limit or 5))
    if valid_at is not None:
        return facts(valid_at, past.held(valid_at)[:limit])
    return memories(past.list(limit=limit))


def memories(active: Sequence[Memory]) -> Look:
    rows = [(i, m.text, m.type, f"v{m.version}", m.recorded_from[:10], m.id) for i, m in enumerate(active, 1)]
    columns: Columns = [("#", "right"), "text", "type", "version", ("since", "id"), ("id", "id")]
    return Look({"memories": [memory_json(m) for m in active]}, columns, rows)


def found(query: str, hits: Sequence[SearchHit]) -> Look:
    rows = [(i, figure(h.cosine), figure(h.bm25), h.memory.text, h.memory.id) for i, h in enumerate(hits, 1)]
    columns: Columns = [("#", "right"), ("cosine", "right"), ("bm25", "right"), "text", ("id", "id")]
    return Look({"query": query, "hits": [hit_json(h) for h in hits]}, columns, rows)


def facts(date: str, held: Sequence[Held]) -> Look:
    rows = [(h.since[:10], (h.until or "")[:10], h.fact.text, h.memory_id) for h in held]
    columns: Columns = [("from", "id"), ("to", "id"), "fact", ("memory", "id")]
    return Look({"valid_at": date, "facts": [asdict(h) for h in held]}, columns, rows)
