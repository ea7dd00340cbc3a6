"""Which of the found memories become candidates, and in what order (RULES §4). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scrubjay.nodes.fusion import reciprocal_ranks
from scrubjay.nodes.settings import Settings
from scrubjay.nodes.state import CandidateState, FactState
from scrubjay.stores.records import Memory
from scrubjay.stores.text import normalise, shares_stem

WORDS = 10
"""hits by words that may stand where no cosine brings them in"""


@dataclass(frozen=True)
class Found:
    """What both legs found for one fact: memory id → cosine, memory id → BM25."""

    cosines: Mapping[str, float]
    words: Mapping[str, float]

    @property
    def refs(self) -> list[str]:
        return list(dict.fromkeys([*self.cosines, *self.words]))

    def within_reach(self) -> Found:
        """Without hits by words alone that too many others surpass."""
        best = sorted(self.words, key=lambda r: (-self.words[r], r))[:WORDS]
        return Found(self.cosines, {r: s for r, s in self.words.items() if r in best or r in self.cosines})


def choose(fact: FactState, found: Found, memories: Mapping[str, Memory], settings: Settings) -> list[CandidateState]:
    """Best first: those at cosine ≥ T by fused rank, then a few marked extras below it where the preset has them."""
    live = [r for r in found.refs if r in memories]
    scores = fuse(found, live, settings.strategy.fusion)
    ranked = sorted(live, key=lambda r: (-scores[r], -found.cosines.get(r, -1.0), r))
    admitted = [r for r in ranked if admits(r, found, memories, settings)][: settings.k]
    rest = [r for r in ranked if r not in admitted and found.cosines.get(r, -1.0) < settings.recall]
    extras = [r for r in rest if same_slot(fact, memories[r]) or (r in found.words and shares_word(fact, memories[r]))]
    extras.sort(key=lambda r: (not same_slot(fact, memories[r]), -found.words.get(r, 0.0)))  # no cosine counts below T
    chosen = admitted + extras[: settings.extras]
    return [candidate(fact, r, found, memories[r], scores[r], settings) for r in chosen]


def admits(ref: str, found: Found, memories: Mapping[str, Memory], settings: Settings) -> bool:
    """Cosine ≥ T; what has no vector on either side can only be found by words."""
    if ref in found.cosines:
        return found.cosines[ref] >= settings.recall
    return ref in found.words and (memories[ref].pending_embedding or not found.cosines)


def fuse(found: Found, refs: list[str], how: str) -> dict[str, float]:
    """Score by memory id: reciprocal ranks, or the weighted sum of cosine and BM25 over the best BM25."""
    if how == "weighted":
        best = max(found.words.values(), default=0.0) or 1.0
        return {r: 0.7 * found.cosines.get(r, 0.0) + 0.3 * found.words.get(r, 0.0) / best for r in refs}
    return reciprocal_ranks([{r: leg[r] for r in refs if r in leg} for leg in (found.cosines, found.words)])


def same_slot(fact: FactState, memory: Memory) -> bool:
    """Same subject and a shared attribute."""
    return normalise(fact["subject"]) == normalise(memory.subject) and bool(
        {normalise(a) for a in fact["attributes"]} & {normalise(a) for a in memory.attributes}
    )


def shares_word(fact: FactState, memory: Memory) -> bool:
    """A word that says something: "user" stands in nearly every memory, and is no reason to ask a model."""
    texts = [memory.text, *(f.text for f in memory.current)]
    return any(shares_stem(fact["text"], text, fact["subject"]) for text in texts)


def candidate(
    fact: FactState, ref: str, found: Found, memory: Memory, score: float, settings: Settings
) -> CandidateState:
    cosine, words = found.cosines.get(ref), found.words.get(ref)
    if cosine is not None and cosine >= settings.recall:
        channel = "both" if words is not None else "vector"
    else:
        channel = "slot" if same_slot(fact, memory) else "lexical"
    bm25 = None if words is None else float(f"{words:.4g}")
    return {
        "ref": ref, "version": memory.version, "channel": channel, "fused": round(score, 5),
        "cosine": None if cosine is None else round(cosine, 4), "bm25": bm25,
    }  # fmt: skip
