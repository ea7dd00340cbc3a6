"""A store as it was: a copy of one scope, equal to a store that saw only what had happened by then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scrubjay.stores.records import Commit, Link
from scrubjay.stores.sqlite import SqliteStore
from tests.store_backends import (
    ANA,
    BEN,
    absorb,
    add,
    change,
    done,
    embed,
    fact,
    rows,
    said,
    the,
    vector,
    version,
    write,
)

STAMPS = {"scopes": 4, "memories": 6}
"""the place of a counter that only says how often the index was told of changes"""


def commits(store: SqliteStore) -> Iterator[Commit]:
    """A history with everything in it: each step is made against the store as the ones before left it."""
    yield add(1, "lives in Lisbon", "likes tea")
    yield add(2, "drinks 乌龙茶", embedded=False)
    yield add(3, "lives in Ghent", scope=BEN)
    yield change(4, the(store.get("m1.1")), "lives in Porto")
    yield absorb(5, the(store.get("m1.2")), "likes tea a lot")
    yield replace(add(6, "hates tea"), versions=(
        version("m6.1", 1, "hates tea", [("f6.1", "current")], links=(Link("contradicts", "m1.2"),)),
    ))  # fmt: skip
    yield Commit(write(7), None, withdrawn=(said(fact(1, "likes tea", 2), 1),))
    yield Commit(write(8), None, versions=(
        version("m6.1", 2, "hates tea", [("f6.1", "past")], "deleted", ended_links=(Link("contradicts", "m1.2"),)),
    ))  # fmt: skip
    yield Commit(write(9, outcome="failed"), None)
    yield Commit(write(10, key="key 9"), None, embedded=embed("drinks 乌龙茶"), sources=(said(fact(1, "", 2), 1),))


def grown(path: str | Path, steps: int) -> SqliteStore:
    store = SqliteStore.open(path)
    for step, commit in enumerate(commits(store), 1):
        if step > steps:
            break
        done(store.commit(commit))
    return store


def comparable(store: SqliteStore) -> list[tuple[object, ...]]:
    """All rows but counters of the index, and other people's."""
    found = []
    for table, *row in store.dump():
        if table in STAMPS:
            row[STAMPS[table]] = 0
        found.append((table, *row))
    return found


@pytest.mark.parametrize("steps", range(11))
def test_a_copy_as_of_a_moment_has_the_rows_of_a_store_that_ends_there(steps: int) -> None:
    whole, short = grown(":memory:", 10), grown(":memory:", steps)
    assert looks(whole.as_of(ANA, steps)) == looks(short)


@pytest.mark.parametrize("steps", range(1, 11))
def test_a_copy_that_is_brought_forward_is_the_copy_of_then(steps: int) -> None:
    whole = grown(":memory:", 10)
    copy = whole.as_of(ANA, steps - 1)
    whole.bring(copy, ANA, steps)
    assert comparable(copy) == comparable(whole.as_of(ANA, steps))


def looks(store: SqliteStore) -> list[object]:
    """All that can be read of one scope."""
    ids = ["m1.1", "m1.2", "m2.1", "m6.1"]
    return [
        store.moment(), store.revision(ANA), store.active(ANA), [store.history(i) for i in ids],
        store.nearest(ANA, rows(vector("likes tea"), vector("drinks 乌龙茶")), 5),
        store.lexical(ANA, "tea in Lisbon", 5), store.lexical(ANA, "乌龙茶", 5),
        store.stating(ANA, ["likes tea", "lives in Lisbon"]), store.recent_messages(ANA, "talk", 5),
        store.recent_facts(ANA, "talk", 20), store.writes(ANA), [store.decisions(memory_id=i) for i in ids],
        store.write_by_key(ANA, "key 9"), store.pending_texts(ANA, 5), store.vectors(["drinks 乌龙茶"]),
    ]  # fmt: skip


def test_a_copy_holds_nobody_elses_memories() -> None:
    assert grown(":memory:", 10).as_of(ANA, 10).active(BEN) == []


def test_what_is_written_into_a_copy_stays_there() -> None:
    whole = grown(":memory:", 10)
    before = whole.dump()
    done(whole.as_of(ANA, 10).commit(add(11, "plays chess")))
    assert whole.dump() == before


def test_a_moment_is_found_by_time() -> None:
    store = grown(":memory:", 10)
    assert [store.moment_at(ANA, at) for at in ("2026-02-28T23:00:00Z", write(4).at, "2026-03-01T01:04:30+01:00")] == [
        0, 4, 4,
    ]  # fmt: skip
