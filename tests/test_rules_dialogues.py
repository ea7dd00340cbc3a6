"""The embedded extractor and judge, end to end, on 500 generated dialogues. SCRUBJAY_SEED asks for others."""

from __future__ import annotations

import os

import pytest

from tests.dialogue_run import ENOUGH, Tally, play_all
from tests.dialogues import KINDS, dialogues

COUNT = 500
SEED = int(os.environ.get("SCRUBJAY_SEED", "20260105"))


@pytest.fixture(scope="module")
def tally() -> Tally:
    from scrubjay import Memory  # noqa: PLC0415  langgraph takes seconds to load: not while tests are collected

    with Memory.open(":memory:", model="rules") as memory:
        return play_all(memory, dialogues(SEED, COUNT))


@pytest.mark.parametrize("what", ["wrong_supersession", "wrong_deletion", "wrong_assertion"])
def test_the_rules_are_never_wrong(tally: Tally, what: str) -> None:
    assert not tally.total(what), "\n".join(map(str, tally.wrong(what)))


def test_plain_dialogues_work_nine_times_in_ten(tally: Tally) -> None:
    print(tally.report())
    assert tally.share() >= ENOUGH, "\n".join(map(str, tally.failing()))


@pytest.mark.parametrize("kind", [kind.name for kind in KINDS if not kind.near])
def test_every_plain_kind_works_nine_times_in_ten(tally: Tally, kind: str) -> None:
    works, count = tally.rates()[kind]
    assert works >= ENOUGH * count, "\n".join(map(str, tally.failing(kind)))


def test_near_misses_leave_what_was_told_before_in_place(tally: Tally) -> None:
    near = [played for played in tally.played if played.dialogue.near]
    whole = sum(played.score.works for played in near)
    assert near and whole >= ENOUGH * len(near), f"{whole} of {len(near)} near misses still hold what they should"
