"""No gold item of the scenarios that ends something is stopped by a check: neither as lossy nor by the veto."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.graph.calibration import EMBEDDED_THRESHOLDS
from scrubjay.graph.embedders import resolve_embedder
from scrubjay.graph.strategies import STRATEGIES
from scrubjay.nodes.extract import as_state
from scrubjay.nodes.settings import Settings, WriteContext
from scrubjay.nodes.state import FactState, Json, RelationState, Write
from scrubjay.nodes.veto import checked
from scrubjay.prompts.extract import ExtractedFact
from scrubjay.prompts.shown import ShownMessage

FOLDER = Path(__file__).parent / "scenarios"
STREAMS = ("compound", "atomic")
SETTINGS = Settings(
    WriteContext(user_id="ana"), STRATEGIES["joint"], EMBEDDED_THRESHOLDS.recall, EMBEDDED_THRESHOLDS.near,
    EMBEDDED_THRESHOLDS.veto,
)  # fmt: skip


@dataclass(frozen=True)
class Ending:
    """An extracted item, what it ends, and the item that had stated that."""

    where: str
    relation: str
    message: Json
    new: Json
    old_message: Json
    old: Json


def items_of(scenario: Json, stream: str) -> Iterator[tuple[Json, int, Json]]:
    for message in scenario["messages"]:
        for number, item in enumerate(scenario["extraction"][stream].get(message["id"], [])):
            yield message, number, item


def endings(family: str) -> Iterator[Ending]:
    """Every supersedes and retracts of a family, both streams."""
    for scenario in json.loads((FOLDER / f"{family}.json").read_text("utf-8")):
        for stream in STREAMS:
            yield from endings_of(scenario, stream)


def endings_of(scenario: Json, stream: str) -> Iterator[Ending]:
    stated: dict[str, tuple[Json, Json]] = {}
    for message, number, item in items_of(scenario, stream):
        expected = scenario["expected"][stream][message["id"]][number]
        for relation in expected["relations"]:
            if relation["relation"] in ("supersedes", "retracts") and relation["target"] in stated:
                where = f"{scenario['id']} {stream} {message['id']}.{number} → {relation['target']}"
                old_message, old = stated[relation["target"]]
                yield Ending(where, relation["relation"], message, item, old_message, old)
        stated |= {gold: (message, item) for gold in item["gold"]}


BY_FAMILY = {path.stem: list(endings(path.stem)) for path in sorted(FOLDER.glob("*.json"))}
ALL = [ending for found in BY_FAMILY.values() for ending in found]
FAMILIES = [family for family, found in BY_FAMILY.items() if found]
"""those in which something ends"""


def fact_of(message: Json, item: Json, n: int) -> FactState:
    """As the extract node makes it."""
    said = ShownMessage(number=1, role="user", text=message["text"], at=message["at"], name=message.get("name"))
    plain = {"id": message["id"], "role": "user", "text": message["text"], "at": message["at"], "name": said.name}
    state: Any = {"batch": [plain], "settings": {"context": {"write_id": f"w_{n}"}}}
    return as_state(ExtractedFact(**{k: v for k, v in item.items() if k != "gold"}), [said], state, n)


@pytest.fixture(scope="module")
def cosines() -> dict[str, float]:
    """Of the embedded embedder, by ending."""
    texts = list(dict.fromkeys(t for e in ALL for t in (e.new["text"], e.old["text"])))
    rows = dict(zip(texts, resolve_embedder().encode(texts), strict=True))
    return {e.where: float(np.dot(rows[e.new["text"]], rows[e.old["text"]])) for e in ALL}


def judged(ending: Ending, cosine: float) -> RelationState:
    """What the checks leave of the gold relation, where the old item is a memory of its own."""
    new, old = fact_of(ending.message, ending.new, 1), fact_of(ending.old_message, ending.old, 2)
    memory = {"text": old["text"], "subject": old["subject"], "facts": [{**old, "standing": "current"}]}
    state: Any = {
        "facts": [new], "known": {"m": memory},
        "candidates": {"1": [{"ref": "m", "cosine": cosine, "channel": "vector"}]},
    }  # fmt: skip
    said: RelationState = {
        "n": 1, "ref": "m", "ends": [], "relation": ending.relation, "said": ending.relation, "because": "",
        "reason": "", "still_true": [], "text": None, "members": [],
    }  # fmt: skip
    return checked([said], write(state), SETTINGS)[0]


def write(state: Any) -> Write:
    found: Write = state
    return found


def test_the_scenarios_end_a_hundred_things() -> None:
    assert len(ALL) >= 100 and {e.relation for e in ALL} == {"supersedes", "retracts"}


@pytest.mark.parametrize("family", FAMILIES)
def test_no_gold_ending_is_taken_for_a_lossy_extraction(family: str) -> None:
    found = {e.where: fact_of(e.message, e.new, 1)["loss"] for e in BY_FAMILY[family]}
    assert {where: loss for where, loss in found.items() if loss} == {}


@pytest.mark.parametrize("family", FAMILIES)
def test_no_gold_ending_is_vetoed(family: str, cosines: dict[str, float]) -> None:
    found = {e.where: (e.relation, judged(e, cosines[e.where])) for e in BY_FAMILY[family]}
    changed = {where: (r["relation"], r["because"]) for where, (said, r) in found.items() if r["relation"] != said}
    assert changed == {}
