"""Changes that wait for approval in the store: nothing moves until somebody says so, and then all of it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrubjay import Memory, WriteResult
from scrubjay.nodes.settling import replayed
from scrubjay.stores.errors import (
    EmbedderError,
    InvalidInput,
    InvalidScope,
    ProposalOutdated,
    ProposalSettled,
    UnknownName,
)
from scrubjay.stores.records import Memory as Record
from scrubjay.stores.records import Proposal
from tests.fakes import ANA, Clock, Teller, by_text, fact, group, linked, one, teller, verdict

SEATTLE, AUSTIN, BOSTON = "User lives in Seattle", "User lives in Austin", "User lives in Boston"
BALLARD = "User lives in Ballard with Ida"
TEA, LEMON, HONEY = "User drinks tea", "User loves tea with lemon", "User takes honey in tea"
MOVED, BOTH = f"{AUSTIN} (previously: Seattle)", "User drinks tea, and loves it with lemon"
WISH = "User asks to forget that they live in Seattle"
HOME = {"attributes": ["home city"]}
ALL = ("merge", "replace", "delete")
MINE = "User's own words about Rome"


def fresh(approve: tuple[str, ...] = ALL, path: str | Path = ":memory:") -> Teller:
    """Seattle and tea are remembered."""
    t = teller(path, alike=[(0.6, (SEATTLE, AUSTIN, BOSTON, BALLARD, WISH)), (0.6, (TEA, LEMON, HONEY))],
               approve=approve)  # fmt: skip
    t.say(fact(SEATTLE, **HOME))
    t.say(TEA)
    return t


def replaces(t: Teller) -> WriteResult:
    return t.say(fact(AUSTIN, **HOME), judge=one("supersedes", "1", text=MOVED))


def merges(t: Teller) -> WriteResult:
    return t.say(LEMON, judge=one("refines", "1", text=BOTH))


def deletes(t: Teller) -> WriteResult:
    return t.say(WISH, judge=one("retracts", "1"))


def replaces_and_merges(t: Teller) -> WriteResult:
    judged = verdict(group("supersedes", "1", text=MOVED), group("refines", "2", facts=["F2"], text=BOTH))
    return t.say(fact(AUSTIN, **HOME), LEMON, judge=judged)


def two_into_one(t: Teller) -> WriteResult:
    judged = verdict(group("refines", "1", facts=["F1", "F2"], text="User drinks tea with lemon and honey"))
    return t.say(LEMON, HONEY, judge=judged)


def replaces_and_links(t: Teller) -> WriteResult:
    """The weaker relation is a link, to a memory that is none of the targets."""
    t.embedder.alike(0.6, AUSTIN, "User hates Austin")
    t.say("User hates Austin")
    judged = by_text(
        lambda at: verdict(group("supersedes", at(SEATTLE), text=MOVED), group("refines", at("User hates Austin")))
    )
    return t.say(fact(AUSTIN, **HOME), judge=judged)


CHANGES: list[Callable[[Teller], WriteResult]] = [
    replaces,
    merges,
    deletes,
    replaces_and_merges,
    two_into_one,
    replaces_and_links,
]


def open_of(t: Teller) -> Proposal:
    (found,) = t.memory.pending(user_id=ANA)
    return found


def approve_all(t: Teller) -> None:
    for proposal in t.memory.pending(user_id=ANA):
        t.memory.review(proposal.id, "approve")


def looks(t: Teller) -> list[tuple[Any, ...]]:
    """Active memories in words: text, standings, links by the other's text and status; none of the ids."""

    def named(memory_id: str) -> tuple[str, str]:
        other = t.memory.get(memory_id)
        return other.text, other.status

    return sorted(
        (m.text, sorted((s.fact.text, s.standing) for s in m.facts), sorted((k, *named(i)) for k, i in linked(m)),
         m.type, m.subject, m.attributes, m.metadata)
        for m in t.memory.list(user_id=ANA)
    )  # fmt: skip


def by_id(t: Teller) -> dict[str, Record]:
    return {m.text: m for m in t.memory.list(user_id=ANA)}


# -- while it waits


@pytest.mark.parametrize("change", CHANGES)
def test_what_waits_leaves_every_old_memory_as_it_is(change: Callable[[Teller], WriteResult]) -> None:
    t = fresh()
    before = t.memory.list(user_id=ANA)
    result = change(t)
    assert result.outcome == "pending_review"
    assert [(m.id, m.version, m.text, m.status) for m in before] == [
        (n.id, n.version, n.text, n.status) for m in before for n in [t.memory.get(m.id)]
    ]


