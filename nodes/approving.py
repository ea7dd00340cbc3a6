"""Which items of a plan need a person's approval, and what the person's word makes of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from langgraph.types import interrupt

from scrubjay.nodes.answers import Answer, going_on, question, read_answer
from scrubjay.nodes.resolving import Parts, Task, distinct, invented, outcome, parts_of, refusal
from scrubjay.nodes.settings import Settings
from scrubjay.nodes.state import Json, Resolved, Write
from scrubjay.nodes.tasks import task_of
from scrubjay.stores.errors import InvalidInput
from scrubjay.stores.records import WriteRow

NOBODY = "nobody"
"""of an answer that stands for all others: who runs a recorded write again is not asked, what is new waits"""


def reviewed(plan: Sequence[Resolved], state: Write, settings: Settings) -> tuple[list[Resolved], list[Json]]:
    """(the plan with a verdict on each item that the policy lists, all answers so far)."""
    listed = [item for item in plan if needs_approval(item, settings.context.approve)]
    if not settings.asks:
        waiting = [item["group"]["id"] for item in listed]
        return [{**i, "review": {"verdict": "queue"}} if i["group"]["id"] in waiting else i for i in plan], []
    answered = state.get("answered", [])
    before = {entry["of"]: Answer(entry["verdict"], entry["text"]) for entry in answered}
    rest = before.get(NOBODY)
    found = {item["group"]["id"]: before.get(mark_of(item, state), rest) for item in listed}
    given = {group_id: word for group_id, word in found.items() if word is not None}
    new = [item for item in listed if item["group"]["id"] not in given]
    if new:
        given |= ask(new, state, settings)
        answered = [*answered, *({"of": mark_of(i, state), **given[i["group"]["id"]].plain()} for i in new)]
    return [
        settled(item, given[i], state, settings) if (i := item["group"]["id"]) in given else item for item in plan
    ], answered


def needs_approval(item: Resolved, approve: Sequence[str]) -> bool:
    """Only what touches a stored memory; a fact that was told along with a wish to forget forgets as well."""
    group = item["group"]
    if not group["targets"] or group["action"] in ("add", "none"):
        return False
    return group["action"] in approve or (group["forgets"] and "delete" in approve)


def ask(items: Sequence[Resolved], state: Write, settings: Settings) -> dict[str, Answer]:
    """Stops the run until every item has an answer. What cannot be read is asked again, with what was wrong with it.

    The node runs again from its start with each answer; those that came before are handed out again in order.
    """
    said = {f["n"]: f["text"] for f in state["facts"]}
    trouble: str | None = None
    while True:
        came: Any = interrupt(question(items, settings.context.write_id or "", state["known"], said, trouble))
        try:
            return read_answer(came, items)
        except InvalidInput as error:
            trouble = str(error)


def mark_of(item: Resolved, state: Write) -> str:
    """The same for the same change to the same versions: an answer that was given holds for it."""
    targets = [(t["ref"], state["known"][t["ref"]]["version"], sorted(t["ends"])) for t in item["group"]["targets"]]
    group = item["group"]
    members = [group["facts"], group["absorbed"], group["past"], group["retractions"]]
    said = json.dumps([group["action"], targets, members, item["text"], item.get("left", {})])
    return hashlib.sha256(said.encode()).hexdigest()[:20]


def settled(item: Resolved, given: Answer, state: Write, settings: Settings) -> Resolved:
    """An item with its verdict; an edit takes the place of its text."""
    found: Resolved = {**item, "review": given.plain()}
    if given.verdict == "edit" and given.text is not None:
        return with_text(found, given.text, task_of(state, item["group"], settings.resolver))
    return found


def with_text(item: Resolved, text: str, task: Task) -> Resolved:
    """A person's text. It is used as it is: what the merge check says of it is put on record, and decides nothing."""
    forgets = task["group"]["action"] == "delete"
    parts = standing(item, task) if forgets else parts_of(task)
    found = refusal(text, parts, task["dates"])
    done = outcome(parts, text, "person", [*item["problems"], *(f"edit: {line}" for line in found)])
    lost = [line.removeprefix("lost: ") for line in found if line.startswith("lost: ")]
    told: Resolved = {**item, **done, "lost": list(dict.fromkeys([*done["lost"], *lost])), "invented": invented(found)}
    return {**told, "text": None, "left": {**item["left"], going_on(item)[0]: text}} if forgets else told


def standing(item: Resolved, task: Task) -> Parts:
    """What a memory still rests on after a wish to forget."""
    (ref,) = going_on(item)
    (target,) = [t for t in task["group"]["targets"] if t["ref"] == ref]
    facts = [f for f in task["known"][ref]["facts"] if f["standing"] == "current" and f["id"] not in target["ends"]]
    clauses = [d["text"] for d in task["group"]["derived"] if d["ref"] == ref]
    subject = task["known"][ref]["subject"]
    return Parts((), tuple(distinct([*clauses, *(f["text"] for f in facts)])), (), (), subject)


def as_answered(row: WriteRow) -> list[Json]:
    """The answers that a recorded write was given, for running it again with nobody there to ask."""
    return [*row.result.get("answered", []), {"of": NOBODY, "verdict": "queue", "text": None}]
