"""One saver for invoke and ainvoke: compressed, strict, readable from both sides."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scrubjay.graph.engine import Compiled
from scrubjay.graph.saver import TwoWaySaver, open_saver
from scrubjay.graph.write_graph import build_write_graph
from tests.fakes import ANA, Teller, one, teller

TEA, LEMON = "User drinks tea", "User loves tea with lemon"
ON: Any = {"configurable": {"thread_id": "t", "user_id": ANA}}


@pytest.fixture
def saver(tmp_path: Path) -> Iterator[TwoWaySaver]:
    made = open_saver(str(tmp_path / "memory.db.checkpoints"))
    yield made
    made.conn.close()


def tea() -> Teller:
    return teller(alike=[(0.6, (TEA, LEMON))])


def graph_of(told: Teller, saver: TwoWaySaver) -> Compiled:
    return build_write_graph(told.memory.engine.tools).compile(checkpointer=saver)


def tell(told: Teller, text: str, judge: Any = None) -> Any:
    """The input of a write whose replies are laid out."""
    told.expect(text, judge=judge)
    return {"messages": [{"role": "user", "content": text}]}


def test_what_a_sync_run_saved_an_async_run_reads(saver: TwoWaySaver) -> None:
    told = tea()
    graph = graph_of(told, saver)
    graph.invoke(tell(told, TEA), ON)
    state = asyncio.run(graph.aget_state(ON))
    assert state.values["facts"][0]["text"] == TEA and state.next == ()


def test_sync_and_async_runs_take_turns_on_one_thread(saver: TwoWaySaver) -> None:
    told = tea()
    graph = graph_of(told, saver)
    graph.invoke(tell(told, TEA), ON)
    asyncio.run(graph.ainvoke(tell(told, LEMON, one("independent")), ON))
    assert told.texts() == [TEA, LEMON] and graph.get_state(ON).values["facts"][0]["text"] == LEMON


async def history_of(graph: Compiled) -> list[Any]:
    return [state.values async for state in graph.aget_state_history(ON)]


def test_history_is_the_same_from_both_sides(saver: TwoWaySaver) -> None:
    told = tea()
    graph = graph_of(told, saver)
    graph.invoke(tell(told, TEA), ON)
    assert asyncio.run(history_of(graph)) == [state.values for state in graph.get_state_history(ON)]


def test_checkpoints_are_found_by_user(saver: TwoWaySaver) -> None:
    told = tea()
    graph_of(told, saver).invoke(tell(told, TEA), ON)
    assert list(saver.list(None, filter={"user_id": ANA})) and not list(saver.list(None, filter={"user_id": "ben"}))


def test_a_deleted_thread_is_gone(saver: TwoWaySaver) -> None:
    told = tea()
    graph = graph_of(told, saver)
    graph.invoke(tell(told, TEA), ON)
    asyncio.run(saver.adelete_thread("t"))
    assert list(saver.list(ON)) == []


def test_a_writes_checkpoints_stay_small(saver: TwoWaySaver) -> None:
    told = tea()
    graph_of(told, saver).invoke(tell(told, TEA), ON)
    tables = (
        "SELECT sum(length(checkpoint) + length(metadata)) FROM checkpoints",
        "SELECT sum(length(value)) FROM writes",
    )
    size = sum(saver.conn.execute(sql).fetchone()[0] for sql in tables)
    assert size < 40_000


def test_two_hundred_messages_of_a_parent_do_not_pile_up_in_the_checkpoints(saver: TwoWaySaver) -> None:
    told = tea()
    given = tell(told, TEA)
    long = [{"role": "system", "content": f"{i} " + "blah " * 400} for i in range(200)]
    graph_of(told, saver).invoke(given | {"messages": [*long, *given["messages"]]}, ON)
    sizes = [row[0] for row in saver.conn.execute("SELECT length(checkpoint) FROM checkpoints ORDER BY checkpoint_id")]
    assert max(sizes[2:]) < 5_000


def test_nothing_is_unpickled(saver: TwoWaySaver) -> None:
    with pytest.raises(NotImplementedError, match="pickle"):
        saver.serde.loads_typed(("pickle", b"cos\nsystem\n(S'true'\ntR."))


def test_the_checkpoints_of_a_memory_lie_beside_its_store(tmp_path: Path) -> None:
    told = teller(tmp_path / "memory.db")
    told.memory._checkpoints = True
    told.say(TEA)
    told.memory.close()
    assert (tmp_path / "memory.db.checkpoints").stat().st_size > 0
