"""What a graph is bound to when it is built. Nodes get everything from here: no globals, no hidden clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scrubjay.nodes.decider import Decider
from scrubjay.nodes.settings import Strategy
from scrubjay.nodes.state import Json
from scrubjay.nodes.vectors import TextVectors
from scrubjay.stores.protocol import Store


class Embedder(Protocol):
    """Texts to unit vectors, one batch at a time; raises EmbedderError."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """Thresholds as they belong to the embedder."""

    recall: float
    """cosine that keeps 95 % of related pairs"""
    near: float
    """surprisal up to which two texts are near-identical"""
    veto: float
    """95th percentile of the cosine of unrelated pairs"""


@dataclass(frozen=True)
class Tools:
    """Store, decider, embedder, clock, id source, presets."""

    store: Store
    decider: Decider
    vectors: TextVectors
    limits: Callable[[], Limits]
    """asked once a write: an embedder that was down is measured when it answers"""
    clock: Callable[[], datetime]
    """an aware datetime"""
    new_id: Callable[[datetime], str]
    """a fresh, time-ordered body of an id"""
    timer: Callable[[], float]
    """seconds from anywhere, for durations"""
    strategies: Mapping[str, Strategy]
    bound: Json = field(default_factory=dict)
    """settings given when the graph was built: the weakest layer"""
