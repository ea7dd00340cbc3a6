"""Answers from a queue by tag: a model whose every reply a test has written."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from pydantic import BaseModel, ValidationError

from scrubjay.nodes.decider import Answer
from scrubjay.prompts.request import Request

Scripted = dict[str, Any] | str | BaseModel | Exception | Callable[[Request[Any]], Any]
"""a reply as data, raw text, a reply, a failing provider, or what makes one of these from the request"""


class NothingLeft(BaseException):
    """The test wrote too few replies; no `except Exception` may hide it."""


@dataclass(frozen=True)
class Turn:
    """One reply from the queue, read."""

    value: BaseModel | None
    raw: str
    problems: tuple[str, ...]
    error: str | None
    final: bool = False
    """True: the provider failed, there is nothing to repair"""


class ScriptedDecider:
    """Takes the next reply under the request's tag; `seen` holds the requests in order.

    As a chat model it has one repair turn: where `check` finds a problem or the reply cannot be used, and another reply
    is queued under the tag, that one is taken as the repair. `repairs=False` turns this off, so that each request takes
    one reply. An empty queue is NothingLeft: a call that the test did not expect.
    """

    def __init__(self, replies: Mapping[str, Sequence[Scripted]], *, repairs: bool = True) -> None:
        self._queues = {tag: deque(queue) for tag, queue in replies.items()}
        self._repairs = repairs
        self.seen: list[Request[Any]] = []

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def left(self) -> dict[str, int]:
        """Replies still queued, by tag; tags with none are left out."""
        return {tag: len(queue) for tag, queue in self._queues.items() if queue}

    def decide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        self.seen.append(request)
        first = self._turn(request)
        if not first.problems or first.final or not self._repairs or not self._queues[request.tag]:
            return _answer(first)
        second = self._turn(request)
        kept = second if second.value is not None or first.value is None else first
        problems = tuple(dict.fromkeys((*first.problems, *second.problems)))
        return _answer(Turn(kept.value, second.raw, problems, kept.error), repairs=1)

    async def adecide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        return self.decide(request, config)

    def _turn(self, request: Request[Any]) -> Turn:
        queue = self._queues.get(request.tag)
        if not queue:
            raise NothingLeft(f"no scripted reply left under {request.tag!r} for {request.name}")
        reply = queue.popleft()
        return _read(request, reply(request) if callable(reply) else reply)


def _read(request: Request[Any], reply: object) -> Turn:
    if isinstance(reply, Exception):
        error = f"{type(reply).__name__}: {reply}"
        return Turn(None, "", (error,), error, final=True)
    raw = reply if isinstance(reply, str) else _raw(reply)
    try:
        value = request.reply_model.model_validate_json(raw)
    except ValidationError as invalid:
        error = f"no {request.reply_model.__name__}: {invalid.error_count()} errors, first {invalid.errors()[0]['msg']}"
        return Turn(None, raw, (error,), error)
    return Turn(value, raw, tuple(request.check(value)), None)


def _raw(reply: object) -> str:
    return reply.model_dump_json() if isinstance(reply, BaseModel) else json.dumps(reply, ensure_ascii=False)


def _answer(turn: Turn, repairs: int = 0) -> Answer:
    return Answer(
        value=turn.value,
        raw=turn.raw,
        problems=turn.problems,
        error=turn.error,
        model="scripted",
        repairs=repairs,
    )
