"""One write at a time in a scope, first come first served, for threads and event loops alike."""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from threading import Lock, get_ident

from scrubjay.stores.errors import GraphError
from scrubjay.stores.records import Scope

PATIENCE = 1.0
"""seconds after which those who wait look whether the one before them is still there"""


@dataclass(eq=False, slots=True)
class Ticket:
    """A place in the queue of a scope."""

    thread: int
    loop: AbstractEventLoop | None
    """where it waits and works; None for a thread of its own"""
    turn: Future[None] = field(default_factory=Future)
    over: bool = False

    @property
    def gone(self) -> bool:
        """Nobody will come back with it: it was given up, or its loop was closed under it."""
        return self.over or (self.loop is not None and self.loop.is_closed())


class Turnstile:
    """Waiting costs no thread of a pool, so that waiters cannot starve the one who works."""

    def __init__(self) -> None:
        self._queues: dict[Scope, deque[Ticket]] = {}
        self._lock = Lock()

    @contextmanager
    def pass_(self, scope: Scope) -> Iterator[None]:
        """Raises GraphError where waiting would never end: in an event loop, and within a write of the same scope."""
        mine = Ticket(get_ident(), None)
        try:
            self._join(scope, mine)
            self._refuse_deadlock(scope, mine)
            while not mine.turn.done():
                with suppress(TimeoutError):
                    mine.turn.result(PATIENCE)
                self._move_on(scope)
            yield
        finally:
            mine.over = True
            self._move_on(scope)

    @asynccontextmanager
    async def apass(self, scope: Scope) -> AsyncIterator[None]:
        mine = Ticket(get_ident(), asyncio.get_running_loop())
        try:
            self._join(scope, mine)
            turn = asyncio.wrap_future(mine.turn)
            while not turn.done():
                await asyncio.wait([turn], timeout=PATIENCE)
                self._move_on(scope)
            yield
        finally:
            mine.over = True
            self._move_on(scope)

    def _join(self, scope: Scope, mine: Ticket) -> None:
        with self._lock:
            self._queues.setdefault(scope, deque()).append(mine)
        self._move_on(scope)

    def _refuse_deadlock(self, scope: Scope, mine: Ticket) -> None:
        if mine.turn.done():
            return
        if _in_a_loop():
            raise GraphError(
                f"a write for {scope.user_id!r} is under way, and `add` would stop this event loop until it ends: "
                "await `aadd` instead"
            )
        with self._lock:
            mine_already = any(t.thread == mine.thread and t.loop is None for t in self._queues[scope] if t is not mine)
        if mine_already:
            raise GraphError(f"`add` for {scope.user_id!r} inside a write for the same user: call it after that write")

    def _move_on(self, scope: Scope) -> None:
        """Drop the tickets that nobody comes back with, and call the first of the others.

        Also for one who was cancelled, interrupted or left behind in a closed loop, waiting or at work.
        """
        with self._lock:
            waiting = deque(ticket for ticket in self._queues.pop(scope, ()) if not ticket.gone)
            if waiting:
                self._queues[scope] = waiting
                if not waiting[0].turn.done():
                    waiting[0].turn.set_result(None)


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
