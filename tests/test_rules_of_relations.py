"""Relation → action → text: what becomes of a new fact and of the memories that it concerns."""

from __future__ import annotations

from typing import Any

from scrubjay.stores.records import Memory as Record
from tests.fakes import Teller, by_text, fact, group, kinds, linked, one, relations, teller, verdict

TEA, OOLONG = "User drinks tea", "User drinks oolong tea in the morning"
SEATTLE, AUSTIN = "User lives in Seattle", "User lives in Austin"
HOME = {"attributes": ["home city"]}
LEMON = "User loves tea with lemon"
TOPIC = (TEA, OOLONG, LEMON, "User likes tea", "User loves tea", "User drinks a tea", "User does like tea")
KINDS = [f"User drinks tea with {what}" for what in ("lemon", "milk", "honey", "mint", "ginger")]


def tea() -> Teller:
    """A memory in which everything about tea is alike."""
    return teller(alike=[(0.6, TOPIC)])


def seattle() -> Teller:
    """A memory that holds Seattle as home."""
    made = teller(alike=[(0.6, (SEATTLE, AUSTIN, "User lives in Boston", "User's flat is in Seattle"))])
    made.say(fact(SEATTLE, **HOME))
    return made


def standings(memory: Record) -> dict[str, str]:
    return {f.fact.text: f.standing for f in memory.facts}


# -- one fact, one target


def test_a_duplicate_is_absorbed_and_leaves_text_and_version_alone() -> None:
    t = tea()
    t.say(OOLONG)
    result = t.say("User drinks oolong tea in the mornings", judge=one("duplicate", "1"))
    assert (t.only().text, t.only().version) == (OOLONG, 1)
    assert standings(t.only())["User drinks oolong tea in the mornings"] == "absorbed"
    assert result.decisions[0].action == "none"


def test_a_duplicate_adds_its_source() -> None:
    t = tea()
    t.say(TEA)
    t.say("User drinks a tea", judge=one("duplicate", "1"))
    assert [s.quote for s in t.only().sources] == [TEA, "User drinks a tea"]


def test_a_duplicate_that_says_more_refines() -> None:
    t = tea()
    t.say(TEA)
    result = t.say(OOLONG, judge=one("duplicate", "1"))
    assert t.only().version == 2 and "oolong" in t.only().text
    assert result.decisions[0].body["relations"][0]["said"] == "duplicate"


def test_refines_keeps_the_id_and_both_facts() -> None:
    t = tea()
    first = t.say(TEA).memories[0]
    text = "User drinks tea, and loves it with lemon"
    result = t.say("User loves tea with lemon", judge=one("refines", "1", text=text))
    assert (t.only().id, t.only().version, t.only().text) == (first.id, 2, text)
    assert set(standings(t.only()).values()) == {"current"} and result.decisions[0].action == "merge"


def test_supersedes_makes_a_new_memory_and_the_old_fact_goes_on_as_past() -> None:
    t = seattle()
    old = t.only()
    result = t.say(fact(AUSTIN, **HOME), judge=one("supersedes", "1", text=f"{AUSTIN} (previously: Seattle)"))
    new = t.only()
    assert new.id != old.id and standings(new) == {AUSTIN: "current", SEATTLE: "past"}
    assert linked(new) == [("supersedes", old.id)] and t.memory.get(old.id).status == "superseded"
    assert result.decisions[0].action == "replace"


def test_what_a_memory_says_beside_the_ended_fact_stays_active_under_its_id() -> None:
    kept = "User's flat in Seattle has a view of the Sound"
    t = teller(alike=[(0.6, (SEATTLE, AUSTIN, kept))])
    old = t.say(fact(SEATTLE, **HOME)).memories[0].id
    t.say(fact(kept, **HOME), judge=one("refines", "1", text=f"{SEATTLE}. {kept}"))
    t.say(fact(AUSTIN, **HOME), judge=by_text(lambda at: one("supersedes", at(SEATTLE))), merge={"text": AUSTIN})
    stays = t.memory.get(old)
    assert (stays.status, stays.version, stays.text) == ("active", 3, kept)
    assert standings(stays) == {SEATTLE: "past", kept: "current"}


def test_a_wish_to_forget_ends_the_memory_and_is_past_at_once() -> None:
    t = seattle()
    old = t.only()
    result = t.say("User asks to forget that they live in Seattle", judge=one("retracts", "1"))
    assert t.texts() == [] and t.memory.get(old.id).status == "deleted"
    assert set(standings(t.memory.get(old.id)).values()) == {"past"} and result.decisions[0].action == "delete"


