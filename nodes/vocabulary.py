"""Small values that several nodes speak of: times, numbers of facts, problems."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from scrubjay.nodes.state import FactState, GroupState, Json
from scrubjay.stores.errors import InvalidInput


def conversation_time(value: Any, default: datetime | str) -> str:
    """An aware datetime or ISO text with zone, as ISO text; raises InvalidInput for a time without zone."""
    if value is None:
        return default if isinstance(default, str) else default.isoformat(timespec="seconds")
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    except (TypeError, ValueError):
        way_out = "give an aware datetime or ISO text such as 2026-05-12T10:00+02:00"
        raise InvalidInput(f"time {value!r}: {way_out}") from None
    if moment.tzinfo is None:
        raise InvalidInput(f"time {value!r} has no zone: append one, such as +00:00")
    return moment.isoformat(timespec="seconds")


def label(n: int) -> str:
    """How a fact of this write is called in prompts, candidates and groups."""
    return f"F{n}"


def is_label(ref: str) -> bool:
    return ref.startswith("F") and ref[1:].isdigit()


def problem(code: str, text: str, n: int | None = None) -> Json:
    return {"code": code, "text": text} | ({} if n is None else {"n": n})


def members(group: GroupState) -> list[int]:
    """Numbers of all facts that a group holds, whatever becomes of them."""
    return [*group["facts"], *group["absorbed"], *group["past"], *group["retractions"]]


def passing(facts: list[FactState]) -> list[FactState]:
    """Facts that the gate let through."""
    return [f for f in facts if f.get("gate", {}).get("verdict") == "pass"]


def id_body(write_id: str) -> str:
    """What the ids of a write's facts and memories are made of: a re-run makes the same ones."""
    return write_id.removeprefix("w_")
