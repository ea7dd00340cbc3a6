"""Undo and redo, case by case: what comes back, what is refused by name, and what the record says."""

from __future__ import annotations

import pytest

from scrubjay.graph.undoing.run import ATTEMPTS
from scrubjay.stores.errors import (
    AlreadyUndone,
    InvalidInput,
    LaterWrites,
    NothingToUndo,
    NotUndone,
    StoreBusy,
    StoreError,
    UnknownName,
)
from scrubjay.stores.records import Commit, Committed, Conflict, Scope
from tests.fakes import ANA, Teller, codes, fact, kinds, one, teller
from tests.store_backends import add

LISBON, PORTO, GHENT = "User lives in Lisbon", "User lives in Porto", "User lives in Ghent"
HOME = {"attributes": ["home city"]}
FIGS = "User loves figs"


@pytest.fixture
def moved() -> Teller:
    """Ana moved from Lisbon to Porto: two writes."""
    t = teller(alike=[(0.6, (LISBON, PORTO, GHENT))])
    t.say(fact(LISBON, **HOME))
    t.say(fact(PORTO, **HOME), judge=one("supersedes", "1", text=PORTO))
    return t


def ids(t: Teller) -> list[str]:
    return [r.write_id for r in t.results]


# -- what comes back


def test_an_undone_move_leaves_the_old_home(moved: Teller) -> None:
    old = moved.memory.history(moved.results[0].memories[0].id)[0]
    moved.memory.undo(ids(moved)[1])
    assert (moved.only().id, moved.only().text, moved.only().facts) == (old.id, LISBON, old.facts)


def test_what_the_write_made_becomes_deleted_and_stays_readable(moved: Teller) -> None:
    made = moved.only().id
    moved.memory.undo(ids(moved)[1])
    versions = [(m.version, m.status, m.text) for m in moved.memory.history(made)]
    assert versions == [(1, "active", PORTO), (2, "deleted", PORTO)]
    assert moved.memory.get(made).links == () and len(moved.memory.get(made).facts) == 2


def test_a_folded_repeat_is_withdrawn_and_comes_back_without_a_new_version() -> None:
    t = teller()
    t.say(FIGS)
    repeat = t.say(FIGS)
    t.memory.undo(repeat.write_id)
    once = t.only()
    t.memory.redo(repeat.write_id)
    assert (len(once.sources), len(t.only().sources), t.only().version) == (1, 2, 1)


def test_an_absorbed_fact_leaves_the_memory_again() -> None:
    t = teller(alike=[(0.8, (FIGS, "User likes figs"))])
    t.say(FIGS)
    repeat = t.say("User likes figs", judge=one("duplicate", "1"))
    assert [f.standing for f in t.only().facts] == ["current", "absorbed"]
    t.memory.undo(repeat.write_id)
    assert ([f.standing for f in t.only().facts], len(t.only().sources)) == (["current"], 1)


def test_a_contradiction_that_is_undone_leaves_no_link_on_either_side() -> None:
    t = teller(alike=[(0.8, (FIGS, "User hates figs"))])
    t.say(FIGS)
    told = t.say("User hates figs", judge=one("contradicts", "1"))
    assert kinds(t.memory.list(user_id=ANA)[0]) == ["contradicts"]
    t.memory.undo(told.write_id)
    assert kinds(t.only()) == []
    t.memory.redo(told.write_id)
    assert [kinds(m) for m in t.memory.list(user_id=ANA)] == [["contradicts"], ["contradicts"]]


def test_what_was_forgotten_on_request_comes_back() -> None:
    t = teller(alike=[(0.8, (FIGS, "User asks to forget that they love figs"))])
    t.say(FIGS)
    wish = t.say("User asks to forget that they love figs", judge=one("retracts", "1"))
    assert t.texts() == []
    t.memory.undo(wish.write_id)
    assert t.texts() == [FIGS]


def test_metadata_of_the_write_goes_with_it() -> None:
    t = teller(alike=[(0.6, (LISBON, PORTO))])
    t.say(fact(LISBON, **HOME), metadata={"tag": "old"})
    told = t.say(fact(PORTO, **HOME), judge=one("refines", "1", text=f"{PORTO}; {LISBON}"), metadata={"tag": "new"})
    assert t.only().metadata == {"tag": "new"}
    t.memory.undo(told.write_id)
    assert (t.only().text, t.only().metadata) == (LISBON, {"tag": "old"})


def test_a_write_may_be_undone_and_redone_any_number_of_times(moved: Teller) -> None:
    write = ids(moved)[1]
    for _ in range(3):
        moved.memory.undo(write)
        assert moved.texts() == [LISBON]
        moved.memory.redo(write)
        assert moved.texts() == [PORTO]


def test_a_redo_is_undone_by_its_own_id_as_well(moved: Teller) -> None:
    redo = moved.memory.redo(moved.memory.undo(ids(moved)[1]).write_id)
    again = moved.memory.undo(redo.write_id)
    assert moved.texts() == [LISBON]
    assert moved.memory.write(again.write_id).about == (ids(moved)[1],)


