"""The scenario files are the measure of every figure: none may change unnoticed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

FOLDER = Path(__file__).parent / "scenarios"
SUMS = {name: digest for digest, name in map(str.split, (FOLDER / "SHA256SUMS").read_text().splitlines())}


def test_every_scenario_file_has_its_sum_and_keeps_it() -> None:
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FOLDER.glob("*.json")}
    assert found == SUMS


def test_there_are_sixteen_families_of_five() -> None:
    families = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")}
    assert len(families) == 16
    assert {len(scenarios) for scenarios in families.values()} == {5}
