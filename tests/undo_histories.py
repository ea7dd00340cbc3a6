"""Random histories of every kind of change, and all that can be seen of a memory, to compare before and after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from scrubjay import Memory, WriteResult
from scrubjay.graph.undoing.restore import content
from scrubjay.nodes.vectors import as_rows
from scrubjay.stores.records import Memory as Record
from scrubjay.stores.records import Scope
from tests.fakes import ANA, Fact, Teller, fact, number_of, teller, verdict

SCOPE = Scope(ANA)
HOME, DRINK, PET = ["home city"], ["morning drink"], ["pet"]
FACTS: tuple[dict[str, Any], ...] = (
    fact("User lives in Lisbon", attributes=HOME, valid_from="2024-05"),
    fact("User lives in Porto, not in Lisbon", attributes=HOME, valid_from="2026-08"),
    fact("User lives in Ghent, not in Porto", attributes=HOME, valid_from="2026-08"),
    fact("User's home in Lisbon has two rooms", attributes=HOME),
    fact("User drinks tea in Lisbon", attributes=DRINK),
    fact("User drinks oolong tea in Porto", attributes=DRINK),
    fact("User has a cat in Lisbon", attributes=PET),
    fact("User asks to forget that they live in Lisbon"),
    fact("User lived in Lisbon in 2019", attributes=HOME, valid_from="2019"),
)
TEXTS = [str(f["text"]) for f in FACTS]
RELATIONS = ("duplicate", "refines", "supersedes", "supersedes", "retracts", "contradicts", "independent")

steps = st.tuples(
    st.lists(st.integers(0, len(FACTS) - 1), min_size=1, max_size=2, unique=True),
    st.sampled_from(RELATIONS), st.lists(st.integers(0, 5), min_size=1, max_size=2, unique=True),
    st.booleans(),
)  # fmt: skip
"""(facts, relation to what the judge is shown, which of it, with metadata)"""
Step = tuple[list[int], str, list[int], bool]
histories = st.lists(steps, min_size=3, max_size=6)


def heard() -> Teller:
    """A memory in which all texts are alike enough to be judged, and somebody else's that says the same."""
    t = teller(alike=[(0.6, TEXTS)])
    t.say(FACTS[0], user="ben")
    return t


def tell(t: Teller, step: Step) -> WriteResult:
    """One write of the facts, judged as the step says."""
    numbers, relation, targets, tagged = step
    facts: list[Fact] = [FACTS[n] for n in numbers]

    def judge(request: Any) -> dict[str, Any]:
        shown = [m.text for m in request.memories]
        named = [number_of(request, shown[n % len(shown)]) for n in targets] if shown else []
        labels = [f"F{n}" for n in range(1, len(request.facts) + 1)]
        one = {"reason": "so", "facts": labels, "memories": list(dict.fromkeys(named)), "relation": relation}
        return verdict(one)

    merge: Any = lambda request: {"text": "; ".join(request.current)}  # noqa: E731
    t.expect(*facts, judge=[judge] * 9, merge=[merge] * 9, repairs=False)
    said = ". ".join(str(f["text"]) for f in facts if isinstance(f, dict))
    return t.memory.add(said, user_id=ANA, metadata={"tag": relation} if tagged else None)


def everything(memory: Memory) -> dict[str, Record]:
    """All memories of ana's, whatever their status, with their own links alone."""
    ids = {t.memory_id for t in memory.store.touches(SCOPE, 0)}
    return memory.store.stood(sorted(ids))


def state(record: Record | None) -> object:
    """What is compared of a memory; one that was never made and one that is deleted are both not there."""
    if record is None or record.status == "deleted":
        return None
    return content(record), frozenset((s.fact_id, s.message_id, s.quote) for s in record.sources)


def changed(before: dict[str, Record], after: dict[str, Record]) -> set[str]:
    """Ids of memories that differ in anything but number and time of their version."""
    ids = before.keys() | after.keys()
    return {i for i in ids if i not in before or i not in after or exact(before[i]) != exact(after[i])}


def exact(record: Record) -> object:
    return content(record), frozenset(record.sources)


def view(t: Teller, user: str = ANA) -> list[object]:
    """All that can be seen of the active store, and what searches find in it."""
    store, scope = t.memory.store, Scope(user)
    seen = {m.id: (exact(m), m.created_at, m.pending_embedding) for m in store.active(scope)}
    queries = as_rows([v for v in store.vectors(TEXTS) if v])
    near = [[(h.memory_id, round(h.score, 6)) for h in hits] for hits in store.nearest(scope, queries, 10)]
    words = [[(h.memory_id, round(h.score, 6)) for h in store.lexical(scope, q, 10)] for q in TEXTS]
    return [seen, near, words, store.stating(scope, TEXTS)]


def played(history: Sequence[Step]) -> tuple[Teller, list[WriteResult], list[dict[str, Record]]]:
    """(the memory, its writes, all memories before the first write and after each)"""
    t = heard()
    states = [everything(t.memory)]
    results = []
    for step in history:
        results.append(tell(t, step))
        states.append(everything(t.memory))
    return t, results, states