def test_a_wish_to_forget_leaves_no_wording_in_any_live_text() -> None:
    t = teller(
        alike=[(0.6, (SEATTLE, "User lives in Ballard with Ida", "User asks to forget that they live in Seattle"))]
    )
    t.say(fact(SEATTLE, **HOME))
    t.say(fact("User lives in Ballard with Ida", **HOME),
          judge=one("refines", "1", text="User lives in Ballard, Seattle with Ida"))  # fmt: skip
    t.say("User asks to forget that they live in Seattle", judge=by_text(lambda at: one("retracts", at(SEATTLE))))
    assert t.texts() == ["User lives in Ballard with Ida"]
    assert standings(t.only())["User asks to forget that they live in Seattle"] == "past"


def test_a_wish_to_forget_also_reaches_a_fact_that_stands_as_previously() -> None:
    text = f"{AUSTIN} (previously: {SEATTLE})"
    t = seattle()
    t.say(fact(AUSTIN, **HOME), judge=one("supersedes", "1", text=text))
    wish = "User asks to forget that they live in Seattle"
    t.embedder.alike(0.6, wish, AUSTIN)
    t.say(wish, judge=by_text(lambda at: one("retracts", at(SEATTLE))))
    assert t.texts() == [AUSTIN]


def test_what_is_told_along_with_a_wish_to_forget_is_kept_without_the_old_wording() -> None:
    t = seattle()
    old = t.only().id
    new = fact(AUSTIN, quote="Please forget my old address. I live in Austin", **HOME)
    t.say(new, judge=one("retracts", "1"), said="Please forget my old address. I live in Austin")
    assert t.texts() == [AUSTIN] and SEATTLE not in standings(t.only())
    assert t.memory.get(old).status == "deleted"


def test_what_was_forgotten_is_no_context_for_the_next_extraction() -> None:
    t = seattle()
    t.say("User asks to forget that they live in Seattle", judge=one("retracts", "1"))
    t.say(TEA)
    assert t.asked("extract")[1].inputs["known_facts"] == (SEATTLE,)
    assert t.asked("extract")[2].inputs["known_facts"] == () == t.asked("extract")[2].inputs["related"]


def test_a_wish_to_forget_that_finds_nothing_adds_nothing() -> None:
    t = tea()
    result = t.say("User asks to forget where they live")
    assert t.texts() == [] and result.decisions[0].action == "none"


def test_a_delete_without_a_wish_to_forget_is_a_replacement() -> None:
    t = seattle()
    result = t.say(fact(AUSTIN, **HOME), judge=one("delete", "1", text=f"{AUSTIN} (previously: Seattle)"))
    assert result.decisions[0].action == "replace" and t.memory.list(user_id="ana")[0].text.startswith(AUSTIN)


def test_contradicts_keeps_both_and_links_them() -> None:
    t = seattle()
    old = t.only()
    result = t.say(fact(AUSTIN, **HOME), judge=one("contradicts", "1"))
    assert t.texts() == [SEATTLE, AUSTIN] and result.decisions[0].action == "add"
    assert linked(result.memories[0]) == [("contradicts", old.id)]
    assert kinds(t.memory.get(old.id)) == ["contradicts"]


def test_independent_adds_and_links_nothing() -> None:
    t = tea()
    t.say(TEA)
    result = t.say("User likes tea", judge=one("independent"))
    assert t.texts() == [TEA, "User likes tea"] and linked(result.memories[0]) == []


# -- several relations, several targets


def test_the_strongest_relation_acts_and_the_weaker_becomes_a_link() -> None:
    t = teller(alike=[(0.6, (SEATTLE, AUSTIN, "User lives near a lake"))])
    t.say(fact(SEATTLE, **HOME))
    lake = t.say(fact("User lives near a lake", **HOME), judge=one("independent")).memories[0]
    result = t.say(
        fact(AUSTIN, **HOME),
        judge=by_text(lambda at: verdict(group("refines", at("User lives near a lake")),
                                         group("supersedes", at(SEATTLE), text=AUSTIN))),
    )  # fmt: skip
    assert result.decisions[0].action == "replace"
    assert ("related", lake.id) in linked(result.memories[0]) and t.memory.get(lake.id).version == 1


