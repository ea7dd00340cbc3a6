"""Every write is run again from its record alone, and the same comes out; nothing is asked and nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from scrubjay import Memory
from scrubjay.graph.cases import case_names, load_case
from scrubjay.graph.deciders.recorded import RecordedDecider
from scrubjay.graph.ids import IdSource
from scrubjay.graph.replaying.replay import Replay, replay_all
from scrubjay.graph.strategies import STRATEGIES
from scrubjay.stores.errors import NotReplayable, UnknownName
from scrubjay.stores.records import Commit, Scope, WriteRow
from scrubjay.stores.sqlite import SqliteStore
from scrubjay.studio.sessions import of_case
from tests.fakes import ANA, TableEmbedder, Teller, fact, one, teller
from tests.replay_history import grown

TEA, LEMON = "User drinks tea", "User loves tea with lemon"
ME = Scope(ANA)


def wrong(done: Iterator[Replay]) -> list[Replay]:
    return [replay for replay in done if not replay.identical]


def tea(**opened: Any) -> Teller:
    made = teller(alike=[(0.6, (TEA, LEMON))], **opened)
    made.say(TEA)
    return made


@pytest.fixture(scope="module")
def long() -> Iterator[Memory]:
    """500 writes with all that can happen to one; its embedder is down and its model would be heard."""
    with grown(500) as memory:
        yield memory


def test_every_write_of_a_long_history_is_identical_twice(long: Memory) -> None:
    before = long.store.dump()
    found = [wrong(long.replay_all(user_id=ANA)) for _ in range(2)]
    assert found == [[], []] and long.store.dump() == before


def test_the_long_history_has_in_it_what_can_happen_to_a_write(long: Memory) -> None:
    rows = long.store.writes(limit=1000)
    decided = {(d.action, d.outcome) for row in rows for d in long.store.decisions(write_id=row.id)}
    assert {row.kind for row in rows} == {"add", "undo", "review"} and any(row.resumed_by for row in rows)
    assert {a for a, outcome in decided if outcome == "applied"} == {"add", "merge", "replace", "delete", "none"}
    assert {outcome for _, outcome in decided} == {"applied", "dropped", "empty", "failed", "pending_review"}


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_every_write_of_the_shipped_cases_is_identical(strategy: str) -> None:
    for name in case_names():
        case, ids = load_case(name), IdSource(Random(1))
        model = RecordedDecider(case, strategy)
        with Memory.open(":memory:", model=model, strategy=strategy, new_id=ids, checkpoints=False) as memory:
            told = list(of_case(case, ME, recorded=True).run(memory))
            done = list(memory.replay_all(user_id=ANA))
        assert len(done) == len(told) and wrong(iter(done)) == []


def test_a_replay_asks_nobody(tmp_path: Any) -> None:
    told = tea(path=tmp_path / "memory.db")
    write_id = told.say(LEMON, judge=one("refines", "1", text=f"{TEA}; {LEMON}")).write_id
    told.memory.close()
    seen: list[Any] = told.cast.seen[:]
    embedder = TableEmbedder()
    embedder.down = True
    with Memory.open(tmp_path / "memory.db", model=told.cast, embedder=embedder) as memory:
        assert memory.replay(write_id).identical and told.cast.seen == seen


def test_a_write_is_identical_whatever_came_after_it() -> None:
    told = tea()
    first = told.results[0].write_id
    told.say(LEMON, judge=one("supersedes", "1", text=LEMON))
    told.memory.undo(told.results[1].write_id)
    assert told.memory.replay(first).identical


def test_other_users_of_the_store_make_no_difference() -> None:
    told = tea()
    told.say("Ben drinks tea", user="ben")
    told.say(LEMON, judge=one("refines", "1", text=f"{TEA}; {LEMON}"))
    assert wrong(told.memory.replay_all(user_id=ANA)) == []


def test_a_repeat_that_came_again_makes_no_difference() -> None:
    told = tea()
    told.say(TEA, key="k")
    told.say(said=TEA, key="k", extract=[])
    assert [r.identical for r in told.memory.replay_all(user_id=ANA)] == [True, True]


def test_a_dropped_fact_is_weighed_again_by_its_own_vector() -> None:
    told = teller(alike=[(0.97, ("User drinks tea", "The user drinks tea"))])
    told.say(TEA)
    dropped = told.say(fact("The user drinks tea")).decisions[0]
    assert dropped.body["gate"]["reason"] == "near-identical"
    assert told.memory.replay(dropped.write_id).identical


def test_what_was_embedded_late_was_not_there_then() -> None:
    told = tea()
    told.embedder.down = {LEMON}
    write_id = told.say(LEMON, judge=one("independent")).write_id
    told.embedder.down = False
    told.say("Ida owns a boat")
    assert told.memory.list(user_id=ANA)[1].pending_embedding is False
    assert told.memory.replay(write_id).identical


def test_undo_redo_and_review_are_derived_again() -> None:
    told = tea()
    told.say(LEMON, judge=one("supersedes", "1", text=LEMON))
    undone = told.memory.undo(told.results[1].write_id)
    brought = told.memory.redo(undone.write_id)
    assert told.memory.replay(undone.write_id).identical and told.memory.replay(brought.write_id).identical


def test_an_unknown_write_is_named() -> None:
    with pytest.raises(UnknownName, match="w_none"):
        tea().memory.replay("w_none")


def test_a_user_who_has_no_writes_is_named() -> None:
    with pytest.raises(UnknownName, match="nobody"):
        list(tea().memory.replay_all(user_id="nobody"))


def kept(row: WriteRow, told: Teller) -> str:
    """The row as a write of its own."""
    told.memory.store.commit(Commit(row, None))
    return row.id


def test_a_record_that_was_pruned_is_refused_by_name() -> None:
    told = tea()
    row = WriteRow("w_pruned", "k", ME, "default", None, "2026-09-01T10:00:00+02:00", "empty", (), {}, {}, (), {}, 0)
    write_id = kept(row, told)
    with pytest.raises(NotReplayable, match="w_pruned.*pruned"):
        told.memory.replay(write_id)
    assert [r.refused is None for r in told.memory.replay_all(user_id=ANA)] == [True, False]


def test_a_store_that_nobody_opened_with_a_model_is_replayed(tmp_path: Any) -> None:
    tea(path=tmp_path / "memory.db").memory.close()
    store = SqliteStore.open(tmp_path / "memory.db", readonly=True)
    assert wrong(replay_all(store, ME)) == []
    store.close()