def test_the_new_fact_is_a_memory_of_its_own_linked_to_what_it_would_change() -> None:
    t = fresh()
    replaces(t)
    found = by_id(t)
    assert linked(found[AUSTIN]) == [("related", found[SEATTLE].id)]


def test_a_wish_to_forget_is_recorded_and_in_no_memory() -> None:
    t = fresh()
    result = deletes(t)
    assert t.texts() == [SEATTLE, TEA]
    assert (result.decisions[0].action, result.decisions[0].outcome) == ("delete", "pending_review")
    assert t.memory.store.fact(result.decisions[0].fact_id or "") is not None


def test_the_changes_say_that_it_waits_and_under_which_id() -> None:
    t = fresh()
    applied, waiting = replaces(t).changes
    assert (applied["action"], applied["outcome"]) == ("add", "applied")
    assert (waiting["action"], waiting["outcome"], waiting["before"], waiting["after"]) == (
        "replace", "pending_review", SEATTLE, MOVED,
    )  # fmt: skip
    assert waiting["proposal"] == open_of(t).id


@pytest.mark.parametrize(("listed", "waits"), [((), 0), (("merge",), 1), (("replace", "delete"), 1), (ALL, 2)])
def test_only_listed_actions_wait(listed: tuple[str, ...], waits: int) -> None:
    t = fresh(listed)
    replaces_and_merges(t)
    assert len(t.memory.pending(user_id=ANA)) == waits


def test_a_new_memory_told_along_with_a_wish_to_forget_waits_as_a_deletion() -> None:
    t = fresh(("delete",))
    said = "Please forget my old address. I live in Austin"
    t.say(fact(AUSTIN, quote=said, **HOME), judge=one("retracts", "1"), said=said)
    assert sorted(t.texts()) == sorted([SEATTLE, TEA, AUSTIN])
    approve_all(t)
    assert sorted(t.texts()) == sorted([TEA, AUSTIN])


@pytest.mark.parametrize("given", [("add",), ("none",), ("delete", "forget"), "delete", (None,), 7])
def test_a_policy_of_anything_else_is_refused_by_name(given: Any) -> None:
    with pytest.raises(InvalidInput, match="approve"):
        Memory.open(":memory:", approve=given)


def test_the_same_message_again_gives_the_first_result_and_proposes_once() -> None:
    t = fresh()
    first = t.say(fact(AUSTIN, **HOME), judge=one("supersedes", "1", text=MOVED), key="k")
    again = t.memory.add(AUSTIN, user_id=ANA, key="k")
    assert (again.write_id, again.first, again.outcome) == (first.write_id, False, "pending_review")
    assert len(t.memory.pending(user_id=ANA)) == 1


# -- approved


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_approved_ends_as_it_would_have_at_once(change: Callable[[Teller], WriteResult]) -> None:
    waited, at_once = fresh(), fresh(())
    change(waited)
    approve_all(waited)
    change(at_once)
    assert looks(waited) == looks(at_once)
    assert waited.memory.pending(user_id=ANA) == []


def test_an_approved_replacement_goes_on_in_the_new_facts_memory() -> None:
    t = fresh()
    replaces(t)
    own, old = by_id(t)[AUSTIN], by_id(t)[SEATTLE]
    t.memory.review(open_of(t).id, "approve")
    new = t.memory.get(own.id)
    assert (new.version, new.text, linked(new)) == (2, MOVED, [("supersedes", old.id)])
    assert t.memory.get(old.id).status == "superseded"


def test_an_approved_merge_goes_on_in_the_old_memory() -> None:
    t = fresh()
    merges(t)
    own, old = by_id(t)[LEMON], by_id(t)[TEA]
    result = t.memory.review(open_of(t).id, "approve")
    assert t.memory.get(old.id).text == BOTH and t.memory.get(own.id).status == "superseded"
    assert linked(t.memory.get(own.id)) == [("merged_into", old.id)] and result.changes[0]["retired"] == [own.id]


