"""`scrubjay demo`: sentences and cases, told write by write, or as one document."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from scrubjay.graph.cases import case_names, load_case
from scrubjay.studio.cli import app

MOVE = ("--say", "I live in Porto.", "--say", "I moved to Bergen.")


def run(*args: str) -> Result:
    asked = "" if "--say" in args else "openai:never"  # recorded cases and the show must not ask it
    env = {"SCRUBJAY_USER": "", "SCRUBJAY_MODEL": asked, "COLUMNS": "300"}
    return CliRunner().invoke(app, ["demo", *args], env=env, catch_exceptions=False)


@cache
def document(*args: str) -> Any:
    return json.loads(run(*args, "--json").stdout)


def test_each_sentence_is_a_write_of_its_own() -> None:
    assert [w["input"] for w in document(*MOVE)["writes"]] == list(MOVE[1::2])


def test_the_document_has_the_promised_parts() -> None:
    assert set(document(*MOVE)) == {"strategy", "model", "embedder", "writes", "memories", "calls"}


def test_a_write_has_the_promised_parts() -> None:
    assert {"write_id", "input", "decisions", "calls", "memories"} <= set(document(*MOVE)["writes"][0])


def test_the_memories_are_those_that_are_active_at_the_end() -> None:
    texts = [(m["text"], m["status"]) for m in document(*MOVE)["memories"]]
    assert texts == [("User moved to Bergen (previously: User lives in Porto)", "active")]


def test_the_calls_are_added_up() -> None:
    told = document(*MOVE)
    for tag in ("extract", "judge", "merge"):
        assert told["calls"][tag] == sum(w["calls"][tag] for w in told["writes"])


def test_the_story_shows_what_was_added_and_what_was_retired() -> None:
    told = run(*MOVE).stdout
    assert "+ {+User moved to Bergen (previously: +}User lives in Porto{+)+}" in told
    assert "- User lives in Porto  [retired: " in told


def test_a_drop_at_the_gate_is_told_with_its_neighbour() -> None:
    told = run("--say", "I live in Porto.", "--say", "I live in Porto.").stdout
    assert 'dropped F1 "User lives in Porto" because exact repeat (surprisal 0.00, nearest m_' in told


def test_the_end_numbers_the_memories_and_adds_up_the_calls() -> None:
    told = run("--say", "I live in Porto. I love rye bread.").stdout
    assert "  1. User lives in Porto" in told and "  2. User loves rye bread" in told
    assert "model calls 1: extract 1" in told


def test_the_articles_flags_reach_the_write() -> None:
    flags = (
        "--dedup-detector",
        "listwise",
        "--dedup-resolver",
        "replace",
        "--dedup-recall-threshold",
        "0.3",
        "--top-k",
        "4",
    )
    decision = document(*MOVE, *flags, "--strategy", "neatmem")["writes"][1]["decisions"][0]
    assert [decision[k] for k in ("strategy", "detector", "resolver", "threshold")] == [
        "neatmem",
        "listwise",
        "replace",
        0.3,
    ]


def test_a_resolver_that_replaces_throws_the_old_text_away() -> None:
    told = document(*MOVE, "--dedup-resolver", "replace")
    assert [m["text"] for m in told["memories"]] == ["User moved to Bergen"]


def test_no_dedup_only_adds() -> None:
    told = document(*MOVE, "--no-dedup")
    assert (len(told["memories"]), told["calls"]["judge"]) == (2, 0)


def test_the_time_of_the_sentences_may_be_given() -> None:
    told = document("--say", "I live in Porto.", "--at", "2025-04-01T08:00+02:00")
    assert told["memories"][0]["sources"][0]["at"] == "2025-04-01T08:00:00+02:00"


def test_a_store_keeps_what_was_said(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    run("--say", "I live in Porto.", "--store", path)
    again = json.loads(run("--say", "I moved to Bergen.", "--store", path, "--json").stdout)
    assert again["writes"][0]["decisions"][0]["action"] == "replace"


def test_the_store_of_the_environment_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    CliRunner().invoke(app, ["demo", "--say", "I live in Porto."], env={"SCRUBJAY_STORE": str(path)})
    assert not path.exists()


# -- cases
def test_a_case_runs_with_its_recorded_replies() -> None:
    (told,) = document("--case", "move")["cases"]
    assert (told["case"], told["recorded"], told["model"]) == ("move", True, "recorded:move")


def test_a_case_says_what_is_recorded_and_what_is_real() -> None:
    assert "recorded replies (written by us, not measured); gate, search, checks and store are real" in (
        run("--case", "move-zh").stdout
    )


def test_two_reasons_are_two_clauses() -> None:
    told = run("--case", "two-habits").stdout
    assert "rowing has taken the place of the morning swim; the visits to the kiosk have stopped" in told


def test_a_recorded_case_needs_no_banner() -> None:
    assert run("--case", "move").stderr == ""


@pytest.mark.parametrize("strategy", ["joint", "signetai"])
def test_a_case_ends_as_it_says_under_a_strategy(strategy: str) -> None:
    expected = next(e for e in load_case("move").expect if e.strategy == strategy and not e.detector)
    (told,) = document("--case", "move", "--strategy", strategy)["cases"]
    missing = [w for e, m in zip(expected.active, told["memories"], strict=True) for w in e.says if w not in m["text"]]
    assert missing == []


def test_without_arguments_every_case_runs_and_then_free_sentences() -> None:
    told = document()["cases"]
    assert [c["case"] for c in told] == [*case_names(), "rules session"]
    assert [c["recorded"] for c in told] == [True] * len(case_names()) + [False]


def test_a_model_of_the_environment_is_not_paid_for_the_show() -> None:
    assert document()["cases"][-1]["model"] == "rules"


def test_all_cases_asked_for_by_name_are_the_same_show() -> None:
    cases, sessions = (document(*args)["cases"] for args in ((), ("--case", "all")))
    assert [c["case"] for c in sessions] == [c["case"] for c in cases]


def test_the_free_sentences_show_every_kind_of_action() -> None:
    session = document()["cases"][-1]
    actions = {
        d["action"] if d["outcome"] == "applied" else d["outcome"] for w in session["writes"] for d in w["decisions"]
    }
    assert {"add", "replace", "delete", "dropped"} <= actions


def test_cases_and_sentences_go_together() -> None:
    told = document("--case", "move", "--say", "I love rye bread.")["cases"]
    assert [(c["case"], c["recorded"]) for c in told] == [("move", True), ("say", False)]


def test_a_case_may_be_given_to_another_model() -> None:
    (told,) = document("--case", "move", "--model", "rules")["cases"]
    assert (told["recorded"], told["model"]) == (False, "rules")


def test_a_case_told_twice_to_one_store_is_one_story(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    first, second = (json.loads(run("--case", "move", "--store", path, "--json").stdout)["cases"][0] for _ in range(2))
    assert [w["first"] for w in second["writes"]] == [False, False]
    assert second["memories"] == first["memories"]
