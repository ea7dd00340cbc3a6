"""Texts that were written while the embedder was down get their vectors from a later write or search of their scope."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from scrubjay.stores.errors import StoreError
from scrubjay.stores.records import Scope

if TYPE_CHECKING:
    from scrubjay.nodes.tools import Tools
    from scrubjay.nodes.vectors import TextVectors

BATCH = 32
"""texts at a time, in one call of the embedder"""
EVERY = 50
"""writes and searches of a scope in which nothing waited, after which the store is asked again: another process may
have left something, and to look through 10,000 memories takes 15 ms"""
GIVE_UP = 3
"""failures in a row after which an embedder counts as down"""
TRIES = 3
"""times that a text is tried while the embedder works; then it is left alone until the process ends"""
SCOPES = 4096


class Lookout:
    """When to ask the store what waits, and what is not worth another try. One a process."""

    def __init__(self) -> None:
        self._rest: dict[Scope, int] = {}
        self._failed: Counter[str] = Counter()

    def due(self, scope: Scope) -> bool:
        """Always at first; counts down from EVERY once nothing waits."""
        rest = self._rest.get(scope, 0)
        if rest:
            self._rest[scope] = rest - 1
        return not rest

    def settle(self, scope: Scope) -> None:
        """Nothing waits here."""
        if len(self._rest) >= SCOPES:
            self._rest.clear()
        self._rest[scope] = EVERY

    def awaken(self, scope: Scope) -> None:
        """Something waits here."""
        self._rest.pop(scope, None)

    def fail(self, texts: Sequence[str]) -> None:
        self._failed.update(texts)

    def hopeless(self) -> set[str]:
        return {text for text, times in list(self._failed.items()) if times >= TRIES}


def embedded(texts: Sequence[str], scope: Scope, tools: Tools) -> tuple[dict[str, bytes], list[str]]:
    """(vectors of a write's texts, and of some that waited; what went wrong with the write's own)."""
    vectors, problems = tools.vectors.of(texts) if texts else ({}, [])
    if problems:
        tools.vectors.lookout.awaken(scope)
        return vectors, problems
    return vectors | late(tools.vectors, scope, worked=bool(texts)), []


def fill(vectors: TextVectors, scope: Scope) -> None:
    """The same from a search, whose query has just been embedded."""
    found = late(vectors, scope, worked=True)
    if found:
        with suppress(StoreError):  # a store that is busy or read-only is still searched: the next one tries again
            vectors.store.keep_vectors(list(found.items()))


def late(vectors: TextVectors, scope: Scope, *, worked: bool) -> dict[str, bytes]:
    """Vectors of at most BATCH texts that wait; `worked`: the embedder is known to work, a text that fails is to blame.

    None of it is a problem of whoever asks: the memories stay marked as waiting.
    """
    lookout = vectors.lookout
    if not lookout.due(scope):
        return {}
    hopeless = lookout.hopeless()
    waiting = vectors.store.pending_texts(scope, BATCH + len(hopeless))
    texts = [text for text in waiting if text not in hopeless][:BATCH]
    found, _ = vectors.of(texts) if texts else ({}, [])
    missing = [text for text in texts if text not in found]
    if worked:
        lookout.fail(missing[:GIVE_UP])  # beyond these none was tried on its own
    if not texts:  # else the next one looks again: what was found here may come to nothing at a conflict
        lookout.settle(scope)
    return found
