"""What a strategy costs and loses, worked out from its detector and resolver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.nodes.settings import Strategy

LOSES = {
    "none": "nothing ever ends: old and new stand side by side",
    "listwise": "one target a fact: what else it ends stays in the present tense",
    "replace": "details of the old text that the new one does not repeat (the version stays)",
}
"""by detector or resolver"""


TOGETHER, SHOWN = 4, 20
"""facts and candidates that one joint question holds, as nodes/chunking.py has them (which would import LangGraph)"""


@dataclass(frozen=True, slots=True)
class Calls:
    """Model calls of a write whose facts all have candidates, repairs not counted."""

    usual: int
    """every fact changes one memory, and every reply can be used"""
    most: int
    """every fact has all the candidates that it may have, no two the same ones, and no text comes with a reply"""

    def __str__(self) -> str:
        return str(self.usual) if self.usual == self.most else f"{self.usual} (at most {self.most})"


def calls_of(strategy: Strategy, facts: int) -> Calls:
    """One extraction, questions by detector, a text for each memory that changes; never beyond the preset's cap."""
    usual, most = judge_calls(strategy, facts)
    texts = 0 if strategy.detector == "none" or strategy.resolver == "replace" else facts
    with_reply = strategy.detector == "joint"
    cap = strategy.calls_per_fact * facts + 2
    return Calls(min(cap, 1 + usual + (0 if with_reply else texts)), min(cap, 1 + most + texts))


def judge_calls(strategy: Strategy, facts: int) -> tuple[int, int]:
    """(usual, most): a joint question holds several facts, a pointwise one a single pair."""
    shown = strategy.k + strategy.extras
    if strategy.detector == "none":
        return 0, 0
    if strategy.detector == "joint":
        together = max(1, min(TOGETHER, SHOWN // shown))
        return -(-facts // TOGETHER), -(-facts // together)
    return (facts, facts * shown) if strategy.detector == "pointwise" else (facts, facts)


def loses(strategy: Strategy) -> str:
    found = [LOSES[name] for name in (strategy.detector, strategy.resolver) if name in LOSES]
    if strategy.detector == "none":
        found = found[:1]
    return "; ".join(found) or "only what the check of the text lists as lost"


def candidates_of(strategy: Strategy) -> str:
    """ "10 from the embedder's own cosine, 3 by words or slot" """
    floor = "the embedder's own threshold" if strategy.threshold is None else f"cosine {strategy.threshold:g}"
    extras = f", {strategy.extras} by words or slot" if strategy.extras else ""
    return f"{strategy.k} from {floor}{extras}"
