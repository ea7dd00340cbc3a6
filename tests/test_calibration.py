"""Thresholds, measured on the shipped pairs."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import chain

import numpy as np
import pytest
from numpy.typing import NDArray

from scrubjay.graph.calibration import EMBEDDED_THRESHOLDS, Thresholds, calibrate, pairs, thresholds_for
from scrubjay.graph.embedders import BoundEmbedder, EmbeddedUSE, resolve_embedder


def squeezed(texts: Sequence[str]) -> NDArray[np.float32]:
    """The embedded vectors with one long common part: every cosine lies high, as with e5."""
    vectors = resolve_embedder().encode(texts)
    common = np.full((len(texts), 1), 2.0, dtype=np.float32)
    return (np.hstack([vectors, common]) / 5**0.5).astype(np.float32)


def meaningless(texts: Sequence[str]) -> NDArray[np.float32]:
    """Another direction for every text, whatever it says."""
    rows = [np.random.default_rng(zlib.crc32(text.encode())).normal(size=8) for text in texts]
    return np.array([row / np.linalg.norm(row) for row in rows], dtype=np.float32)


def cosines(kind: str) -> list[float]:
    encode = resolve_embedder().encode
    return [float(a @ b) for a, b in (encode(pair) for pair in pairs()[kind])]


@pytest.fixture(scope="module")
def measured() -> Thresholds:
    found = calibrate(resolve_embedder().encode)
    print(found)
    return found


def test_measuring_the_embedded_one_again_gives_its_constants(measured: Thresholds) -> None:
    assert list(measured.as_json().values()) == pytest.approx(list(EMBEDDED_THRESHOLDS.as_json().values()), abs=0.02)


def test_the_embedded_one_is_not_measured_at_run_time() -> None:
    assert thresholds_for(resolve_embedder()) is EMBEDDED_THRESHOLDS


def test_another_embedder_is_measured(measured: Thresholds) -> None:
    assert thresholds_for(BoundEmbedder(EmbeddedUSE(), "another", 512)) == measured


def test_recall_keeps_ninety_five_of_a_hundred_related_pairs(measured: Thresholds) -> None:
    assert np.mean([c >= measured.recall for c in cosines("related")]) >= 0.95


def test_veto_lets_five_of_a_hundred_unrelated_pairs_pass(measured: Thresholds) -> None:
    assert np.mean([c > measured.veto for c in cosines("unrelated")]) <= 0.05


def test_no_related_pair_counts_as_near_identical(measured: Thresholds) -> None:
    assert min(1 - c for c in cosines("related")) >= measured.near


def test_an_embedder_whose_cosines_all_lie_high_gets_thresholds_of_its_own(measured: Thresholds) -> None:
    high = calibrate(squeezed)
    assert high.recall > 0.8 and high.veto > 0.8 and high.near < measured.near


def test_an_embedder_without_sense_still_gets_thresholds_within_bounds() -> None:
    assert all(0 <= value <= 1 for value in calibrate(meaningless).as_json().values())


def test_thresholds_survive_being_stored() -> None:
    assert Thresholds.from_json(EMBEDDED_THRESHOLDS.as_json()) == EMBEDDED_THRESHOLDS


def test_every_kind_of_pair_comes_in_both_languages() -> None:
    chinese = {kind: sum("用户" in new for new, _ in these) for kind, these in pairs().items()}
    assert all(len(pairs()[kind]) / 4 < number < len(pairs()[kind]) / 2 for kind, number in chinese.items())


def test_no_pair_is_shipped_twice() -> None:
    every = list(chain.from_iterable(pairs().values()))
    assert len(set(every)) == len(every)
