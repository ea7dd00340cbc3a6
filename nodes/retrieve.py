"""retrieve: the memories that each fact may concern, by meaning and by words, of this scope only."""

from __future__ import annotations

from scrubjay.nodes.fusion import leg
from scrubjay.nodes.gating import gate
from scrubjay.nodes.nonsense import reads_state
from scrubjay.nodes.ranking import Found, choose
from scrubjay.nodes.reading import embedded_facts, seen, settings_of, timed
from scrubjay.nodes.settings import Settings
from scrubjay.nodes.state import CandidateState, FactState, Json, Write
from scrubjay.nodes.tools import Tools
from scrubjay.nodes.vectors import as_rows, cosine
from scrubjay.nodes.vocabulary import label, passing
from scrubjay.stores.protocol import Reader
from scrubjay.stores.records import Memory
from scrubjay.stores.text import normalise, shares_stem

Seen = tuple[list[FactState], dict[str, Json], dict[str, list[CandidateState]], Json]


@reads_state
def retrieve(state: Write, *, tools: Tools) -> Write:
    """Candidates with scores and channel, and the revision that they were read at."""
    started = tools.timer()
    settings = settings_of(state, tools)
    texts = embedded_facts(state, tools)

    def look(view: Reader) -> Seen:
        facts = state["facts"]
        if state["round"]:
            facts = gate(facts, texts.vectors, settings, view)  # what was new, or folded, may be so no longer
        found = find(passing(facts), texts.vectors, settings, view)
        return facts, *found, seen("retrieve", view, settings, texts.missing)

    facts, known, candidates, read = tools.store.picture(look)
    return {
        "facts": facts, "known": known, "candidates": candidates, "revision": read["revision"], "relations": [],
        "groups": [], "links": [], "conflicts": [], "reads": [*state["reads"], read],
        "timings": timed("retrieve", state, started, tools),
    }  # fmt: skip


def find(
    facts: list[FactState], vectors: dict[str, bytes], settings: Settings, view: Reader
) -> tuple[dict[str, Json], dict[str, list[CandidateState]]]:
    """(memories by id, candidates by fact number)."""
    legs = both_legs(facts, vectors, settings, view)
    ids = dict.fromkeys(ref for found in legs.values() for ref in found.refs)
    memories = {m.id: m for m in view.get_many(list(ids), provenance=False) if m.status == "active"}
    candidates: dict[str, list[CandidateState]] = {}
    for fact in facts:
        found = with_cosines(legs[fact["n"]], memories, vectors.get(fact["text"]), view)
        chosen = choose(fact, found, memories, settings)
        candidates[str(fact["n"])] = chosen + earlier(fact, facts, vectors, settings)
    used = {c["ref"] for row in candidates.values() for c in row}
    return {ref: snapshot(memories[ref]) for ref in sorted(used & set(memories))}, candidates


def both_legs(facts: list[FactState], vectors: dict[str, bytes], settings: Settings, view: Reader) -> dict[int, Found]:
    """One vector query for all facts, one word query each."""
    k = leg(settings.k)
    embedded = [f for f in facts if f["text"] in vectors]
    rows = view.nearest(settings.scope, as_rows([vectors[f["text"]] for f in embedded]), k) if embedded else []
    by_meaning = {f["n"]: {h.memory_id: h.score for h in hits} for f, hits in zip(embedded, rows, strict=True)}
    found: dict[int, Found] = {}
    for fact in facts:
        words = " ".join([fact["text"], *fact["attributes"]])
        by_words = {h.memory_id: h.score for h in view.lexical(settings.scope, words, k)}
        found[fact["n"]] = Found(by_meaning.get(fact["n"], {}), by_words).within_reach()
    return found


def with_cosines(found: Found, memories: dict[str, Memory], vector: bytes | None, view: Reader) -> Found:
    """Hits that only words found get their cosine too, so that a threshold means the same for them."""
    rest = [r for r in found.words if r not in found.cosines and r in memories]
    if vector is None or not rest:
        return found
    stored = view.vectors([memories[r].text for r in rest])
    extra = {r: cosine(vector, v) for r, v in zip(rest, stored, strict=True) if v is not None}
    return Found({**found.cosines, **extra}, found.words)


def earlier(
    fact: FactState, facts: list[FactState], vectors: dict[str, bytes], settings: Settings
) -> list[CandidateState]:
    """Facts that this same write took before this one, near enough to be judged together."""
    mine = vectors.get(fact["text"])
    found: list[CandidateState] = []
    for other in facts:
        theirs = vectors.get(other["text"])
        if other["n"] >= fact["n"] or mine is None or theirs is None or other["retraction"]:
            continue
        score = cosine(mine, theirs)
        if score >= settings.recall or (settings.extras and belongs_with(fact, other)):
            found.append({"ref": label(other["n"]), "cosine": round(score, 4), "channel": "write"})
    return sorted(found, key=lambda c: -(c["cosine"] or 0.0))[: settings.k]


def belongs_with(fact: FactState, other: FactState) -> bool:
    """The same slot, or what a wish to forget names, however far apart the two texts lie."""
    shared = {normalise(a) for a in fact["attributes"]} & {normalise(a) for a in other["attributes"]}
    same_slot = bool(shared) and normalise(fact["subject"]) == normalise(other["subject"])
    return same_slot or (fact["retraction"] and shares_stem(fact["text"], other["text"], other["subject"]))


def snapshot(memory: Memory) -> Json:
    """The version that the decision is made against, as plain data."""
    return {
        "id": memory.id, "version": memory.version, "text": memory.text, "type": memory.type,
        "subject": memory.subject, "attributes": list(memory.attributes), "valid_from": memory.valid_from,
        "valid_to": memory.valid_to, "metadata": memory.metadata, "created_at": memory.created_at,
        "facts": [
            {
                "id": s.fact.id, "text": s.fact.text, "standing": s.standing, "type": s.fact.type,
                "subject": s.fact.subject, "attributes": list(s.fact.attributes), "modality": s.fact.modality,
                "valid_from": s.fact.valid_from, "valid_to": s.fact.valid_to,
                "key": s.fact.key,
            }
            for s in memory.facts
        ],
    }  # fmt: skip
