"""The whole story of one decision, from the quoted words to the text that came of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rich.text import Text

from scrubjay.graph.undoing.timeline import undone_by
from scrubjay.stores.records import Decision, Fact, Json, Scope, WriteRow
from scrubjay.studio.documents import added_up, calls_json, calls_line, decision_json
from scrubjay.studio.first_wrong import Wrong, first_wrong
from scrubjay.studio.screen import Screen
from scrubjay.studio.telling import gate_line, headline, reason, settles_proposal, waits_for

LABEL = 11
"""columns of what stands before each line"""


class Records(Protocol):
    """What is needed of a store."""

    def decisions(self, *, write_id: str | None = None, memory_id: str | None = None) -> list[Decision]: ...
    def write(self, write_id: str) -> WriteRow | None: ...
    def fact(self, fact_id: str) -> Fact | None: ...
    def reversals(self, scope: Scope) -> list[WriteRow]: ...


@dataclass(frozen=True)
class Story:
    """A decision, and what stands elsewhere in the store about it."""

    decision: Decision
    parts: tuple[str, ...]
    """what the memory that was asked about is in it: result, target, candidate, neighbour"""
    calls: dict[str, int]
    """of the whole write, by tag"""
    repeated: str | None
    """text of the fact that a dropped one repeats"""
    wrong: Wrong | None
    undone_by: str | None = None
    """the undo under which its write lies"""

    def as_json(self) -> Json:
        wrong = {"stage": self.wrong.stage, "what": self.wrong.what} if self.wrong else None
        return {
            **decision_json(self.decision), "parts": list(self.parts), "calls": calls_json(self.calls),
            "repeats": self.repeated, "first_wrong": wrong,
            "undone_by": self.undone_by,
        }  # fmt: skip


def stories(store: Records, *, write_id: str | None = None, memory_id: str | None = None) -> list[Story]:
    """Of one write, or of every decision that ever considered a memory, oldest first."""
    return [_story(store, d, memory_id) for d in store.decisions(write_id=write_id, memory_id=memory_id)]


def _story(store: Records, decision: Decision, memory_id: str | None) -> Story:
    row = store.write(decision.write_id)
    calls = added_up({call["tag"]: 1} for call in row.calls) if row else {}
    folded = (decision.body["gate"] or {}).get("folded_into")
    fact = store.fact(folded) if folded else None
    repeated = fact.text if fact else None
    parts = tuple(dict.fromkeys(part for known, part in decision.memory_ids if known == memory_id))
    undo = undone_by(row.id, store.reversals(row.scope)) if row else None
    return Story(decision, parts, calls, repeated, first_wrong(decision, repeated), undo)


def tell_story(screen: Screen, story: Story, number: int) -> None:
    """Stage after stage; what says nothing is left out."""
    decision, body = story.decision, story.decision.body
    here = f", this memory: {' and '.join(story.parts)}" if story.parts else ""
    screen.line((f"{number}. {headline(decision)}", "bold"), f"  {decision.at[:19]}  {decision.write_id}{here}")
    if body["fact"]:
        _tell_fact(screen, body["fact"])
        if not settles_proposal(decision):  # how the fact came to be judged stands with the write that proposed
            _row(screen, "gate", *_gate(body["gate"], story.repeated))
            _tell_candidates(screen, body["candidates"])
    for relation in body["relations"]:
        _tell_relation(screen, relation)
    _tell_outcome(screen, decision)
    for problem in body["problems"]:
        if (told := f"{problem['code']}: {problem['text']}") not in body["text_problems"]:
            _row(screen, "problem", told)
    if body["strategy"] and not settles_proposal(decision):
        _tell_run(screen, story)
    if story.undone_by:
        _row(screen, "undone", f"by {story.undone_by}")
    if story.wrong:
        _row(screen, "", (f"first stage that went wrong: {story.wrong}", "bold red"))


def _row(screen: Screen, label: str, *parts: str | Text | tuple[str, str]) -> None:
    screen.line((f"{label:<{LABEL}}", "dim"), *parts, indent=3, hang=LABEL)


def _tell_fact(screen: Screen, fact: Mapping[str, Any]) -> None:
    for source in fact["sources"]:
        quote = f'"{source["quote"]}"' if source["quote"] else "(no exact quote)"
        _row(screen, "said", quote, (f"  {source['at'][:16]} in {source['message_id']}", "dim"))
    slots = ", ".join([fact["type"], f"about {fact['subject']}", *fact["attributes"]])
    until = f" until {fact['valid_to']}" if fact["valid_to"] else ""
    since = f", from {fact['valid_from']}" if fact["valid_from"] else ""
    modality = "" if fact["modality"] == "actual" else f", {fact['modality']}"
    wish = ", a wish to forget" if fact["retraction"] else ""
    _row(screen, "fact", fact["text"], (f"  [{slots}{since}{until}{modality}{wish}]", "dim"))
    for loss in fact["loss"]:
        _row(screen, "lost", loss)


def _gate(gate: Mapping[str, Any], repeated: str | None) -> list[str | tuple[str, str]]:
    """Verdict, figures, what overrode a near likeness."""
    told: list[str | tuple[str, str]] = [f"{gate['verdict']}: {gate_line(gate)}"]
    if gate["surprisal"] is not None:
        told.append((f", near-identical up to {gate['threshold']:.2f}", "dim"))
    if gate["differences"]:
        told.append(f"; let through, since these differ: {', '.join(gate['differences'])}")
    if repeated:
        told.append(f'; repeats "{repeated}"')
    return told


def _tell_candidates(screen: Screen, candidates: Sequence[Mapping[str, Any]]) -> None:
    if not candidates:
        _row(screen, "candidates", "none")
        return
    _row(screen, "candidates")
    columns: list[str | tuple[str, str]] = [
        ("#", "right"),
        ("channel", "id"),
        ("cosine", "right"),
        ("bm25", "right"),
        "text",
        ("id", "id"),
    ]
    rows = [
        (i, c["channel"], figure(c.get("cosine")), figure(c.get("bm25")), c["text"], c["ref"])
        for i, c in enumerate(candidates, 1)
    ]
    screen.table(columns, rows, indent=6)


def figure(score: float | None) -> str:
    return "-" if score is None else f"{score:.2f}"


def _tell_relation(screen: Screen, relation: Mapping[str, Any]) -> None:
    _row(screen, "judge", f"{relation['said']} {relation['ref']}", (f"  {relation['reason']}", "dim"))
    if relation["because"]:
        _row(screen, "check", f"made it {relation['relation']}: {relation['because']}")


def _tell_outcome(screen: Screen, decision: Decision) -> None:
    body = decision.body
    because = "" if body["relations"] else f": {reason(decision)}"
    worded = f", worded by {body['wording']}" if decision.action in ("merge", "replace") else ""
    _row(screen, "action", f"{decision.action} ({decision.outcome}){worded}{because}")
    _tell_review(screen, decision)
    if decision.action != "none" and (body["after"] is not None or body["before"] is not None):
        _row(screen, "text", screen.changed(body["before"] or "", body["after"] or ""))
    for name in ("kept", "lost", "invented"):
        if found := body["details"].get(name):
            _row(screen, name, "; ".join(found))
    for trouble in body["text_problems"]:
        _row(screen, "wording", trouble)
    for link in body["links"]:
        _row(screen, "link", f"{link['kind'].replace('_', ' ')} {link['ref']}")


def _tell_review(screen: Screen, decision: Decision) -> None:
    review = decision.body.get("review")
    if waiting := waits_for(decision):
        _row(screen, "review", (waiting, "yellow"))
    elif review:
        of = f" of proposal {review['proposal']}" if review["proposal"] else ""
        _row(screen, "review", f"{review['verdict']}: {review['action']}{of}")
        if review["verdict"] != "approve":
            _row(screen, "proposed", screen.changed(review["before"] or "", review["after"] or ""))


def _tell_run(screen: Screen, story: Story) -> None:
    body = story.decision.body
    prompts = f"; {', '.join(body['prompts'])}" if body["prompts"] else ""
    spent = body["tokens_in"] + body["tokens_out"]
    tokens = f"; {body['tokens_in']} tokens in, {body['tokens_out']} out" if spent else ""
    how = f"; {body['strategy']}: {body['detector']}, {body['resolver']}, from cosine {body['threshold']:.2f}"
    _row(screen, "calls", calls_line(story.calls), (f"; {body['model']}{prompts}{tokens}{how}", "dim"))
