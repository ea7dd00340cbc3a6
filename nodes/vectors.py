"""Vectors by text: from the store, from this process, or from the embedder, which is asked once a batch."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scrubjay.nodes.backfill import GIVE_UP, Lookout
from scrubjay.stores.errors import EmbedderError
from scrubjay.stores.protocol import Store

if TYPE_CHECKING:
    from scrubjay.nodes.tools import Embedder

KEPT = 4096


class TextVectors:
    """Vectors never enter the state: nodes look them up here by text. Safe for several threads."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self.store, self.embedder = store, embedder
        self.lookout = Lookout()
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._lock = Lock()

    def of(self, texts: Sequence[str]) -> tuple[dict[str, bytes], list[str]]:
        """(text → float32 bytes, what went wrong); a text that could not be embedded is missing from the first."""
        wanted = list(dict.fromkeys(texts))
        found = self._known(wanted)
        missing = [t for t in wanted if t not in found]
        fresh, problems = self._embed(missing) if missing else ({}, [])
        self._keep(fresh)
        return found | fresh, problems

    def _known(self, texts: list[str]) -> dict[str, bytes]:
        with self._lock:
            found = {t: self._kept[t] for t in texts if t in self._kept}
        rest = [t for t in texts if t not in found]
        stored = self.store.vectors(rest) if rest else []
        return found | {t: v for t, v in zip(rest, stored, strict=True) if v is not None}

    def _keep(self, fresh: dict[str, bytes]) -> None:
        with self._lock:
            self._kept |= fresh
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def _embed(self, texts: list[str]) -> tuple[dict[str, bytes], list[str]]:
        try:
            rows = self.embedder.encode(texts)
        except EmbedderError as error:
            return self._one_by_one(texts, error)
        return {t: row.tobytes() for t, row in zip(texts, rows, strict=True)}, []

    def _one_by_one(self, texts: list[str], first: EmbedderError) -> tuple[dict[str, bytes], list[str]]:
        """One bad text must not cost the others their vectors; a service that is down is not asked for ever."""
        found: dict[str, bytes] = {}
        problems = [str(first)]
        failures = 0
        for text in texts if len(texts) > 1 else []:
            if failures >= GIVE_UP:
                break
            try:
                found[text] = self.embedder.encode([text])[0].tobytes()
                failures = 0
            except EmbedderError as error:
                failures += 1
                problems.append(str(error))
        return found, problems


def as_rows(vectors: Sequence[bytes]) -> NDArray[np.float32]:
    """Stored vectors as one array of shape (n, dimension)."""
    return np.stack([np.frombuffer(v, dtype="<f4") for v in vectors])


def cosine(a: bytes, b: bytes) -> float:
    """Of two stored unit vectors, clipped to [-1, 1]."""
    return max(-1.0, min(1.0, float(np.dot(np.frombuffer(a, dtype="<f4"), np.frombuffer(b, dtype="<f4")))))
