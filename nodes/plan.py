"""The plan of a write: every group with its text, the form that review sees and commit carries out."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.nodes.state import FactState, GroupState, Json, Resolved, Write
from scrubjay.nodes.vocabulary import passing, problem


def plan_of(state: Write) -> list[Resolved]:
    """Resolved groups and those that needed no text, in order; without groups, every new fact is an addition."""
    if not state["groups"]:
        return [addition(f, i) for i, f in enumerate(passing(state["facts"]), 1)]
    done = {r["group"]["id"]: r for r in state.get("resolved", [])}
    facts = {f["n"]: f for f in state["facts"]}
    plan: list[Resolved] = []
    for group in state["groups"]:
        item = done.get(group["id"]) or untouched(group, facts)
        plan += split(item, facts) if item.get("wording") == "" else [item]
    return plan


def addition(fact: FactState, number: int) -> Resolved:
    """One fact that touches nothing; a wish to forget that found nothing adds nothing either."""
    wish = fact["retraction"]
    group: GroupState = {
        "id": f"g{number}", "action": "none" if wish else "add", "facts": [] if wish else [fact["n"]], "absorbed": [],
        "past": [], "retractions": [fact["n"]] if wish else [], "targets": [], "derived": [], "text": None,
        "may_call": False, "born_past": False, "forgets": False,
    }  # fmt: skip
    return {**blank(group), "text": None if wish else fact["text"]}


def untouched(group: GroupState, facts: dict[int, FactState]) -> Resolved:
    """A group that needs no text of its own: one added fact, or a repeat."""
    text = facts[group["facts"][0]]["text"] if group["facts"] else None
    return {**blank(group), "text": text}


def blank(group: GroupState) -> Resolved:
    return {
        "group": group, "text": None, "wording": "fact", "kept": [], "lost": [], "invented": [], "problems": [],
        "calls": [], "left": {},
    }  # fmt: skip


def split(item: Resolved, facts: dict[int, FactState]) -> list[Resolved]:
    """No usable text: the targets stay untouched, each fact is added by itself (RULES §2, hindsight#3876)."""
    group = item["group"]
    members = [*group["facts"], *group["past"], *group["absorbed"]]
    parts = [addition(facts[n], 0) for n in members]
    for i, part in enumerate(parts):
        ended = part["group"]["facts"][:1] != [] and part["group"]["facts"][0] in group["past"]
        part["group"] = {**part["group"], "id": f"{group['id']}.{i + 1}", "born_past": ended}
        part["problems"] = item["problems"]
        part["calls"] = item["calls"] if i == 0 else []
    return parts


def links_of(state: Write, plan: Sequence[Resolved]) -> list[Json]:
    """Links as judged, and a link wherever a fact could not join the memory that it belongs to."""
    links = list(state["links"])
    split_off = {g["id"]: g for g in state["groups"]}
    for item in plan:
        whole, _, part = item["group"]["id"].partition(".")
        if part and whole in split_off:
            for target in split_off[whole]["targets"]:
                links += [{"n": n, "kind": "related", "ref": target["ref"]} for n in item["group"]["facts"]]
    return links


def only_additions(state: Write) -> tuple[list[Resolved], list[Json], list[Json]]:
    """(plan, links, problems) at the conflict bound: nothing old is touched, what would have been is linked."""
    facts = passing(state["facts"])
    plan = [addition(f, i) for i, f in enumerate(facts, 1)]
    links = [{"n": r["n"], "kind": "related", "ref": r["ref"]} for r in state["relations"]]
    text = "the store kept moving under this write: added and linked"
    return plan, links, [problem("conflict_bound", text, f["n"]) for f in facts]


def actions(plan: Sequence[Resolved]) -> dict[int, str]:
    """Fact number → what is done with it (RULES §1)."""
    found: dict[int, str] = {}
    for item in plan:
        group = item["group"]
        first = min(group["facts"], default=0)
        for n in [*group["facts"], *group["past"]]:
            found[n] = action_of(group, n, first) if group["facts"] else "none"
        found |= dict.fromkeys(group["absorbed"], "none")
        ended = group["targets"] or group["past"]
        found |= dict.fromkeys(group["retractions"], "delete" if ended else "none")
    return found


def action_of(group: GroupState, n: int, first: int) -> str:
    """Facts that only come together within their write: the first is added, the others join it."""
    if n in group["past"]:
        return "add"
    if group["action"] == "merge" and not group["targets"]:
        return "replace" if group["past"] and len(group["facts"]) == 1 else ("add" if n == first else "merge")
    return group["action"]
