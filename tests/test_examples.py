"""The example agents run offline as they stand, and show what they recall and what changed."""

from __future__ import annotations

import runpy
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from scrubjay import Memory
from tests.fake_agents import on, say, texts

EXAMPLES = Path(__file__).parent.parent / "examples"
NAMES = ("agent_subgraph", "agent_function_node")


def path(name: str) -> str:
    return str(EXAMPLES / f"{name}.py")


def test_every_example_is_tried() -> None:
    assert sorted(p.stem for p in EXAMPLES.glob("*.py")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_shows_a_move_and_recalls_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(path(name), run_name="__main__")
    printed = capsys.readouterr().out
    assert "changed: User lives in Lisbon → User moved to Porto" in printed
    assert "recalled: User moved to Porto" in printed.split("> Where do I live?")[1]


@pytest.mark.parametrize("name", NAMES)
def test_what_an_example_builds_can_be_served(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = spec_from_file_location(name, path(name))
    assert spec is not None and spec.loader is not None
    example: Any = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, example)
    spec.loader.exec_module(example)
    with Memory.open(":memory:", checkpoints=False) as memory:
        out = example.build(memory).invoke(say("I own a boat."), on())
        assert (texts(memory), len(out["messages"])) == (["User owns a boat"], 2)
