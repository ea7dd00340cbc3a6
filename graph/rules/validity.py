"""From when and until when a fact holds, as far as its words and the time of its message tell."""

from __future__ import annotations

import re

from scrubjay.graph.rules.claim import Claim
from scrubjay.graph.rules.times import Span, resolve
from scrubjay.prompts.extract import ExtractedFact

_YEAR = re.compile(r"\b(?:in|since|during) (?:\w+ )?((?:19|20)\d\d)\b|((?:19|20)\d\d)年")
_WHILE = re.compile(r"\b(?:this (?:week|month|year)|today|tonight)\b|这周|本周|这个月|本月|今天", re.IGNORECASE)


def dated(fact: ExtractedFact, claims: tuple[Claim, ...], at: str, chinese: bool = False) -> ExtractedFact:
    """The fact with dates for relative words.

    An appointment keeps its day as its end alone: moved to an earlier day it is still the newer fact.
    A change long before the message ("moved to Austin in 2010") is told of the past and ends nothing now.
    """
    resolved = resolve(fact.text, at, chinese)
    bounds = _bounds(fact, claims, resolved.span)
    fact = fact.model_copy(update={"text": resolved.text, **bounds})
    return _told_of_the_past(fact, at) if any(c.mode == "change" for c in claims) else fact


def _bounds(fact: ExtractedFact, claims: tuple[Claim, ...], span: Span | None) -> dict[str, str]:
    if span is None:
        return {}
    if any(c.kinds & {"date", "time", "weekday", "text"} for c in claims) and fact.type == "event":
        return {"valid_to": span.end}
    changes = any(c.mode in ("change", "end") for c in claims)
    if any(c.kinds or c.indefinite for c in claims) and not changes:
        return {"valid_to": span.end} if any(c.indefinite for c in claims) else {}
    if _WHILE.search(fact.quote) and not changes and fact.modality == "actual":
        return {"valid_from": span.first.isoformat(), "valid_to": span.end}
    return {"valid_from": span.start}


def _told_of_the_past(fact: ExtractedFact, at: str) -> ExtractedFact:
    found = _YEAR.search(fact.text)
    if not found or not at[:4].isdigit() or int(found[1] or found[2]) >= int(at[:4]) - 1:
        return fact
    slots = [slot if slot.startswith("past ") else f"past {slot}" for slot in fact.attributes]
    return fact.model_copy(update={"attributes": slots, "type": "event", "valid_from": found[1] or found[2]})
