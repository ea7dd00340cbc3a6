"""scrubjay search: the memories nearest to a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.stores.records import Json
from scrubjay.studio.documents import memory_json
from scrubjay.studio.opening import How, must_exist, writing
from scrubjay.studio.options import STORE, USER, AgentOption, JsonOption, StoreOption, UserOption
from scrubjay.studio.screen import Screen, emit

if TYPE_CHECKING:
    from scrubjay.nodes.recalling import SearchHit

QueryArgument = Annotated[str, typer.Argument(metavar="QUERY", help="A question, or words.")]
LimitOption = Annotated[int, typer.Option("--limit", metavar="N", min=1, max=1000, help="Memories at most.")]


def search(
    query: QueryArgument,
    limit: LimitOption = 5,
    store: StoreOption = STORE,
    user: UserOption = USER,
    agent: AgentOption = "",
    json: JsonOption = False,
) -> None:
    """Find memories by meaning and by words. The nearest active ones, best first; no model is called.

    Example: scrubjay search "where does she live" --user ana --limit 3
    """
    must_exist(store)
    with writing(store, How(), banner=False) as memory:
        hits = memory.search(query, user_id=user, agent_id=agent, limit=limit)
    if json:
        emit({"query": query, "user_id": user, "agent_id": agent, "hits": [hit_json(h) for h in hits]})
        return
    screen = Screen()
    rows = [(i, figure(h.cosine), figure(h.bm25), h.memory.text, h.memory.id) for i, h in enumerate(hits, 1)]
    if rows:
        screen.table([("#", "right"), ("cosine", "right"), ("bm25", "right"), "text", ("id", "id")], rows)
    else:
        screen.line(f"nothing found for user {user}")


def hit_json(hit: SearchHit) -> Json:
    return {"score": hit.score, "cosine": hit.cosine, "bm25": hit.bm25, "memory": memory_json(hit.memory)}


def figure(score: float | None) -> str:
    return "-" if score is None else f"{score:.2f}"
