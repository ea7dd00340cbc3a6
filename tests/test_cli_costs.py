"""Calls and losses of a strategy follow from the preset, and stay true to what the graph does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrubjay.graph.cases import load_case
from scrubjay.graph.deciders.recorded import RecordedDecider
from scrubjay.graph.memory import Memory
from scrubjay.graph.strategies import STRATEGIES
from scrubjay.nodes import chunking
from scrubjay.studio import costs
from scrubjay.studio.costs import calls_of, loses


@pytest.mark.parametrize(
    ("name", "one", "four"), [("joint", 2, 2), ("neatmem", 3, 9), ("signetai", 2, 5), ("add-only", 1, 1)]
)
def test_the_usual_calls_follow_from_detector_and_resolver(name: str, one: int, four: int) -> None:
    assert [calls_of(STRATEGIES[name], facts).usual for facts in (1, 4)] == [one, four]


def test_a_pointwise_detector_asks_about_every_candidate() -> None:
    pointwise = replace(STRATEGIES["signetai"], detector="pointwise", k=3)
    assert calls_of(pointwise, 1).most == 1 + 3


def test_the_cap_of_calls_bounds_what_can_come() -> None:
    pointwise = replace(STRATEGIES["neatmem"], detector="pointwise", k=50)
    assert calls_of(pointwise, 2).most == pointwise.calls_per_fact * 2 + 2


def test_a_joint_question_holds_what_the_graph_puts_into_one() -> None:
    assert (costs.TOGETHER, costs.SHOWN) == (chunking.FACTS, chunking.CANDIDATES)


@pytest.mark.parametrize("name", ["joint", "neatmem", "signetai", "add-only"])
def test_a_write_of_one_fact_that_changes_a_memory_costs_what_the_table_says(name: str) -> None:
    case = load_case("move")
    with Memory.open(":memory:", model=RecordedDecider(case, name), strategy=name, checkpoints=False) as memory:
        results = [
            memory.add([{"role": "user", "content": m.text, "id": m.id, "at": m.at}], user_id="ana")
            for m in case.messages
        ]
    assert sum(results[-1].calls.values()) == calls_of(STRATEGIES[name], 1).usual


def test_an_overwrite_loses_details_and_a_single_target_leaves_the_others() -> None:
    assert loses(STRATEGIES["signetai"]).count(";") == 1


def test_a_checked_rewrite_loses_only_what_is_listed() -> None:
    assert loses(STRATEGIES["joint"]) == "only what the check of the text lists as lost"