def test_a_fact_may_supersede_several_memories_at_once() -> None:
    t = tea()
    t.say("User likes tea")
    t.say("User loves tea", judge=one("independent"))
    result = t.say("User drinks no tea any more", judge=one("supersedes", "1", "2", text="User drinks no tea any more"))
    assert t.texts() == ["User drinks no tea any more"]
    assert kinds(result.memories[0]) == ["supersedes", "supersedes"]


def two_of_tea(**opened: Any) -> tuple[Teller, str, str]:
    t = teller(**opened)
    t.embedder.table = {KINDS[0]: ("tea", 0.7), KINDS[1]: ("tea", 0.9), KINDS[2]: ("tea", 0.9)}
    old = t.say(KINDS[0]).memories[0].id
    judge = one("independent") if not opened else {"verdicts": []}
    return t, old, t.say(KINDS[1], judge=judge).memories[0].id


def test_a_merge_of_several_keeps_the_oldest_id_and_the_others_point_to_it() -> None:
    t, old, other = two_of_tea()
    t.say(KINDS[2], judge=one("refines", "1", "2"), merge={"text": "; ".join(KINDS[:3])})
    assert t.only().id == old and len(t.only().current) == 3
    assert linked(t.memory.get(other)) == [("merged_into", old)] and t.memory.get(other).status == "superseded"


def test_neatmem_keeps_the_best_ranked_id() -> None:
    t, old, other = two_of_tea(strategy="neatmem")
    verdicts = [{"relation": "refines", "memory": n, "reason": "same"} for n in (1, 2)]
    t.say(KINDS[2], judge={"verdicts": verdicts}, merge={"text": "; ".join(KINDS[:3])})
    assert t.only().id == other and t.memory.get(old).status == "superseded"


# -- groups


def test_a_target_has_one_owner_and_a_second_superseding_fact_is_added_and_linked() -> None:
    t = seattle()
    old = t.only()
    result = t.say(
        fact(AUSTIN, **HOME), fact("User lives in Boston", **HOME),
        judge=one("supersedes", "1", facts=["F1", "F2"]), merge={"text": f"{AUSTIN} (previously: {SEATTLE})"},
    )  # fmt: skip
    first, second = (t.memory.get(str(d.body["memory_id"])) for d in result.decisions)
    assert ("supersedes", old.id) in linked(first) and linked(second) == [("related", old.id)]
    assert [d.action for d in result.decisions] == ["replace", "add"]


def test_what_refines_an_ended_target_joins_its_owner() -> None:
    more = "User's home in Austin is by the river"
    judge = by_text(lambda at: verdict(group("supersedes", at(SEATTLE)), group("refines", at(SEATTLE), facts=["F2"])))
    t = teller(alike=[(0.6, (SEATTLE, AUSTIN, more))])
    t.say(fact(SEATTLE, **HOME))
    t.say(fact(AUSTIN, **HOME), fact(more, **HOME), judge=judge, merge={"text": f"{AUSTIN}; {more}"})
    assert standings(t.only()) == {AUSTIN: "current", more: "current", SEATTLE: "past"}


def test_what_refines_an_ended_target_in_another_slot_is_added_and_linked() -> None:
    t = teller(alike=[(0.6, (SEATTLE, AUSTIN, "User lives by a river"))])
    old = t.say(fact(SEATTLE, **HOME)).memories[0].id
    judge = by_text(lambda at: verdict(group("supersedes", at(SEATTLE), text=AUSTIN),
                                       group("refines", at(SEATTLE), facts=["F2"])))  # fmt: skip
    t.say(fact(AUSTIN, **HOME), fact("User lives by a river", attributes=["view"]), judge=judge)
    assert t.texts() == [AUSTIN, "User lives by a river"]
    assert linked(t.memory.list(user_id="ana")[1]) == [("related", old)]


def test_the_owner_is_the_fact_that_ranks_the_target_best() -> None:
    near, far = "User lives in Seattle no longer", "User left the west"
    t = teller(alike=[(0.9, (SEATTLE, near)), (0.9, ("User lives in Tacoma", far))])
    t.say(fact(SEATTLE, **HOME))
    t.say(fact("User lives in Tacoma", **HOME), judge=one("independent"))
    judge = by_text(lambda at: verdict(group("supersedes", at(SEATTLE), facts=["F1", "F2"])))
    result = t.say(fact(far, **HOME), fact(near, **HOME), judge=judge, merge={"text": near})
    assert [d.action for d in result.decisions][1] == "replace"


