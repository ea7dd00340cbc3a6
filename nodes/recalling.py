"""Hybrid search over active memories."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from scrubjay.nodes.backfill import fill
from scrubjay.nodes.fusion import leg, reciprocal_ranks
from scrubjay.nodes.vectors import TextVectors, as_rows
from scrubjay.stores.protocol import NO_FILTERS, Store
from scrubjay.stores.records import Filters, Memory, Scope
from scrubjay.stores.text import clean

QUERY = 1000
"""characters of a query that are searched for: a whole document asks for nothing in particular"""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A memory with what found it."""

    memory: Memory
    score: float
    """reciprocal ranks of the legs added up: its order is what counts"""
    cosine: float | None
    bm25: float | None


def hybrid_search(
    store: Store, vectors: TextVectors, scope: Scope, query: str, *, limit: int, filters: Filters = NO_FILTERS,
    recency: float = 0.0,
) -> list[SearchHit]:  # fmt: skip
    """The best `limit` active memories by meaning and by words; with the embedder down, by words alone.

    `recency`: weight of a third leg, in which what was recorded last is first; it finds nothing by itself.
    """
    text = clean(query).strip()[:QUERY]
    if not text:
        return []
    k = leg(limit)
    embedded, _ = vectors.of([text])
    if embedded:
        fill(vectors, scope)
    rows = store.nearest(scope, as_rows([embedded[text]]), k, filters=filters) if embedded else [[]]
    cosines = {h.memory_id: h.score for h in rows[0]}
    words = {h.memory_id: h.score for h in store.lexical(scope, text, k, filters=filters)}
    scores = reciprocal_ranks([cosines, words])
    if recency:
        newest = reciprocal_ranks([by_time(store.get_many(list(scores), provenance=False))])
        scores = {ref: score + recency * newest.get(ref, 0.0) for ref, score in scores.items()}
    best = sorted(scores, key=lambda r: (-scores[r], -cosines.get(r, -1.0), r))[:limit]
    return [SearchHit(m, round(scores[m.id], 5), cosines.get(m.id), words.get(m.id)) for m in store.get_many(best)]


def by_time(memories: Iterable[Memory]) -> dict[str, float]:
    """Id → place, later recorded is higher; ids are time-ordered and settle what the clock leaves open."""
    order = sorted(memories, key=lambda m: (datetime.fromisoformat(m.recorded_from), m.id))
    return {m.id: float(place) for place, m in enumerate(order)}
