"""Records as plain JSON: the shapes that `--json` promises."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict

from scrubjay.stores.records import Decision, Json, Memory

CALLS = ("extract", "judge", "merge")


def memory_json(memory: Memory) -> Json:
    """All fields of one version; facts carry their standing."""
    found = asdict(memory)
    found["attributes"] = list(memory.attributes)
    found["facts"] = [{**asdict(s.fact), "standing": s.standing} for s in memory.facts]
    return {"id": found.pop("id"), "text": found.pop("text"), **found}


def short_memory(memory: Memory) -> Json:
    return {"id": memory.id, "text": memory.text}


def decision_json(decision: Decision) -> Json:
    """The record with its body spread out: fact, gate, candidates, relations, before, after, details, problems …"""
    return {
        "id": decision.id, "write_id": decision.write_id, "fact_number": decision.fact_number,
        "fact_id": decision.fact_id, "action": decision.action, "outcome": decision.outcome, "at": decision.at,
        "memory_ids": [{"id": memory_id, "part": part} for memory_id, part in decision.memory_ids],
        **decision.body,
    }  # fmt: skip


def calls_json(calls: Mapping[str, int]) -> Json:
    """Model calls by tag; the three usual tags are always there."""
    return {tag: calls.get(tag, 0) for tag in (*CALLS, *sorted(set(calls) - set(CALLS)))}


def added_up(calls: Iterable[Mapping[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in calls:
        for tag, count in one.items():
            found[tag] = found.get(tag, 0) + count
    return found


def calls_line(calls: Mapping[str, int]) -> str:
    """ "3: extract 2, judge 1" """
    said = ", ".join(f"{tag} {count}" for tag, count in calls_json(calls).items() if count)
    return f"{sum(calls.values())}: {said}" if said else "0"
