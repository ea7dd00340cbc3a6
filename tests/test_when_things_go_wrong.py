"""What becomes of a write when a model, the embedder or the store fails: nothing is lost, nothing is silent."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from scrubjay import Memory, WriteResult
from scrubjay.graph.write_graph import build_write_graph
from scrubjay.stores.errors import StoreError
from scrubjay.stores.records import Commit, Committed, Conflict
from scrubjay.stores.sqlite import SqliteStore
from tests.fake_models import FakeChat
from tests.fakes import ANA, TableEmbedder, Teller, by_text, codes, fact, group, kinds, one, teller, verdict

TEA, LEMON = "User drinks tea", "User loves tea with lemon"
MINT = "User grows mint for tea"
SUPERSEDED = "User has given up tea"
TEXTS = (TEA, LEMON, MINT, SUPERSEDED, "User drinks green tea", "User drinks black tea")


def tea(path: Path | str = ":memory:", **opened: Any) -> Teller:
    """A memory that holds TEA; all about tea is alike."""
    made = teller(path, alike=[(0.6, TEXTS)], **opened)
    made.say(TEA)
    return made


def untouched(t: Teller) -> bool:
    """The first memory is as it was made."""
    first = t.memory.list(user_id=ANA)[0]
    return (first.text, first.version, first.status) == (TEA, 1, "active")


# -- the judge


@pytest.mark.parametrize("reply", [{"verdict": "?"}, "no idea", "", '{"groups": null}', TimeoutError("60 s")])
def test_a_judge_that_gives_no_usable_reply_leaves_the_fact_added_and_linked(reply: Any) -> None:
    t = tea()
    result = t.say(LEMON, judge=reply)
    assert untouched(t) and t.texts() == [TEA, LEMON]
    assert kinds(result.memories[0]) == ["related"] and codes(result).count("judge_failed") == 1
    assert result.outcome == "applied"


def test_a_judge_is_asked_once_more_before_its_reply_counts_as_unusable() -> None:
    t = tea()
    result = t.say(LEMON, judge=["?", one("refines", "1", text=f"{TEA}, and {LEMON}")])
    assert len(t.texts()) == 1 and result.calls["judge"] == 1
    assert t.memory.write(result.write_id).calls[1]["repairs"] == 1


@pytest.mark.parametrize("relation", ["update", "delete", "duplicate", "contradicts"])
def test_a_number_that_names_nothing_is_recorded_and_the_fact_added(relation: str) -> None:
    t = tea()
    result = t.say(LEMON, judge=[one(relation, "12"), one(relation, "12")])
    assert untouched(t) and t.texts() == [TEA, LEMON]
    assert any(p["code"] == "invalid_target" and "12" in p["text"] for p in result.problems)


def test_a_repaired_number_counts() -> None:
    t = tea()
    t.say(
        "User drinks black tea", judge=[one("refines", "12"), one("refines", "1", text=f"{TEA}: User drinks black tea")]
    )
    assert len(t.texts()) == 1


def test_a_fact_that_no_group_names_is_added() -> None:
    t = tea()
    judge = [one("independent"), one("independent")]
    result = t.say(LEMON, MINT, judge=judge)
    assert t.texts() == [TEA, LEMON, MINT] and "fact_without_verdict" in codes(result)


# -- the merge


@pytest.mark.parametrize(
    "reply", [{"memry": "…"}, {"text": ""}, {"text": "  \n"}, {"text": LEMON * 40}, "", ConnectionError("down")]
)
def test_a_merge_that_gives_no_text_leaves_the_targets_untouched(reply: Any) -> None:
    t = tea()
    result = t.say(LEMON, judge=one("refines", "1"), merge=reply)
    assert untouched(t) and t.texts() == [TEA, LEMON]
    assert kinds(result.memories[0]) == ["related"] and codes(result)[-1] == "merge_failed"


def test_a_replacement_without_a_text_leaves_the_targets_untouched() -> None:
    t = tea()
    result = t.say(SUPERSEDED, judge=one("supersedes", "1"), merge={"text": ""})
    assert untouched(t) and t.texts() == [TEA, SUPERSEDED] and result.decisions[0].action == "add"


def test_what_ended_within_a_write_stays_ended_when_its_text_fails() -> None:
    t = tea()
    judge = by_text(
        lambda at: verdict(group("refines", at(TEA), facts=["F1"]), group("supersedes", "F1", facts=["F2"]))
    )
    t.say("User drinks green tea", "User drinks black tea", judge=judge, merge={"text": ""})
    assert t.texts() == [TEA, "User drinks black tea"]


def test_a_merged_text_that_fails_the_check_gives_way_to_the_facts_own_words() -> None:
    t = tea()
    result = t.say(LEMON, judge=one("refines", "1"), merge=[{"text": "User drinks tea with Oskar"}] * 2)
    assert t.only().text == f"{LEMON}; {TEA}"
    body = result.decisions[0].body
    assert body["wording"] == "deterministic" and body["details"]["invented"] == ["name: oskar"]
    assert "merge_text" in codes(result)


def test_a_judges_text_that_fails_the_check_is_recorded_and_the_merge_is_asked() -> None:
    t = tea()
    result = t.say(LEMON, judge=one("refines", "1", text="User has 3 teas"), merge={"text": f"{TEA}; {LEMON}"})
    assert t.only().text == f"{TEA}; {LEMON}" and "judge_text" in codes(result)


def test_a_merge_is_asked_once_more_before_the_facts_own_words_are_taken() -> None:
    t = tea()
    t.say(LEMON, judge=one("refines", "1"), merge=[{"text": "User drinks 3 teas"}, {"text": f"{TEA}; {LEMON}"}])
    assert t.only().text == f"{TEA}; {LEMON}"


# -- extraction


@pytest.mark.parametrize("reply", ['{"facts": ["F"', "no facts found", "", {"facts": None}, TimeoutError("60 s")])
def test_an_extraction_that_fails_keeps_the_input_and_says_failed(reply: Any) -> None:
    t = tea()
    result = t.say(extract=[reply], said=LEMON)
    assert (result.outcome, t.texts()) == ("failed", [TEA])
    assert t.memory.write(result.write_id).input["messages"][0]["text"] == LEMON
    assert result.decisions[0].outcome == "failed" and "extraction_failed" in codes(result)


def test_a_failed_write_is_finished_under_its_key() -> None:
    t = tea()
    failed = t.say(extract=["?"], said=LEMON, key="k")
    again = t.say(LEMON, judge=one("independent"), key="k")
    assert (failed.outcome, again.outcome, again.first) == ("failed", "applied", True)
    assert t.texts() == [TEA, LEMON]


def test_a_window_without_an_answer_is_owed_and_the_others_facts_are_kept() -> None:
    t = teller()
    said = f"{TEA}. {'So it goes. ' * 700}{LEMON}."
    result = t.say(extract=[{"facts": [fact(TEA, quote=TEA)]}, TimeoutError("60 s")], said=said, repairs=False)
    assert (result.outcome, result.incomplete) == ("applied", ("window 2 of 2",)) and t.texts() == [TEA]


def test_an_incomplete_write_is_finished_under_its_key_without_doubles() -> None:
    t = teller()
    said = f"{TEA}. {'So it goes. ' * 700}{LEMON}."
    first = {"facts": [fact(TEA, quote=TEA)]}
    t.say(extract=[first, TimeoutError("60 s")], said=said, repairs=False, key="k")
    second = {"facts": [fact(LEMON, quote=LEMON)]}
    result = t.say(extract=[first, second], judge=one("independent"), said=said, repairs=False, key="k")
    assert t.texts() == [TEA, LEMON] and result.incomplete == ()


# -- the cap of calls


SIPS = [
    f"User sips {what} tea" for what in ("red", "white", "cold", "iced", "old", "sweet", "strong", "weak", "salted")
]


def test_facts_beyond_the_cap_of_calls_are_added_and_linked() -> None:
    t = teller(alike=[(0.6, SIPS)], top_k=9)
    for text in SIPS[:8]:
        t.say(text, judge=one("independent") if t.results else None)
    result = cap(t)
    assert result.calls == {"extract": 1, "judge": 7}
    assert t.texts() == SIPS and codes(result) == ["call_cap"]
    assert len(kinds(result.memories[0])) == 8


def cap(t: Teller) -> WriteResult:
    """One fact and eight pairs to be judged, where six calls a fact and two a window may be made in all."""
    t.memory.engine.bound["detector"] = "pointwise"
    return t.say(SIPS[8], judge=[{"relation": "independent"}] * 7)


def test_a_merge_beyond_the_cap_of_calls_takes_the_facts_own_words() -> None:
    t = teller(alike=[(0.6, SIPS)], top_k=9)
    for text in SIPS[:7]:
        t.say(text, judge=one("independent") if t.results else None)
    t.memory.engine.bound["detector"] = "pointwise"
    replies: list[Any] = [{"relation": "refines", "target": 1}, *[{"relation": "independent"}] * 6]
    result = t.say(SIPS[7], judge=replies)
    assert result.calls == {"extract": 1, "judge": 7} and result.decisions[0].body["wording"] == "deterministic"


# -- a store that moves


class Meddled(SqliteStore):
    """Lets somebody else write just before it commits."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.others: list[Callable[[], object]] = []

    def commit(self, commit: Commit) -> Committed | Conflict:
        if self.others:
            self.others.pop(0)()
        return super().commit(commit)


