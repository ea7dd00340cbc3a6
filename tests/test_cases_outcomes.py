"""Each shipped case, run through the real graph with its recorded replies, ends as the case says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

import pytest

from scrubjay import Memory, WriteResult
from scrubjay.graph.cases import case_names, load_case
from scrubjay.graph.cases.format import Expected, ExpectedMemory
from scrubjay.graph.deciders.recorded import RecordedDecider
from scrubjay.stores.records import Decision
from scrubjay.stores.records import Memory as Record

USER = "nadia"
RUNS = [(name, number) for name in case_names() for number in range(len(load_case(name).expect))]


@dataclass(frozen=True)
class Run:
    """What a case left behind."""

    results: dict[str, WriteResult]
    """by message"""
    active: list[Record]
    statuses: Counter[str]
    """of every memory that any decision speaks of"""

    @property
    def decisions(self) -> list[Decision]:
        return [decision for result in self.results.values() for decision in result.decisions]

    @property
    def lost(self) -> str:
        return "; ".join(d for decision in self.decisions for d in decision.body["details"].get("lost", []))

    def home(self, key: str) -> str:
        """Id of the memory that holds a fact, as its own decision says."""
        message, _, index = key.partition("#")
        decision = self.results[message].decisions[int(index)]
        return str(decision.body["memory_id"])

    def calls(self, tag: str) -> int:
        return sum(result.calls.get(tag, 0) for result in self.results.values())


@cache
def run(name: str, number: int) -> Run:
    case = load_case(name)
    told = case.expect[number]
    model = RecordedDecider(case, told.strategy)
    with Memory.open(
        ":memory:",
        model=model,
        strategy=told.strategy,
        detector=told.detector,
        resolver=told.resolver,
        threshold=told.threshold,
    ) as memory:
        results = {
            message.id: memory.add(
                [{"role": message.role, "content": message.text, "id": message.id, "at": message.at}],
                user_id=USER,
                conversation_id=message.conversation,
            )
            for message in case.messages
            if message.role == "user"
        }
        ids = {m for result in results.values() for d in result.decisions for m, _ in d.memory_ids}
        seen = [memory.get(memory_id) for memory_id in sorted(ids)]
        return Run(results, list(memory.list(user_id=USER)), Counter(record.status for record in seen))


def expected(name: str, number: int) -> Expected:
    return load_case(name).expect[number]


def pairs(name: str, number: int) -> list[tuple[Record, ExpectedMemory]]:
    return list(zip(run(name, number).active, expected(name, number).active, strict=True))


every_run = pytest.mark.parametrize(
    ("name", "number"),
    RUNS,
    ids=[f"{name}-{number}-{expected(name, number).strategy}" for name, number in RUNS],
)


@every_run
def test_as_many_memories_are_active_as_the_case_says(name: str, number: int) -> None:
    texts = [record.text for record in run(name, number).active]
    assert len(texts) == len(expected(name, number).active), texts


@every_run
def test_their_texts_say_what_the_case_says(name: str, number: int) -> None:
    missing = [(told, r.text) for r, memory in pairs(name, number) for told in memory.says if told not in r.text]
    assert missing == []


@every_run
def test_their_texts_say_nothing_of_what_they_should_not(name: str, number: int) -> None:
    present = [(told, r.text) for r, memory in pairs(name, number) for told in memory.silent if told in r.text]
    assert present == []


@every_run
def test_they_rest_on_the_messages_that_the_case_names(name: str, number: int) -> None:
    sources = [
        (sorted({s.message_id for s in r.sources}), sorted(m.sources)) for r, m in pairs(name, number) if m.sources
    ]
    assert [found for found, _ in sources] == [told for _, told in sources]


@every_run
def test_they_have_the_id_of_the_fact_that_made_them(name: str, number: int) -> None:
    outcome = run(name, number)
    born = [(r.id, outcome.home(m.born)) for r, m in pairs(name, number) if m.born]
    assert [found for found, _ in born] == [told for _, told in born]


@every_run
def test_what_is_retired_is_superseded_and_not_erased(name: str, number: int) -> None:
    statuses, told = run(name, number).statuses, expected(name, number)
    assert (statuses["superseded"], statuses["deleted"]) == (told.superseded, told.deleted)


@every_run
def test_each_write_did_what_the_case_says(name: str, number: int) -> None:
    told, results = expected(name, number).actions, run(name, number).results
    assert {m: tuple(d.action for d in results[m].decisions) for m in told} == told


@every_run
def test_the_judge_was_asked_as_often_as_the_case_says(name: str, number: int) -> None:
    told = expected(name, number).judge_calls
    assert told is None or run(name, number).calls("judge") == told


@every_run
def test_what_the_text_lost_is_on_record(name: str, number: int) -> None:
    lost = run(name, number).lost
    assert [told for told in expected(name, number).lost if told not in lost] == [], lost


@every_run
def test_no_write_failed_and_no_recorded_reply_was_missing(name: str, number: int) -> None:
    outcome = run(name, number)
    assert {result.outcome for result in outcome.results.values()} <= {"applied", "dropped"}
    said = [outcome.results, [decision.body for decision in outcome.decisions]]
    assert "has no recorded" not in str(said)


@pytest.mark.parametrize("name", case_names())
def test_every_fact_stays_on_record_whatever_the_strategy(name: str) -> None:
    case = load_case(name)
    texts = {item.text for item in case.items.values()}
    for number in range(len(case.expect)):
        assert {decision.body["fact"]["text"] for decision in run(name, number).decisions} == texts
