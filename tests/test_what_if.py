"""What would have come of a write, or of a whole history, had something been otherwise; nothing is ever written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from scrubjay import Memory
from scrubjay.graph.cases import load_case
from scrubjay.graph.deciders.recorded import RecordedDecider
from scrubjay.graph.deciders.scripted import ScriptedDecider
from scrubjay.graph.replaying.differences import STAGES
from scrubjay.graph.replaying.what_if import WhatIf
from scrubjay.stores.errors import InvalidInput, NotReplayable, UnknownName
from scrubjay.stores.records import Scope
from scrubjay.studio.cli import app
from scrubjay.studio.sessions import of_case
from tests.fakes import ANA, Teller, group, one, teller
from tests.replay_history import grown

TEA, LEMON = "User drinks tea", "User loves tea with lemon"
BOTH = f"{TEA}; {LEMON}"
NODES = [s for s in STAGES if s != "load_context"]


def tea(path: Any = ":memory:") -> Teller:
    told = teller(path, alike=[(0.6, (TEA, LEMON))])
    told.say(TEA)
    told.say(LEMON, judge=one("refines", "1", text=BOTH))
    told.cast.script = ScriptedDecider({})
    return told


def last(told: Teller) -> str:
    return told.results[-1].write_id


def scripted(**replies: Any) -> ScriptedDecider:
    return ScriptedDecider(replies, repairs=False)


def texts(found: WhatIf) -> list[tuple[str | None, str | None]]:
    """Of each memory: as recorded, and as it would be."""
    said = [
        tuple(m.text if m is not None and m.status == "active" else None for m in (pair.recorded, pair.alternative))
        for pair in found.memories
    ]
    return [(a, b) for a, b in said]


# -- one write


def test_with_nothing_changed_all_is_the_same_and_nobody_is_asked() -> None:
    told = tea()
    found = told.memory.what_if(last(told))
    assert found.same and found.calls == {"extract": {"recorded": 1, "live": 0}, "judge": {"recorded": 1, "live": 0}}


def test_another_strategy_is_shown_beside_the_recorded_one() -> None:
    told = tea()
    found = told.memory.what_if(last(told), strategy="add-only")
    assert found.changed["strategy"] == ("joint", "add-only")
    assert [(p.recorded.action, p.alternative.action) for p in found.decisions if p.recorded and p.alternative] == [
        ("merge", "add")
    ]
    assert texts(found) == [(BOTH, TEA), (None, LEMON)]


@pytest.mark.parametrize("node", NODES)
def test_nothing_is_written_from_whichever_node(node: str) -> None:
    told = tea()
    before = told.memory.store.dump()
    model = scripted(extract=[{"facts": []}], judge=[one("independent", "1")], merge=[{"text": BOTH}])
    told.memory.what_if(last(told), from_node=node, model=model)
    assert told.memory.store.dump() == before


def test_from_the_judge_on_another_model_is_asked_and_the_extraction_is_as_recorded() -> None:
    told = tea()
    found = told.memory.what_if(last(told), from_node="judge", model=scripted(judge=[one("contradicts", "1")]))
    assert found.calls == {"extract": {"recorded": 1, "live": 0}, "judge": {"recorded": 0, "live": 1}}
    assert texts(found) == [(BOTH, TEA), (None, LEMON)]


def test_from_the_merge_on_only_the_text_is_made_anew() -> None:
    merged = teller(alike=[(0.6, (TEA, LEMON))])
    merged.say(TEA)
    write_id = merged.say(LEMON, judge=one("refines", "1"), merge={"text": BOTH}).write_id
    other = "User drinks tea and loves it with lemon"
    found = merged.memory.what_if(write_id, from_node="merge", model=scripted(merge=[{"text": other}]))
    assert texts(found) == [(BOTH, other)] and found.calls["judge"] == {"recorded": 1, "live": 0}


def test_a_model_that_is_named_alone_is_asked_from_the_extraction_on() -> None:
    told = tea()
    found = told.memory.what_if(last(told), model=scripted(extract=[{"facts": []}]))
    assert found.calls == {"extract": {"recorded": 0, "live": 1}} and texts(found) == [(BOTH, TEA)]


def test_settings_before_the_node_are_the_recorded_ones() -> None:
    told = tea()
    judged = scripted(judge=[one("independent", "1")])
    late = told.memory.what_if(last(told), from_node="judge", threshold=0.9, model=judged)
    early = told.memory.what_if(last(told), from_node="retrieve", threshold=0.9, model=scripted())
    assert [len(p.alternative.body["candidates"]) for f in (late, early) for p in f.decisions if p.alternative] == [
        1,
        0,
    ]


def test_a_preset_that_is_asked_for_brings_its_own_detector() -> None:
    told = teller(alike=[(0.6, (TEA, LEMON))], detector="pointwise")
    told.say(TEA)
    write_id = told.say(LEMON, judge=[{"relation": "independent"}]).write_id
    found = told.memory.what_if(write_id, strategy="joint", model=scripted(judge=[one("refines", "1", text=BOTH)]))
    assert found.changed["detector"] == ("pointwise", None) and texts(found)[0] == (TEA, BOTH)


def test_a_write_is_decided_against_the_store_of_then() -> None:
    told = tea()
    told.memory.undo(last(told))
    assert told.memory.what_if(last(told)).same


def test_a_case_comes_out_as_under_the_other_strategy() -> None:
    case, me = load_case("move"), Scope("me")
    with Memory.open(":memory:", model=RecordedDecider(case, "joint"), checkpoints=False) as memory:
        writes = [t.result.write_id for t in of_case(case, me, recorded=True).run(memory)]
        found = memory.what_if(writes[-1], strategy="signetai", model=RecordedDecider(case, "signetai"))
        alternative = {p.alternative.text for p in found.memories if p.alternative and p.alternative.status == "active"}
    with Memory.open(":memory:", model=RecordedDecider(case, "signetai"), strategy="signetai") as other:
        list(of_case(case, me, recorded=True).run(other))
        assert alternative <= {m.text for m in other.list(user_id="me")} and alternative


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"from_node": "nowhere"}, UnknownName), ({"strategy": "none such"}, UnknownName),
        ({"detector": "dowsing"}, InvalidInput), ({"threshold": 7.0}, InvalidInput),
    ],
)  # fmt: skip
def test_what_cannot_be_tried_is_refused_by_name(asked: Any, error: type[Exception]) -> None:
    told = tea()
    with pytest.raises(error):
        told.memory.what_if(last(told), **asked)


def test_an_undo_decides_nothing_anew() -> None:
    told = tea()
    undone = told.memory.undo(last(told))
    with pytest.raises(NotReplayable, match="undo"):
        told.memory.what_if(undone.write_id)


# -- a whole history


def test_a_history_run_anew_unchanged_gives_the_same_store() -> None:
    with grown(40, strategies=("joint",), outages=0) as memory:
        before = memory.store.dump()
        found = memory.what_if_all(user_id=ANA)
        assert (found.only_here, found.only_there, found.left_out) == ((), (), ())
        assert found.same == tuple(memory.list(user_id=ANA)) and memory.store.dump() == before


def test_under_another_strategy_both_stores_are_compared() -> None:
    told = tea()
    found = told.memory.what_if_all(user_id=ANA, strategy="add-only")
    assert [m.text for m in found.only_here] == [BOTH] and [m.text for m in found.only_there] == [TEA, LEMON]
    assert found.calls == {"extract": {"recorded": 2, "live": 0}} and found.calls_then == {"extract": 2, "judge": 1}


def test_a_model_that_is_named_judges_a_history_and_extracts_nothing() -> None:
    told = tea()
    found = told.memory.what_if_all(user_id=ANA, model=scripted(judge=[one("supersedes", "1", text=LEMON)]))
    assert found.calls == {"extract": {"recorded": 2, "live": 0}, "judge": {"recorded": 0, "live": 1}}
    assert [m.text for m in found.only_there] == [LEMON]


def test_what_was_written_before_since_stays() -> None:
    told = tea()
    first = told.memory.write(told.results[0].write_id)
    found = told.memory.what_if_all(user_id=ANA, since=first.at, strategy="add-only")
    assert found.writes == 1 and [m.text for m in found.only_there] == [TEA, LEMON]


def test_a_review_of_what_the_alternative_never_proposed_is_left_out_with_its_reason() -> None:
    told = teller(alike=[(0.6, (TEA, LEMON))])
    told.memory.engine.bound["approve"] = ["merge"]
    told.say(TEA)
    told.say(LEMON, judge=one("refines", "1", text=BOTH))
    review = told.memory.review(told.memory.pending(user_id=ANA)[0].id, "approve")
    ((write_id, why),) = told.memory.what_if_all(user_id=ANA, strategy="add-only").left_out
    assert write_id == review.write_id and "no proposal" in why


def test_a_user_without_writes_is_named() -> None:
    with pytest.raises(UnknownName, match="nobody"):
        tea().memory.what_if_all(user_id="nobody")


# -- the command line


@pytest.fixture
def said(tmp_path: Path) -> str:
    """A file with two plain sentences, the second of which moves house."""
    with Memory.open(tmp_path / "m.db", checkpoints=False) as memory:
        memory.add("I live in Utrecht.", user_id="me")
        memory.add("I moved to Ghent last month.", user_id="me")
    return str(tmp_path / "m.db")


def run(*args: str) -> tuple[int, str]:
    ran = CliRunner().invoke(app, list(args), env={"COLUMNS": "200"})
    return ran.exit_code, ran.output


def newest(path: str) -> str:
    with Memory.open(path) as memory:
        return memory.store.writes(limit=1)[0].id


def test_the_command_shows_decisions_side_by_side_and_words_that_differ(said: str) -> None:
    code, shown = run("what-if", newest(said), "--strategy", "add-only", "--store", said)
    assert code == 0 and "strategy [-joint-]{+add-only+}" in shown
    assert "replace   add" in shown and "[- (previously: User lives in Utrecht)-]" in shown


def test_fork_is_the_same_command(said: str) -> None:
    asked = (newest(said)[-6:], "--from", "judge", "--json", "--store", said)
    assert json.loads(run("fork", *asked)[1]) == json.loads(run("what-if", *asked)[1])


def test_the_command_runs_a_history_anew(said: str) -> None:
    code, shown = run("what-if", "--all", "--strategy", "add-only", "--json", "--store", said)
    found = json.loads(shown)
    assert code == 0 and [m["text"] for m in found["only_there"]][0] == "User lives in Utrecht"


def test_the_replay_command_says_identical(said: str) -> None:
    assert run("replay", newest(said), "--store", said) == (0, f"write {newest(said)}: identical\n")
    assert run("replay", "--all", "--store", said) == (0, "2 of 2 writes are identical\n")


def test_the_replay_command_fails_where_something_differs(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrubjay.nodes.load_context.FACTS", 0)
    code, shown = run("replay", newest(said), "--store", said)
    assert code == 1 and "extract: question changed (because of load_context)" in shown


@pytest.mark.parametrize("args", [["replay"], ["replay", "w_1", "--all"], ["what-if"], ["what-if", "w_1", "--since",
                                  "2026-01-01T00:00+00:00"]])  # fmt: skip
def test_commands_say_what_they_need(args: list[str], said: str) -> None:
    code, shown = run(*args, "--store", said)
    assert code == 1 and "error: " in shown


def test_groups_of_several_facts_are_paired_by_their_numbers() -> None:
    told = teller(alike=[(0.6, (TEA, LEMON))])
    judged = {"groups": [group("refines", "F1", facts=["F2"], text=BOTH)]}
    write_id = told.say(TEA, LEMON, judge=judged).write_id
    assert [p.fact for p in told.memory.what_if(write_id, strategy="add-only").decisions] == [1, 2]
