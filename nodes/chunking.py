"""Chunks of a joint question: at most 4 facts or 20 candidates, facts that share a candidate together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scrubjay.nodes.state import FactState, Json, Write
from scrubjay.nodes.vocabulary import is_label, problem

FACTS, CANDIDATES = 4, 20


@dataclass(frozen=True)
class Chunk:
    """Facts that are asked about together, with the state narrowed to what is shown."""

    facts: list[FactState]
    state: Write
    problems: list[Json] = field(default_factory=list)


def chunks(state: Write, facts: Sequence[FactState]) -> list[Chunk]:
    """Connected sets, filled up into chunks; a set that is too big is cut at the lowest ranks, on record."""
    packed: list[list[FactState]] = []
    for connected in connected_sets(state, facts):
        for part in (connected[i : i + FACTS] for i in range(0, len(connected), FACTS)):
            if packed and fits(state, packed[-1] + part):
                packed[-1] += part
            else:
                packed.append(list(part))
    return [cut(state, sorted(part, key=lambda f: f["n"])) for part in packed]


def connected_sets(state: Write, facts: Sequence[FactState]) -> list[list[FactState]]:
    """Facts joined by shared candidates, in order of their first fact."""
    sets: list[tuple[set[str], list[FactState]]] = []
    for fact in facts:
        refs = refs_of(state, fact) | {f"F{fact['n']}"}
        touching = [s for s in sets if s[0] & refs]
        for s in touching:
            sets.remove(s)
            refs |= s[0]
        sets.append((refs, [f for s in touching for f in s[1]] + [fact]))
    return [members for _, members in sets]


def refs_of(state: Write, fact: FactState) -> set[str]:
    return {c["ref"] for c in state["candidates"].get(str(fact["n"]), [])}


def fits(state: Write, facts: Sequence[FactState]) -> bool:
    return len(facts) <= FACTS and len(set().union(*(refs_of(state, f) for f in facts))) <= CANDIDATES


def cut(state: Write, facts: list[FactState]) -> Chunk:
    """The state as this chunk sees it: the best-ranked CANDIDATES memories, and earlier facts of the write."""
    ranks: dict[str, int] = {}
    for fact in facts:
        for rank, c in enumerate(state["candidates"][str(fact["n"])]):
            ranks[c["ref"]] = min(rank, ranks.get(c["ref"], rank))
    memories = sorted((r for r in ranks if not is_label(r)), key=lambda r: (ranks[r], r))
    shown = set(memories[:CANDIDATES]) | {r for r in ranks if is_label(r)}
    dropped = [r for r in ranks if r not in shown]
    rows = {str(f["n"]): [c for c in state["candidates"][str(f["n"])] if c["ref"] in shown] for f in facts}
    problems = [problem("cut", f"{len(dropped)} candidates did not fit one question", facts[0]["n"])] if dropped else []
    narrowed: Write = {**state, "candidates": rows}
    return Chunk(facts, narrowed, problems)
