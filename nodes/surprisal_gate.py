"""surprisal_gate: what is not new is dropped, on record; no model call."""

from __future__ import annotations

from scrubjay.nodes.gating import gate
from scrubjay.nodes.reading import settings_of, timed
from scrubjay.nodes.state import Write
from scrubjay.nodes.tools import Tools
from scrubjay.nodes.vocabulary import problem


def surprisal_gate(state: Write, *, tools: Tools) -> Write:
    """A verdict for every fact; an embedder that is down lets facts pass without a vector."""
    started = tools.timer()
    settings = settings_of(state, tools)
    revision = tools.store.revision(settings.scope)  # before reading: a later write must show as a conflict
    facts, failures = gate(state["facts"], settings, tools)
    problems = [*state["problems"], *(problem("embedder", text) for text in failures)]
    timings = timed("surprisal_gate", state, started, tools)
    return {"facts": facts, "problems": problems, "revision": revision, "timings": timings}
