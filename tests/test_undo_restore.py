"""The pure half of undo: from a memory as it is and as it is wanted to a version; and which writes are in force."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrubjay.graph.undoing.restore import Restoration, restore, same
from scrubjay.graph.undoing.timeline import in_force, undone_by
from scrubjay.stores.records import Fact, FactStanding, Link, Memory, Source, Standing, WriteKind, WriteRow
from tests.cli_records import memory, write


def rests(record: Memory, *facts: tuple[str, Standing], **fields: object) -> Memory:
    standings = tuple(FactStanding(Fact(i, "w_b", i), standing) for i, standing in facts)
    return replace(record, facts=standings, **fields)  # type: ignore[arg-type]


A = rests(memory("m_a", text="User lives in Porto"), ("f1", "current"))
SOURCE = Source("f1", "msg1", "I live in Porto")


def test_what_is_as_wanted_needs_nothing() -> None:
    assert restore(A, replace(A, version=7, write_id="w_c")) == Restoration()
    assert not restore(A, A).anything


def test_an_old_version_comes_back_under_the_next_number() -> None:
    now = rests(replace(A, version=4, text="User lives in Ghent"), ("f1", "past"), ("f2", "current"))
    made = restore(now, A).version
    assert made and (made.version, made.text, made.standings) == (5, "User lives in Porto", (("f1", "current"),))


def test_what_is_not_wanted_is_deleted_and_keeps_its_facts() -> None:
    made = restore(replace(A, links=(Link("supersedes", "m_b"),)), None).version
    assert made and (made.status, made.standings, made.version) == ("deleted", (("f1", "current"),), 2)
    assert made.ended_links == (Link("supersedes", "m_b"),)


def test_what_never_was_and_is_not_wanted_needs_nothing() -> None:
    assert restore(None, None) == restore(replace(A, status="deleted"), None) == Restoration()


def test_what_was_never_there_begins_with_its_first_version() -> None:
    made = restore(None, replace(A, version=3, links=(Link("related", "m_b"),))).version
    assert made and (made.version, made.links) == (1, (Link("related", "m_b"),))


def test_links_end_and_come_back() -> None:
    now, wanted = replace(A, links=(Link("related", "m_b"),)), replace(A, links=(Link("contradicts", "m_c"),))
    made = restore(now, wanted).version
    assert made and (made.links, made.ended_links) == ((Link("contradicts", "m_c"),), (Link("related", "m_b"),))


def test_a_source_alone_makes_no_version() -> None:
    said = replace(A, sources=(SOURCE,))
    assert restore(said, A) == Restoration(withdrawn=(SOURCE,))
    assert restore(A, said) == Restoration(returned=(SOURCE,))


def test_sources_of_a_fact_that_leaves_the_memory_stay_for_others() -> None:
    now = rests(A, ("f1", "current"), ("f2", "absorbed"), sources=(SOURCE, replace(SOURCE, fact_id="f2")))
    found = restore(now, replace(A, sources=(SOURCE,)))
    assert found.version and found.withdrawn == ()


def test_memories_are_the_same_in_what_they_say_and_where_it_was_said() -> None:
    assert same(A, replace(A, version=9, recorded_from="later")) and same(None, None)
    assert not same(A, None) and not same(A, replace(A, sources=(SOURCE,)))
    assert not same(A, replace(A, metadata={"tag": 1}))


def reversal(write_id: str, kind: WriteKind, *about: str, undo: str | None = None) -> WriteRow:
    return replace(write(write_id), kind=kind, about=about, input={"undo": undo})


U, V = reversal("u", "undo", "a"), reversal("v", "undo", "a", "b")
R, S = reversal("r", "redo", "a", undo="u"), reversal("s", "redo", "a", "b", undo="v")
KNOWN = {row.id: row for row in (U, V, R, S)}


@pytest.mark.parametrize(
    ("writes", "left"),
    [
        ("ab", "ab"), ("au", ""), ("aur", "a"), ("abv", ""), ("abvs", "ab"), ("u", "u"), ("ur", ""), ("auc", "c"),
        ("acu", "c"), ("v", "v"), ("abvc", "c"),
    ],
)  # fmt: skip
def test_an_undo_cancels_with_what_it_undid(writes: str, left: str) -> None:
    assert in_force(list(writes), KNOWN) == list(left)


def test_the_last_word_on_a_write_counts() -> None:
    assert [undone_by("a", rows) for rows in ([], [U], [U, R], [U, R, V])] == [None, "u", None, "v"]
