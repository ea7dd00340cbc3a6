"""From a group to the text of its memory: the judge's text, a merge call, or the deterministic text, all checked."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from typing_extensions import TypedDict

from scrubjay.nodes.asking import Asking, Step
from scrubjay.nodes.decider import Answer
from scrubjay.nodes.state import FactState, GroupState, Json, Resolved, Write
from scrubjay.nodes.tools import Tools
from scrubjay.prompts.merge import MergedText, MergeRequest
from scrubjay.prompts.merge_check import details_kept, details_lost, merge_check, unusable
from scrubjay.stores.text import LIMIT, bounds, content_stems, denials, names, normalise, numbers, render


class Task(TypedDict):
    """What one merge, replace or delete task is sent: everything that it needs."""

    group: GroupState
    facts: list[FactState]
    known: dict[str, Json]
    resolver: str
    dates: list[str]
    calls: list[Json]
    """of the write so far: a reply that was paid for is not asked again"""


@dataclass(frozen=True)
class Parts:
    """The statements that a memory will rest on, newest first."""

    new: tuple[str, ...]
    """of this write"""
    kept: tuple[str, ...]
    """of the targets, still current"""
    ended: tuple[str, ...]
    """ended by this write"""
    older: tuple[str, ...]
    """ended before, but still worded in the target's text"""
    subject: str

    @property
    def current(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.new + self.kept))


def resolver_node(name: str, tools: Tools) -> Asking[Task]:
    """The node for one kind of group."""
    step = Step[Task](
        name=name,
        prepare=prepare,
        apply=apply,
        budget=lambda task: 1,
        known=lambda task: {c["hash"]: c["value"] for c in task["calls"] if c["value"] is not None},
        record=record,
    )
    return Asking(step, tools.decider, tools.timer)


def prepare(task: Task) -> list[MergeRequest]:
    """A question only if no checked text is at hand."""
    parts = parts_of(task)
    if settled(task, parts) is not None or not task["group"]["may_call"]:
        return []
    ended = tuple(distinct(parts.ended + parts.older))
    return [MergeRequest(current=parts.current, ended=ended, dates=tuple(task["dates"]), subject=parts.subject)]


def apply(task: Task, answers: Sequence[Answer]) -> Write:
    """The text that survives the check; what was refused is on record."""
    parts = parts_of(task)
    done = settled(task, parts)
    if done is None:
        done = from_answer(answers[0], task, parts) if answers else fallback(parts, [])
        done = with_refused(done, task, parts)
    return {"resolved": [{**done, "group": task["group"], "left": left(task)}]}


def with_refused(done: Resolved, task: Task, parts: Parts) -> Resolved:
    """The judge's own text, where it came and was not good enough."""
    text = task["group"]["text"]
    refused = refusal(text, parts, task["dates"]) if text else []
    return {**done, "problems": [*(f"judge_text: {r}" for r in refused), *done["problems"]],
            "invented": [*invented(refused), *done["invented"]]}  # fmt: skip


def invented(refused: Sequence[str]) -> list[str]:
    return [r.removeprefix("invented: ") for r in refused if r.startswith("invented: ")]


def left(task: Task) -> dict[str, str | None]:
    """Text of each target that this write ends but does not merge: what still stands in it, None for nothing."""
    group = task["group"]
    found: dict[str, str | None] = {}
    for target in group["targets"]:
        if not target["joins"]:
            memory = task["known"][target["ref"]]
            own = [d["text"] for d in group["derived"] if d["ref"] == target["ref"] and group["retractions"]]
            gone = set(target["ends"])
            standing = own + [
                f["text"] for f in reversed(memory["facts"]) if f["standing"] == "current" and f["id"] not in gone
            ]
            found[target["ref"]] = render(distinct(standing), worded_past(memory, gone)).text if standing else None
    return found


def settled(task: Task, parts: Parts) -> Resolved | None:
    """The text where no model has to be asked: nothing to say, one statement, `replace`, or the judge's own."""
    group = task["group"]
    if group["action"] == "delete":
        return outcome(parts, None, "deterministic")
    if task["resolver"] == "replace":
        return outcome(parts, render(parts.new or parts.kept[:1], ()).text, "fact")
    plain = distinct(parts.current)
    if len(plain) == 1 and not parts.ended and not parts.older:
        return outcome(parts, plain[0], "fact")
    text = group["text"]
    if text and not refusal(text, parts, task["dates"]):
        return outcome(parts, text.strip(), "judge")
    return None


def refusal(text: str, parts: Parts, dates: Sequence[str]) -> list[str]:
    """Why a text cannot be used: [] when it passes the merge check (RULES §3)."""
    ended = parts.ended + parts.older
    if why := unusable(text, [*parts.current, *ended]):
        return [why]
    report = merge_check(text, current=parts.current, ended=ended, dates=dates, subject=parts.subject)
    return [] if report.ok else [*(f"lost: {x}" for x in report.lost), *(f"invented: {x}" for x in report.invented)]


