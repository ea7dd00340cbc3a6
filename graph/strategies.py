"""The presets, as a table: all run on the same nodes, so that they can be compared on equal terms."""

from __future__ import annotations

from scrubjay.nodes.settings import Strategy

JOINT = Strategy(
    name="joint", detector="joint", resolver="rewrite", k=10, threshold=None, extras=3,
    origin="Scrubjay",
    differs="the cheapest: one judge call for all facts of a write, texts checked before they are used",
)  # fmt: skip
NEATMEM = Strategy(
    name="neatmem", detector="listwise_multitarget", resolver="rewrite", k=5, threshold=0.4, keeps_id="highest",
    origin="NeatMem: multi-target listwise detection, rewriting",
    differs="one judge call a fact; replaced memories are superseded here, erased there; every rewrite is checked",
)  # fmt: skip
SIGNETAI = Strategy(
    name="signetai", detector="listwise", resolver="replace", k=5, threshold=None, fusion="weighted",
    same_type_gate=True, origin="signetai: listwise detection, overwriting with a snapshot",
    differs="0.7 cosine + 0.3 BM25 with BM25 the right way round; the overwritten text stays as a version",
)  # fmt: skip
ADD_ONLY = Strategy(
    name="add-only", detector="none", resolver="rewrite", k=10, threshold=None, recency=1.0,
    origin="mem0 from 2.0.7 on: nothing is judged, everything is added",
    differs="exact repeats are folded as provenance, near memories are linked, newer ones preferred at recall",
)  # fmt: skip

STRATEGIES: dict[str, Strategy] = {
    "joint": JOINT,
    "neatmem": NEATMEM,
    "signetai": SIGNETAI,
    "add-only": ADD_ONLY,
    "mem0-v3": ADD_ONLY,
}
DEFAULT = "joint"