def test_an_older_claim_leaves_the_target_to_the_fact_that_is_really_newer() -> None:
    t = seattle_since("2024-05-01")
    result = t.say(
        fact("User lived in Boston in 2019", valid_from="2019", **HOME), fact(AUSTIN, valid_from="2026-08", **HOME),
        judge=one("supersedes", "1", facts=["F1", "F2"]), merge={"text": f"{AUSTIN} (previously: {SEATTLE})"},
    )  # fmt: skip
    assert [d.action for d in result.decisions] == ["add", "replace"]
    assert t.only().current[0].text == AUSTIN


def seattle_since(date: str) -> Teller:
    t = teller(alike=[(0.6, (SEATTLE, AUSTIN, "User lived in Boston in 2019"))])
    t.say(fact(SEATTLE, valid_from=date, **HOME))
    return t


def test_at_most_four_facts_are_current_in_a_memory() -> None:
    t = teller(alike=[(0.6, KINDS)])
    t.say(KINDS[0])
    for i in range(1, 4):
        t.say(KINDS[i], judge=one("refines", "1", text="; ".join(KINDS[: i + 1])))
    result = t.say(KINDS[4], judge=one("refines", "1"))
    assert [len(m.current) for m in t.memory.list(user_id="ana")] == [4, 1]
    assert kinds(result.memories[0]) == ["related"]


def test_two_memories_become_one_only_if_their_facts_fit_into_it() -> None:
    t = teller(alike=[(0.6, KINDS)])
    t.say(KINDS[0])
    t.say(KINDS[1], judge=one("refines", "1", text=f"{KINDS[1]}; {KINDS[0]}"))
    t.say(KINDS[2], judge=one("independent"))
    both = f"{KINDS[1]}; {KINDS[0]}"
    t.say(
        KINDS[3], judge=by_text(lambda at: one("refines", at(KINDS[2]), at(both))),
        merge={"text": "; ".join(reversed(KINDS[:4]))},
    )  # fmt: skip
    assert len(t.only().current) == 4


def test_a_dated_event_never_merges() -> None:
    party = fact("User gave a tea party", type="event", valid_from="2026-08-30")
    t = teller(alike=[(0.6, ("User gave a tea party", TEA))])
    t.say(TEA)
    result = t.say(party, judge=one("refines", "1"))
    assert len(t.texts()) == 2 and kinds(result.memories[0]) == ["related"]


def test_nothing_merges_into_a_dated_event_of_the_same_write() -> None:
    party = fact("User gave a tea party", type="event", valid_from="2026-08-30")
    t = teller(alike=[(0.6, ("User gave a tea party", "User gave Ida green tea", TEA))])
    t.say(TEA)
    t.say(party, "User gave Ida green tea", judge=verdict(group("refines", "F1", facts=["F2"]), group("independent")))
    assert t.texts() == [TEA, "User gave a tea party", "User gave Ida green tea"]


def test_a_dated_event_may_be_superseded() -> None:
    old, new = "User's dentist visit is on 3 September", "User's dentist visit was moved to 9 September"
    t = teller(alike=[(0.6, (old, new))])
    t.say(fact(old, type="event", valid_from="2026-09-03"))
    t.say(fact(new, type="event", valid_from="2026-09-09"), judge=one("supersedes", "1", text=new))
    assert t.texts() == [new]


def test_other_peoples_facts_never_join_a_memory() -> None:
    t = teller(alike=[(0.6, (TEA, "Ida drinks tea too"))])
    t.say(TEA)
    t.say(fact("Ida drinks tea too", subject="Ida"), judge=one("refines", "1"))
    assert t.texts() == [TEA, "Ida drinks tea too"]


# -- what keeps a fact from ending anything


def test_a_plan_does_not_end_what_is_so() -> None:
    t = seattle()
    t.say(fact("User will live in Austin from May", modality="planned", **HOME), judge=one("supersedes", "1"))
    assert t.texts() == [SEATTLE, "User will live in Austin from May"]


def test_a_plan_ends_a_plan() -> None:
    t = tea()
    t.say(fact("User plans to move to Austin", modality="planned", **HOME))
    new = "User plans to move to Boston"
    t.say(fact(new, modality="planned", **HOME), judge=one("supersedes", "1", text=new))
    assert t.texts() == [new]


