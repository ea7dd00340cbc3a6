"""What undo reads from a store, on every backend: states of old, who changed what, the undos and redos there were."""

from __future__ import annotations

from dataclasses import replace

from scrubjay.stores.records import Commit, Link, Touch
from tests.store_backends import (
    ANA,
    BEN,
    DumpableStore,
    absorb,
    add,
    change,
    done,
    fact,
    said,
    the,
    version,
    write,
)


def test_a_memory_is_read_as_it_stood_after_each_revision(store: DumpableStore) -> None:
    store.commit(add(1, "likes tea"))
    store.commit(absorb(2, the(store.get("m1.1")), "likes tea a lot"))
    store.commit(change(3, the(store.get("m1.1")), "hates tea"))
    found = [store.stood(["m1.1"], revision).get("m1.1") for revision in (0, 1, 2, 3)]
    assert [f and (f.version, f.text, len(f.facts), len(f.sources)) for f in found] == [
        None, (1, "likes tea", 1, 1), (1, "likes tea", 2, 2), (2, "hates tea", 3, 3),
    ]  # fmt: skip


def test_without_a_revision_it_is_read_as_it_stands_now(store: DumpableStore) -> None:
    store.commit(add(1, "likes tea", "likes figs"))
    store.commit(change(2, the(store.get("m1.1")), "hates tea", "deleted"))
    found = store.stood(["m1.2", "m1.1", "m9.9"])
    assert {i: (m.status, m.text) for i, m in found.items()} == {
        "m1.1": ("deleted", "hates tea"), "m1.2": ("active", "likes figs"),
    }  # fmt: skip


def test_links_of_others_are_not_its_own(store: DumpableStore) -> None:
    store.commit(add(1, "likes tea"))
    link = Link("contradicts", "m1.1")
    linked = version("m2.1", 1, "hates tea", [("f2.1", "current")], links=(link,))
    store.commit(replace(add(2, "hates tea"), versions=(linked,)))
    assert the(store.get("m1.1")).links == (Link("contradicts", "m2.1"),)
    assert {i: m.links for i, m in store.stood(["m1.1", "m2.1"]).items()} == {"m1.1": (), "m2.1": (link,)}


def test_touches_name_who_changed_what_in_order(store: DumpableStore) -> None:
    store.commit(add(1, "likes tea", "likes figs"))
    store.commit(add(2, "plays chess", scope=BEN))
    store.commit(absorb(3, the(store.get("m1.2")), "likes figs a lot"))
    store.commit(Commit(write(4, outcome="empty"), None))
    store.commit(Commit(write(5), None, sources=(said(fact(1, "likes tea"), 5),)))
    store.commit(change(6, the(store.get("m1.1")), "hates tea"))
    assert store.touches(ANA, 0) == [
        Touch(1, "w1", "m1.1"), Touch(1, "w1", "m1.2"), Touch(2, "w3", "m1.2"), Touch(3, "w5", "m1.1"),
        Touch(4, "w6", "m1.1"),
    ]  # fmt: skip
    assert store.touches(ANA, 3) == [Touch(4, "w6", "m1.1")]


def test_a_source_that_is_withdrawn_touches_every_memory_that_rests_on_its_fact(store: DumpableStore) -> None:
    plan = add(1, "likes tea")
    store.commit(plan)
    other = version("m2.1", 1, "tea", [("f1.1", "past")])
    store.commit(Commit(write(2), None, versions=(other,)))
    store.commit(Commit(write(3), None, withdrawn=plan.sources))
    assert store.touches(ANA, 2) == [Touch(3, "w3", "m1.1"), Touch(3, "w3", "m2.1")]
    assert store.stood(["m1.1"])["m1.1"].sources == ()
    assert store.stood(["m1.1"], 2)["m1.1"].sources == plan.sources


def test_reversals_are_the_undos_and_redos_of_a_scope(store: DumpableStore) -> None:
    store.commit(add(1, "likes tea"))
    undo = done(store.commit(Commit(write(2, kind="undo", about=("w1",)), None)))
    store.commit(Commit(write(3, kind="review", about=("w1",)), None))
    redo = done(store.commit(Commit(write(4, kind="redo", about=("w1",)), None)))
    assert store.reversals(ANA) == [undo, redo] and store.reversals(BEN) == []
