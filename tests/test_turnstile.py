"""One write at a time in a scope, in the order of asking, for threads and event loops alike."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from scrubjay.graph.turnstile import Ticket, Turnstile
from scrubjay.stores.errors import GraphError
from scrubjay.stores.records import Scope

ANA, BEN = Scope("ana"), Scope("ben")


def test_only_one_thread_passes_at_a_time() -> None:
    turnstile, inside, most = Turnstile(), 0, 0

    def work(_: int) -> None:
        nonlocal inside, most
        with turnstile.pass_(ANA):
            inside += 1
            most = max(most, inside)
            inside -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(200)))
    assert (most, inside) == (1, 0)


def test_another_scope_does_not_wait() -> None:
    turnstile, passed = Turnstile(), Event()

    def other() -> None:
        with turnstile.pass_(BEN):
            passed.set()

    with ThreadPoolExecutor(1) as pool, turnstile.pass_(ANA):
        pool.submit(other).result(timeout=10)
    assert passed.is_set()


async def in_order(names: list[str]) -> list[str]:
    turnstile, done = Turnstile(), list[str]()

    async def one(name: str) -> None:
        async with turnstile.apass(ANA):
            await asyncio.sleep(0)
            done.append(name)

    await asyncio.gather(*(one(name) for name in names))
    return done


def test_those_who_wait_pass_in_the_order_of_asking() -> None:
    names = [f"n{i}" for i in range(20)]
    assert asyncio.run(in_order(names)) == names


def test_a_thread_and_an_event_loop_share_the_turnstile() -> None:
    turnstile, order = Turnstile(), list[str]()

    async def waits(entered: Event) -> None:
        entered.set()
        async with turnstile.apass(ANA):
            order.append("loop")

    with ThreadPoolExecutor(1) as pool:
        with turnstile.pass_(ANA):
            entered = Event()
            later = pool.submit(lambda: asyncio.run(waits(entered)))
            entered.wait(10)
            order.append("thread")
        later.result(timeout=10)
    assert order == ["thread", "loop"]


async def cancelled_while_waiting() -> str:
    turnstile = Turnstile()

    async def hold() -> str:
        async with turnstile.apass(ANA):
            return "passed"

    async with turnstile.apass(ANA):
        waiting, next_one = asyncio.create_task(hold()), asyncio.create_task(hold())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    return await asyncio.wait_for(next_one, 10)


def test_one_who_gives_up_waiting_blocks_nobody() -> None:
    assert asyncio.run(cancelled_while_waiting()) == "passed"


def test_an_error_inside_lets_the_next_one_pass() -> None:
    turnstile = Turnstile()
    with pytest.raises(KeyError), turnstile.pass_(ANA):
        raise KeyError("inside")
    with turnstile.pass_(ANA):
        assert list(turnstile._queues) == [ANA]


def test_nothing_is_kept_of_scopes_that_nobody_waits_for() -> None:
    turnstile = Turnstile()
    for i in range(100):
        with turnstile.pass_(Scope(f"user {i}")):
            pass
    assert turnstile._queues == {}


async def write_beside_a_write(turnstile: Turnstile) -> None:
    async with turnstile.apass(ANA):
        with turnstile.pass_(ANA):
            pass


def test_a_thread_that_runs_a_loop_is_told_to_await_instead_of_waiting() -> None:
    turnstile = Turnstile()
    with pytest.raises(GraphError, match="aadd"):
        asyncio.run(write_beside_a_write(turnstile))
    assert turnstile._queues == {}


async def write_alone(turnstile: Turnstile) -> str:
    with turnstile.pass_(ANA):
        return "passed"


def test_a_thread_that_runs_a_loop_passes_where_nobody_is_in_the_way() -> None:
    assert asyncio.run(write_alone(Turnstile())) == "passed"


def test_a_write_within_a_write_of_the_same_thread_is_refused() -> None:
    turnstile = Turnstile()
    with turnstile.pass_(ANA):
        with pytest.raises(GraphError, match="inside a write"), turnstile.pass_(ANA):
            pass
        with turnstile.pass_(BEN):
            pass
    assert turnstile._queues == {}


async def enter(turnstile: Turnstile, held: list[str]) -> None:
    async with turnstile.apass(ANA):
        held.append("in")
        await asyncio.Event().wait()


def left_behind(turnstile: Turnstile) -> tuple[list[str], asyncio.Task[None]]:
    """A loop that is closed around somebody in `apass`, who is not cancelled."""
    loop, held = asyncio.new_event_loop(), list[str]()
    task = loop.create_task(enter(turnstile, held))
    for _ in range(3):
        loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    task._log_destroy_pending = False  # type: ignore[attr-defined]  # asyncio would complain, as it should
    return held, task


def test_one_who_waits_in_a_closed_loop_blocks_nobody() -> None:
    turnstile = Turnstile()
    with turnstile.pass_(ANA):
        held, _task = left_behind(turnstile)
    assert held == []
    with turnstile.pass_(ANA):
        assert len(turnstile._queues[ANA]) == 1


def test_one_who_works_in_a_closed_loop_blocks_nobody() -> None:
    turnstile = Turnstile()
    held, _task = left_behind(turnstile)
    assert held == ["in"]
    with turnstile.pass_(ANA):
        assert len(turnstile._queues[ANA]) == 1


def test_those_behind_one_whose_loop_closes_pass_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrubjay.graph.turnstile.PATIENCE", 0.01)
    turnstile, waits = Turnstile(), Event()
    loop = asyncio.new_event_loop()
    ahead = Ticket(0, loop)
    turnstile._join(ANA, ahead)

    def behind() -> str:
        waits.set()
        with turnstile.pass_(ANA):
            return "passed"

    with ThreadPoolExecutor(1) as pool:
        later = pool.submit(behind)
        waits.wait(10)
        loop.close()
        assert later.result(timeout=10) == "passed"
