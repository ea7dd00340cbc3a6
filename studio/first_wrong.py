"""The first stage that went wrong on the way to a decision. Pure: from the decision's own record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scrubjay.stores.records import Decision, Json
from scrubjay.stores.text import content_stems

JUDGING = {
    "judge_failed", "call_cap", "unknown_relation", "invalid_target", "invalid_fact", "fact_without_verdict",
    "extra_target", "cut",
}  # fmt: skip
"""problems of a judge's reply, or of what could be asked"""
WORDING = {"still_true", "memory_full"}
TEXTS_OF = {"add": "merge", "none": "merge"}
"""a text that could not be used leaves an addition behind; the stage that failed was the merge"""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A stage, under its node's name, and what it did."""

    stage: str
    what: str

    def __str__(self) -> str:
        return f"{self.stage}: {self.what}"


def first_wrong(decision: Decision, repeated: str | None = None) -> Wrong | None:
    """The earliest stage with something to answer for, None for a clean decision.

    `repeated` is the text of the fact that a dropped one was folded into: first look at the extracted sentence, then
    at the gate, then at the operation. What a strategy means to lose (a replaced text) is nobody's mistake.
    """
    return next((wrong for look in STAGES for wrong in look(decision, repeated)), None)


def _extract(decision: Decision, repeated: str | None) -> Iterator[Wrong]:
    for problem in _problems(decision, {"extraction_failed"}):
        yield Wrong("extract", f"a part of the input got no usable reply: {problem['text']}")
    if decision.outcome == "failed":
        yield Wrong("extract", str(decision.body["reason"]))
    if decision.body["fact"] and (loss := decision.body["fact"]["loss"]):
        yield Wrong("extract", f"the fact lost what its quote says: {'; '.join(loss)}")


def _gate(decision: Decision, repeated: str | None) -> Iterator[Wrong]:
    gate, fact = decision.body["gate"], decision.body["fact"]
    if not gate:
        return
    if gate["reason"] == "not embedded" or any(_problems(decision, {"embedder"})):
        yield Wrong("surprisal_gate", "the embedder failed, so only equal words were compared")
    if gate["verdict"] == "drop" and gate["reason"] == "near-identical" and repeated is not None:
        more = content_stems(fact["text"], fact["subject"]) - content_stems(repeated, fact["subject"])
        if more:
            yield Wrong("surprisal_gate", f"dropped as near-identical, but only this fact says {listed(more)}")


def _judge(decision: Decision, repeated: str | None) -> Iterator[Wrong]:
    for problem in _problems(decision, JUDGING):
        yield Wrong("judge", f"{problem['code']}: {problem['text']}")
    for relation in decision.body["relations"]:
        if relation["because"]:
            said = f"said {relation['said']} of {relation['ref']}, a check made it {relation['relation']}"
            yield Wrong("judge", f"{said}: {relation['because']}")
    if refused := _texts(decision, "judge_text: "):
        yield Wrong("judge", f"its text was refused: {'; '.join(refused)}")


def _text(decision: Decision, repeated: str | None) -> Iterator[Wrong]:
    stage = TEXTS_OF.get(decision.action, decision.action)
    if refused := _texts(decision, "merge_text: "):
        yield Wrong(stage, f"the proposed text was refused: {'; '.join(refused)}")
    if failed := _texts(decision, "merge_failed: "):
        yield Wrong(stage, f"no text could be used: {'; '.join(failed)}")
    for problem in _problems(decision, WORDING):
        yield Wrong(stage, f"{problem['code']}: {problem['text']}")


def _commit(decision: Decision, repeated: str | None) -> Iterator[Wrong]:
    for problem in _problems(decision, {"not_embedded", "conflict_bound"}):
        yield Wrong("commit", problem["text"])


STAGES: tuple[Callable[[Decision, str | None], Iterator[Wrong]], ...] = (_extract, _gate, _judge, _text, _commit)


def _texts(decision: Decision, kind: str) -> list[str]:
    """What was wrong with texts, by who proposed them; a reply that a repair put right is not among them."""
    return [text.removeprefix(kind) for text in decision.body["text_problems"] if text.startswith(kind)]


def _problems(decision: Decision, codes: set[str]) -> Iterator[Json]:
    return (p for p in decision.body["problems"] if p["code"] in codes)


def listed(stems: frozenset[str] | set[str]) -> str:
    return ", ".join(repr(stem) for stem in sorted(stems))