def test_an_approved_deletion_leaves_no_wording_in_a_live_text() -> None:
    t = fresh()
    deletes(t)
    old = by_id(t)[SEATTLE]
    t.memory.review(open_of(t).id, "approve")
    assert t.texts() == [TEA] and t.memory.get(old.id).status == "deleted"
    assert {s.standing for s in t.memory.get(old.id).facts} == {"past"}


def test_a_repeat_that_came_while_it_waited_is_kept() -> None:
    t = fresh()
    replaces(t)
    t.embedder.alike(0.6, AUSTIN, "User is living in Austin")
    t.say(fact("User is living in Austin", **HOME), judge=by_text(lambda at: one("duplicate", at(AUSTIN))))
    t.memory.review(open_of(t).id, "approve")
    standings = {s.fact.text: s.standing for s in by_id(t)[MOVED].facts}
    assert standings == {AUSTIN: "current", SEATTLE: "past", "User is living in Austin": "absorbed"}


def test_a_review_is_a_write_of_its_own_about_the_one_that_proposed() -> None:
    t = fresh()
    proposed = replaces(t)
    result = t.memory.review(open_of(t).id, "approve")
    row = t.memory.write(result.write_id)
    assert (row.kind, row.about, row.outcome) == ("review", (proposed.write_id,), "applied")
    assert [(d.action, d.body["review"]["verdict"]) for d in result.decisions] == [("replace", "approve")]


def test_the_new_text_is_found_by_meaning() -> None:
    t = fresh()
    t.embedder.alike(0.9, MOVED, "where does she live")
    replaces(t)
    t.memory.review(open_of(t).id, "approve")
    assert t.memory.search("where does she live", user_id=ANA)[0].memory.text == MOVED


# -- edited, rejected


@pytest.mark.parametrize("change", [replaces, merges])
def test_an_edit_is_used_as_it_is_and_what_the_check_found_is_on_record(
    change: Callable[[Teller], WriteResult],
) -> None:
    t = fresh()
    change(t)
    result = t.memory.review(open_of(t).id, "edit", f" \0{MINE} \ud800 ")
    assert f"{MINE} \ufffd" in t.texts()
    body = result.decisions[0].body
    assert body["wording"] == "person" and any(p.startswith("edit: ") for p in body["text_problems"])


def test_a_deletion_can_be_edited_only_where_something_goes_on() -> None:
    t = fresh()
    deletes(t)
    with pytest.raises(InvalidInput, match="approve or reject"):
        t.memory.review(open_of(t).id, "edit", "User lives somewhere")
    assert t.texts() == [SEATTLE, TEA] and open_of(t).settled_by is None


def test_what_goes_on_after_a_deletion_can_be_edited() -> None:
    t = fresh(("delete",))
    t.say(fact(BALLARD, **HOME), judge=one("refines", "1", text=f"{SEATTLE}; {BALLARD}"))
    t.say(WISH, judge=by_text(lambda at: one("retracts", at(SEATTLE))))
    t.memory.review(open_of(t).id, "edit", "User lives with Ida")
    assert sorted(t.texts()) == sorted([TEA, "User lives with Ida"])


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_rejected_loses_nothing_and_is_closed(change: Callable[[Teller], WriteResult]) -> None:
    t = fresh()
    change(t)
    before = t.memory.list(user_id=ANA)
    for proposal in t.memory.pending(user_id=ANA):
        t.memory.review(proposal.id, "reject")
    assert t.memory.list(user_id=ANA) == before and t.memory.pending(user_id=ANA) == []


# -- refused


@pytest.mark.parametrize(
    ("said", "text"),
    [("", None), ("yes", None), (None, None), (7, None), ("edit", None), ("edit", ""), ("edit", " \n"),
     ("edit", "\0\u200b"), ("edit", 7), ("edit", "x" * 4001), ("approve", "text"), ("reject", "text")],
)  # fmt: skip
def test_a_word_that_is_none_is_refused_and_nothing_changes(said: Any, text: Any) -> None:
    t = fresh()
    replaces(t)
    before = t.memory.store.dump()
    with pytest.raises(InvalidInput):
        t.memory.review(open_of(t).id, said, text)
    assert t.memory.store.dump() == before


@pytest.mark.parametrize("again", ["approve", "reject"])
def test_what_is_settled_is_not_settled_twice(again: str) -> None:
    t = fresh()
    replaces(t)
    proposal = open_of(t)
    first = t.memory.review(proposal.id, "approve")
    with pytest.raises(ProposalSettled) as refused:
        t.memory.review(proposal.id, again)
    assert refused.value.settled_by == first.write_id


