"""Code's last word on what the judge said: nothing ends on a wrong subject, a weak likeness or a lossy extraction."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrubjay.nodes.numbering import shown_facts
from scrubjay.nodes.settings import Settings
from scrubjay.nodes.state import FactState, Json, RelationState, Write
from scrubjay.nodes.vocabulary import is_label
from scrubjay.stores.text import asks_to_forget, denials, mentions_subject, normalise, numbers, richer, shares_stem

OWNED = re.compile(r"\buser['’]s\b|用户的", re.IGNORECASE)
"""names what belongs to the user, not the user"""


def checked(relations: Sequence[RelationState], state: Write, settings: Settings) -> list[RelationState]:
    """Every relation after the checks; `said` and `because` tell what a check changed (RULES §3)."""
    by_n = {f["n"]: f for f in state["facts"]}
    found: list[RelationState] = []
    for relation in relations:
        fact = by_n[relation["n"]]
        target = target_of(relation["ref"], state)
        if target is None or relation["ref"] == f"F{fact['n']}":
            continue
        result = wish(relation, fact)
        result = repeat(result, fact, target)
        result = destructive(result, fact, target, cosine_of(relation, state), settings)
        found.append(result)
    return found


def target_of(ref: str, state: Write) -> Json | None:
    """The memory as it was retrieved; an earlier fact of the write in the same shape."""
    if not is_label(ref):
        return state["known"].get(ref)
    fact = next((f for f in state["facts"] if f["n"] == int(ref[1:])), None)
    if fact is None:
        return None
    return {"text": fact["text"], "subject": fact["subject"], "facts": [{**fact, "standing": "current"}]}


def changed(relation: RelationState, to: str, because: str) -> RelationState:
    return {**relation, "relation": to, "because": because}


def wish(relation: RelationState, fact: FactState) -> RelationState:
    """Only the user's own words make a retraction (mem0#4536): otherwise a "delete" is a replacement."""
    said = relation["relation"]
    explicit = fact["retraction"] or any(asks_to_forget(s["quote"]) for s in fact["sources"])
    if said == "retracts" and not explicit:
        return changed(relation, "supersedes", "no explicit wish to forget: a contradiction is a replacement")
    if fact["retraction"] and said == "supersedes":
        return changed(relation, "retracts", "a wish to forget is no new value")
    if fact["retraction"] and said in ("refines", "duplicate", "contradicts"):
        return changed(relation, "independent", "a wish to forget joins no memory")
    return relation


def repeat(relation: RelationState, fact: FactState, target: Json) -> RelationState:
    """A "duplicate" that says more, or something else, must not vanish in what it repeats."""
    if relation["relation"] != "duplicate":
        return relation
    said = " ".join([target["text"], *(f["text"] for f in current(target))])
    if opposite(fact["text"], current(target)):
        return changed(relation, "contradicts", "the two deny each other")
    new_numbers = numbers(fact["text"]) - numbers(said)
    if new_numbers or richer(fact["text"], said, fact["subject"]):
        more = ", ".join(sorted(new_numbers)) or "more than the memory"
        return changed(relation, "refines", f"the new text says {more}")
    return relation


def opposite(text: str, facts: Sequence[Json]) -> bool:
    return (
        bool(facts)
        and all(denials(text) != denials(f["text"]) for f in facts)
        and bool(any(denials(text) ^ denials(f["text"]) for f in facts))
    )


def destructive(
    relation: RelationState, fact: FactState, target: Json, cosine: float | None, settings: Settings
) -> RelationState:
    """What ends must be the same thing; a veto keeps both and links them as a contradiction."""
    if relation["relation"] not in ("supersedes", "retracts"):
        return relation
    forget = relation["relation"] == "retracts"
    if fact["loss"]:
        return changed(relation, "contradicts", f"extraction lost something: {fact['loss'][0]}")
    named = ended(relation, target, forget)
    if not forget and not any(f["modality"] == fact["modality"] for f in named):
        return changed(relation, "independent", f"what is {fact['modality']} does not end what is not")
    if not forget:
        named = [f for f in named if f["modality"] == fact["modality"]]
    right = [f for f in named if forget or same_subject(fact, f)]
    if not right:
        return changed(relation, "contradicts", "veto: another subject")
    alike = [f for f in right if same_thing(fact, f)]
    if not alike and (cosine is None or cosine < settings.veto):
        return changed(relation, "contradicts", "veto: no shared slot, no shared word, no close meaning")
    return {**relation, "ends": [f["id"] for f in alike or right]}


def ended(relation: RelationState, target: Json, forget: bool) -> list[Json]:
    """The facts that the judge named, or all current ones when it named the memory."""
    eligible = shown_facts(target) if forget else current(target)
    named = [f for f in eligible if f["id"] in relation["ends"]]
    return named if relation["ends"] else current(target)


def current(target: Json) -> list[Json]:
    return [f for f in target["facts"] if f["standing"] == "current"]


def same_subject(fact: FactState, old: Json) -> bool:
    """Equal, or either text names the other's subject; "User's sister" does not name the user."""
    mine, theirs = normalise(fact["subject"]), normalise(old["subject"])
    return mine == theirs or names(fact["text"], theirs) or names(old["text"], mine)


def names(text: str, subject: str) -> bool:
    return mentions_subject(OWNED.sub(" ", text) if subject == "user" else text, subject)


def same_thing(fact: FactState, old: Json) -> bool:
    shared = {normalise(a) for a in fact["attributes"]} & {normalise(a) for a in old["attributes"]}
    return bool(shared) or shares_stem(fact["text"], old["text"], fact["subject"])


def cosine_of(relation: RelationState, state: Write) -> float | None:
    row = state["candidates"].get(str(relation["n"]), [])
    return next((c.get("cosine") for c in row if c["ref"] == relation["ref"]), None)