def meddled(folder: Path, *others: Callable[[Teller], object]) -> Teller:
    """TEA is stored; while the next write is under way the others write, one a round."""
    path = folder / "memory.db"
    tea(path).memory.close()
    t, other = teller(path, alike=[(0.6, TEXTS)], seed=8), teller(path, alike=[(0.6, TEXTS)], seed=9)
    t.memory.store.close()
    t.memory.store = store = Meddled.open(path)
    store.others = [partial(write, other) for write in others]
    return t


def elsewhere(t: Teller) -> None:
    """A write that no candidate comes from."""
    t.say("Ida owns a boat")


def test_a_write_that_meets_an_unrelated_one_keeps_its_reply_and_commits(tmp_path: Path) -> None:
    t = meddled(tmp_path, elsewhere)
    result = t.say(LEMON, judge=one("refines", "1"), merge={"text": f"{TEA}; {LEMON}"})
    assert result.calls == {"extract": 1, "judge": 1, "merge": 1}
    assert t.texts() == [f"{TEA}; {LEMON}", "Ida owns a boat"] and result.decisions[0].body["round"] == 1


def test_a_write_whose_target_moved_is_judged_again(tmp_path: Path) -> None:
    t = meddled(tmp_path, lambda other: other.say(MINT, judge=one("refines", "1", text=f"{TEA}; {MINT}")))
    judge = [one("refines", "1", text=f"{TEA}; {LEMON}"), one("refines", "1", text=f"{TEA}; {MINT}; {LEMON}")]
    result = t.say(LEMON, judge=judge, repairs=False)
    assert t.texts() == [f"{TEA}; {MINT}; {LEMON}"] and result.calls["judge"] == 2


