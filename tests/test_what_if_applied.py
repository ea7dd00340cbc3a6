"""An alternative that is carried out takes the old write's place: on record, where nothing moved, and undone again."""

from __future__ import annotations

from typing import Any

import pytest

from scrubjay.graph.deciders.scripted import ScriptedDecider
from scrubjay.graph.replaying.what_if import WhatIf
from scrubjay.stores.errors import InvalidInput, LaterWrites
from scrubjay.stores.records import Memory
from tests.fakes import ANA, Teller, one, teller
from tests.replay_history import grown

TEA, LEMON, MINT = "User drinks tea", "User loves tea with lemon", "User grows mint for tea"
BOTH = f"{TEA}; {LEMON}"


def tea(relation: str = "refines", text: str = BOTH) -> Teller:
    told = teller(alike=[(0.6, (TEA, LEMON, MINT))])
    told.say(TEA)
    told.say(LEMON, judge=one(relation, "1", text=text))
    told.cast.script = ScriptedDecider({})
    return told


def applied(told: Teller, **asked: Any) -> WhatIf:
    return told.memory.what_if(told.results[1].write_id, apply=True, **asked)


def judged(*replies: Any) -> ScriptedDecider:
    return ScriptedDecider({"judge": list(replies)}, repairs=False)


def linked(memory: Memory) -> list[str]:
    return [link.kind for link in memory.links]


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ("refines", "contradicts", [TEA, LEMON]), ("refines", "supersedes", [LEMON]),
        ("supersedes", "refines", [BOTH]), ("supersedes", "independent", [TEA, LEMON]),
        ("contradicts", "refines", [BOTH]), ("independent", "supersedes", [LEMON]),
        ("duplicate", "contradicts", [TEA, LEMON]),
    ],
)  # fmt: skip
def test_one_verdict_takes_the_place_of_another(before: str, after: str, left: list[str]) -> None:
    told = tea(before, LEMON if before == "supersedes" else BOTH)
    reply = one(after, "1", text=LEMON if after == "supersedes" else BOTH)
    applied(told, from_node="judge", model=judged(reply))
    assert told.texts() == left


def test_it_is_a_write_about_the_old_one_that_says_what_was_asked() -> None:
    told = tea()
    found = applied(told, strategy="add-only")
    row = told.memory.write(found.applied or "")
    assert (row.kind, row.about, row.input["settings"]) == ("what_if", (found.write_id,), {"strategy": "add-only"})
    assert [d.action for d in told.memory.decisions(write_id=row.id)] == ["add"]


def test_its_changes_say_what_went_and_what_came() -> None:
    told = tea()
    row = told.memory.write(applied(told, strategy="add-only").applied or "")
    assert [(c["before"], c["after"]) for c in row.result["changes"]] == [(BOTH, TEA), (None, LEMON)]


def test_what_was_linked_by_the_old_verdict_is_linked_no_more() -> None:
    told = tea("contradicts")
    before = [linked(m) for m in told.memory.list(user_id=ANA)]
    applied(told, from_node="judge", model=judged({"groups": []}))
    after = [linked(m) for m in told.memory.list(user_id=ANA)]
    assert (before, after) == ([["contradicts"], ["contradicts"]], [[], []])


def test_it_can_be_undone_and_then_the_old_write_stands_again() -> None:
    told = tea()
    found = applied(told, strategy="add-only")
    told.memory.undo(found.applied or "")
    assert told.texts() == [BOTH]


def test_it_is_replayed_like_any_write() -> None:
    told = tea()
    applied(told, strategy="add-only")
    told.say(MINT, judge=one("independent"))
    assert [r.differences for r in told.memory.replay_all(user_id=ANA) if not r.identical] == []


def test_memories_that_moved_since_are_left_alone() -> None:
    told = tea()
    later = told.say(MINT, judge=one("refines", "1", text=f"{BOTH}; {MINT}")).write_id
    told.cast.script = ScriptedDecider({})
    before = told.memory.store.dump()
    with pytest.raises(LaterWrites, match=later):
        applied(told, strategy="add-only")
    assert told.memory.store.dump() == before


def test_a_second_alternative_to_the_same_write_is_refused() -> None:
    told = tea()
    first = applied(told, strategy="add-only").applied
    with pytest.raises(LaterWrites, match=first):
        applied(told, from_node="judge", model=judged(one("contradicts", "1")))


def test_where_nothing_would_be_different_nothing_is_carried_out() -> None:
    told = tea()
    with pytest.raises(InvalidInput, match="the same"):
        applied(told)


def test_an_alternative_that_failed_is_not_carried_out() -> None:
    told = tea()
    with pytest.raises(InvalidInput, match="failed"):
        applied(told, model=ScriptedDecider({"extract": ["?"]}, repairs=False))
    assert told.texts() == [BOTH]


def test_another_extraction_brings_facts_of_its_own() -> None:
    told = tea()
    said = {"facts": [{"text": "User loves lemon", "quote": "loves tea with lemon", "message": 1}]}
    found = applied(told, model=ScriptedDecider({"extract": [said], "judge": []}, repairs=False))
    new = told.memory.list(user_id=ANA)[-1]
    assert told.texts() == [TEA, "User loves lemon"] and new.current[0].write_id == found.applied


def test_the_last_writes_of_a_long_history_are_decided_anew_undone_and_replayed() -> None:
    with grown(40, strategies=("joint",)) as memory:
        for row in memory.store.writes(limit=12):
            here = [m.text for m in memory.list(user_id=ANA)]
            found = None
            if row.kind == "add" and not memory.what_if(row.id, strategy="signetai", model="rules").same:
                try:
                    found = memory.what_if(row.id, strategy="signetai", model="rules", apply=True)
                except LaterWrites:
                    continue
            if found is not None and found.applied and memory.write(found.applied).result["changes"]:
                memory.undo(found.applied)
            assert [m.text for m in memory.list(user_id=ANA)] == here
        assert [r for r in memory.replay_all(user_id=ANA) if not r.identical] == []
