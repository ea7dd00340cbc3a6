"""The vector index and its cache, apart from any store."""

from __future__ import annotations

import numpy as np
import pytest

from scrubjay.stores.vectors import IndexCache, ScopeIndex
from tests.store_backends import DIMENSION, near, rows, vector


def index_of(*texts: str) -> ScopeIndex:
    """One row a text; the memories are numbered from 1."""
    index = ScopeIndex(DIMENSION)
    index.update((), np.arange(1, len(texts) + 1), rows(*(vector(text) for text in texts)))
    return index


def test_a_changed_memory_has_its_new_rows_alone() -> None:
    index = index_of("a", "b")
    index.update([1], np.array([1, 1]), rows(vector("c"), vector("d")))
    assert len(index) == 3
    assert [hits[0] for hits in index.search(rows(vector("d"), vector("b")), 1)] == [(1, 1.0), (2, 1.0)]
    assert index.search(rows(vector("a")), 1)[0][0][1] < 1.0


def test_a_memory_that_is_unknown_or_gone_can_be_dropped_again() -> None:
    index = index_of("a", "b")
    for _ in range(2):
        index.update([1, 99], np.empty(0, dtype=np.int64), np.empty((0, DIMENSION), dtype=np.float32))
    assert [number for number, _ in index.search(rows(vector("a")), 9)[0]] == [2]


def test_the_search_is_exact() -> None:
    texts = [f"statement {n}" for n in range(300)]
    query = rows(*(near("q", f"other {n}", 0.5) for n in range(7)))
    wanted = [list(np.argsort(-cosines)[:9] + 1) for cosines in query @ rows(*(vector(text) for text in texts)).T]
    assert [[number for number, _ in hits] for hits in index_of(*texts).search(query, 9)] == wanted


def test_all_that_tie_with_the_last_are_told() -> None:
    index = index_of("far", *["same"] * 40)
    assert {number for number, _ in index.search(rows(vector("same")), 2)[0]} == set(range(2, 42))


@pytest.mark.parametrize(("k", "count"), [(0, 0), (-1, 0), (1, 1), (9, 2)])
def test_no_more_than_there_are(k: int, count: int) -> None:
    assert len(index_of("a", "b").search(rows(vector("q")), k)[0]) == count


def test_no_query_has_no_answer() -> None:
    assert index_of("a").search(np.empty((0, DIMENSION), dtype=np.float32), 5) == []


def test_the_least_recently_used_scope_goes_when_there_are_too_many() -> None:
    cache = IndexCache(scopes=2)
    for scope in ("ana", "ben", "ana", "cleo"):
        slot = cache.slot(scope)
        slot.index = slot.index or index_of("a")
    assert (cache.slot("ana").index is None, cache.slot("ben").index is None) == (False, True)


def test_scopes_go_when_their_rows_are_too_many_but_never_the_one_in_use() -> None:
    cache = IndexCache(rows=3)
    for scope in ("ana", "ben"):
        cache.slot(scope).index = index_of("a", "b", "c", "d")
    assert cache.slot("ben").index is not None
    assert cache.slot("ana").index is None