def from_answer(answer: Answer, task: Task, parts: Parts) -> Resolved:
    """A reply that is no text leaves the targets untouched; a text that fails the check gives the deterministic one."""
    if answer.value is None:
        return no_text(answer, answer.error or "no usable reply")
    text = cast(MergedText, answer.value).text.strip()
    if why := unusable(text, [*parts.current, *parts.ended, *parts.older]):
        return no_text(answer, why)
    if refused := refusal(text, parts, task["dates"]):
        problems = [f"merge_text: {p}" for p in answer.problems or refused]
        return {**fallback(parts, problems), "invented": invented(refused)}
    return outcome(parts, text, "merge", [f"merge_reply: {p}" for p in answer.problems])


def no_text(answer: Answer, why: str) -> Resolved:
    """Says what came by its hash: the whole reply stands with the write's calls."""
    came = hashlib.sha256(answer.raw.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    problems = [*(f"merge_reply: {p}" for p in answer.problems), f"merge_failed: {why} (reply {came})"]
    return {"text": None, "wording": "", "kept": [], "lost": [], "invented": [], "problems": problems}


def fallback(parts: Parts, problems: list[str]) -> Resolved:
    """The deterministic text, which passes the check by construction."""
    current = distinct(parts.current)
    made = render(current, distinct(parts.ended + parts.older))
    done = outcome(parts, made.text, "deterministic", problems)
    return {**done, "lost": [*done["lost"], *made.left_out]}


def outcome(parts: Parts, text: str | None, wording: str, problems: Sequence[str] = ()) -> Resolved:
    old = [*parts.kept, *parts.ended, *parts.older]
    said = text or ""
    return {
        "text": text, "wording": wording, "problems": list(problems), "invented": [],
        "kept": details_kept(said, old, parts.subject) if said else [],
        "lost": details_lost(said, old, parts.subject) if said else [],
    }  # fmt: skip


def distinct(texts: Sequence[str]) -> list[str]:
    """Without those that another one says completely: "likes oolong with friends" needs no "likes oolong" beside it."""
    kept: list[str] = []
    for i, text in enumerate(texts):
        fuller = (says(t, text) and (j < i or not says(text, t)) for j, t in enumerate(texts) if j != i)
        if not any(fuller):
            kept.append(text)
    return kept


def says(longer: str, shorter: str) -> bool:
    """Stems, numbers and names of the shorter one stand in the longer one; both have the same denials and bounds."""
    return (
        content_stems(shorter) <= content_stems(longer)
        and numbers(shorter) <= numbers(longer)
        and names(shorter) <= names(longer)
        and denials(shorter) == denials(longer)
        and bounds(shorter) == bounds(longer)
    )


def parts_of(task: Task) -> Parts:
    """The statements behind a group; what a wish to forget touches is worded by `left` alone."""
    group, by_n = task["group"], {f["n"]: f for f in task["facts"]}
    new = [by_n[n] for n in sorted(group["facts"], reverse=True)]
    kept: list[str] = [d["text"] for d in group["derived"]]
    ended: list[str] = [by_n[n]["text"] for n in group["past"]]
    older: list[str] = []
    for target in group["targets"]:
        facts, gone = task["known"][target["ref"]]["facts"], set(target["ends"])
        if target["joins"]:
            absorbed = target_absorbed(group, target, facts)
            kept += [f["text"] for f in reversed(facts) if f["standing"] == "current" and f["id"] not in absorbed]
            older += worded_past(task["known"][target["ref"]], gone)
        ended += [f["text"] for f in reversed(facts) if f["id"] in gone and not group["forgets"]]
    subject = new[0]["subject"] if new else "user"
    return Parts(tuple(f["text"] for f in new), tuple(kept), tuple(ended), tuple(older), subject)


def target_absorbed(group: GroupState, target: Json, facts: Sequence[Json]) -> set[str]:
    """Where one new fact repeats several memories, the first keeps its fact and the others' only repeat it."""
    joined = [t["ref"] for t in group["targets"] if t["joins"]]
    if group["facts"] or not group["absorbed"] or target["ref"] == joined[0]:
        return set()
    return {f["id"] for f in facts if f["standing"] == "current"}


def worded_past(memory: Json, gone: set[str]) -> list[str]:
    """Facts that ended earlier and whose words still stand in the memory's text."""
    text = normalise(memory["text"])
    past = [f for f in memory["facts"] if f["standing"] == "past" and f["id"] not in gone]
    return [f["text"] for f in past if normalise(f["text"]) in text and len(f["text"]) < LIMIT]


def record(_: Task, update: Write, calls: list[Json], milliseconds: float) -> Write:
    """Tasks run side by side, so their calls travel with their result."""
    done: Resolved = update["resolved"][0]
    done["calls"], done["milliseconds"] = calls, milliseconds
    return {"resolved": [done]}