# -- later writes


def test_a_later_change_is_named_and_nothing_is_changed(moved: Teller) -> None:
    before = moved.memory.store.dump()
    with pytest.raises(LaterWrites, match=ids(moved)[1]) as refused:
        moved.memory.undo(ids(moved)[0])
    assert refused.value.later == {ids(moved)[1]: (moved.results[0].memories[0].id,)}
    assert moved.memory.store.dump() == before


def test_a_later_write_that_is_itself_undone_does_not_count(moved: Teller) -> None:
    moved.memory.undo(ids(moved)[1])
    moved.memory.undo(ids(moved)[0])
    assert moved.texts() == []


def test_a_chain_is_undone_together_in_one_write(moved: Teller) -> None:
    moved.say(fact(GHENT, **HOME), judge=one("supersedes", "1", text=GHENT))
    undo = moved.memory.undo(ids(moved)[0], together=True)
    assert moved.texts() == [] and moved.memory.write(undo.write_id).about == tuple(ids(moved))
    moved.memory.redo(ids(moved)[1])
    assert moved.texts() == [GHENT]


def test_a_later_write_that_is_undone_is_not_undone_again_with_the_others() -> None:
    rooms = [f"User has a {thing} in Lisbon" for thing in ("house", "garden", "boat")]
    t = teller(alike=[(0.6, rooms)])
    t.say(rooms[0])
    for n in (1, 2):
        t.say(rooms[n], judge=one("refines", "1", text="; ".join(reversed(rooms[: n + 1]))))
    assert len(t.only().current) == 3
    t.memory.undo(ids(t)[2])
    undo = t.memory.undo(ids(t)[0], together=True)
    assert t.memory.write(undo.write_id).about == tuple(ids(t)[:2]) and t.texts() == []


def test_a_redo_is_refused_where_the_memory_went_on_differently(moved: Teller) -> None:
    moved.memory.undo(ids(moved)[1])
    later = moved.say(fact(GHENT, **HOME), judge=one("supersedes", "1", text=GHENT))
    with pytest.raises(LaterWrites, match=later.write_id):
        moved.memory.redo(ids(moved)[1])
    assert moved.texts() == [GHENT]


def test_a_redo_is_refused_while_an_older_write_is_undone(moved: Teller) -> None:
    moved.memory.undo(ids(moved)[1])
    first = moved.memory.undo(ids(moved)[0])
    with pytest.raises(LaterWrites, match=first.write_id):
        moved.memory.redo(ids(moved)[1])


def test_others_memories_stay_as_they_are(moved: Teller) -> None:
    moved.say(FIGS, user="ben")
    before = moved.memory.list(user_id="ben")
    moved.memory.undo(ids(moved)[0], together=True)
    assert moved.memory.list(user_id="ben") == before


# -- what cannot be


def test_a_write_that_does_not_exist_is_unknown(moved: Teller) -> None:
    for reverse in (moved.memory.undo, moved.memory.redo):
        with pytest.raises(UnknownName, match="w_none"):
            reverse("w_none")


def test_a_write_is_undone_once(moved: Teller) -> None:
    undo = moved.memory.undo(ids(moved)[1])
    before = moved.memory.store.dump()
    with pytest.raises(AlreadyUndone, match=undo.write_id):
        moved.memory.undo(ids(moved)[1])
    assert moved.memory.store.dump() == before


def test_an_undo_is_not_undone_but_redone(moved: Teller) -> None:
    undo = moved.memory.undo(ids(moved)[1])
    with pytest.raises(InvalidInput, match=f"scrubjay redo {undo.write_id}"):
        moved.memory.undo(undo.write_id)


def test_what_is_in_force_cannot_be_redone(moved: Teller) -> None:
    undo = moved.memory.undo(ids(moved)[1])
    redo = moved.memory.redo(undo.write_id)
    for write_id in (ids(moved)[1], undo.write_id, redo.write_id):
        with pytest.raises(NotUndone):
            moved.memory.redo(write_id)


def test_a_write_that_changed_nothing_has_nothing_to_undo() -> None:
    t = teller()
    empty = t.say(said="Good night, all")
    failed = t.say(extract=["nonsense"], repairs=False)
    for result in (empty, failed):
        with pytest.raises(NothingToUndo, match=result.write_id):
            t.memory.undo(result.write_id)


def test_a_store_that_was_closed_is_said_so(moved: Teller) -> None:
    moved.memory.close()
    with pytest.raises(StoreError):
        moved.memory.undo(ids(moved)[1])


# -- the record


def test_an_undo_is_a_write_with_a_decision_a_memory(moved: Teller) -> None:
    undo = moved.memory.undo(ids(moved)[1])
    row = moved.memory.write(undo.write_id)
    assert (row.kind, row.about, row.outcome, row.calls) == ("undo", (ids(moved)[1],), "applied", ())
    assert [(d.action, d.fact_id, d.body["before"], d.body["after"]) for d in undo.decisions] == [
        ("add", None, None, LISBON), ("delete", None, PORTO, None),
    ]  # fmt: skip
    assert {c["write_id"] for c in undo.changes} == {row.id}
    assert [c["retired"] for c in undo.changes] == [[], [undo.decisions[1].body["memory_id"]]]


