"""Reciprocal rank fusion: lists of different scales joined by place alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

CONSTANT = 60
"""as in Cormack, Clarke and Büttcher, SIGIR 2009"""

LEG = 20


def leg(k: int) -> int:
    """Hits of one leg of a search for the k best, before fusion; who asks for as many need not search again."""
    return max(LEG, 2 * k)


def reciprocal_ranks(legs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Id → score; within a leg more is better and equal scores go by id."""
    scores: dict[str, float] = {}
    for leg in legs:
        for rank, ref in enumerate(sorted(leg, key=lambda r: (-leg[r], r)), 1):
            scores[ref] = scores.get(ref, 0.0) + 1 / (CONSTANT + rank)
    return scores
