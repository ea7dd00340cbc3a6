"""surprisal_gate: what is not new is dropped, on record; no model call."""

from __future__ import annotations

from scrubjay.nodes.gating import gate
from scrubjay.nodes.nonsense import reads_state
from scrubjay.nodes.reading import embedded_facts, seen, settings_of, timed
from scrubjay.nodes.state import FactState, Json, Write
from scrubjay.nodes.tools import Tools
from scrubjay.nodes.vocabulary import problem
from scrubjay.stores.protocol import Reader


@reads_state
def surprisal_gate(state: Write, *, tools: Tools) -> Write:
    """A verdict for every fact; an embedder that is down lets facts pass without a vector."""
    started = tools.timer()
    settings = settings_of(state, tools)
    texts = embedded_facts(state, tools)

    def look(view: Reader) -> tuple[list[FactState], Json]:
        judged = gate(state["facts"], texts.vectors, settings, view)
        return judged, seen("surprisal_gate", view, settings, texts.missing)

    facts, read = tools.store.picture(look)
    problems = [*state["problems"], *(problem("embedder", text) for text in texts.failures)]
    return {
        "facts": facts, "problems": problems, "revision": read["revision"], "reads": [*state["reads"], read],
        "timings": timed("surprisal_gate", state, started, tools),
    }  # fmt: skip
