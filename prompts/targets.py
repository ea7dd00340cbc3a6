"""Which numbers a judge's reply may name, and what is wrong with those that it names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scrubjay.prompts.quotes import find_quote
from scrubjay.prompts.relations import parse_relation, unknown_relation
from scrubjay.prompts.shown import ShownMemory


def unknown(kind: str, numbers: Sequence[str], allowed: Sequence[str]) -> Iterator[str]:
    """Numbers that name nothing, with those that would."""
    strangers = [n for n in numbers if n not in allowed]
    if strangers:
        yield f"{', '.join(map(repr, strangers))} names no {kind}: use one of {', '.join(allowed) or '(there is none)'}"


class Targets:
    """The memories of a request by the numbers that a reply may use; a fact that has ended has none."""

    def __init__(self, memories: Sequence[ShownMemory]) -> None:
        self.texts: dict[str, tuple[str, ...]] = {}
        self.ended = frozenset(fact.number for memory in memories for fact in memory.facts if fact.past)
        for memory in memories:
            current = [fact for fact in memory.facts if not fact.past]
            self.texts[memory.number] = tuple(fact.text for fact in current) or (memory.text,)
            self.texts |= {fact.number: (fact.text,) for fact in current}

    def problems(
        self, relation: str, numbers: Sequence[str], still_true: Sequence[str], *, alone: bool = False
    ) -> Iterator[str]:
        """Of one verdict; `alone`: it may do without a memory, as facts that stand together may."""
        known = parse_relation(relation)
        if known is None:
            yield unknown_relation(relation)
        yield from (f"{n!r} has ended already" for n in numbers if n in self.ended)
        yield from unknown("memory", [n for n in numbers if n not in self.ended], list(self.texts))
        if known not in (None, "independent") and not numbers and not alone:
            yield f"{relation} needs the number of a memory; independent needs none"
        if known in ("supersedes", "retracts"):
            yield from self._strange_clauses(numbers, still_true)

    def _strange_clauses(self, numbers: Sequence[str], still_true: Sequence[str]) -> Iterator[str]:
        texts = [text for n in numbers for text in self.texts.get(n, ())]
        for clause in still_true:
            if not any(find_quote(clause, text) for text in texts):
                yield f"still_true {clause!r} is no span of the facts named: copy it word for word, or leave it out"