@pytest.mark.parametrize("asked", ["", "p_1", "m_1", "\0", "p_" + "9" * 500])
def test_an_unknown_id_is_named(asked: str) -> None:
    with pytest.raises(UnknownName, match="proposal"):
        fresh().memory.review(asked, "approve")


def test_another_users_proposal_is_unknown() -> None:
    t = fresh()
    replaces(t)
    with pytest.raises(UnknownName):
        t.memory.review(open_of(t).id, "approve", user_id="ben")
    assert t.memory.pending(user_id="ben") == [] and open_of(t).settled_by is None


def test_pending_needs_a_user() -> None:
    with pytest.raises(InvalidScope):
        fresh().memory.pending(user_id="")


@pytest.mark.parametrize("moved", [SEATTLE, AUSTIN])
def test_a_later_write_that_moved_it_is_named_and_rejecting_stays_possible(moved: str) -> None:
    t = fresh(("replace",))
    replaces(t)
    later = "User lives there with Ida"
    t.embedder.alike(0.6, later, SEATTLE, AUSTIN)
    grown = t.say(fact(later, **HOME), judge=by_text(lambda at: one("refines", at(moved), text=f"{moved} with Ida")))
    before = t.memory.store.dump()
    with pytest.raises(ProposalOutdated) as refused:
        t.memory.review(open_of(t).id, "approve")
    assert refused.value.moved_by == grown.write_id and t.memory.store.dump() == before
    t.memory.review(open_of(t).id, "reject")
    assert t.memory.pending(user_id=ANA) == []


@pytest.mark.parametrize("change", [replaces, merges])
def test_a_text_that_cannot_be_embedded_takes_nobodys_place(change: Callable[[Teller], WriteResult]) -> None:
    t = fresh()
    change(t)
    before = t.memory.store.dump()
    t.embedder.down = {MINE}
    with pytest.raises(EmbedderError, match="stays open"):
        t.memory.review(open_of(t).id, "edit", MINE)
    assert t.memory.store.dump() == before
    t.embedder.down = False
    t.memory.review(open_of(t).id, "edit", MINE)
    assert MINE in t.texts()


def test_of_two_who_decide_at_once_one_wins(tmp_path: Path) -> None:
    t = fresh(path=tmp_path / "memory.db")
    replaces(t)
    proposal = open_of(t)
    with Memory.open(tmp_path / "memory.db", embedder=t.embedder, clock=Clock(), checkpoints=False) as other:
        done = other.review(proposal.id, "reject")
        with pytest.raises(ProposalSettled, match=done.write_id):
            t.memory.review(proposal.id, "approve")
    assert sorted(t.texts()) == sorted([SEATTLE, TEA, AUSTIN])


def test_a_write_between_looking_and_committing_makes_it_look_again(monkeypatch: pytest.MonkeyPatch) -> None:
    t = fresh()
    replaces(t)
    proposal, picture, pending = open_of(t), t.memory.store.picture, [1]

    def and_then_a_write(look: Any) -> Any:
        seen = picture(look)
        if pending:
            pending.clear()
            t.say("User plays chess")
        return seen

    monkeypatch.setattr(t.memory.store, "picture", and_then_a_write)
    t.memory.review(proposal.id, "approve")
    assert MOVED in t.texts() and "User plays chess" in t.texts()


# -- replay


@pytest.mark.parametrize("word", [("approve", None), ("edit", MINE), ("reject", None)])
@pytest.mark.parametrize("change", [replaces, merges])
def test_a_recorded_review_is_derived_anew_from_the_store_as_it_was(
    change: Callable[[Teller], WriteResult], word: tuple[str, str | None]
) -> None:
    t = fresh()
    change(t)
    proposal = open_of(t)
    row = t.memory.write(t.memory.review(proposal.id, *word).write_id)
    copy = t.memory.store.as_of(row.scope, row.moment - 1)
    made = replayed(copy, row)
    copy.commit(replace(made, embedded=()))
    assert made.decisions == tuple(t.memory.decisions(write_id=row.id))
    assert looks_of(copy.active(row.scope)) == looks_of(t.memory.list(user_id=ANA))


def looks_of(memories: Any) -> list[Any]:
    return [replace(m, pending_embedding=False) for m in memories]