def test_a_lossy_extraction_ends_nothing() -> None:
    t = seattle()
    result = t.say(fact(AUSTIN, quote="I'm staying in Austin until Friday", **HOME), judge=one("supersedes", "1"))
    assert t.texts() == [SEATTLE, AUSTIN] and relations(result.decisions[0]) == ["contradicts"]


def test_a_lossy_wish_to_forget_ends_nothing() -> None:
    t = seattle()
    wish = fact("User asks to forget that they live in Seattle", quote="words of nobody")
    t.say(wish, judge=one("retracts", "1"), said="Good evening")
    assert t.texts() == [SEATTLE]


def test_a_veto_turns_an_unlike_target_into_a_contradiction() -> None:
    t = seattle()
    other = fact("Ida owns a boat", subject="Ida", attributes=["boat"])
    t.embedder.alike(0.5, "Ida owns a boat", AUSTIN)
    t.say(fact(AUSTIN, **HOME), judge=one("independent"))
    result = t.say(other, judge=by_text(lambda at: one("supersedes", at(AUSTIN))))
    assert t.texts() == [SEATTLE, AUSTIN, "Ida owns a boat"]
    relation = result.decisions[0].body["relations"][0]
    assert (relation["relation"], relation["said"]) == ("contradicts", "supersedes") and "veto" in relation["because"]


def test_what_was_true_before_is_history_and_not_the_present() -> None:
    t = seattle_since("2024-05-01")
    current = t.only()
    result = t.say(fact("User lived in Boston in 2019", valid_from="2019", **HOME), judge=one("supersedes", "1"))
    born = result.memories[0]
    assert (
        t.texts() == [SEATTLE] and born.status == "superseded" and born.past[0].text.startswith("User lived in Boston")
    )
    assert linked(born) == [("related", current.id)]


def test_an_appointment_may_move_to_an_earlier_day() -> None:
    later = "User's dentist appointment is on 15 March 2031"
    sooner = "User's dentist appointment moved to 12 March 2031"
    slot = {"attributes": ["dentist appointment"]}
    t = teller(alike=[(0.8, (later, sooner))])
    t.say(fact(later, valid_from="2031-03-15", **slot))
    t.say(fact(sooner, valid_from="2031-03-12", **slot), judge=one("supersedes", "1", text=sooner))
    assert t.texts() == [sooner]


def test_an_unknown_or_equal_time_counts_as_newer() -> None:
    t = seattle_since("2026-08")
    t.say(fact(AUSTIN, valid_from="2026-08-20", **HOME), judge=one("supersedes", "1", text=AUSTIN))
    assert t.texts() == [AUSTIN]


# -- still true


def test_a_clause_that_is_still_true_goes_on_as_a_fact() -> None:
    old = "User has breakfast at home with rye bread and filter coffee"
    new = "User has espresso at the station for breakfast"
    t = teller(alike=[(0.6, (old, new))])
    t.say(old)
    t.say(new, judge=one("supersedes", "1", still_true=["rye bread"]), merge={"text": f"{new}, with rye bread"})
    derived = next(f for f in t.only().current if f.text == "rye bread")
    assert derived.derived_from == t.only().past[0].id


def test_a_clause_that_is_no_span_of_what_ended_is_recorded_and_dropped() -> None:
    t = seattle()
    result = t.say(
        fact(AUSTIN, **HOME), judge=one("supersedes", "1", text=AUSTIN, still_true=["owns a dog", " ", SEATTLE])
    )
    assert [f.text for f in t.only().current] == [AUSTIN]
    assert [p["code"] for p in result.problems].count("still_true") == 3


def test_what_a_wish_to_forget_leaves_true_stays_under_its_id() -> None:
    old = "User lives in Seattle and plays the oboe"
    wish = "User asks to forget that they live in Seattle"
    t = teller(alike=[(0.6, (old, wish))])
    home = t.say(old).memories[0].id
    t.say(wish, judge=one("retracts", "1", still_true=["plays the oboe"]))
    assert (t.only().id, t.only().text) == (home, "plays the oboe")


# -- one write, several facts


def test_facts_of_one_write_that_belong_together_become_one_memory() -> None:
    t = tea()
    t.say(TEA)
    judge = verdict(group("refines", facts=["F1", "F2"], text="User likes tea; User loves tea"))
    result = t.say("User likes tea", "User loves tea", judge=judge)
    assert [d.action for d in result.decisions] == ["add", "merge"] and len(t.texts()) == 2


