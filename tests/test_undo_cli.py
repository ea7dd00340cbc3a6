"""scrubjay undo and redo: what they print, what they refuse, and how why, history and add tell of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from scrubjay.stores.sqlite import SqliteStore
from scrubjay.studio.cli import app

MOVE = "I moved to Lisbon."


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Ana lives in Porto, then moves to Lisbon."""
    path = tmp_path / "memory.db"
    for text in ("I live in Porto.", MOVE):
        assert run(path, "add", text, "--user", "ana").exit_code == 0
    return path


def run(store: Path, *args: str) -> Result:
    return CliRunner().invoke(app, [*args, "--store", str(store)], env={"COLUMNS": "200"})


def spoken(store: Path, *args: str) -> dict[str, Any]:
    result = run(store, *args, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def writes(path: Path) -> list[str]:
    """Oldest first."""
    opened = SqliteStore.open(path)
    found = [row.id for row in reversed(opened.writes())]
    opened.close()
    return found


def texts(store: Path) -> list[str]:
    return [m["text"] for m in spoken(store, "list", "--user", "ana")["memories"]]


def test_an_undo_shows_what_came_back_and_what_went(store: Path) -> None:
    told = run(store, "undo", writes(store)[1]).stdout
    assert "undone" in told.splitlines()[0]
    assert "{+User lives in Porto+}" in told and "[-User moved to Lisbon" in told
    assert texts(store) == ["User lives in Porto"]


def test_an_undo_is_one_document_for_programs(store: Path) -> None:
    move = writes(store)[1]
    told = spoken(store, "undo", move)
    assert (told["kind"], told["about"], told["outcome"], told["first"]) == ("undo", [move], "applied", True)
    assert [(c["action"], c["after"]) for c in told["changes"]] == [("add", "User lives in Porto"), ("delete", None)]


def test_a_redo_brings_it_back(store: Path) -> None:
    told = texts(store)
    undo = spoken(store, "undo", writes(store)[1])
    assert "brought back" in run(store, "redo", undo["write_id"]).stdout and texts(store) == told


def test_later_writes_are_named_and_the_command_fails(store: Path) -> None:
    first, move = writes(store)
    before = texts(store)
    refused = run(store, "undo", first)
    assert refused.exit_code == 1 and move in refused.stderr and "--together" in refused.stderr
    assert texts(store) == before and writes(store) == [first, move]


def test_together_undoes_them_all(store: Path) -> None:
    first, move = writes(store)
    assert spoken(store, "undo", first, "--together")["about"] == [first, move]
    assert texts(store) == []


def test_part_of_an_id_is_enough(store: Path) -> None:
    move = writes(store)[1]
    assert spoken(store, "undo", move[-8:])["about"] == [move]


def test_another_users_write_is_not_found(store: Path) -> None:
    refused = run(store, "undo", writes(store)[1], "--user", "ben")
    assert (refused.exit_code, len(writes(store))) == (1, 2) and "ben" in refused.stderr


def test_a_mistyped_path_makes_no_store(tmp_path: Path) -> None:
    assert run(tmp_path / "none.db", "undo", "w_none").exit_code == 1
    assert list(tmp_path.iterdir()) == []


def test_why_tells_of_an_undone_write_and_of_its_undo(store: Path) -> None:
    move = writes(store)[1]
    undo = spoken(store, "undo", move)["write_id"]
    assert f"by {undo}" in run(store, "why", move).stdout
    told = run(store, "why", undo).stdout
    assert f"undo of {move}" in told.splitlines()[0] and "add (applied): undo of" in told
    assert [d["undone_by"] for d in spoken(store, "why", move)["decisions"]] == [undo]


def test_history_tells_which_versions_were_undone_and_by_what(store: Path) -> None:
    move = writes(store)[1]
    memory = spoken(store, "list", "--user", "ana")["memories"][0]["id"]
    undo = spoken(store, "undo", move)["write_id"]
    told = run(store, "history", memory).stdout
    assert f"undone by {undo}" in told and f"undo of {move}" in told
    assert [v["note"] for v in spoken(store, "history", memory)["versions"]] == [f"undone by {undo}", f"undo of {move}"]


def test_a_write_that_is_told_again_says_that_it_was_undone(store: Path) -> None:
    said = ("add", "I have a cat.", "--user", "ana", "--key", "k1")
    first = spoken(store, *said)["write_id"]
    undo = spoken(store, "undo", first)["write_id"]
    assert f"undone by {undo}" in run(store, *said).stdout
    assert spoken(store, *said)["undone_by"] == undo
