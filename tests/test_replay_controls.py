"""What makes a replay differ is found, named by stage, and found nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from scrubjay import Memory
from scrubjay.graph.replaying.differences import Difference
from scrubjay.graph.replaying.replay import Replay, replay_all
from scrubjay.graph.strategies import JOINT, NEATMEM, STRATEGIES
from scrubjay.nodes import judge, load_context, veto
from scrubjay.nodes.state import RelationState
from scrubjay.prompts.extract import ExtractRequest
from scrubjay.stores.errors import NotReplayable
from scrubjay.stores.records import Decision, Scope
from tests.fakes import ANA, Teller, one, teller
from tests.replay_history import grown

TEA, LEMON = "User drinks tea", "User loves tea with lemon"
ME = Scope(ANA)
Place = tuple[str, int | None]


@pytest.fixture(scope="module")
def history() -> Iterator[Memory]:
    with grown(80, strategies=("neatmem",)) as memory:
        yield memory


def decided(memory: Memory) -> list[Decision]:
    rows = memory.store.writes(ME, limit=1000)
    return [d for row in rows if row.kind == "add" for d in memory.store.decisions(write_id=row.id)]


def different(memory: Memory, **how: Any) -> list[Replay]:
    return [r for r in replay_all(memory.store, ME, **how) if not r.identical]


def places(done: list[Replay], stage: str, what: str) -> set[Place]:
    return {(r.write_id, d.fact) for r in done for d in r.differences if (d.stage, d.what) == (stage, what)}


def stages(found: tuple[Difference, ...]) -> list[str]:
    return list(dict.fromkeys(d.stage for d in found))


def test_a_raised_threshold_changes_exactly_the_facts_that_had_candidates_below_it(history: Memory) -> None:
    raised = {**STRATEGIES, "neatmem": replace(NEATMEM, threshold=0.5)}
    expected = {
        (d.write_id, d.fact_number)
        for d in decided(history)
        if any(c["cosine"] is not None and c["cosine"] < 0.5 for c in d.body["candidates"])
    }
    done = different(history, strategies=raised)
    assert expected and places(done, "retrieve", "candidates") == expected


def test_a_raised_threshold_is_itself_the_first_difference(history: Memory) -> None:
    done = different(history, strategies={**STRATEGIES, "neatmem": replace(NEATMEM, threshold=0.5)})
    first = {(d.stage, d.what, d.recorded, d.replayed) for d in (r.differences[0] for r in done)}
    assert first == {("load_context", "recall", 0.4, 0.5)}


def test_a_changed_relation_changes_exactly_the_facts_that_had_it(
    history: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = veto.checked

    def mild(*given: Any) -> list[RelationState]:
        return [{**r, "relation": "contradicts"} if r["relation"] == "supersedes" else r for r in plain(*given)]

    monkeypatch.setattr(judge, "checked", mild)
    expected = {
        (d.write_id, d.fact_number)
        for d in decided(history)
        if any(r["relation"] == "supersedes" for r in d.body["relations"])
    }
    assert expected and places(different(history), "judge", "relations") == expected


def test_a_changed_prompt_is_said_and_the_recorded_reply_used_further(monkeypatch: pytest.MonkeyPatch) -> None:
    told = tea()
    monkeypatch.setattr(ExtractRequest, "template", ExtractRequest.template + "\nBe brief.")
    (first, second) = different(told.memory)
    assert [d.what for d in (*first.differences, *second.differences)] == ["prompt changed"] * 2


def test_a_changed_question_is_blamed_on_the_stage_that_changed_it(monkeypatch: pytest.MonkeyPatch) -> None:
    told = tea()
    monkeypatch.setattr(load_context, "FACTS", 0)
    (done,) = different(told.memory)
    asked = next(d for d in done.differences if d.what == "question changed")
    assert (asked.stage, asked.because) == ("extract", "load_context")


def test_a_question_that_a_preset_changes_is_blamed_on_it() -> None:
    told = tea()
    pointwise = {**STRATEGIES, "joint": replace(JOINT, detector="pointwise")}
    (done,) = different(told.memory, strategies=pointwise)
    asked = next(d for d in done.differences if d.what == "prompt changed")
    assert asked.recorded.startswith("judge_joint@") and asked.replayed.startswith("judge_one@")


def test_a_preset_that_is_gone_is_a_difference() -> None:
    told = tea()
    (first, _) = different(told.memory, strategies={})
    assert [(d.stage, d.what, d.recorded, d.replayed) for d in first.differences] == [
        ("load_context", "strategy", "joint", None)
    ]


def test_a_question_that_no_longer_comes_is_a_difference() -> None:
    told = tea()
    silent = {**STRATEGIES, "joint": replace(JOINT, detector="none")}
    (done,) = different(told.memory, strategies=silent)
    assert "question not asked" in {d.what for d in done.differences} and stages(done.differences)[-1] == "commit"


def test_a_memory_that_was_tampered_with_is_found() -> None:
    told = tea()
    file = told.memory.store._connections._writer.conn
    for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        file.execute(f"DROP TRIGGER {name}")
    file.execute("UPDATE memory_versions SET text = 'User drinks gin' WHERE version = 1")
    assert "commit" in stages(different(told.memory)[0].differences)


def tea() -> Teller:
    told = teller(alike=[(0.6, (TEA, LEMON))])
    told.say(TEA)
    told.say(LEMON, judge=one("refines", "1", text=f"{TEA}; {LEMON}"))
    return told


def test_a_record_that_nothing_can_read_keeps_no_other_from_being_replayed() -> None:
    told = teller()
    ids = [told.say(text).write_id for text in ("User owns a boat", "User drinks tea", "User plays chess")]
    file = told.memory.store._connections._writer.conn
    file.execute("UPDATE writes SET result = json_set(result, '$.reads', json('[{}]')) WHERE id = ?", [ids[1]])
    assert [(r.write_id, r.identical) for r in told.memory.replay_all(user_id=ANA)] == [
        (ids[0], True), (ids[1], False), (ids[2], True),
    ]  # fmt: skip
    with pytest.raises(NotReplayable, match="its record cannot be read"):
        told.memory.replay(ids[1])