def test_every_decision_on_a_memory_tells_of_the_undo(moved: Teller) -> None:
    undo = moved.memory.undo(ids(moved)[1])
    told = moved.memory.decisions(memory_id=moved.only().id)[-1]
    assert (told.write_id, told.body["reason"]) == (undo.write_id, f"undo of {ids(moved)[1]}")


def test_the_index_follows(moved: Teller) -> None:
    moved.memory.undo(ids(moved)[1])
    assert [hit.memory.text for hit in moved.memory.search(PORTO, user_id=ANA)] == [LISBON]


# -- afterwards


def test_messages_that_are_delivered_again_do_not_bring_it_back() -> None:
    t = teller()
    t.expect(FIGS)
    message = [{"role": "user", "content": FIGS, "id": "m1"}]
    first = t.memory.add(message, user_id=ANA)
    undo = t.memory.undo(first.write_id)
    t.expect()
    again = t.memory.add(message, user_id=ANA)
    assert (again.write_id, again.first, again.undone_by, t.texts()) == (first.write_id, False, undo.write_id, [])
    t.memory.redo(first.write_id)
    assert t.memory.add(message, user_id=ANA).undone_by is None


def test_facts_of_an_undone_write_are_no_context() -> None:
    t = teller()
    t.say("User has a dog")
    t.memory.undo(t.say(FIGS).write_id)
    t.say("User has a cat")
    assert t.asked("extract")[-1].known_facts == ("User has a dog",)  # type: ignore[attr-defined]


def test_what_was_undone_can_be_told_again(moved: Teller) -> None:
    moved.memory.undo(ids(moved)[1])
    moved.say(fact(PORTO, **HOME), judge=one("supersedes", "1", text=PORTO))
    assert moved.texts() == [PORTO]


# -- what waits for approval


@pytest.fixture
def waiting() -> Teller:
    """Porto would replace Lisbon, and somebody has to approve it."""
    t = teller(alike=[(0.6, (LISBON, PORTO, GHENT))], approve=("replace",))
    t.say(fact(LISBON, **HOME))
    t.say(fact(PORTO, **HOME), judge=one("supersedes", "1", text=PORTO))
    return t


def test_an_undo_ends_the_proposals_of_its_write(waiting: Teller) -> None:
    undo = waiting.memory.undo(ids(waiting)[1])
    assert waiting.texts() == [LISBON] and waiting.memory.store.proposals() == []
    assert waiting.memory.store.proposals(settled=True)[0].settled_by == undo.write_id


def test_a_redo_says_that_the_proposal_stays_closed(waiting: Teller) -> None:
    redo = waiting.memory.redo(waiting.memory.undo(ids(waiting)[1]).write_id)
    assert waiting.texts() == [LISBON, PORTO] and codes(redo) == ["proposal_closed"]


def test_a_write_whose_proposal_was_decided_on_is_undone_with_the_review(waiting: Teller) -> None:
    review = waiting.memory.review(waiting.memory.store.proposals()[0].id, "reject")
    with pytest.raises(LaterWrites, match=review.write_id):
        waiting.memory.undo(ids(waiting)[1])
    waiting.memory.undo(ids(waiting)[1], together=True)
    assert waiting.texts() == [LISBON]


def test_an_approval_is_undone_like_any_write(waiting: Teller) -> None:
    before = waiting.memory.list(user_id=ANA)
    review = waiting.memory.review(waiting.memory.store.proposals()[0].id, "approve")
    assert waiting.texts() == [PORTO]
    waiting.memory.undo(review.write_id)
    assert [(m.id, m.text, m.facts, m.links) for m in waiting.memory.list(user_id=ANA)] == [
        (m.id, m.text, m.facts, m.links) for m in before
    ]
    waiting.memory.undo(ids(waiting)[1])
    assert waiting.texts() == [LISBON]


# -- while others write


def moving(t: Teller, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before each of the next commits of the store somebody else's write lands."""
    store, left = t.memory.store, list(range(times))
    commit = store.commit

    def late(plan: Commit) -> Committed | Conflict:
        if plan.write.kind == "undo" and left:
            commit(add(left.pop() + 1, FIGS, scope=Scope(ANA), embedded=False))
        return commit(plan)

    monkeypatch.setattr(store, "commit", late)


def test_an_undo_is_planned_anew_when_the_store_moved(moved: Teller, monkeypatch: pytest.MonkeyPatch) -> None:
    moving(moved, 2, monkeypatch)
    moved.memory.undo(ids(moved)[1])
    assert moved.texts() == [LISBON, FIGS, FIGS]


def test_an_undo_gives_up_on_a_store_that_never_holds_still(moved: Teller, monkeypatch: pytest.MonkeyPatch) -> None:
    moving(moved, ATTEMPTS, monkeypatch)
    with pytest.raises(StoreBusy, match="nothing was changed"):
        moved.memory.undo(ids(moved)[1])
    assert PORTO in moved.texts()
