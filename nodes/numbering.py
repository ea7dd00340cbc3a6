"""Numbers instead of ids: what the judge is shown, and what its numbers mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scrubjay.nodes.state import CandidateState, FactState, Json, Write
from scrubjay.nodes.vocabulary import is_label, label
from scrubjay.prompts.shown import ShownFact, ShownMemory
from scrubjay.stores.text import normalise


@dataclass(frozen=True)
class Numbering:
    """One request's numbers: facts F1, F2 …, memories 1, 2 …, their facts 1.1, 1.2 …"""

    facts: tuple[FactState, ...]
    refs: tuple[str, ...]
    """memory ids, then labels of earlier facts of the write, in the order shown"""
    known: dict[str, Json]
    by_n: dict[int, FactState] = field(repr=False)

    def number(self, ref: str) -> str:
        """What a candidate is called."""
        return ref if is_label(ref) else str(self.refs.index(ref) + 1)

    def target(self, number: str) -> tuple[str, str | None] | None:
        """(ref, fact id or None for the whole) for a number that the judge used; None if it names nothing."""
        if is_label(number):
            return (number, None) if int(number[1:]) in self.by_n else None
        whole, _, part = number.partition(".")
        if not whole.isdigit() or not 1 <= int(whole) <= len(self.refs) or is_label(self.refs[int(whole) - 1]):
            return None
        ref = self.refs[int(whole) - 1]
        if not part:
            return ref, None
        facts = shown_facts(self.known[ref])
        return (ref, facts[int(part) - 1]["id"]) if part.isdigit() and 1 <= int(part) <= len(facts) else None

    @property
    def shown_new(self) -> tuple[ShownFact, ...]:
        return tuple(shown_fact(label(f["n"]), f) for f in self.facts)

    def shown_memories(self, scores: dict[str, float | None] | None = None) -> tuple[ShownMemory, ...]:
        return tuple(self._shown(ref, (scores or {}).get(ref)) for ref in self.refs)

    def _shown(self, ref: str, score: float | None) -> ShownMemory:
        number = self.number(ref)
        if is_label(ref):
            fact = self.by_n[int(ref[1:])]
            return ShownMemory(number=number, text=fact["text"], facts=(shown_fact(number, fact),), score=score)
        memory = self.known[ref]
        facts = [
            ShownFact(
                number=f"{number}.{i}", text=f["text"], type=f["type"], subject=f["subject"],
                attributes=tuple(f["attributes"]), modality=f["modality"], valid_from=f["valid_from"],
                valid_to=f["valid_to"], past=f["standing"] == "past",
            )
            for i, f in enumerate(shown_facts(memory), 1)
        ]  # fmt: skip
        return ShownMemory(number=number, text=memory["text"], facts=tuple(facts), score=score)

    @property
    def fact_keys(self) -> dict[str, str]:
        """Number → key, for deciders that know facts by where they were said."""
        keys = {label(f["n"]): f["key"] for f in self.by_n.values()}
        for ref in self.refs:
            if not is_label(ref):
                shown = shown_facts(self.known[ref])
                keys |= {f"{self.number(ref)}.{i}": f["key"] for i, f in enumerate(shown, 1)}
                if len(shown) == 1:
                    keys[self.number(ref)] = shown[0]["key"]
        return keys


def shown_facts(memory: Json) -> list[Json]:
    """Current facts, then past ones whose wording still stands in the text (a wish to forget may mean those)."""
    text = normalise(memory["text"])
    past = [f for f in memory["facts"] if f["standing"] == "past" and normalise(f["text"]) in text]
    return [f for f in memory["facts"] if f["standing"] == "current"] + past


def shown_fact(number: str, fact: FactState) -> ShownFact:
    return ShownFact(
        number=number, text=fact["text"], type=fact["type"], subject=fact["subject"],
        attributes=tuple(fact["attributes"]), modality=fact["modality"], valid_from=fact["valid_from"],
        valid_to=fact["valid_to"], quote=fact["sources"][0]["quote"],
    )  # fmt: skip


def numbering(state: Write, facts: Sequence[FactState]) -> Numbering:
    """Numbers for these facts and all their candidates, by best rank."""
    best: dict[str, int] = {}
    for fact in facts:
        for rank, found in enumerate(state["candidates"].get(str(fact["n"]), [])):
            best[found["ref"]] = min(rank, best.get(found["ref"], rank))
    refs = sorted(best, key=lambda r: (is_label(r), best[r], r))
    by_n = {f["n"]: f for f in state["facts"]}
    return Numbering(tuple(facts), tuple(refs), state["known"], by_n)


def rank_of(candidates: Sequence[CandidateState], ref: str) -> int:
    """Place in a fact's list; after all others when it is not in it."""
    return next((i for i, c in enumerate(candidates) if c["ref"] == ref), len(candidates))
