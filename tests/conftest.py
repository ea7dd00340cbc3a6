"""What every test gets: an empty memory that answers as it is told, and no live model."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes import Teller, teller
from tests.store_backends import BACKENDS, DumpableStore

KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE")


@pytest.fixture(autouse=True)
def no_live_model(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request to a provider cannot get as far as a key; tests marked `live` keep theirs."""
    if request.node.get_closest_marker("live") is None:
        for key in KEYS:
            monkeypatch.delenv(key, raising=False)


@pytest.fixture(params=BACKENDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DumpableStore]:
    """An empty store of every backend."""
    opened = BACKENDS[request.param](tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def told() -> Iterator[Teller]:
    """In memory, strategy joint."""
    made = teller()
    yield made
    made.memory.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Live tests run only where a model is named."""
    if os.environ.get("SCRUBJAY_LIVE_MODEL"):
        return
    skip = pytest.mark.skip(reason="SCRUBJAY_LIVE_MODEL names no model")
    for item in items:
        if item.get_closest_marker("live"):
            item.add_marker(skip)
