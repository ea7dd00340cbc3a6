"""One write at a time in a scope, first come first served, for threads and event loops alike."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from threading import Lock

from scrubjay.stores.records import Scope


class Turnstile:
    """Waiting costs no thread of a pool, so that waiters cannot starve the one who works."""

    def __init__(self) -> None:
        self._queues: dict[Scope, deque[Future[None]]] = {}
        self._lock = Lock()

    @contextmanager
    def pass_(self, scope: Scope) -> Iterator[None]:
        mine = self._enter(scope)
        try:
            mine.result()
            yield
        finally:
            self._leave(scope, mine)

    @asynccontextmanager
    async def apass(self, scope: Scope) -> AsyncIterator[None]:
        mine = self._enter(scope)
        try:
            await asyncio.shield(asyncio.wrap_future(mine))
            yield
        finally:
            self._leave(scope, mine)

    def _enter(self, scope: Scope) -> Future[None]:
        mine: Future[None] = Future()
        with self._lock:
            queue = self._queues.setdefault(scope, deque())
            queue.append(mine)
            first = queue[0] is mine
        if first:
            mine.set_result(None)
        return mine

    def _leave(self, scope: Scope, mine: Future[None]) -> None:
        """Also for one who was cancelled while it waited."""
        with self._lock:
            queue = self._queues[scope]
            had_turn = queue[0] is mine
            queue.remove(mine)
            following = queue[0] if queue and had_turn else None
            if not queue:
                del self._queues[scope]
        if following is not None:
            following.set_result(None)