def test_a_fact_may_end_an_earlier_one_of_the_same_write() -> None:
    t = seattle()
    judge = by_text(lambda at: verdict(group("supersedes", at(SEATTLE), "F1", facts=["F2"]), group("independent")))
    t.say(fact("User's flat is in Seattle", **HOME), fact(AUSTIN, **HOME), judge=judge, merge={"text": AUSTIN})
    assert standings(t.only()) == {AUSTIN: "current", "User's flat is in Seattle": "past", SEATTLE: "past"}


def test_a_fact_that_repeats_an_earlier_one_of_its_write_is_absorbed_in_it() -> None:
    t = tea()
    t.say(TEA)
    t.say(
        "User likes tea",
        "User does like tea",
        judge=verdict(group("independent"), group("duplicate", "F1", facts=["F2"])),
    )
    assert t.texts() == [TEA, "User likes tea"]
    assert standings(t.memory.list(user_id="ana")[1])["User does like tea"] == "absorbed"


def test_what_is_forgotten_within_its_own_write_never_becomes_a_memory() -> None:
    t = tea()
    pin, wish = "User's locker opens with 4711", "User asks to forget that their locker opens with 4711"
    t.embedder.alike(0.6, pin, wish, "User's locker is blue")
    t.say("User's locker is blue")
    judge = verdict(group("independent"), group("retracts", "F1", facts=["F2"]))
    result = t.say(pin, wish, judge=judge)
    assert t.texts() == ["User's locker is blue"]
    assert [d.action for d in result.decisions] == ["none", "delete"]


def test_of_two_facts_that_end_each_other_one_stays() -> None:
    t = seattle()
    judge = verdict(group("supersedes", "F2", facts=["F1"]), group("supersedes", "F1", facts=["F2"]))
    t.say(fact(AUSTIN, **HOME), fact("User lives in Boston", **HOME), judge=judge, merge={"text": AUSTIN})
    assert t.texts() == [SEATTLE, AUSTIN] and t.memory.list(user_id="ana")[1].past[0].text == "User lives in Boston"


def test_a_condition_is_no_reason_to_leave_out_what_holds_without_it() -> None:
    t = teller(alike=[(0.6, (TEA, "User drinks tea if Ida is away"))])
    t.say(TEA)
    t.say("User drinks tea if Ida is away", judge=one("refines", "1"), merge={"text": ""})
    assert t.texts() == [TEA, "User drinks tea if Ida is away"]


def test_an_earlier_fact_that_joined_a_memory_ends_there() -> None:
    flat, left = "User's flat in Seattle is rented", "User gave up the rented flat in Seattle"
    t = teller(alike=[(0.6, (SEATTLE, flat, left))])
    home = t.say(fact(SEATTLE, **HOME)).memories[0].id
    judge = by_text(lambda at: verdict(group("refines", at(SEATTLE)), group("supersedes", "F1", facts=["F2"])))
    t.say(
        fact(flat, **HOME), fact(left, **HOME), judge=judge, merge={"text": f"{left}; {SEATTLE} (previously: {flat})"}
    )
    assert t.only().id == home and standings(t.only()) == {SEATTLE: "current", left: "current", flat: "past"}


def test_a_memory_that_grows_and_ends_another_in_one_write_does_both() -> None:
    a, b = "User rents a flat in Seattle", "User owns a car"
    f1, f2 = "User's flat in Seattle has a garage", "User gave the car and the garage away"
    t = teller(alike=[(0.6, (a, f1)), (0.6, (b, f2))])
    home, car = t.say(a).memories[0].id, t.say(b).memories[0].id
    judge = by_text(lambda at: verdict(group("refines", at(a)), group("supersedes", at(b), "F1", facts=["F2"])))
    t.say(f1, f2, judge=judge, merge={"text": f"{f2}; {a}"})
    assert [m.id for m in t.memory.list(user_id="ana")] == [home] and t.memory.get(car).status == "superseded"
    assert standings(t.only()) == {a: "current", f2: "current", f1: "past", b: "past"}


def test_a_merged_memory_is_found_under_the_slots_of_all_its_facts() -> None:
    t = tea()
    t.say(fact(TEA, attributes=["drink"]))
    t.say(fact(OOLONG, attributes=["morning drink"]), judge=one("refines", "1"))
    assert t.only().attributes == ("drink", "morning drink")
