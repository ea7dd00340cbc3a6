"""What a person is asked in review while a run stands still, and how the answer is read. Plain JSON, both ways."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from scrubjay.nodes.state import Json, Resolved
from scrubjay.nodes.vocabulary import members
from scrubjay.stores.errors import InvalidInput
from scrubjay.stores.text import clean

Verdict = Literal["approve", "edit", "reject", "queue"]
"""queue: nobody is there to ask"""
LONGEST = 4000
"""characters of a text that a person gives a memory: more is no memory, and would be in every prompt"""
SHOWN = 200
"""characters of an answer that could not be read, as it is shown again"""
HOW_TO_ANSWER = (
    'resume with "approve" or "reject" for all items, or with one answer for each id: '
    '{"g1": "approve", "g2": "reject", "g3": {"edit": "the text that you want"}}'
)


@dataclass(frozen=True)
class Answer:
    """What is to become of one item."""

    verdict: Verdict
    text: str | None = None
    """the person's own, for edit"""

    def plain(self) -> Json:
        return {"verdict": self.verdict, "text": self.text}


def question(items: Sequence[Resolved], write_id: str, known: Mapping[str, Json], said: Mapping[int, str],
             trouble: str | None) -> Json:  # fmt: skip
    """The value of the interrupt, as Studio shows it; `problem` says why an earlier answer could not be used."""
    asked: Json = {"scrubjay": "review", "write_id": write_id, "answer": HOW_TO_ANSWER}
    shown = [asked_of(item, known, said) for item in items]
    return asked | ({"problem": trouble} if trouble else {}) | {"items": shown}


def asked_of(item: Resolved, known: Mapping[str, Json], said: Mapping[int, str]) -> Json:
    """One item, in words."""
    group = item["group"]
    return {
        "id": group["id"], "action": group["action"], "before": before_of(item, known), "after": after_of(item),
        "facts": [said[n] for n in members(group)],
        "targets": [{"memory_id": t["ref"], "text": known[t["ref"]]["text"]} for t in group["targets"]],
        "lost": item["lost"],
    }  # fmt: skip


def before_of(item: Resolved, known: Mapping[str, Json]) -> str | None:
    return "; ".join(known[t["ref"]]["text"] for t in item["group"]["targets"]) or None


def after_of(item: Resolved) -> str | None:
    """The new text; of a wish to forget what still stands; None where nothing does."""
    if item["text"] is not None:
        return item["text"]
    return "; ".join(text for text in item.get("left", {}).values() if text) or None


def read_answer(said: Any, items: Sequence[Resolved]) -> dict[str, Answer]:
    """Answers by item id; raises InvalidInput, with nothing taken, for anything that leaves one of them open."""
    ids = [item["group"]["id"] for item in items]
    if isinstance(said, Mapping) and not (len(ids) == 1 and set(said) == {"edit"}):
        if unknown := [str(i)[:SHOWN] for i in said if i not in ids]:
            raise InvalidInput(f"no item {', '.join(map(repr, unknown))}: the ids are {', '.join(ids)}")
        if missing := [i for i in ids if i not in said]:
            raise InvalidInput(f"no answer for {', '.join(missing)}: every item needs one")
        found = {item["group"]["id"]: one_answer(said[item["group"]["id"]]) for item in items}
    else:
        found = dict.fromkeys(ids, one_answer(said))
    for item in items:
        check_editable(item, found[item["group"]["id"]])
    return found


def one_answer(said: Any) -> Answer:
    """ "approve", "reject" or {"edit": text}; raises InvalidInput."""
    if isinstance(said, Mapping) and set(said) == {"edit"}:
        return answer("edit", said["edit"])
    if isinstance(said, str) and said.strip().lower() in ("approve", "reject"):
        return answer(said.strip().lower(), None)
    raise InvalidInput(f"{repr(said)[:SHOWN]} is no answer: {HOW_TO_ANSWER}")


def answer(verdict: Any, text: Any) -> Answer:
    """Checked; the text cleaned. Raises InvalidInput."""
    if verdict not in ("approve", "edit", "reject"):
        raise InvalidInput(f"verdict {repr(verdict)[:SHOWN]}: say approve, edit or reject")
    if verdict != "edit":
        if text is not None:
            raise InvalidInput(f"{verdict} takes no text: a text of yours is an edit")
        return Answer(verdict)
    if not isinstance(text, str):
        raise InvalidInput(f"an edit needs the text that you want, not {repr(text)[:SHOWN]}")
    if blank(cleaned := clean(text).strip()):
        raise InvalidInput("the text of an edit is blank: reject the change if you do not want it")
    if len(cleaned) > LONGEST:
        raise InvalidInput(f"the text of an edit has {len(cleaned)} characters: {LONGEST} at most")
    return Answer("edit", cleaned)


def blank(text: str) -> bool:
    """Nothing in it that could be read."""
    return all(unicodedata.category(c)[0] in "ZC" for c in text)


def check_editable(item: Resolved, given: Answer) -> None:
    """A deletion has a text only where one memory goes on without what was forgotten; raises InvalidInput."""
    if given.verdict == "edit" and item["group"]["action"] == "delete" and len(going_on(item)) != 1:
        raise InvalidInput(f"{item['group']['id']} forgets and has no text of its own to edit: approve or reject it")


def going_on(item: Resolved) -> list[str]:
    """Targets that stay active with what was not ended."""
    return [ref for ref, text in item.get("left", {}).items() if text is not None]
