"""What every backend must do when it writes and reads; searching is in test_store_search.py."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scrubjay.stores.errors import InvalidInput, InvalidScope, StoreError, WrongEmbedder
from scrubjay.stores.records import Absorption, Commit, Committed, Conflict, Link, Message, Scope
from tests.store_backends import (
    ANA,
    BEN,
    DumpableStore,
    absorb,
    add,
    change,
    decision,
    done,
    embed,
    fact,
    rows,
    said,
    the,
    vector,
    version,
    when,
    write,
)

# -- one write


def test_a_memory_reads_back_as_it_was_written(store: DumpableStore) -> None:
    plan = add(1, "User lives in Seattle", metadata={"tag": "a", "n": [1, {"x": None}]})
    store.commit(plan)
    memory = the(store.get("m1.1"))
    assert (memory.text, memory.scope, memory.version, memory.status) == ("User lives in Seattle", ANA, 1, "active")
    assert (memory.recorded_from, memory.recorded_to, memory.created_at) == (when(1), None, when(1))
    assert (memory.metadata, memory.attributes) == ({"tag": "a", "n": [1, {"x": None}]}, ("home city",))
    assert (memory.current, memory.sources) == (plan.facts, plan.sources)


def test_a_replayed_write_changes_nothing(store: DumpableStore) -> None:
    first = done(store.commit(add(1, "User lives in Seattle")))
    before = store.dump()
    assert store.commit(add(1, "User lives in Boston")) == Committed(first, first=False)
    assert store.dump() == before


def test_a_replayed_write_is_recognised_after_the_scope_moved(store: DumpableStore) -> None:
    first = done(store.commit(add(1, "User lives in Seattle", expected=0)))
    store.commit(add(2, "User has a dog"))
    assert store.commit(add(1, "User lives in Seattle", expected=0)) == Committed(first, first=False)


def test_the_same_key_in_another_scope_is_another_write(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle"))
    other = add(2, "User lives in Boston", scope=BEN)
    assert done(store.commit(replace(other, write=replace(other.write, key="key 1")))).id == "w2"


UNFINISHED = pytest.mark.parametrize("unfinished", [{"outcome": "failed"}, {"incomplete": ("window 2",)}])


def under(key: str, plan: Commit) -> Commit:
    return replace(plan, write=replace(plan.write, key=key))


@UNFINISHED
def test_an_unfinished_write_gives_its_key_up_and_stays_readable(
    store: DumpableStore, unfinished: dict[str, Any]
) -> None:
    old = done(store.commit(Commit(write(1, **unfinished), None, decisions=(decision(1, 1),))))
    new = done(store.commit(under("key 1", add(2, "User lives in Seattle"))))
    assert store.write("w1") == replace(old, resumed_by="w2")
    assert store.decisions(write_id="w1") == [decision(1, 1)]
    assert store.write_by_key(ANA, "key 1") == store.write("w2") == new


def test_a_write_may_be_resumed_again_and_again(store: DumpableStore) -> None:
    for number in (1, 2, 3):
        store.commit(Commit(write(number, key="key", outcome="failed"), None))
    store.commit(under("key", add(4, "User lives in Seattle")))
    repeated = store.commit(under("key", add(5, "User lives in Seattle")))
    assert (done(repeated), repeated) == (store.write("w4"), Committed(done(repeated), first=False))
    assert [row.resumed_by for row in store.writes(ANA)] == [None, "w4", "w3", "w2"]


@UNFINISHED
def test_the_same_write_run_again_replaces_its_own_unfinished_row(
    store: DumpableStore, unfinished: dict[str, Any]
) -> None:
    store.commit(Commit(write(1, **unfinished), None))
    result = store.commit(add(1, "User lives in Seattle"))
    assert result == Committed(done(result), first=True)
    assert [(row.id, row.outcome, row.incomplete) for row in store.writes(ANA)] == [("w1", "applied", ())]


def test_a_resumed_write_keeps_its_first_decisions_and_facts_once(store: DumpableStore) -> None:
    plan = add(1, "User lives in Seattle")
    store.commit(replace(plan, write=write(1, incomplete=("window 2",))))
    resumed = replace(plan, versions=(), decisions=(*plan.decisions, decision(1, 2, ("m1.1", "candidate"))))
    store.commit(resumed)
    assert [each.id for each in store.decisions(write_id="w1")] == ["d1.1", "d1.2"]
    assert store.recent_facts(ANA, "talk", 9) == list(plan.facts)
    assert the(store.get("m1.1")).sources == plan.sources


def test_a_write_without_a_key_is_refused(store: DumpableStore) -> None:
    with pytest.raises(InvalidInput, match="key"):
        store.commit(Commit(write(1, key=""), None))


def test_a_write_reads_back_with_all_that_it_records(store: DumpableStore) -> None:
    row = write(1, run_id="run", moment=1, calls=({"tag": "judge", "usage": {"tokens": 7}},), result={"changes": []})
    store.commit(Commit(row, None))
    assert store.write("w1") == store.write_by_key(ANA, "key 1") == row
    assert store.write("w2") is None


# -- the revision


def test_the_revision_counts_writes_that_change_what_is_recalled(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle"))
    assert done(store.commit(add(2, "User has a dog"))).revision == store.revision(ANA) == 2
    assert store.revision(BEN) == 0


@pytest.mark.parametrize("outcome", ["empty", "failed"])
def test_the_revision_stays_for_a_write_that_changes_nothing_recalled(store: DumpableStore, outcome: str) -> None:
    store.commit(add(1, "User lives in Seattle"))
    assert done(store.commit(Commit(write(2, outcome=outcome), None))).revision == store.revision(ANA) == 1


def test_a_repeat_moves_the_revision_only_by_a_new_source(store: DumpableStore) -> None:
    plan = add(1, "User lives in Seattle")
    store.commit(plan)
    assert done(store.commit(Commit(write(2), None, sources=plan.sources))).revision == 1
    assert done(store.commit(Commit(write(3), None, sources=(said(plan.facts[0], 3),)))).revision == 2


# -- conflicts


def test_a_scope_that_moved_is_a_conflict_that_names_the_newer_memories(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle", expected=0))
    store.commit(add(2, "User has a dog", expected=1))
    assert store.commit(add(3, "User lives in Boston", expected=1)) == Conflict(2, ("m2.1",))


def test_another_scope_that_moved_is_no_conflict(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle", scope=BEN))
    assert done(store.commit(add(2, "User lives in Boston", expected=0))).revision == 1


def test_a_version_that_is_not_the_next_is_a_conflict_even_without_a_revision(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle"))
    stale = the(store.get("m1.1"))
    store.commit(change(2, stale, "User lives in Austin"))
    assert store.commit(change(3, stale, "User lives in Boston")) == Conflict(2, ("m1.1",))


def test_a_new_memory_whose_id_is_taken_is_a_conflict(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle"))
    taken = Commit(write(2), None, versions=(version("m1.1", 1, "User lives in Boston", []),))
    assert store.commit(taken) == Conflict(1, ("m1.1",))


def test_an_absorption_into_an_older_version_is_a_conflict(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle"))
    stale = the(store.get("m1.1"))
    store.commit(change(2, stale, "User lives in Austin"))
    assert store.commit(absorb(3, stale, "User lives in Seattle")) == Conflict(2, ("m1.1",))


def test_a_conflict_writes_nothing(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle"))
    before = store.dump()
    store.commit(add(2, "User has a dog", expected=0))
    store.commit(add(3, "User has a cat", scope=BEN, expected=4))
    assert store.dump() == before


# -- all or nothing


def test_an_error_in_the_last_step_leaves_nothing_of_the_write(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle"))
    before = store.dump()
    with pytest.raises(StoreError):
        store.commit(replace(add(2, "User has a dog"), write=write(1, key="another key")))
    assert store.dump() == before


def test_what_json_cannot_say_is_refused(store: DumpableStore) -> None:
    before = store.dump()
    with pytest.raises(InvalidInput, match="JSON"):
        store.commit(Commit(write(1, result={"score": float("nan")}), None))
    assert store.dump() == before


def test_a_lone_surrogate_is_refused(store: DumpableStore) -> None:
    before = store.dump()
    with pytest.raises(InvalidInput, match="surrogate"):
        store.commit(add(1, "User likes \ud83d", embedded=False))
    assert store.dump() == before


def test_a_link_to_no_memory_is_refused(store: DumpableStore) -> None:
    with pytest.raises(InvalidInput, match="m9"):
        store.commit(add(1, "User lives in Seattle", links=(Link("related", "m9"),)))


def test_a_fact_that_is_not_there_is_refused(store: DumpableStore) -> None:
    with pytest.raises(InvalidInput, match="f9"):
        store.commit(Commit(write(1), None, versions=(version("m1", 1, "text", [("f9", "current")]),)))


def test_a_fact_of_another_scope_is_refused(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle", scope=BEN))
    with pytest.raises(InvalidInput, match="f1.1"):
        store.commit(Commit(write(2), None, versions=(version("m2", 1, "text", [("f1.1", "current")]),)))


def test_a_memory_of_another_scope_is_refused(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle", scope=BEN))
    theirs = replace(the(store.get("m1.1")), scope=ANA, facts=())
    with pytest.raises(InvalidInput, match="another scope"):
        store.commit(change(2, theirs, "User lives in Boston"))


@pytest.mark.parametrize("user_id", ["", " ", "\t\n", None, 7])
def test_a_scope_without_a_user_is_refused(store: DumpableStore, user_id: object) -> None:
    nobody = Scope(user_id)  # type: ignore[arg-type]
    with pytest.raises(InvalidScope):
        store.commit(add(1, "User lives in Seattle", scope=nobody))
    with pytest.raises(InvalidScope):
        store.active(nobody)


# -- versions


def test_the_next_version_ends_the_one_before(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle"))
    store.commit(change(2, the(store.get("m1.1")), "User lives in Austin"))
    old, new = store.history("m1.1")
    assert (old.text, old.recorded_from, old.recorded_to) == ("User lives in Seattle", when(1), when(2))
    assert (new.text, new.recorded_from, new.recorded_to) == ("User lives in Austin", when(2), None)
    assert old.created_at == new.created_at == when(1)


def test_any_version_can_be_read_and_the_newest_is_the_default(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle"))
    store.commit(change(2, the(store.get("m1.1")), "User lives in Austin"))
    assert the(store.get("m1.1", version=1)).text == "User lives in Seattle"
    assert the(store.get("m1.1")).text == "User lives in Austin"
    assert (store.get("m1.1", version=3), store.get("m9"), store.history("m9")) == (None, None, [])


def test_a_retired_memory_is_read_by_id_but_is_not_active(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle", "User has a dog"))
    store.commit(change(2, the(store.get("m1.1")), "User lives in Seattle", "superseded"))
    assert the(store.get("m1.1")).status == "superseded"
    assert [memory.id for memory in store.active(ANA)] == ["m1.2"]
    assert store.count_active(ANA) == 1


def test_two_versions_of_one_memory_fit_into_one_write(store: DumpableStore) -> None:
    plan = add(1, "User lives in Seattle")
    later = version("m1.1", 2, "User lived in Seattle", [("f1.1", "past")], "superseded")
    store.commit(replace(plan, versions=(*plan.versions, later)))
    assert [memory.status for memory in store.history("m1.1")] == ["active", "superseded"]
    assert store.active(ANA) == []


def test_many_are_read_in_the_order_asked_for(store: DumpableStore) -> None:
    store.commit(add(1, "a", "b", "c"))
    assert [memory.id for memory in store.get_many(["m1.3", "m9", "m1.1"])] == ["m1.3", "m1.1"]


def test_active_memories_come_oldest_first_a_page_at_a_time(store: DumpableStore) -> None:
    store.commit(add(2, "a", "b"))
    store.commit(add(1, "c"))
    assert [memory.id for memory in store.active(ANA)] == ["m2.1", "m2.2", "m1.1"]
    assert [memory.id for memory in store.active(ANA, limit=1, offset=1)] == ["m2.2"]


def test_a_read_as_of_a_revision_shows_that_revision(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle", embedded=False))
    then = store.active(ANA)
    store.commit(absorb(2, then[0], "User lives in Seattle"))
    store.commit(change(3, then[0], "User lives in Austin"))
    store.commit(add(4, "User has a dog", links=(Link("related", "m1.1"),)))
    assert store.active(ANA, revision=1) == then
    assert store.active(ANA, revision=0) == []


# -- facts, sources, links


def test_facts_stand_in_order_current_past_absorbed_then_by_id(store: DumpableStore) -> None:
    facts = [fact(1, f"statement {place}", place) for place in (1, 2, 3, 4)]
    standings = [("f1.4", "absorbed"), ("f1.3", "past"), ("f1.2", "current"), ("f1.1", "current")]
    store.commit(Commit(write(1), None, facts=tuple(facts), versions=(version("m1", 1, "t", standings),)))  # type: ignore[arg-type]
    found = [(each.fact.id, each.standing) for each in the(store.get("m1")).facts]
    assert found == [("f1.1", "current"), ("f1.2", "current"), ("f1.3", "past"), ("f1.4", "absorbed")]


def test_an_absorbed_fact_adds_its_source_and_leaves_text_and_version(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle"))
    store.commit(absorb(2, the(store.get("m1.1")), "The user lives in Seattle"))
    memory = the(store.get("m1.1"))
    assert (memory.version, memory.text) == (1, "User lives in Seattle")
    assert [(each.fact.id, each.standing) for each in memory.facts] == [("f1.1", "current"), ("f2.1", "absorbed")]
    assert [source.message_id for source in memory.sources] == ["msg1", "msg2"]


def test_a_memory_and_its_absorption_fit_into_one_write(store: DumpableStore) -> None:
    plan = add(1, "User lives in Seattle")
    again = fact(1, "Seattle is home", 2)
    store.commit(replace(plan, facts=(*plan.facts, again), absorptions=(Absorption("m1.1", 1, again.id),)))
    assert [each.standing for each in the(store.get("m1.1")).facts] == ["current", "absorbed"]


def test_related_and_contradicting_links_are_read_from_both_ends(store: DumpableStore) -> None:
    store.commit(add(1, "User likes tea"))
    store.commit(add(2, "User hates tea", links=(Link("contradicts", "m1.1"), Link("supersedes", "m1.1"))))
    assert the(store.get("m2.1")).links == (Link("contradicts", "m1.1"), Link("supersedes", "m1.1"))
    assert the(store.get("m1.1")).links == (Link("contradicts", "m2.1"),)


def test_links_of_earlier_versions_go_on(store: DumpableStore) -> None:
    store.commit(add(1, "User likes tea"))
    store.commit(add(2, "User likes green tea", links=(Link("related", "m1.1"),)))
    store.commit(change(3, the(store.get("m2.1")), "User likes white tea"))
    assert the(store.get("m2.1")).links == (Link("related", "m1.1"),)


def test_two_new_memories_of_one_write_may_link_to_each_other(store: DumpableStore) -> None:
    plan = add(1, "a", "b")
    first, second = plan.versions
    linked = replace(first, links=(Link("related", "m1.2"),))
    store.commit(replace(plan, versions=(linked, second)))
    assert the(store.get("m1.2")).links == (Link("related", "m1.1"),)


def test_a_text_finds_the_active_memories_that_state_it(store: DumpableStore) -> None:
    plan = add(1, "User lives in Seattle.", "User has a dog")
    store.commit(plan)
    assert store.stating(ANA, ["user lives in  SEATTLE", "User has a cat"]) == [[("m1.1", plan.facts[0])], []]
    assert store.stating(BEN, ["User has a dog"]) == [[]]


def test_a_fact_that_ended_states_nothing(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle", "User has a dog"))
    store.commit(change(2, the(store.get("m1.1")), "User lives in Austin"))
    store.commit(change(3, the(store.get("m1.2")), "User has a dog", "deleted"))
    assert store.stating(ANA, ["User lives in Seattle", "User has a dog"]) == [[], []]


def test_a_fact_reads_back_with_every_field(store: DumpableStore) -> None:
    full = fact(
        1, "x", type="plan", subject="Oona", modality="planned", valid_from="2026-08", valid_to="2027",
        derived_from="f0", retraction=True, key="msg1#0",
    )  # fmt: skip
    store.commit(Commit(write(1), None, facts=(full,)))
    assert (store.fact("f1.1"), store.fact("f9")) == (full, None)


# -- the record


def test_decisions_are_found_by_write_and_by_any_memory_they_considered(store: DumpableStore) -> None:
    considered = decision(2, 1, ("m2", "result"), ("m1", "candidate"), ("m1", "target"), body={"deep": [1, None]})
    store.commit(Commit(write(1), None, decisions=(decision(1, 1, ("m1", "result")),)))
    store.commit(Commit(write(2), None, decisions=(considered,)))
    assert store.decisions(write_id="w2") == store.decisions(memory_id="m2") == [considered]
    assert [each.id for each in store.decisions(memory_id="m1")] == ["d1.1", "d2.1"]


def test_a_decision_of_a_write_without_facts_is_kept(store: DumpableStore) -> None:
    nothing = decision(1, 1, fact_number=None, fact_id=None, action="none", outcome="empty")
    store.commit(Commit(write(1, outcome="empty"), None, decisions=(nothing,)))
    assert store.decisions(write_id="w1") == [nothing]


def test_writes_come_newest_first_a_page_at_a_time(store: DumpableStore) -> None:
    for number, scope in ((1, ANA), (2, BEN), (3, ANA)):
        store.commit(Commit(write(number, scope), None))
    assert [row.id for row in store.writes()] == ["w3", "w2", "w1"]
    assert [row.id for row in store.writes(ANA, limit=1, offset=1)] == ["w1"]


def test_recent_messages_and_facts_are_the_last_of_their_conversation(store: DumpableStore) -> None:
    for number, talk in ((1, "a"), (2, "b"), (3, "a"), (4, "a")):
        store.commit(add(number, f"statement {number}", conversation_id=talk))
    assert [message.id for message in store.recent_messages(ANA, "a", 2)] == ["msg3", "msg4"]
    assert [each.id for each in store.recent_facts(ANA, "a", 2)] == ["f3.1", "f4.1"]
    assert store.recent_messages(BEN, "a", 2) == []


def test_a_message_is_kept_once_and_as_it_was_first_read(store: DumpableStore) -> None:
    first = Message("msg1", "talk", "user", "hello", when(1), name="Ana", run_id="run")
    store.commit(Commit(write(1), None, messages=(first,)))
    store.commit(Commit(write(2), None, messages=(replace(first, text="changed"),)))
    assert store.recent_messages(ANA, "talk", 9) == [first]


def test_messages_that_were_read_are_found_by_id_in_their_conversation_alone(store: DumpableStore) -> None:
    for number, talk in ((1, "a"), (2, "a"), (3, "b")):
        store.commit(add(number, f"statement {number}", conversation_id=talk))
    asked = ["msg2", "msg1", "msg3", "msg9", "'"]
    assert store.read_messages(ANA, "a", asked) == {"msg1": "statement 1", "msg2": "statement 2"}
    assert store.read_messages(BEN, "a", asked) == store.read_messages(ANA, "a", []) == {}


# -- vectors and the embedder


def test_vectors_are_kept_by_text(store: DumpableStore) -> None:
    store.commit(Commit(write(1), None, embedded=embed("a", "b")))
    assert store.vectors(["b", "nothing", "a"]) == [vector("b").tobytes(), None, vector("a").tobytes()]


def test_a_memory_waits_for_its_vector(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle", embedded=False))
    assert the(store.get("m1.1")).pending_embedding
    store.commit(Commit(write(2), None, embedded=embed("User lives in Seattle")))
    assert not the(store.get("m1.1")).pending_embedding


def test_texts_that_wait_for_a_vector_are_told_oldest_first_and_once(store: DumpableStore) -> None:
    store.commit(add(1, "b", "a", embedded=False))
    store.commit(add(2, "c", scope=BEN, embedded=False))
    store.commit(add(3, "d"))
    assert store.pending_texts(ANA, 9) == ["b", "a"] and store.pending_texts(ANA, 1) == ["b"]
    assert store.pending_texts(BEN, 9) == ["c"] and store.pending_texts(Scope("eve"), 9) == []


def test_a_fact_waits_for_its_vector_as_its_memory_does(store: DumpableStore) -> None:
    plan = add(1, "a", embedded=False)
    whole = replace(plan.versions[0], text="a, and more")
    store.commit(replace(plan, versions=(whole,), embedded=embed("a, and more")))
    assert store.pending_texts(ANA, 9) == ["a"]


def test_what_is_not_active_waits_for_nothing(store: DumpableStore) -> None:
    store.commit(add(1, "a", embedded=False))
    store.commit(change(2, the(store.get("m1.1")), "a", "deleted"))
    assert store.pending_texts(ANA, 9) == []


def test_a_vector_that_comes_late_makes_its_memory_found_and_moves_no_revision(store: DumpableStore) -> None:
    store.commit(add(1, "a", embedded=False))
    assert store.nearest(ANA, rows(vector("a")), 1) == [[]]
    store.keep_vectors(embed("a"))
    assert [h.memory_id for h in store.nearest(ANA, rows(vector("a")), 1)[0]] == ["m1.1"]
    assert not the(store.get("m1.1")).pending_embedding and store.revision(ANA) == 1


def test_the_first_embedder_is_kept_with_its_thresholds(store: DumpableStore) -> None:
    assert store.bind_embedder("use", 16, {"recall": 0.4}) == {"recall": 0.4}
    assert store.bind_embedder("use", 16, {"recall": 0.9}) == {"recall": 0.4}
    assert (store.meta()["embedder"], store.meta()["dimension"]) == ("use", 16)


@pytest.mark.parametrize("other", [("e5", 16), ("use", 8)])
def test_another_embedder_is_refused_and_both_are_named(store: DumpableStore, other: tuple[str, int]) -> None:
    store.bind_embedder("use", 16, {})
    with pytest.raises(WrongEmbedder) as caught:
        store.bind_embedder(*other, {})
    assert "use" in caught.value.stored and other[0] in caught.value.given and str(other[1]) in caught.value.given


def test_meta_counts_what_is_there(store: DumpableStore) -> None:
    store.commit(add(1, "a", "b"))
    store.commit(change(2, the(store.get("m1.1")), "c", "deleted"))
    counts = store.meta()["counts"]
    assert (counts["memories"], counts["active"], counts["versions"], counts["facts"]) == (2, 1, 3, 3)
