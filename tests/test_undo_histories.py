"""Undo and redo over random histories of additions, merges, replacements, deletions, repeats and contradictions."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.graph.undoing.run import derived
from scrubjay.stores.errors import LaterWrites, NothingToUndo
from scrubjay.stores.records import Commit
from tests.fakes import ANA, Teller
from tests.undo_histories import (
    FACTS,
    RELATIONS,
    SCOPE,
    Step,
    changed,
    everything,
    heard,
    histories,
    played,
    state,
    tell,
    view,
)

SMALL = settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def leaves_nothing(t: Teller, write_id: str) -> bool:
    with pytest.raises(NothingToUndo):
        t.memory.undo(write_id)
    return True


@SMALL
@given(histories)
def test_an_undo_gives_the_store_before_and_a_redo_the_store_after(history: list[Step]) -> None:
    t = heard()
    for step in history:
        before, then = view(t), everything(t.memory)
        result = tell(t, step)
        after = view(t)
        if not changed(then, everything(t.memory)) and leaves_nothing(t, result.write_id):
            continue
        undo = t.memory.undo(result.write_id)
        assert view(t)[0] == before[0]
        assert view(t)[1:] == [*before[1:]] or step_brings_vectors(before, view(t))
        t.memory.redo(undo.write_id)
        assert view(t) == after


def step_brings_vectors(before: list[object], now: list[object]) -> bool:
    """The queries are all texts embedded so far: a write brings more of them, and the earlier answers stay."""
    earlier, later = before[1], now[1]
    assert isinstance(earlier, list) and isinstance(later, list)
    return before[2:] == now[2:] and all(hits in later for hits in earlier)


@SMALL
@given(histories, st.data())
def test_an_undo_in_the_middle_is_refused_iff_a_later_write_changed_the_same_memories(
    history: list[Step], data: st.DataObject
) -> None:
    t, results, states = played(history)
    made = [changed(a, b) for a, b in zip(states, states[1:], strict=False)]
    i = data.draw(st.integers(0, len(history) - 1))
    now, dump = everything(t.memory), t.memory.store.dump()
    if not made[i]:
        assert leaves_nothing(t, results[i].write_id)
    elif later := {results[j].write_id: made[i] & made[j] for j in range(i + 1, len(made)) if made[i] & made[j]}:
        with pytest.raises(LaterWrites) as refused:
            t.memory.undo(results[i].write_id)
        assert {w: set(m) for w, m in refused.value.later.items()} == later
        assert t.memory.store.dump() == dump
    else:
        t.memory.undo(results[i].write_id)
        found = everything(t.memory)
        assert {k: state(found[k]) for k in made[i]} == {k: state(states[i].get(k)) for k in made[i]}
        assert changed(now, found) <= made[i]


@SMALL
@given(histories, st.data())
def test_together_the_touched_memories_are_as_before_the_first_write_that_touched_them(
    history: list[Step], data: st.DataObject
) -> None:
    t, results, states = played(history)
    made = [changed(a, b) for a, b in zip(states, states[1:], strict=False)]
    i = data.draw(st.integers(0, len(history) - 1))
    if not made[i]:
        return
    chosen = {i}
    while more := {j for j in range(len(made)) if j not in chosen and any(c < j and made[c] & made[j] for c in chosen)}:
        chosen |= more
    now, ben = everything(t.memory), view(t, "ben")
    undo = t.memory.undo(results[i].write_id, together=True)
    assert t.memory.write(undo.write_id).about == tuple(results[j].write_id for j in sorted(chosen))
    found = everything(t.memory)
    touched = set().union(*(made[j] for j in chosen))
    first = {k: min(j for j in chosen if k in made[j]) for k in touched}
    assert {k: state(found[k]) for k in touched} == {k: state(states[first[k]].get(k)) for k in touched}
    assert changed(now, found) <= touched and view(t, "ben") == ben
    t.memory.redo(results[i].write_id)
    assert {k: state(m) for k, m in everything(t.memory).items()} == {k: state(m) for k, m in now.items()}


def test_any_walk_of_undos_and_redos_keeps_what_is_in_force() -> None:
    """All undone, newest first, is an empty memory; all redone, oldest first, is the memory as it was told."""
    random = Random(5)
    for _ in range(6):
        history: list[Step] = [
            ([random.randrange(len(FACTS))], random.choice(RELATIONS), [random.randrange(6)], random.random() < 0.5)
            for _ in range(7)
        ]
        t, results, states = played(history)
        made = [r.write_id for r, a, b in zip(results, states, states[1:], strict=False) if changed(a, b)]
        told = view(t)
        for _ in range(2):
            for write_id in reversed(made):
                t.memory.undo(write_id)
            assert t.memory.list(user_id=ANA) == []
            for write_id in made:
                t.memory.redo(write_id)
            assert view(t) == told


def test_the_histories_have_every_kind_of_change() -> None:
    found: Counter[str] = Counter()
    random = Random(3)
    for _ in range(25):
        step: list[Step] = [
            ([random.randrange(len(FACTS))], random.choice(RELATIONS), [random.randrange(6)], False) for _ in range(6)
        ]
        t, results, _ = played(step)
        found.update(d.action for r in results for d in r.decisions)
        found.update(link.kind for m in everything(t.memory).values() for link in m.links)
        found.update("absorbed" for m in everything(t.memory).values() for f in m.facts if f.standing == "absorbed")
        found.update("folded" for r in results for d in r.decisions if d.body["gate"].get("folded_into"))
    wanted = {"add", "merge", "replace", "delete", "none", "supersedes", "contradicts", "absorbed", "folded"}
    assert wanted <= found.keys(), found


@SMALL
@given(histories)
def test_an_undo_is_derived_again_from_its_record(history: list[Step]) -> None:
    t, results, states = played(history)
    if not changed(states[-2], states[-1]):
        return
    done = [t.memory.undo(results[-1].write_id), t.memory.redo(results[-1].write_id)]
    for result in done:
        row = t.memory.write(result.write_id)
        made: Commit = derived(t.memory.store.as_of(SCOPE, row.moment - 1), row)
        assert (made.write.key, made.write.result, made.write.about) == (row.key, row.result, row.about)
        assert list(made.decisions) == result.decisions
