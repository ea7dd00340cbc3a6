"""The gate's test, used by surprisal_gate and again by retrieve when the store moved under a plan."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.nodes.fusion import leg
from scrubjay.nodes.settings import Settings
from scrubjay.nodes.state import FactState, GateState
from scrubjay.nodes.vectors import as_rows
from scrubjay.nodes.vocabulary import label
from scrubjay.stores.protocol import Reader
from scrubjay.stores.records import Fact, Memory
from scrubjay.stores.text import content_stems, differences, normalise

KEPT_MODALITIES = {"actual", "planned"}
BYPASS = {"constraint", "error", "decision"}
"""types that skip the cosine test, as signetai's gate lets them pass"""


@dataclass(frozen=True)
class Nearest:
    """The nearest active memory of one fact."""

    memory: Memory
    cosine: float

    @property
    def surprisal(self) -> float:
        """1 − cosine, clipped to [0, 1]."""
        return round(max(0.0, min(1.0, 1.0 - self.cosine)), 6)


def gate(facts: list[FactState], vectors: dict[str, bytes], settings: Settings, view: Reader) -> list[FactState]:
    """The facts with their verdicts. No model call."""
    near = nearest(facts, vectors, settings, view)
    repeats = view.stating(settings.scope, [f["text"] for f in facts])
    seen: dict[tuple[object, ...], FactState] = {}
    judged: list[FactState] = []
    for fact, stated in zip(facts, repeats, strict=True):
        verdict = weigh(fact, stated, near.get(fact["n"]), seen, settings)
        if verdict["reason"] == "new" and fact["text"] not in vectors:
            verdict["reason"] = "not embedded"
        judged.append({**fact, "gate": verdict})
        if verdict["verdict"] == "pass":
            seen.setdefault(identity(fact), fact)
    return judged


def nearest(facts: list[FactState], vectors: dict[str, bytes], settings: Settings, view: Reader) -> dict[int, Nearest]:
    """Fact number → its nearest active memory of the scope."""
    embedded = [f for f in facts if f["text"] in vectors]
    if not embedded:
        return {}
    hits = view.nearest(settings.scope, as_rows([vectors[f["text"]] for f in embedded]), leg(settings.k))
    several = settings.strategy.same_type_gate
    ids = list(dict.fromkeys(h.memory_id for row in hits for h in (row if several else row[:1])))
    memories = {m.id: m for m in view.get_many(ids, provenance=False)}
    found: dict[int, Nearest] = {}
    for fact, row in zip(embedded, hits, strict=True):
        for hit in row:
            memory = memories.get(hit.memory_id)
            if memory and (not settings.strategy.same_type_gate or memory.type == fact["type"]):
                found[fact["n"]] = Nearest(memory, hit.score)
                break
    return found


def weigh(
    fact: FactState,
    stated: list[tuple[str, Fact]],
    near: Nearest | None,
    seen: dict[tuple[object, ...], FactState],
    settings: Settings,
) -> GateState:
    """Pass or drop, and why (RULES §3 "Gate", "Modality")."""
    verdict: GateState = {
        "verdict": "pass", "reason": "new", "threshold": settings.near, "differences": [], "folded_into": None,
        "surprisal": near.surprisal if near else None, "neighbour": near.memory.id if near else None,
    }  # fmt: skip
    if fact["modality"] not in KEPT_MODALITIES:
        return {**verdict, "verdict": "drop", "reason": "modality"}
    if fact["retraction"]:
        return {**verdict, "reason": "bypass"}
    for memory_id, old in stated:
        if agrees(fact, old):
            folded: GateState = {"neighbour": memory_id, "folded_into": old.id, "surprisal": 0.0}
            return {**verdict, "verdict": "drop", "reason": "exact repeat", **folded}
    if twin := seen.get(identity(fact)):
        again: GateState = {"neighbour": label(twin["n"]), "folded_into": twin["id"], "surprisal": 0.0}
        return {**verdict, "verdict": "drop", "reason": "exact repeat", **again}
    return near_identical(fact, near, verdict)


def near_identical(fact: FactState, near: Nearest | None, verdict: GateState) -> GateState:
    """A cosine close to 1 is not enough: opposite statements reach 0.95, so the texts themselves must agree."""
    if near is None or near.surprisal > verdict["threshold"]:
        return verdict
    if fact["type"] in BYPASS:
        return {**verdict, "reason": "bypass"}
    found: list[str] = []
    for old in near.memory.current:
        against = differences(fact["text"], old.text)
        if not agrees(fact, old):
            against.append("subject, modality or validity")
        if more := content_stems(fact["text"], fact["subject"]) - content_stems(old.text, old.subject):
            against.append(f"words: {', '.join(sorted(more))}")  # a paraphrase is the judge's
        if not against:
            return {**verdict, "verdict": "drop", "reason": "near-identical", "folded_into": old.id}
        found = found or against
    return {**verdict, "reason": "near", "differences": found}


def agrees(fact: FactState, old: Fact) -> bool:
    """Equal subject, modality and validity."""
    new = (fact["subject"], fact["modality"], fact["valid_from"], fact["valid_to"])
    return (normalise(new[0]), *new[1:]) == (normalise(old.subject), old.modality, old.valid_from, old.valid_to)


def identity(fact: FactState) -> tuple[object, ...]:
    """What makes two facts of one write exact repeats."""
    said = (normalise(fact["text"]), normalise(fact["subject"]))
    return (*said, fact["modality"], fact["valid_from"], fact["valid_to"])
