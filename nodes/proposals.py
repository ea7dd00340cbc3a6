"""What a commit makes of items that wait or were rejected: facts by themselves, linked; and a proposal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from scrubjay.nodes.answers import after_of, before_of
from scrubjay.nodes.plan import blank, split
from scrubjay.nodes.settings import Settings
from scrubjay.nodes.state import FactState, Json, Resolved, Write
from scrubjay.nodes.tasks import task_of
from scrubjay.nodes.vocabulary import id_body, is_label, members
from scrubjay.stores.records import Proposal


def set_apart(plan: Sequence[Resolved], state: Write) -> list[Resolved]:
    """The plan as it is carried out: what waits or was rejected touches nothing, its facts are added by themselves."""
    facts = {f["n"]: f for f in state["facts"]}
    found: list[Resolved] = []
    for item in plan:
        verdict = (item.get("review") or {}).get("verdict")
        found += parts_of(item, facts) if verdict in ("queue", "reject") else [item]
    return found


def parts_of(item: Resolved, facts: dict[int, FactState]) -> list[Resolved]:
    """A wish to forget goes into no memory, nor does what was said and taken back in the same breath."""
    group = item["group"]
    wish = blank({**group, "id": f"{group['id']}.1", "action": "none", "targets": [], "derived": []})
    parts = [wish] if group["retractions"] else split(item, facts)
    whole = {k: v for k, v in item.items() if k != "calls"}
    return [{**part, "review": item["review"], "whole": whole} for part in parts]


def as_asked(item: Resolved) -> Resolved:
    """What its decisions tell of: a change that waits is told whole, one that was rejected as what became of it."""
    return cast(Resolved, item["whole"]) if waits(item) and item.get("whole") else item


def waits(item: Resolved) -> bool:
    return bool((item.get("review") or {}).get("verdict") == "queue")


def rejected(item: Resolved) -> bool:
    return bool((item.get("review") or {}).get("verdict") == "reject")


def review_of(item: Resolved, settings: Settings, known: Mapping[str, Json]) -> Json:
    """What review has to say in a decision's record; nothing where nobody was asked."""
    if not item.get("review"):
        return {}
    whole = cast(Resolved, item.get("whole") or item)
    group = whole["group"]
    told = {
        "verdict": item["review"]["verdict"], "action": group["action"], "before": before_of(whole, known),
        "after": after_of(whole), "targets": [t["ref"] for t in group["targets"]],
        "proposal": proposal_id(settings.context.write_id or "", group["id"]) if waits(item) else None,
    }  # fmt: skip
    return {"review": told}


def proposal_id(write_id: str, group_id: str) -> str:
    """The same for the same write and group: a commit that runs twice proposes once."""
    return f"p_{id_body(write_id)}_{group_id.removeprefix('g')}"


def proposals_of(
    plan: Sequence[Resolved], state: Write, settings: Settings, home: Mapping[int, str], common: Json, now: str
) -> list[Proposal]:
    """One for each item that waits, with all that is needed to carry it out later. `home`: fact → its own memory."""
    wholes = {item["whole"]["group"]["id"]: cast(Resolved, item["whole"]) for item in plan if waits(item)}
    write_id = settings.context.write_id or ""
    return [
        Proposal(proposal_id(write_id, i), write_id, settings.scope, body_of(whole, state, settings, home, common), now)
        for i, whole in wholes.items()
    ]


def body_of(item: Resolved, state: Write, settings: Settings, home: Mapping[int, str], common: Json) -> Json:
    """Plain JSON. `versions`: of targets and of the facts' own memories, what the change was made against."""
    group = item["group"]
    numbers = members(group)
    targets = {t["ref"]: state["known"][t["ref"]]["version"] for t in group["targets"]}
    own = {n: home[n] for n in numbers if n in home}
    rows = {str(n): state["candidates"].get(str(n), []) for n in numbers}
    return {
        "action": group["action"], "before": before_of(item, state["known"]), "after": after_of(item),
        "item": item, "facts": [f for f in state["facts"] if f["n"] in numbers],
        "versions": targets | dict.fromkeys(own.values(), 1), "own": {str(n): i for n, i in own.items()},
        "candidates": {n: [c for c in row if c["ref"] in targets] for n, row in rows.items()},
        "links": [found for link in state["links"] if link["n"] in numbers for found in by_id(link, home, numbers)],
        "dates": task_of(state, group, settings.resolver)["dates"], "keeps_id": settings.strategy.keeps_id,
        "settings": state["settings"], "common": common,
    }  # fmt: skip


def by_id(link: Json, home: Mapping[int, str], numbers: Sequence[int]) -> list[Json]:
    """A link to another fact of the write names its memory; within the item it follows from what becomes of it."""
    if not is_label(link["ref"]):
        return [link]
    other = int(link["ref"][1:])
    if other in numbers:
        return [link]
    return [{**link, "ref": home[other]}] if other in home else []


def pending_change(proposal: Proposal) -> Json:
    """A change that waits, as callers see it among those that were applied."""
    body, group = proposal.body, proposal.body["item"]["group"]
    first = body["own"].get(str(min(group["facts"], default=0)))
    touched = first if body["action"] == "replace" and first else group["targets"][0]["ref"]
    return {
        "memory_id": touched, "action": body["action"], "before": body["before"], "after": body["after"],
        "retired": [], "write_id": proposal.write_id, "outcome": "pending_review", "proposal": proposal.id,
    }  # fmt: skip
