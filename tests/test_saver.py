"""One saver for invoke and ainvoke: compressed, strict, readable from both sides."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from scrubjay import WriteResult
from scrubjay.graph.engine import Compiled
from scrubjay.graph.saver import TwoWaySaver, open_saver
from scrubjay.graph.write_graph import build_write_graph
from scrubjay.stores.errors import CheckpointError, StoreError, StoreUnreadable
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


# -- when checkpoints fail


def text_file(path: Path) -> None:
    path.write_text("dear diary, " * 100)


def folder(path: Path) -> None:
    path.mkdir()


def foreign_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE diary (id TEXT)")


def foreign_log(path: Path) -> None:
    """All that tells whose the file is lies in its write-ahead log."""
    elsewhere = path.with_name("elsewhere")
    with closing(sqlite3.connect(elsewhere)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE diary (id TEXT)")
        path.write_bytes(elsewhere.read_bytes())
        path.with_name(f"{path.name}-wal").write_bytes(elsewhere.with_name("elsewhere-wal").read_bytes())


@pytest.mark.parametrize("make", [text_file, folder, foreign_database, foreign_log])
def test_a_file_that_holds_no_checkpoints_of_ours_is_refused_and_left_untouched(
    make: Callable[[Path], None], tmp_path: Path
) -> None:
    beside = tmp_path / "memory.db.checkpoints"
    make(beside)
    before = beside.read_bytes() if beside.is_file() else b""
    told = told_on_disk(tmp_path)
    told.expect(TEA)
    with pytest.raises(StoreUnreadable, match=r"memory\.db\.checkpoints"):
        told.memory.add(TEA, user_id=ANA)
    assert (beside.read_bytes() if beside.is_file() else b"") == before
    assert told.texts() == [] and told.memory.store.writes() == []


def test_checkpoints_open_again_and_by_two_at_once(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db.checkpoints")
    with closing(open_saver(path).conn), closing(open_saver(path).conn) as other:
        assert other.execute("SELECT count(*) FROM checkpoints").fetchone() == (0,)


def told_on_disk(folder: Path) -> Teller:
    told = teller(folder / "memory.db", alike=[(0.6, (TEA, LEMON))])
    told.memory._checkpoints = True
    return told


def add(told: Teller, how: str, text: str, **asked: Any) -> WriteResult:
    told.expect(text)
    if how == "add":
        return told.memory.add(text, user_id=ANA, **asked)
    return asyncio.run(told.memory.aadd(text, user_id=ANA, **asked))


def read_only(saver: TwoWaySaver) -> None:
    saver.conn.execute("PRAGMA query_only = ON")


def full(saver: TwoWaySaver) -> None:
    saver.conn.execute("PRAGMA max_page_count = 1")


def unable_to_pack(saver: TwoWaySaver) -> None:
    class Refuses(JsonPlusSerializer):
        def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
            raise TypeError("integer out of range")

    saver.serde = Refuses()


ADD = pytest.mark.parametrize("how", ["add", "aadd"])


@ADD
@pytest.mark.parametrize("spoil", [read_only, full, unable_to_pack])
def test_a_write_whose_checkpoints_fail_is_reported_as_written_with_the_problem(
    spoil: Callable[[TwoWaySaver], None], how: str, tmp_path: Path
) -> None:
    told = told_on_disk(tmp_path)
    assert told.memory.engine.saver is not None
    spoil(told.memory.engine.saver)
    result = add(told, how, TEA)
    assert (result.outcome, told.texts()) == ("applied", [TEA])
    assert [p["code"] for p in result.problems] == ["checkpoint"] and "memory.db.checkpoints" in result.problems[0][
        "text"
    ]


@ADD
def test_a_repeat_whose_checkpoints_fail_shows_the_first_write(how: str, tmp_path: Path) -> None:
    told = told_on_disk(tmp_path)
    first = add(told, how, TEA, key="once")
    assert told.memory.engine.saver is not None
    read_only(told.memory.engine.saver)
    again = add(told, how, TEA, key="once")
    assert (again.write_id, again.first, told.texts()) == (first.write_id, False, [TEA])


@ADD
def test_a_write_that_its_checkpoints_stop_says_that_nothing_was_written(how: str, tmp_path: Path) -> None:
    told = told_on_disk(tmp_path)
    assert told.memory.engine.saver is not None
    told.memory.engine.saver.conn.execute("DROP TABLE checkpoints")
    with pytest.raises(CheckpointError, match="nothing was written"):
        add(told, how, TEA)
    assert told.memory.store.writes() == []


@ADD
def test_a_closed_memory_says_so(how: str, tmp_path: Path) -> None:
    told = told_on_disk(tmp_path)
    add(told, how, TEA)
    told.memory.close()
    with pytest.raises(StoreError, match="closed"):
        add(told, how, LEMON)


@ADD
def test_a_store_that_may_not_be_written_asks_no_model_and_leaves_no_checkpoints(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told_on_disk(tmp_path).memory.close()
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    told = told_on_disk(tmp_path)
    with pytest.raises(StoreError, match="read-only"):
        add(told, how, TEA)
    assert told.cast.seen == [] and told.memory.search("tea", user_id=ANA) == []
    assert [path.name for path in tmp_path.iterdir()] == ["memory.db"]
