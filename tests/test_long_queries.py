"""A search takes no longer because somebody pastes a document into it."""

from __future__ import annotations

from typing import Any

from tests.fakes import ANA, TableEmbedder, Teller

TEA = "User drinks tea"


class Noting(TableEmbedder):
    """Remembers what it embedded."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def embed_query(self, text: str) -> list[float]:
        self.seen.append(text)
        return super().embed_query(text)


def noted(told: Teller) -> Noting:
    """TEA is stored; the embedder takes notes from now on."""
    told.say(TEA)
    embedder: Any = told.memory.vectors.embedder
    embedder._embedder.embeddings = noting = Noting()
    return noting


def test_a_query_is_sought_by_its_first_thousand_characters(told: Teller) -> None:
    noting = noted(told)
    told.memory.search("tea " * 5000, user_id=ANA)
    assert noting.seen == [("tea " * 5000)[:1000]]


def test_a_long_query_is_sought_by_its_words_too(told: Teller) -> None:
    noted(told).down = True
    assert [hit.memory.text for hit in told.memory.search("tea " + "x" * 5000, user_id=ANA)] == [TEA]
    assert told.memory.search("x" * 5000 + " tea", user_id=ANA) == []
