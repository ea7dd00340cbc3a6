"""The published traces of two articles, run through the real graph; read at run time, never copied here.

SCRUBJAY_TRACES names a folder with article.json: each entry's published memory texts are the extraction stream, and
its published merge is the text that the model gives. Who supersedes whom is this file's own reading, in `TOLD`.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scrubjay import Memory, WriteResult
from scrubjay.graph.cases import Case
from scrubjay.graph.deciders.recorded import RecordedDecider
from scrubjay.stores.records import Decision, Status
from scrubjay.stores.records import Memory as Record
from scrubjay.stores.text import render

TRACES = os.environ.get("SCRUBJAY_TRACES")
pytestmark = pytest.mark.skipif(TRACES is None, reason="SCRUBJAY_TRACES names no folder with article.json")

USER = "reader"


@dataclass(frozen=True)
class Told:
    """What a judge would say of an entry: (fact, relation, target), and the published text that merges them."""

    verdicts: tuple[tuple[str, str, str | None], ...]
    merged: tuple[str, ...] = ()
    """what the published final text is made of: the fact, then its targets"""
    borrowed: tuple[tuple[str, str, str], ...] = ()
    """(message, entry, message there): an extraction that the entry does not print"""


TOLD = {
    "article-seattle": Told(
        (("m2#0", "refines", "m1#0"), ("m3#0", "duplicate", "m1#0"), ("m4#0", "duplicate", "m1#0")),
    ),
    "article-move-pointwise-08": Told((("m2#0", "supersedes", "m1#0"),)),
    "article-move-pointwise-04": Told((("m2#0", "supersedes", "m1#0"),), merged=("m2#0", "m1#0")),
    "article-move-listwise-replace": Told((("m2#0", "supersedes", "m1#0"),)),
    "article-breakfast-replace": Told((("m2#0", "supersedes", "m1#0"),)),
    "article-breakfast-rewrite": Told((("m2#0", "supersedes", "m1#0"),), merged=("m2#0", "m1#0")),
    "article-habits-single": Told(
        (("m2#0", "independent", None), ("m3#0", "supersedes", "m1#0"), ("m3#0", "supersedes", "m2#0")),
    ),
    "article-habits-multi": Told(
        (("m2#0", "independent", None), ("m3#0", "supersedes", "m1#0"), ("m3#0", "supersedes", "m2#0")),
        merged=("m3#0", "m1#0", "m2#0"),
        borrowed=(("m3", "article-habits-single", "m3"),),
    ),
    "article-mem0-add": Told((("m2#0", "independent", None),)),
    "article-mem0-update": Told((("m2#0", "refines", "m1#0"),), merged=("m2#0", "m1#0")),
    "article-mem0-delete": Told((("m2#0", "supersedes", "m1#0"),)),
    "article-mem0-none": Told((("m2#0", "duplicate", "m1#0"),)),
    "article-mem0-merge": Told((("m2#0", "refines", "m1#0"),), merged=("m2#0", "m1#0")),
}


@cache
def entries() -> dict[str, Any]:
    published = json.loads((Path(TRACES or "") / "article.json").read_text(encoding="utf-8"))
    return {entry["id"]: entry for entry in published}


def case_of(name: str) -> Case:
    """The entry in the form of a recorded case; a write whose memory is not printed gives its own words."""
    entry, told = entries()[name], TOLD[name]
    messages = [{key: message[key] for key in ("id", "at", "role", "text")} for message in entry["messages"]]
    printed = dict(entry["extraction"]["compound"])
    for mid, source, there in told.borrowed:
        printed[mid] = entries()[source]["extraction"]["compound"][there]
    stream = {m["id"]: [quoted(m["text"], item) for item in printed.get(m["id"]) or [{}]] for m in messages}
    facts = {f"{mid}#{i}": item["text"] for mid, items in stream.items() for i, item in enumerate(items)}
    return Case.model_validate(
        {
            "id": name,
            "title": name,
            "lang": entry["lang"],
            "note": entry["note"],
            "messages": messages,
            "facts": entry["facts"],
            "extraction": {"compound": stream},
            "verdicts": [{"fact": f, "relation": r, "target": t} for f, r, t in told.verdicts],
            "texts": texts_of(told, facts, entry["published"]["final"]),
        }
    )


def quoted(said: str, item: dict[str, Any]) -> dict[str, Any]:
    """No quotes are printed: the whole message is the source, and where no memory is printed, its text too."""
    return {"text": said, "type": "preference", "quote": said, **item}


def texts_of(told: Told, facts: dict[str, str], final: list[str]) -> list[dict[str, Any]]:
    """The published merge where one is printed; else new and old side by side, as no published text exists."""
    published = [{"facts": told.merged[:1], "targets": told.merged[1:], "text": final[-1]}] if told.merged else []
    plain = [
        {"facts": [fact], "targets": [target], "text": render(*parts(relation, facts[fact], facts[target])).text}
        for fact, relation, target in told.verdicts
        if target is not None
    ]
    return published + plain


def parts(relation: str, new: str, old: str) -> tuple[list[str], list[str]]:
    return ([new], [old]) if relation == "supersedes" else ([new, old], [])


@dataclass(frozen=True)
class Run:
    """What a trace left behind."""

    results: list[WriteResult]
    active: list[Record]
    statuses: Counter[Status]
    calls: Counter[str] = field(default_factory=Counter)

    @property
    def last(self) -> Decision:
        return self.results[-1].decisions[0]

    @property
    def texts(self) -> list[str]:
        return [record.text for record in self.active]

    @property
    def lost(self) -> str:
        return "; ".join(self.last.body["details"]["lost"])


@cache
def run(name: str, strategy: str = "neatmem", **flags: Any) -> Run:
    case = case_of(name)
    with Memory.open(":memory:", model=RecordedDecider(case, strategy), strategy=strategy, **flags) as memory:
        results = [
            memory.add(
                [{"role": "user", "content": m.text, "id": m.id, "at": m.at}], user_id=USER, conversation_id=m.id
            )
            for m in case.messages
        ]
        ids = sorted({i for result in results for decision in result.decisions for i, _ in decision.memory_ids})
        calls = Counter({tag: sum(r.calls.get(tag, 0) for r in results) for tag in ("extract", "judge", "merge")})
        statuses = Counter(memory.get(i).status for i in ids)
        return Run(results, list(memory.list(user_id=USER)), statuses, calls)


def test_every_published_trace_is_told() -> None:
    assert set(entries()) == set(TOLD)


# -- the first article: four times one city
@pytest.mark.parametrize("strategy", ["joint", "neatmem", "signetai"])
def test_one_city_told_in_four_conversations_is_one_memory_with_four_sources(strategy: str) -> None:
    (only,) = run("article-seattle", strategy).active
    assert {source.message_id for source in only.sources} == {"m1", "m2", "m3", "m4"}
    assert {source.conversation_id for source in only.sources} == {"m1", "m2", "m3", "m4"}


def test_without_a_detector_they_stay_four_memories() -> None:
    assert len(run("article-seattle", "add-only").active) == 4


# -- the first article: a move
@pytest.mark.parametrize("detector", ["pointwise", "listwise", "listwise_multitarget", "joint"])
def test_the_new_city_is_active_and_the_years_in_the_old_one_stay_in_its_text(detector: str) -> None:
    (only,) = run("article-move-pointwise-04", "neatmem", detector=detector).active
    assert only.text.startswith("User moved") and "Austin" in only.text and "over three years" in only.text


def test_the_published_slip_in_the_move_is_found_and_its_text_refused() -> None:
    """June 2023 in the old memory, September 2023 in the published merge."""
    outcome = run("article-move-pointwise-04", "neatmem", detector="pointwise")
    assert outcome.last.body["wording"] == "deterministic"
    assert "September 2023" in str(outcome.last.body["text_problems"])
    assert "September 2023" not in outcome.active[0].text


def test_at_threshold_08_the_two_cities_never_reach_the_judge() -> None:
    outcome = run("article-move-pointwise-08", "neatmem", detector="pointwise", threshold=0.8)
    assert len(outcome.active) == 2 and outcome.calls["judge"] == 0


@pytest.mark.parametrize("strategy", ["joint", "neatmem", "signetai"])
def test_at_the_default_threshold_they_do(strategy: str) -> None:
    outcome = run("article-move-pointwise-08", strategy)
    assert outcome.calls["judge"] == 1 and len(outcome.active) == 1


def test_an_overwritten_move_lists_the_years_as_lost() -> None:
    outcome = run("article-move-listwise-replace", "neatmem", detector="listwise", resolver="replace")
    assert "three years" not in outcome.texts[0] and "over three years" in outcome.lost


# -- the first article: breakfast
def test_the_podcasts_survive_a_rewrite() -> None:
    outcome = run("article-breakfast-rewrite", "neatmem", detector="listwise")
    assert outcome.texts == [entries()["article-breakfast-rewrite"]["published"]["final"][0]]
    assert "podcasts" in outcome.texts[0] and "podcasts" not in outcome.lost


def test_the_podcasts_are_listed_as_lost_by_an_overwrite() -> None:
    outcome = run("article-breakfast-replace", "neatmem", detector="listwise", resolver="replace")
    assert "podcasts" not in outcome.texts[0] and "podcasts" in outcome.lost


# -- the first article: two habits
@pytest.mark.parametrize("detector", ["listwise_multitarget", "joint"])
def test_one_write_retires_both_habits_where_several_targets_may_be_named(detector: str) -> None:
    outcome = run("article-habits-multi", "neatmem", detector=detector)
    assert outcome.texts == entries()["article-habits-multi"]["published"]["final"]
    assert outcome.statuses == Counter(superseded=2, active=1)


def test_one_write_retires_one_habit_where_a_single_target_may_be_named() -> None:
    outcome = run("article-habits-single", "neatmem", detector="listwise")
    assert len(outcome.active) == 2 and outcome.statuses["superseded"] == 1
    assert outcome.texts[0] == entries()["article-habits-single"]["published"]["final"][0]


# -- the second article: what is done with a second statement
def test_a_name_beside_a_job_is_added() -> None:
    outcome = run("article-mem0-add", "joint")
    assert outcome.texts == entries()["article-mem0-add"]["published"]["final"]


def test_a_hobby_with_company_refines_the_hobby_under_the_same_id() -> None:
    outcome = run("article-mem0-update", "joint")
    (only,) = outcome.active
    assert only.id == outcome.results[0].decisions[0].body["memory_id"] and only.version == 2
    assert only.text == entries()["article-mem0-update"]["published"]["final"][0]


def test_a_reversed_opinion_leaves_one_memory_and_erases_none() -> None:
    outcome = run("article-mem0-delete", "joint")
    assert outcome.statuses == Counter(active=1, superseded=1)
    assert outcome.texts[0].startswith(case_of("article-mem0-delete").items["m2#0"].text)


def test_the_same_name_again_changes_nothing() -> None:
    outcome = run("article-mem0-none", "joint")
    assert outcome.last.action == "none" and outcome.active[0].version == 1
    assert outcome.texts == entries()["article-mem0-none"]["published"]["final"]


def test_the_same_words_again_ask_no_judge() -> None:
    first = case_of("article-mem0-none").messages[0].text
    case = case_of("article-mem0-none")
    twice = case.model_copy(update={"extraction": {"compound": dict.fromkeys(("m1", "m2"), case.extracted["m1"])}})
    with Memory.open(":memory:", model=RecordedDecider(twice)) as memory:
        results = [memory.add([{"role": "user", "content": m.text, "id": m.id}], user_id=USER) for m in twice.messages]
        assert [result.calls.get("judge", 0) for result in results] == [0, 0]
        assert [record.text for record in memory.list(user_id=USER)] == [first]


@pytest.mark.parametrize("strategy", ["joint", "neatmem"])
def test_a_second_liking_leaves_both_asserted(strategy: str) -> None:
    """The published merge is in English of a Chinese fact; whoever words it, no liking goes past."""
    outcome = run("article-mem0-merge", strategy)
    current = {fact.text for record in outcome.active for fact in record.current}
    assert current == {item.text for item in case_of("article-mem0-merge").items.values()}
    assert not outcome.statuses["superseded"]
