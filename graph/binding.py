"""The embedder of a store: tied to it, with its thresholds, as soon as it answers for the first time."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from scrubjay.graph.calibration import EMBEDDED_THRESHOLDS, Thresholds, thresholds_for
from scrubjay.graph.embedders import BoundEmbedder, Vectors
from scrubjay.nodes.tools import Limits
from scrubjay.stores.errors import EmbedderError
from scrubjay.stores.protocol import Store


class StoreEmbedder:
    """Embeds for one store; nothing is embedded before embedder and thresholds are kept with the store.

    A new store whose embedder is down goes without vectors and with the embedded one's thresholds, which are not kept:
    the next write that reaches the embedder measures it. A store that knows its embedder asks it nothing here: an
    embedder that does not tell its dimension has the one that is stored. Raises WrongEmbedder.
    """

    def __init__(self, store: Store, embedder: BoundEmbedder) -> None:
        self._store, self._embedder = store, embedder
        self._binding = Lock()
        self._kept: Thresholds | None = None
        known = store.meta()
        if known["embedder"] is not None:
            if known["embedder"] == embedder.name and not embedder.knows_dimension:
                self._embedder = BoundEmbedder(embedder.embeddings, embedder.name, known["dimension"])
            self._kept = Thresholds.from_json(store.bind_embedder(embedder.name, self._embedder.dimension, {}))

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def encode(self, texts: Sequence[str]) -> Vectors:
        """As BoundEmbedder's; raises WrongEmbedder too, where another process has bound the store meanwhile."""
        self._bind()
        return self._embedder.encode(texts)

    def limits(self) -> Limits:
        """The store's thresholds, or provisional ones while the embedder does not answer."""
        try:
            found = self._bind()
        except EmbedderError:
            found = EMBEDDED_THRESHOLDS
        return Limits(**found.as_json())

    def _bind(self) -> Thresholds:
        with self._binding:
            if self._kept is None:
                measured = thresholds_for(self._embedder).as_json()
                kept = self._store.bind_embedder(self._embedder.name, self._embedder.dimension, measured)
                self._kept = Thresholds.from_json(kept)
            return self._kept
