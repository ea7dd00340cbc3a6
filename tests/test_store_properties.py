"""What holds after any sequence of writes, on every backend."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.stores.records import Commit, Committed, Conflict
from scrubjay.stores.text import clean, search_tokens
from tests.store_backends import ANA, BACKENDS, DumpableStore, absorb, add, change, rows, the, vector, write

TEXTS = ("User lives in Seattle", "User moved to Austin", "用户喜欢乌龙茶", "a", 'it\'s 50% "C++"')


@dataclass(frozen=True)
class Step:
    """One write: what kind, on which memory, with which text."""

    kind: str
    target: int
    text: str


steps = st.lists(
    st.builds(
        Step,
        kind=st.sampled_from(["add", "change", "retire", "absorb", "replay", "fail"]),
        target=st.integers(0, 20),
        text=st.sampled_from(TEXTS),
    ),
    max_size=12,
)


def plan_of(store: DumpableStore, number: int, step: Step) -> Commit:
    """The commit that a step stands for; without any memory to work on it adds one."""
    if step.kind == "fail":
        return Commit(write(number, outcome="failed"), None)
    if step.kind == "replay" and number > 1:
        return add(step.target % (number - 1) + 1, step.text)
    active = store.active(ANA)
    if step.kind == "add" or not active:
        return add(number, step.text)
    memory = active[step.target % len(active)]
    if step.kind == "absorb":
        return absorb(number, memory, step.text)
    return change(number, memory, step.text, "superseded" if step.kind == "retire" else "active")


def play(store: DumpableStore, written: list[Step]) -> list[Commit]:
    """Commit each step; returns the plans that were carried out."""
    carried_out = []
    for number, step in enumerate(written, 1):
        plan = plan_of(store, number, step)
        result = store.commit(plan)
        if isinstance(result, Committed) and result.first:
            carried_out.append(plan)
    return carried_out


@contextmanager
def opened(backend: str) -> Iterator[DumpableStore]:
    with TemporaryDirectory() as folder, closing(BACKENDS[backend](Path(folder))) as store:
        yield store


@pytest.mark.parametrize("backend", BACKENDS)
@settings(derandomize=True, max_examples=15, deadline=None)
@given(written=steps)
def test_no_version_is_ever_lost(backend: str, written: list[Step]) -> None:
    with opened(backend) as store:
        wanted = [version for plan in play(store, written) for version in plan.versions]
        for version in wanted:
            kept = the(store.get(version.memory_id, version=version.version))
            assert (kept.text, kept.status) == (version.text, version.status)


@pytest.mark.parametrize("backend", BACKENDS)
@settings(derandomize=True, max_examples=15, deadline=None)
@given(written=steps)
def test_replaying_everything_changes_nothing(backend: str, written: list[Step]) -> None:
    with opened(backend) as store:
        finished = [plan for plan in play(store, written) if plan.write.outcome != "failed"]
        before = store.dump()
        results = [store.commit(plan) for plan in finished]
        assert not any(isinstance(result, Conflict) or result.first for result in results)
        assert store.dump() == before


@pytest.mark.parametrize("backend", BACKENDS)
@settings(derandomize=True, max_examples=15, deadline=None)
@given(written=steps)
def test_the_same_writes_make_the_same_store(backend: str, written: list[Step]) -> None:
    with opened(backend) as one, opened(backend) as other:
        play(one, written)
        play(other, written)
        assert one.dump() == other.dump()


@pytest.mark.parametrize("backend", BACKENDS)
@settings(derandomize=True, max_examples=15, deadline=None)
@given(written=steps)
def test_a_read_as_of_a_revision_is_what_was_read_then(backend: str, written: list[Step]) -> None:
    with opened(backend) as store:
        seen = {0: store.active(ANA)}
        for number, step in enumerate(written, 1):
            store.commit(plan_of(store, number, step))
            seen[store.revision(ANA)] = store.active(ANA)
        assert {revision: store.active(ANA, revision=revision) for revision in seen} == seen


@pytest.mark.parametrize("backend", BACKENDS)
@settings(derandomize=True, max_examples=15, deadline=None)
@given(written=steps)
def test_both_searches_know_exactly_the_active_memories(backend: str, written: list[Step]) -> None:
    with opened(backend) as store:
        for number, step in enumerate(written, 1):
            store.commit(plan_of(store, number, step))
            active = {memory.id for memory in store.active(ANA)}
            assert {hit.memory_id for hit in store.nearest(ANA, rows(vector("q")), 99)[0]} == active
            assert {hit.memory_id for text in TEXTS for hit in store.lexical(ANA, text, 99)} == active


@pytest.mark.parametrize("backend", BACKENDS)
@settings(derandomize=True, max_examples=40, deadline=None)
@given(text=st.text(), query=st.text())
def test_any_text_can_be_kept_and_any_text_searched(backend: str, text: str, query: str) -> None:
    with opened(backend) as store:
        kept = clean(text)
        store.commit(add(1, kept, "another"))
        assert the(store.get("m1.1")).text == kept
        hits = store.lexical(ANA, clean(query) + " " + kept, 5)
        assert bool(search_tokens(kept)) <= ("m1.1" in [hit.memory_id for hit in hits])
