"""`scrubjay demo`: sentences and cases, told write by write, or as one document."""

from __future__ import annotations

import json
import re
import shlex
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
    told = run("--case", "move-zh").stdout
    assert "the replies are written by us, as a good model would give them, none was measured; gate, search" in told
    assert "strategy joint; recorded replies\n" in told


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


def test_without_arguments_free_sentences_come_before_every_case() -> None:
    told = document()["cases"]
    assert [c["case"] for c in told] == ["rules", "rules-zh", *case_names()]
    assert [c["recorded"] for c in told] == [False, False] + [True] * len(case_names())


def test_who_wrote_the_replies_is_said_once() -> None:
    told = run("--case", "move", "--case", "move-zh").stdout
    assert (told.count("written by us"), "由我们" in told) == (1, False)


def test_the_show_ends_with_a_summary_that_invites() -> None:
    end = run().stdout.rpartition("in all: ")[2]
    assert re.match(r"\d+ sessions, \d+ writes; add \d+, replace \d+, .*\nmodel calls \d+: extract", end)
    assert 'scrubjay demo --say "I live in Porto."' in end and "scrubjay why ID" in end


def test_a_model_of_the_environment_is_not_paid_for_the_show() -> None:
    assert {c["model"] for c in document()["cases"] if not c["recorded"]} == {"rules"}


def test_all_cases_asked_for_by_name_are_the_same_show() -> None:
    cases, sessions = (document(*args)["cases"] for args in ((), ("--case", "all")))
    assert [c["case"] for c in sessions] == [c["case"] for c in cases]


@pytest.mark.parametrize("number", [0, 1])
def test_the_free_sentences_show_every_kind_of_action(number: int) -> None:
    session = document()["cases"][number]
    actions = {
        d["action"] if d["outcome"] == "applied" else d["outcome"] for w in session["writes"] for d in w["decisions"]
    }
    assert {"add", "replace", "delete", "dropped"} <= actions


@pytest.mark.parametrize(
    ("number", "texts"),
    [
        (0, ["User's dentist is Dr. Lopes", "User moved to Bergen in March 2026 (previously: User lives in Porto)",
             "User's sister moved to Oslo"]),
        (1, ["用户2026年3月搬到成都了（此前：用户住在厦门）", "用户的妹妹搬到西安了"]),
    ],
)  # fmt: skip
def test_the_free_sentences_end_as_a_person_would_expect(number: int, texts: list[str]) -> None:
    assert [m["text"] for m in document()["cases"][number]["memories"]] == texts


# -- what stands over and under a session
def test_every_override_stands_in_the_header() -> None:
    flags = ("--no-dedup", "--dedup-resolver", "replace", "--dedup-recall-threshold", "0.80", "--top-k", "3")
    assert "strategy joint, detector none, resolver replace, threshold 0.8, top-k 3; model rules; gate" in (
        run(*MOVE, *flags).stdout
    )


@pytest.mark.parametrize("flags", [["--strategy", "signetai"], ["--dedup-recall-threshold", "0.8"], ["--no-dedup"]])
def test_a_case_run_otherwise_does_not_claim_its_usual_end(flags: list[str]) -> None:
    note = load_case("move").note
    assert [note in run("--case", "move", *more).stdout for more in ([], flags)] == [True, False]


def test_a_case_with_another_model_does_not_claim_recorded_replies() -> None:
    told = run("--case", "move", "--model", "rules").stdout
    assert ("recorded" in told.lower(), load_case("move").note in told) == (False, False)
    assert "strategy joint; model rules; gate, search, checks and store are real" in told


def test_a_missing_key_is_told_before_anything_else() -> None:
    result = run("--case", "move", "--case", "move-zh", "--model", "openai:any")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: openai:any needs OPENAI_API_KEY")


def test_lost_details_stand_under_the_change() -> None:
    lines = run("--case", "move", "--dedup-resolver", "replace").stdout.splitlines()
    under = next(i for i, line in enumerate(lines) if line.startswith("    lost: "))
    assert lines[under - 1].startswith("  + User ") and "{+" in lines[under - 1]
    assert lines[under].endswith("for nearly four years (kept by the facts)")


def test_what_is_kept_is_found_by_the_command_that_is_told(tmp_path: Path) -> None:
    path = tmp_path / "my memory.db"
    told = run("--case", "company", "--store", str(path)).stdout
    command = re.search(r"^kept in .*: scrubjay (.*)$", told, re.MULTILINE)
    assert command
    assert "User enjoys bouldering" in CliRunner().invoke(app, shlex.split(command[1])).stdout


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