def test_what_somebody_else_wrote_meanwhile_is_not_written_twice(tmp_path: Path) -> None:
    t = meddled(tmp_path, lambda other: other.say(LEMON, judge=one("independent")))
    result = t.say(LEMON, judge=one("independent"))
    assert t.texts() == [TEA, LEMON] and result.decisions[0].outcome == "dropped"
    assert len(t.memory.list(user_id=ANA)[1].sources) == 2


def test_at_the_bound_of_rounds_the_fact_is_added_and_linked(tmp_path: Path) -> None:
    t = meddled(tmp_path, *(partial(version, n) for n in range(2, 5)))
    judge = lambda request: one("supersedes", "1", text=SUPERSEDED)  # noqa: E731
    result = t.say(SUPERSEDED, judge=[judge] * 3, repairs=False)
    assert len(t.texts()) == 2 and result.decisions[0].action == "add"
    assert codes(result) == ["conflict_bound"] and kinds(result.memories[0]) == ["related"]


def version(n: int, other: Teller) -> None:
    """The next version of the first memory."""
    more = [MINT, "User drinks green tea", "User drinks black tea"][n - 2]
    text = f"{other.memory.list(user_id=ANA)[0].text}; {more}"
    other.say(more, judge=one("refines", "1", text=text))


# -- the embedder and the store


def test_with_the_embedder_down_facts_are_kept_and_found_by_their_words() -> None:
    t = teller()
    t.embedder.down = True
    result = t.say(TEA)
    assert t.only().pending_embedding and "embedder" in codes(result)
    assert [hit.memory.text for hit in t.memory.search("tea", user_id=ANA)] == [TEA]


def test_one_text_that_cannot_be_embedded_costs_the_others_nothing() -> None:
    t = teller()
    t.embedder.down = {LEMON}
    t.say(TEA, LEMON, "Ida owns a boat")
    assert [m.pending_embedding for m in t.memory.list(user_id=ANA)] == [False, True, False]


