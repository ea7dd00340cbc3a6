"""An embedder that is down: what was said is kept and found by its words, and gets its vector later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrubjay import Memory
from scrubjay.graph.deciders.scripted import ScriptedDecider
from scrubjay.stores.errors import StoreBusy, WrongEmbedder
from scrubjay.stores.records import Scope
from tests.fakes import ANA, Cast, Clock, TableEmbedder, codes, extraction

TEA, LEMON, BOAT = "User drinks tea", "User loves tea with lemon", "Ida owns a boat"


class Silent(TableEmbedder):
    """Does not tell its dimension; counts its calls."""

    dimension = None  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[list[str]] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.calls.append(texts)
        return super().embed_documents(texts)


class Other(Silent):
    """Of another name."""

    name = "other"


def opened(path: Path | str = ":memory:", embedder: TableEmbedder | None = None) -> tuple[Memory, Any]:
    made = embedder or Silent()
    return Memory.open(path, model=Cast(), embedder=made, clock=Clock(), checkpoints=False), made


def say(memory: Memory, *facts: str, user: str = ANA) -> list[str]:
    """One write; the codes of its problems."""
    text = ". ".join(facts) or "Hello"
    decider: Any = memory.engine.tools.decider
    judge: list[Any] = [{"groups": []}] * 9
    decider.script = ScriptedDecider({"extract": [extraction(facts, text)], "judge": judge}, repairs=False)
    return codes(memory.add(text, user_id=user))


def waiting(memory: Memory, user: str = ANA) -> list[str]:
    return [m.text for m in memory.list(user_id=user) if m.pending_embedding]


def found(memory: Memory, query: str) -> list[str]:
    return [hit.memory.text for hit in memory.search(query, user_id=ANA)]


def test_a_store_that_is_opened_while_its_embedder_is_down_is_written_and_searched(tmp_path: Path) -> None:
    memory, _ = opened(tmp_path / "memory.db")
    say(memory, TEA)
    memory.close()
    memory, embedder = opened(tmp_path / "memory.db")
    embedder.down = True
    assert "embedder" in say(memory, BOAT) and waiting(memory) == [BOAT]
    assert found(memory, "tea") == [TEA] and found(memory, "boat") == [BOAT]


def test_a_store_that_knows_its_embedder_asks_it_nothing_when_opened(tmp_path: Path) -> None:
    memory, embedder = opened(tmp_path / "memory.db")
    say(memory, TEA)
    memory.close()
    memory, embedder = opened(tmp_path / "memory.db")
    assert memory.vectors.embedder.dimension == 544 and embedder.calls == []


def test_another_embedder_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    memory, _ = opened(tmp_path / "memory.db")
    say(memory, TEA)
    memory.close()
    memory, _ = opened(tmp_path / "memory.db", Other())
    with pytest.raises(WrongEmbedder, match="other"):
        memory.add(BOAT, user_id=ANA)


@pytest.mark.parametrize("kind", [TableEmbedder, Silent])
def test_the_first_write_of_a_store_needs_no_embedder(kind: type[TableEmbedder]) -> None:
    memory, embedder = opened(embedder=kind())
    embedder.down = True
    assert "embedder" in say(memory, TEA) and waiting(memory) == [TEA] and found(memory, "tea") == [TEA]
    assert memory.store.meta()["embedder"] is None and memory.store.meta()["thresholds"] == {}


def test_the_embedder_is_measured_and_kept_when_it_answers() -> None:
    memory, embedder = opened()
    embedder.down = True
    say(memory, TEA)
    embedder.down = False
    say(memory, BOAT)
    meta = memory.store.meta()
    kept = memory.write(memory.list(user_id=ANA)[1].write_id).settings
    assert meta["embedder"] == "table" and kept["near"] == meta["thresholds"]["near"] != 0.05


# -- vectors that come late


def after_an_outage(*facts: str) -> tuple[Memory, Any]:
    """TEA has its vector; the facts were said while the embedder was down."""
    memory, embedder = opened(embedder=Silent())
    say(memory, TEA)
    embedder.down = True
    for text in facts:
        say(memory, text)
    embedder.down = False
    embedder.calls.clear()
    return memory, embedder


def test_a_later_write_embeds_what_waited() -> None:
    memory, embedder = after_an_outage(LEMON, BOAT)
    say(memory, "Ruth plays chess")
    assert waiting(memory) == [] and [LEMON, BOAT] in embedder.calls


def test_a_later_write_that_finds_nothing_embeds_what_waited() -> None:
    memory, _ = after_an_outage(BOAT)
    say(memory)
    assert waiting(memory) == []


def test_a_later_search_embeds_what_waited_and_finds_it() -> None:
    memory, embedder = after_an_outage(BOAT)
    embedder.alike(0.9, BOAT, "sailing")
    assert found(memory, "sailing")[0] == BOAT and waiting(memory) == []


def test_a_write_embeds_no_more_than_a_batch_of_what_waited() -> None:
    memory, _ = after_an_outage(*(f"Ida owns boat {n} of many" for n in range(35)))
    say(memory)
    assert len(waiting(memory)) == 3


def test_what_another_user_left_waiting_stays_theirs() -> None:
    memory, embedder = after_an_outage(BOAT)
    say(memory, "Ben has a dog", user="ben")
    assert waiting(memory) == [BOAT] and all(BOAT not in call for call in embedder.calls)


def test_a_write_under_an_outage_asks_for_nothing_that_waits() -> None:
    memory, embedder = after_an_outage(BOAT)
    embedder.down = True
    say(memory, LEMON)
    assert all(BOAT not in call for call in embedder.calls)


def test_a_text_that_no_embedder_takes_is_left_alone_in_the_end() -> None:
    memory, embedder = after_an_outage(BOAT)
    embedder.down = {BOAT}
    for n in range(5):
        say(memory, f"Ruth won game {n} of chess")
    assert sum(BOAT in call for call in embedder.calls) == 3 and waiting(memory) == [BOAT]


def test_a_search_does_not_fail_with_a_store_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    memory, _ = after_an_outage(BOAT)

    def busy(*_: object) -> None:
        raise StoreBusy("somebody else writes")

    monkeypatch.setattr(memory.store, "keep_vectors", busy)
    assert BOAT in found(memory, "boat") and waiting(memory) == [BOAT]


def test_where_nothing_waits_the_store_is_asked_again_after_fifty_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    memory, _ = after_an_outage()
    asked: list[int] = []

    def none(scope: Scope, limit: int) -> list[str]:
        asked.append(limit)
        return []

    monkeypatch.setattr(memory.store, "pending_texts", none)
    for _ in range(50):
        found(memory, "boat")
    assert asked == []
    found(memory, "boat")
    assert asked == [32]
