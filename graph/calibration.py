"""Thresholds belong to the embedder: measured on shipped pairs, once and for all for the embedded one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrubjay.graph.embedders import EMBEDDED, BoundEmbedder

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""texts → unit rows"""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What a cosine means with one embedder; kept with the store."""

    recall: float
    """cosine from which a memory is a candidate: 95 % of the related pairs lie there"""
    near: float
    """surprisal (1 - cosine) up to which a fact is near-identical to a memory"""
    veto: float
    """cosine above which two texts concern each other: 95 % of the unrelated pairs lie below"""

    def as_json(self) -> dict[str, float]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Thresholds:
        """Reads what a store kept; raises KeyError when a value is missing."""
        return cls(*(float(stored[key]) for key in ("recall", "near", "veto")))


EMBEDDED_THRESHOLDS = Thresholds(recall=0.40, near=0.05, veto=0.33)
"""of use-multilingual-v3; a test measures them again"""


def thresholds_for(embedder: BoundEmbedder) -> Thresholds:
    """Constants for the embedded one, measured for any other: one call of 200 short texts."""
    return EMBEDDED_THRESHOLDS if embedder.name == EMBEDDED else calibrate(embedder.encode)


def calibrate(encode: Encode) -> Thresholds:
    """Measure an embedder on the shipped pairs; pure but for the calls of `encode`, rounded to four places.

    `near` is the median of the near-identical pairs, and never beyond the closest related pair: a gate that takes a
    paraphrase for something new costs a call, one that takes an update for nothing new loses it.
    """
    cosines = _cosines(encode)
    surprisal = min(float(np.median(1 - cosines["near_identical"])), float((1 - cosines["related"]).min()))
    return Thresholds(
        recall=_bounded(np.quantile(cosines["related"], 0.05)),
        near=_bounded(surprisal),
        veto=_bounded(np.quantile(cosines["unrelated"], 0.95)),
    )


@cache
def pairs() -> dict[str, tuple[tuple[str, str], ...]]:
    """The shipped pairs by kind, each (new fact, older fact)."""
    stored = json.loads(files("scrubjay.graph").joinpath("calibration_pairs.json").read_text("utf-8"))
    return {kind: tuple((a, b) for a, b in stored[kind]) for kind in ("related", "unrelated", "near_identical")}


def _cosines(encode: Encode) -> dict[str, NDArray[np.float32]]:
    texts = list(dict.fromkeys(text for kind in pairs().values() for pair in kind for text in pair))
    row = dict(zip(texts, encode(texts), strict=True))
    return {kind: np.array([row[a] @ row[b] for a, b in these]) for kind, these in pairs().items()}


def _bounded(value: Any) -> float:
    """A cosine below zero says nothing more than zero does."""
    return round(float(np.clip(value, 0.0, 1.0)), 4)
