"""scrubjay review, and what the other commands say of a change that waits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from scrubjay import Memory
from scrubjay.studio.cli import app

PORTO, BERGEN = "User lives in Porto", "User moved to Bergen"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Ana has moved, and that waits; read by rules."""
    path = tmp_path / "memory.db"
    with Memory.open(path, checkpoints=False, approve=("replace",)) as memory:
        for sentence in ("I live in Porto.", "I moved to Bergen."):
            memory.add(sentence, user_id="ana")
    return path


def run(store: Path, *args: str) -> Result:
    return CliRunner().invoke(app, [*args, "--store", str(store)], env={"SCRUBJAY_USER": "ana", "COLUMNS": "300"})


def document(store: Path, *args: str) -> Any:
    return json.loads(run(store, *args, "--json").stdout)


def waiting(store: Path) -> Any:
    (found,) = document(store, "review")["proposals"]
    return found


def texts(store: Path) -> list[str]:
    return [m["text"] for m in document(store, "list", "--user", "ana")["memories"]]


def test_the_queue_is_a_table_with_the_words_that_change(store: Path) -> None:
    out = run(store, "review").output
    assert waiting(store)["id"] in out and "replace" in out and f"{{+{BERGEN}" in out


def test_an_empty_queue_says_so(store: Path) -> None:
    run(store, "review", waiting(store)["id"], "--reject")
    assert run(store, "review").output == "nothing waits for approval\n"


@pytest.mark.parametrize(
    ("said", "left"),
    [(("--approve",), [f"{BERGEN} (previously: {PORTO})"]), (("--edit", "User is in Bergen"), ["User is in Bergen"]),
     (("--reject",), [PORTO, BERGEN])],
)  # fmt: skip
def test_one_word_settles_it(store: Path, said: tuple[str, ...], left: list[str]) -> None:
    result = run(store, "review", waiting(store)["id"][-8:], *said)
    assert result.exit_code == 0 and texts(store) == left


def test_a_verdict_is_one_json_document(store: Path) -> None:
    found = document(store, "review", waiting(store)["id"], "--approve")
    assert found["verdict"] == "approve" and found["changes"][0]["outcome"] == "applied"


@pytest.mark.parametrize(
    "args", [("--approve",), ("p_1234", "--approve", "--reject"), ("p_1234", "--edit", "x", "--reject")]
)
def test_two_verdicts_or_none_to_give_them_to_are_misuse(store: Path, args: tuple[str, ...]) -> None:
    assert run(store, "review", *args).exit_code == 2


@pytest.mark.parametrize("args", [("p_1234",), ("p_1234", "--approve"), ("p_1234", "--edit", " ")])
def test_an_id_that_is_none_is_one_line_of_error(store: Path, args: tuple[str, ...]) -> None:
    result = run(store, "review", *args)
    assert result.exit_code == 1 and "error: " in result.output and texts(store) == [PORTO, BERGEN]


def test_another_user_neither_sees_nor_settles_it(store: Path) -> None:
    assert document(store, "review", "--user", "ben")["proposals"] == []
    assert run(store, "review", waiting(store)["id"], "--approve", "--user", "ben").exit_code == 1
    assert texts(store) == [PORTO, BERGEN]


def test_show_why_and_list_say_what_waits_and_how_to_settle_it(store: Path) -> None:
    way_out = f"waits for approval: scrubjay review {waiting(store)['id']}"
    old = waiting(store)["targets"][0]
    assert way_out in run(store, "show", old).output and way_out in run(store, "why", old).output
    assert "1 change waits for approval: scrubjay review" in run(store, "list").output


def test_history_calls_what_waits_an_addition(store: Path) -> None:
    new = document(store, "list")["memories"][1]["id"]
    assert document(store, "history", new)["versions"][0]["event"] == "ADD"
    run(store, "review", waiting(store)["id"], "--approve")
    assert [v["event"] for v in document(store, "history", new)["versions"]] == ["ADD", "UPDATE"]


def test_why_tells_of_a_review_what_was_settled(store: Path) -> None:
    proposal = waiting(store)
    done = document(store, "review", proposal["id"], "--reject")
    out = run(store, "why", done["write_id"]).output
    assert f"reject {proposal['id']}, of {proposal['write_id']}" in out and "rejected in review" in out
