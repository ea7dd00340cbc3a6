"""Reading the state: the settings as they were resolved, the spending so far, one way to record a step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.nodes.settings import Settings, WriteContext, choose_strategy
from scrubjay.nodes.state import Json, Write
from scrubjay.nodes.tools import Tools
from scrubjay.stores.protocol import Reader


def settings_of(state: Write, tools: Tools) -> Settings:
    """The settings that load_context resolved; a re-run from any checkpoint sees the same ones."""
    kept = state["settings"]
    context = WriteContext.model_validate(kept["context"])
    strategy = choose_strategy(context.strategy, tools.strategies)
    return Settings(context, strategy, kept["recall"], kept["near"], kept["veto"])


@dataclass(frozen=True)
class Embedded:
    """The texts of a write's facts: their vectors, those without, and what went wrong."""

    vectors: dict[str, bytes]
    missing: list[str]
    failures: list[str]


def embedded_facts(state: Write, tools: Tools) -> Embedded:
    """In one batch, before the store is looked at: a picture waits for nobody."""
    texts = [f["text"] for f in state["facts"]]
    vectors, failures = tools.vectors.of(texts)
    return Embedded(vectors, [t for t in texts if t not in vectors], failures)


def seen(node: str, view: Reader, settings: Settings, missing: Sequence[str] = ()) -> Json:
    """What a node read: the moment and the scope's revision, and which texts had no vector; a replay reads the same."""
    found: Json = {"node": node, "moment": view.moment(), "revision": view.revision(settings.scope)}
    return found | ({"not_embedded": list(missing)} if missing else {})


def replies_so_far(state: Write) -> dict[str, Json]:
    """Request hash → reply: what was paid for once is not asked again in a conflict loop."""
    return {c["hash"]: c["value"] for c in state.get("calls", []) if c["value"] is not None}


def record_step(name: str, state: Write, update: Write, calls: list[Json], milliseconds: float) -> Write:
    """Calls and time of a node that asked."""
    return {
        **update,
        "calls": [*state.get("calls", []), *calls],
        "timings": {**state.get("timings", {}), name: milliseconds},
    }


def timed(name: str, state: Write, started: float, tools: Tools) -> dict[str, float]:
    """The timings with this node's milliseconds; a node that runs again in a conflict loop adds up."""
    before = state.get("timings", {})
    return {**before, name: before.get(name, 0.0) + (tools.timer() - started) * 1000}