@pytest.mark.parametrize("relation", ["refines", "supersedes"])
def test_with_the_embedder_down_no_memory_is_half_updated(relation: str) -> None:
    t = tea()
    t.embedder.down = True
    result = t.say(SUPERSEDED, judge=one(relation, "1"), merge={"text": f"{SUPERSEDED}; {TEA}"})
    assert untouched(t) and not t.memory.list(user_id=ANA)[0].pending_embedding
    assert t.texts() == [TEA, SUPERSEDED] and "not_embedded" in codes(result)
    assert kinds(result.memories[0]) == ["related"]


def test_a_wish_to_forget_needs_no_embedder() -> None:
    t = tea()
    t.embedder.down = True
    t.say("User asks to forget that they drink tea", judge=one("retracts", "1"))
    assert t.texts() == []


class Failing(SqliteStore):
    """Breaks off in the middle of a commit."""

    def commit(self, commit: Commit) -> Committed | Conflict:
        self._connections.write(lambda db: db.execute("INSERT INTO messages SELECT * FROM nowhere"))
        return super().commit(commit)


def test_a_store_that_fails_leaves_nothing_half_written(tmp_path: Path) -> None:
    t = tea(tmp_path / "memory.db")
    before = t.memory.store.dump()
    t.memory.close()
    t = teller(tmp_path / "memory.db", alike=[(0.6, TEXTS)], seed=8)
    t.memory.store.close()
    t.memory.store = Failing.open(tmp_path / "memory.db")
    t.expect(LEMON, judge=one("independent"))
    with pytest.raises(StoreError, match="nothing was written"):
        t.memory.add(LEMON, user_id=ANA)
    assert t.memory.store.dump() == before


def test_a_commit_that_breaks_half_way_leaves_nothing(tmp_path: Path) -> None:
    t = tea(tmp_path / "memory.db")
    before = t.memory.store.dump()
    with sqlite3.connect(tmp_path / "memory.db") as db:
        db.execute("CREATE TRIGGER no_decisions BEFORE INSERT ON decisions BEGIN SELECT RAISE(ABORT, 'no'); END")
    db.close()
    t.expect(LEMON, judge=one("refines", "1", text=f"{TEA}; {LEMON}"))
    with pytest.raises(StoreError):
        t.memory.add(LEMON, user_id=ANA)
    assert t.memory.store.dump() == before and untouched(t)


class Crashing(SqliteStore):
    """The process dies after the commit and before the checkpoint, once."""

    crashes = 1

    def commit(self, commit: Commit) -> Committed | Conflict:
        done = super().commit(commit)
        if self.crashes:
            self.crashes -= 1
            raise SystemError("killed")
        return done


def test_a_run_resumed_after_its_commit_writes_nothing_twice_and_reports_the_first_result(tmp_path: Path) -> None:
    t = teller(tmp_path / "memory.db")
    t.memory.store.close()
    t.memory.store = Crashing.open(tmp_path / "memory.db")
    graph = build_write_graph(t.memory.engine.tools).compile(checkpointer=InMemorySaver())
    on: Any = {"configurable": {"thread_id": "t", "user_id": ANA}}
    t.expect(TEA)
    with pytest.raises(SystemError):
        graph.invoke({"messages": [{"role": "user", "content": TEA}]}, on)
    before = t.memory.store.dump()
    out = graph.invoke(None, on)
    assert t.memory.store.dump() == before and out["memory_changes"][0]["after"] == TEA


@pytest.mark.parametrize("date", ["soon", "2026-13-45", "next week"])
def test_a_date_that_is_none_costs_no_fact(date: str) -> None:
    t = tea()
    result = t.say(fact(LEMON, valid_from=date, valid_to=date), judge=one("supersedes", "1", text=LEMON))
    assert t.texts() == [LEMON] and result.outcome == "applied" and t.only().valid_from is None


@pytest.mark.parametrize("digits", [30, 5000])
def test_a_number_without_end_in_a_reply_costs_no_fact(tmp_path: Path, digits: int) -> None:
    said = json.dumps({"facts": [{"text": TEA, "quote": TEA, "message": 0}]}).replace("0", "9" * digits)
    model = FakeChat(replies={"extract": [said]})
    with Memory.open(tmp_path / "memory.db", model=model, embedder=TableEmbedder()) as memory:
        assert [m.text for m in memory.add(TEA, user_id=ANA).memories] == [TEA]
