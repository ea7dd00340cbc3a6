"""Exact nearest neighbours in memory: one FAISS index a scope, derived from the store and thrown away at will."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrubjay.stores.errors import EmbedderError

Rows = NDArray[np.float32]
"""shape (n, dimension)"""
Numbers = NDArray[np.int64]

_UNIT = 1e-3
"""how far from 1 the length of a vector may be"""


class ScopeIndex:
    """The vectors of one scope's active memories: several rows a memory (its text, its current facts), one number.

    Inner product of unit vectors, so the score is the cosine. Flat and exact: at 512 dimensions a search of 10,000 rows
    takes under a millisecond.
    """

    def __init__(self, dimension: int) -> None:
        import faiss  # noqa: PLC0415  (0.2 s that listing and reading should not pay)

        self._faiss: Any = faiss
        self._index: Any = faiss.IndexIDMap(faiss.IndexFlatIP(dimension))
        self._rows: Counter[int] = Counter()
        self.dimension = dimension

    def __len__(self) -> int:
        """Rows, not memories."""
        return int(self._index.ntotal)

    def update(self, changed: Sequence[int], numbers: Numbers, vectors: Rows) -> None:
        """Drop all rows of the `changed` memories and add the given ones; `numbers` names each row's memory."""
        known = [number for number in changed if number in self._rows]
        if known:
            self._index.remove_ids(self._faiss.IDSelectorBatch(np.array(known, dtype=np.int64)))
            for number in known:
                del self._rows[number]
        if len(numbers):
            self._index.add_with_ids(np.ascontiguousarray(vectors), numbers)
            self._rows.update(numbers.tolist())

    def search(self, query: Rows, k: int, admitted: Numbers | None = None) -> list[list[tuple[int, float]]]:
        """(memory number, cosine) of the k nearest memories for each row of `query`, and of all that tie with the last.

        A memory's cosine is its best row's. `admitted` narrows the search itself, not its result. Cosines are rounded
        to six digits, which is what float32 sums are good for: equal texts get equal scores wherever their rows lie.
        """
        total = len(self)
        if k < 1 or total == 0 or len(query) == 0 or (admitted is not None and len(admitted) == 0):
            return [[] for _ in query]
        width = min(total, k + 8)
        while True:
            found = self._rows_found(query, width, admitted)
            if width == total or all(_enough(row, k, width) for row in found):
                return [_best(row, k) for row in found]
            width = min(total, width * 2)

    def _rows_found(self, query: Rows, width: int, admitted: Numbers | None) -> list[list[tuple[int, float]]]:
        params = None
        if admitted is not None:
            params = self._faiss.SearchParameters(sel=self._faiss.IDSelectorBatch(admitted))
        with self._one_thread():
            scores, numbers = self._index.search(np.ascontiguousarray(query), width, params=params)
        scores = np.round(np.clip(scores.astype(np.float64), -1.0, 1.0), 6)
        return [
            [(number, score) for number, score in zip(row, cosines, strict=True) if number >= 0]
            for row, cosines in zip(numbers.tolist(), scores.tolist(), strict=True)
        ]

    @contextmanager
    def _one_thread(self) -> Iterator[None]:
        """Threads that wait for each other cost more than they save here (24 ms for 1 ms, seen on a busy machine).

        OpenMP keeps the number by calling thread, so that nobody else's FAISS is slowed.
        """
        before = self._faiss.omp_get_max_threads()
        self._faiss.omp_set_num_threads(1)
        try:
            yield
        finally:
            self._faiss.omp_set_num_threads(before)


def _best(found: list[tuple[int, float]], k: int) -> list[tuple[int, float]]:
    """Best row of each memory, best first, down to the score of the k-th."""
    memories: dict[int, float] = {}
    for number, score in found:
        memories.setdefault(number, score)
    ranked = list(memories.items())
    return [pair for pair in ranked if len(ranked) <= k or pair[1] >= ranked[k - 1][1]]


def _enough(found: list[tuple[int, float]], k: int, width: int) -> bool:
    """No row beyond those found can change the k best: none is left, or the last one is worse than the k-th memory."""
    if len(found) < width:
        return True
    memories = _best(found, k)
    return len(memories) >= k and found[-1][1] < memories[k - 1][1]


@dataclass(slots=True)
class Slot:
    """A scope's place in the cache; whoever holds the lock may use and replace what lies in it."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    index: ScopeIndex | None = None
    stamp: int = -1
    """the state of the store that the index shows"""
    asked: bytes = b""
    """the query, without filters, that was searched for last …"""
    found: dict[int, list[list[tuple[int, float]]]] = field(default_factory=dict)
    """… and what was found, by k; the gate and retrieve ask the same of the same state"""

    def search(self, query: Rows, k: int) -> list[list[tuple[int, float]]]:
        """As the index's, over all memories; raises nothing, an empty slot finds nothing."""
        if self.index is None:
            return [[] for _ in query]
        asked = query.tobytes()
        if asked != self.asked:
            self.asked, self.found = asked, {}
        if k not in self.found:
            self.found[k] = self.index.search(query, k)
        return self.found[k]

    def changed(self) -> None:
        """What was found holds no more."""
        self.asked, self.found = b"", {}


class IndexCache:
    """Indexes of the scopes used last; beyond `scopes` or `rows` in all, the least recently used one goes.

    200,000 rows of 512 dimensions are 400 MB. A scope larger than that is still answered, but alone.
    """

    def __init__(self, scopes: int = 64, rows: int = 200_000) -> None:
        self._scopes, self._rows = scopes, rows
        self._lock = threading.Lock()
        self._slots: OrderedDict[Hashable, Slot] = OrderedDict()

    def slot(self, scope: Hashable) -> Slot:
        """The scope's slot, to be used under its lock."""
        with self._lock:
            slot = self._slots.setdefault(scope, Slot())
            self._slots.move_to_end(scope)
            while len(self._slots) > 1 and self._is_full():
                self._slots.popitem(last=False)
        return slot

    def _is_full(self) -> bool:
        rows = sum(len(slot.index) for slot in self._slots.values() if slot.index is not None)
        return len(self._slots) > self._scopes or rows > self._rows


def unit_rows(blobs: Sequence[bytes], dimension: int | None) -> Rows:
    """Stored bytes (float32, little-endian) as one matrix; raises EmbedderError for anything that is no unit vector.

    `dimension` None: whatever the first one has.
    """
    if not blobs:
        return np.empty((0, dimension or 0), dtype=np.float32)
    size = (dimension or len(blobs[0]) // 4) * 4
    wrong = next((len(blob) for blob in blobs if len(blob) != size or not size), None)
    if wrong is not None:
        raise EmbedderError(f"a vector has {wrong / 4:g} dimensions, the store holds vectors of {size // 4}")
    return check_unit(np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(blobs), -1), size // 4)


def check_unit(vectors: NDArray[Any], dimension: int) -> Rows:
    """The same as float32 rows; raises EmbedderError for another dimension, NaN, or a length that is not 1."""
    rows = np.asarray(vectors, dtype=np.float32)
    if rows.ndim != 2 or rows.shape[1] != dimension:
        raise EmbedderError(f"vectors of shape {rows.shape}, the store holds vectors of {dimension} dimensions")
    lengths = np.linalg.norm(rows, axis=1)
    off = np.flatnonzero(~(np.abs(lengths - 1.0) <= _UNIT))
    if len(off):
        raise EmbedderError(
            f"vector {off[0]} has length {lengths[off[0]]:g} instead of 1: the embedder returned NaN, nothing, "
            "or a vector that was not normalised"
        )
    return rows
