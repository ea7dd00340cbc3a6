"""Verdicts edited by hand once the judge has spoken, as in Studio: what a person says has the last word."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.nodes.answers import blank
from scrubjay.nodes.grouping import group
from scrubjay.nodes.state import GroupState, Json, RelationState, Write
from scrubjay.nodes.veto import current, target_of
from scrubjay.nodes.vocabulary import label, members, passing, problem
from scrubjay.prompts.relations import RELATIONS, parse_relation
from scrubjay.stores.errors import InvalidInput

BY_HAND = "edited by hand"
ENDING = ("supersedes", "retracts")


def as_judged(relations: Sequence[RelationState]) -> list[Json]:
    """What stays beside the relations, so that an edit shows."""
    return [verdict(r) for r in relations]


def verdict(r: RelationState) -> Json:
    return {"n": r.get("n"), "ref": r.get("ref"), "relation": r.get("relation"), "ends": r.get("ends") or []}


def overruled(state: Write, budget: int) -> Write:
    """{} where the relations are as the judge left them; else the edited ones made whole, and what follows from them.

    A relation may be changed by its word alone, taken out, or added with n, ref and relation. The checks of RULES §3
    are for models: they do not touch it. Raises InvalidInput for a fact, memory or word that there is not.
    """
    before, after = state.get("judged", []), as_judged(state["relations"])
    if before == after:
        must_follow(state, budget)
        return {}
    edited = [made_whole(r, state) for r in state["relations"] if verdict(r) not in before]
    edited += [taken_out(v) for v in before if (v["n"], v["ref"]) not in {(r["n"], r["ref"]) for r in after}]
    relations = put_over(state["relations"], edited)
    return regrouped(state, relations, edited, budget)


def must_follow(state: Write, budget: int) -> None:
    """Raises InvalidInput for groups that are not those of the relations: such an edit would be on no record."""
    made = group(state, state["relations"], budget).groups
    if [unpaid(g) for g in made] != [unpaid(g) for g in state["groups"]]:
        raise InvalidInput(
            "groups follow from relations and are not edited themselves: nothing was written; put them back and edit "
            "relations"
        )


def unpaid(made: GroupState) -> GroupState:
    """A group without what it may spend."""
    return {**made, "may_call": True}


def must_be_as_planned(state: Write) -> None:
    """Before the commit: raises InvalidInput for what was edited after the plan was made and would be lost.

    A verdict would only be said; a fact that the plan leaves out would be in no memory, and a plan that is gone would
    be made anew without what review said of it; a blank text would take the place of a memory's words.
    """
    if state["relations"] and as_judged(state["relations"]) != state.get("judged", []):
        raise InvalidInput(
            "a verdict was edited after review, when the plan was made: nothing was written; put it back, "
            "or edit it at the checkpoint that judge left (its next step is merge, replace, delete or review)"
        )
    planned = {n for item in state["plan"] for n in members(item["group"])}
    left_out = [label(f["n"]) for f in passing(state["facts"]) if f["n"] not in planned]
    if left_out and (state["plan"] or state["groups"]):
        raise InvalidInput(f"the plan has no place for {', '.join(left_out)}: nothing was written; put its items back")
    texts = [f["text"] for f in passing(state["facts"])] + [i["text"] for i in state["plan"] if i["text"] is not None]
    if any(blank(text) for text in texts):
        raise InvalidInput("a text of the plan or of a fact is blank: nothing was written; put its words back")


def regrouped(state: Write, relations: list[RelationState], edited: list[RelationState], budget: int) -> Write:
    """Groups, links and problems as the judge would have left them had it said so."""
    spoken = {r["n"] for r in [*state.get("judged", []), *edited]}
    made = group(state, relations, budget)
    told = [problem("edited", f"{r['relation']} {r['ref']}: {BY_HAND}", r["n"]) for r in edited]
    return {
        "relations": relations,
        "judged": as_judged(relations),
        "by_hand": put_over(state.get("by_hand", []), edited),
        "groups": made.groups,
        "links": [link for link in state["links"] if link["n"] not in spoken] + made.links,
        "problems": state["problems"] + told + [p for p in made.problems if p not in state["problems"]],
    }


def put_over(relations: Sequence[RelationState], edited: Sequence[RelationState]) -> list[RelationState]:
    """The relations with the edited ones in place of those of the same fact and target."""
    said = {(r["n"], r["ref"]) for r in edited}
    return [r for r in relations if (r.get("n"), r.get("ref")) not in said] + list(edited)


def kept_by_hand(relations: Sequence[RelationState], state: Write) -> tuple[list[RelationState], list[Json]]:
    """(relations, problems) when judge runs again because the store moved: what was edited still holds."""
    edited = state.get("by_hand", [])
    there = [r for r in edited if target_of(r["ref"], state) is not None]
    gone = [r for r in edited if r not in there]
    text = "edited by hand, but the memory is no longer a candidate"
    problems = [problem("edit_gone", f"{r['relation']} {r['ref']}: {text}", r["n"]) for r in gone]
    return put_over(relations, [made_whole(r, state) for r in there]), problems


def made_whole(r: RelationState, state: Write) -> RelationState:
    """What a person left out, filled in; `ends` names nothing of the target: all of it ends."""
    relation = parse_relation(r.get("relation"))
    if relation is None:
        raise InvalidInput(f"relation {r.get('relation')!r}: write one of {', '.join(RELATIONS)}")
    target = target_of(checked_ref(r, state), state) or {"facts": []}
    standing = [f["id"] for f in current(target)]
    named = [i for i in r.get("ends") or [] if i in {f["id"] for f in target["facts"]}]
    made: RelationState = {
        "n": r["n"], "ref": r["ref"], "ends": (named or standing) if relation in ENDING else [], "relation": relation,
        "said": r.get("said", ""), "because": BY_HAND, "reason": r.get("reason") or BY_HAND,
        "still_true": r.get("still_true") or [], "text": None, "members": [],
    }  # fmt: skip
    return made


def checked_ref(r: RelationState, state: Write) -> str:
    """The target; raises InvalidInput for a fact that is not judged, or a target that was not retrieved."""
    facts, ref = [f["n"] for f in passing(state["facts"])], str(r.get("ref"))
    if r.get("n") not in facts:
        raise InvalidInput(f"relation of fact {r.get('n')!r}: n is one of {facts}")
    known = [*state["known"], *(label(n) for n in facts if n != r["n"])]
    if ref not in known:
        raise InvalidInput(f"relation of fact {r['n']} to {ref!r}: ref is one of {known}")
    return ref


def taken_out(judged: Json) -> RelationState:
    """A relation that was removed is one that does not hold."""
    made: RelationState = {
        "n": judged["n"], "ref": judged["ref"], "ends": [], "relation": "independent", "said": judged["relation"],
        "because": BY_HAND, "reason": BY_HAND, "still_true": [], "text": None, "members": [],
    }  # fmt: skip
    return made
