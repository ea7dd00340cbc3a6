"""Which statements are worth a fact, and of which type."""

from __future__ import annotations

import re

from scrubjay.graph.rules.claim import Claim
from scrubjay.graph.rules.person import Sentence
from scrubjay.graph.rules.tables import has, pattern, verbs, words
from scrubjay.stores.records import FactType, Modality
from scrubjay.stores.text import content_stems

_TYPES: dict[str, FactType] = {
    "likes": "preference", "prefers": "preference", "drink preference": "preference", "diet": "preference",
    "allergy": "constraint", "intolerance": "constraint", "relationship status": "relationship",
    "children": "relationship", "pet": "relationship",
}  # fmt: skip
_LEAD = pattern("worth.lead")


def worth_keeping(sentence: Sentence, claims: tuple[Claim, ...], mood: Modality, strictness: str) -> bool:
    """A claim that we read, or a plain statement that stands on its own; questions only where they touch a slot."""
    if has("small_talk", sentence.predicate):
        return False
    slots = [c for c in claims if not has("too_vague", c.value)]
    if claims and not slots:
        return False
    if slots and not all(c.slot.startswith("does:") for c in slots):
        return True
    if mood == "question":
        return bool(re.search(r"\b(?:move|moved|live|quit|switch|work|start|buy|marry|leave)\b", sentence.predicate))
    return strictness != "sparse" and _stands_alone(sentence)


def _stands_alone(sentence: Sentence) -> bool:
    predicate = sentence.predicate
    if has("too_vague", predicate) or "?" in predicate:
        return False
    rest = _LEAD.sub("", predicate + " ").strip()
    first = rest.split(" ")[0].strip(",.").casefold() if rest else ""
    if predicate.startswith(("is ", "was ", "has been ")) and (first in words("momentary") or not rest):
        return False
    if sentence.thing and not re.search(r"\d|[A-Z]", predicate) and len(content_stems(predicate)) < 1:
        return False
    return bool(content_stems(rest)) and (
        len(rest.split()) > 1 or first in verbs().third.values() or first in verbs().past or predicate.startswith("is ")
    )


def kind_of(sentence: Sentence, claims: tuple[Claim, ...], mood: Modality) -> FactType:
    """The fact's type: by its slot, else by its verb."""
    if mood == "planned":
        return "plan"
    return of_claims(claims, sentence.subject == "user") if claims else _by_verb(sentence)


def of_claims(claims: tuple[Claim, ...], own: bool) -> FactType:
    """By the first claim's slot."""
    if not claims:
        return "other" if own else "relationship"
    if any(claim.mode == "bounded" for claim in claims):
        return "event"
    slot = claims[0].slot
    if slot in _TYPES:
        return _TYPES[slot]
    if slot.startswith("preferred ") and slot != "preferred name" or slot.startswith("favourite "):
        return "preference"
    if slot.startswith("does:"):
        return "other"
    return "event" if claims[0].kinds & {"date", "time", "weekday"} and not claims[0].single else "profile"


_STAY = re.compile(r"\b(?:stay(?:s|ed|ing)|visit\w*|travell?\w*|at a hotel)\b")


def _by_verb(sentence: Sentence) -> FactType:
    if sentence.subject != "user":
        return "relationship"
    if _STAY.search(sentence.predicate):
        return "event"
    first = _LEAD.sub("", sentence.predicate).split(" ")[0].casefold()
    return "event" if first in verbs().past else "other"
