"""The decision of every fact, whole: what was compared, what was said, what was done, what went wrong first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from scrubjay.nodes.answers import after_of, before_of
from scrubjay.nodes.changes import Changes
from scrubjay.nodes.plan import actions
from scrubjay.nodes.proposals import as_asked, rejected, review_of, waits
from scrubjay.nodes.settings import Settings
from scrubjay.nodes.state import FactState, Json, Resolved, Write
from scrubjay.nodes.turns import UNFINISHED
from scrubjay.nodes.vocabulary import is_label, label, members
from scrubjay.stores.names import decision_id
from scrubjay.stores.records import Action, Decision, Outcome

ORDER: tuple[Outcome, ...] = ("failed", "pending_review", "applied", "dropped", "empty")


def decisions_of(
    state: Write, settings: Settings, plan: Sequence[Resolved], changes: Changes, links: Sequence[Json], now: str
) -> list[Decision]:
    """One a fact; a write without facts has one that says why."""
    asked = [as_asked(item) for item in plan]
    done = actions(asked)
    items = {n: item for item in asked for n in members(item["group"])}
    found = [
        decision(f, state, settings, done.get(f["n"], "none"), items.get(f["n"]), changes, links, now)
        for f in state["facts"]
    ]
    return found or [without_fact(state, settings, now)]


def decision(
    fact: FactState, state: Write, settings: Settings, action: str, item: Resolved | None, changes: Changes,
    links: Sequence[Json], now: str,
) -> Decision:  # fmt: skip
    """The record of one fact; `body` holds what the searchable columns do not."""
    n, write_id = fact["n"], settings.context.write_id or ""
    home = changes.home.get(n) or folded_home(fact, changes)
    outcome: Outcome = "applied" if fact["gate"]["verdict"] == "pass" else "dropped"
    if item is not None and waits(item):
        outcome = "pending_review"
    if label(n) in state["owed"]:
        outcome = "failed"
    judged = reason_of(n, fact, state, settings)
    body: Json = {
        "fact": {k: v for k, v in fact.items() if k != "gate"},
        "gate": fact["gate"],
        "candidates": [shown(c, state) for c in state["candidates"].get(str(n), [])],
        "relations": [r for r in state["relations"] if r["n"] == n],
        "links": [link for link in links if link["n"] == n],
        "problems": [p for p in state["problems"] if p.get("n", n) == n],
        "reason": f"rejected in review: {judged}" if item is not None and rejected(item) else judged,
        "memory_id": home,
        **settled(item, state),
        **common(state, settings),
        **(review_of(item, settings, state["known"]) if item is not None else {}),
    }
    return Decision(
        id=decision_id(write_id, n, action), write_id=write_id, fact_number=n, fact_id=fact["id"],
        action=cast(Action, action), outcome=outcome, body=body, at=now, memory_ids=tuple(parts(home, body)),
    )  # fmt: skip


def without_fact(state: Write, settings: Settings, now: str) -> Decision:
    """An empty or failed write: nothing was found, or nobody could look."""
    write_id = settings.context.write_id or ""
    outcome: Outcome = "failed" if state["failed"] else "empty"
    model = state["calls"][0]["model"] if state["calls"] else "the model"
    reason = state["failed"] or (f"{model} found no fact in it" if state["batch"] else nothing_read(state))
    body: Json = {
        "fact": None, "gate": None, "candidates": [], "relations": [], "links": [], "problems": state["problems"],
        "reason": reason, "memory_id": None, **settled(None, state), **common(state, settings),
    }  # fmt: skip
    return Decision(
        id=decision_id(write_id, 0, "none"), write_id=write_id, fact_number=None, fact_id=None,
        action="none", outcome=outcome, memory_ids=(), body=body, at=now,
    )  # fmt: skip


def nothing_read(state: Write) -> str:
    """Why there was nothing to read."""
    waiting = [p["text"] for p in state["problems"] if p["code"] == UNFINISHED]
    return waiting[0] if waiting else "no new text from the user"


def shown(candidate: object, state: Write) -> Json:
    """A candidate with the words that the decision was made on."""
    found = dict(cast(Json, candidate))
    if is_label(found["ref"]):
        return found | {"text": next(f["text"] for f in state["facts"] if f["n"] == int(found["ref"][1:]))}
    return found | {"text": state["known"][found["ref"]]["text"]}


def settled(item: Resolved | None, state: Write) -> Json:
    """Targets, before and after, and what became of the details."""
    if item is None:
        return {"targets": [], "before": None, "after": None, "wording": None, "details": {}, "text_problems": []}
    return {
        "targets": item["group"]["targets"],
        "before": before_of(item, state["known"]),
        "after": after_of(item),
        "wording": item["wording"],
        "details": {"kept": item["kept"], "lost": item["lost"], "invented": item["invented"]},
        "text_problems": item["problems"],
    }


def common(state: Write, settings: Settings) -> Json:
    """How the write was run."""
    calls = state["calls"]
    return {
        "strategy": settings.strategy.name, "detector": settings.detector, "resolver": settings.resolver,
        "threshold": settings.recall, "round": state["round"], "model": calls[0]["model"] if calls else None,
        "prompts": sorted({c["prompt"] for c in calls}), "error": state["failed"],
        "tokens_in": sum(c["tokens_in"] for c in calls), "tokens_out": sum(c["tokens_out"] for c in calls),
    }  # fmt: skip


def reason_of(n: int, fact: FactState, state: Write, settings: Settings) -> str:
    """The judge's reason for what was done, or the gate's, or why there is none."""
    gate = fact["gate"]
    if gate["verdict"] == "drop":
        return f"{gate['reason']}: {fact['modality']}" if gate["reason"] == "modality" else gate["reason"]
    said = [r["because"] or r["reason"] for r in state["relations"] if r["n"] == n]
    if said:
        return "; ".join(dict.fromkeys(filter(None, said)))
    if not state["candidates"].get(str(n)):
        return "no candidate"
    if settings.detector == "none":
        return "not judged: this strategy only adds"
    if any(p.get("n") == n and p["code"] in ("judge_failed", "call_cap") for p in state["problems"]):
        return "no usable verdict"
    return "the judge named no relation to any candidate"


def folded_home(fact: FactState, changes: Changes) -> str | None:
    """The memory whose provenance a dropped repeat adds to."""
    neighbour = fact["gate"].get("neighbour") if fact["gate"].get("folded_into") else None
    return changes.home.get(int(neighbour[1:])) if neighbour and is_label(neighbour) else neighbour


def parts(home: str | None, body: Json) -> list[tuple[str, str]]:
    """(memory, part) for every memory that the decision made, touched or looked at."""
    found = [(home, "result")] if home else []
    found += [(t["ref"], "target") for t in body["targets"] if not is_label(t["ref"])]
    found += [(c["ref"], "candidate") for c in body["candidates"] if not is_label(c["ref"])]
    neighbour = (body["gate"] or {}).get("neighbour")
    return found + ([(neighbour, "neighbour")] if neighbour and not is_label(neighbour) else [])


def worst(outcomes: Sequence[Outcome]) -> Outcome:
    """The write's outcome (RULES §2)."""
    return min(outcomes, key=ORDER.index)
