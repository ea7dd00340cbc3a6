"""A decider of somebody's own that raises, or answers with something else: the write goes on without its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from pydantic import BaseModel

from scrubjay import Memory, WriteResult
from scrubjay.graph.deciders.scripted import ScriptedDecider
from scrubjay.nodes.decider import Answer
from scrubjay.prompts.request import Request
from tests.fakes import ANA, THRESHOLDS, Cast, Clock, TableEmbedder, codes, extraction, one

TEA, LEMON = "User drinks tea", "User loves tea with lemon"


class Stranger(BaseModel):
    """No reply to anything."""


Write = Callable[[Memory, str], WriteResult]
WRONG = Answer(Stranger())


class Breaking(Cast):
    """Raises, or returns as it is, what `broken` holds for the request's tag."""

    def __init__(self, tag: str, broken: Any) -> None:
        super().__init__()
        self.tag, self.broken = tag, broken

    def decide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        if request.tag != self.tag:
            return super().decide(request, config)
        if isinstance(self.broken, BaseException):
            raise self.broken
        returned: Answer = self.broken
        return returned


def add(memory: Memory, text: str) -> WriteResult:
    return memory.add(text, user_id=ANA)


def aadd(memory: Memory, text: str) -> WriteResult:
    return asyncio.run(memory.aadd(text, user_id=ANA))


def opened(decider: Cast) -> Memory:
    """Both texts are about the same."""
    embedder = TableEmbedder()
    embedder.alike(0.6, TEA, LEMON)
    memory = Memory.open(":memory:", model=decider, embedder=embedder, clock=Clock())
    memory.store.bind_embedder(embedder.name, embedder.dimension, THRESHOLDS)
    return memory


def breaking(tag: str, broken: Any, **replies: Any) -> Memory:
    """TEA is stored; the next write says LEMON and breaks at this tag."""
    decider = Breaking("", None)
    memory = opened(decider)
    decider.script = ScriptedDecider({"extract": [extraction([TEA], TEA)]})
    memory.add(TEA, user_id=ANA)
    decider.tag, decider.broken = tag, broken
    decider.script = ScriptedDecider({"extract": [extraction([LEMON], LEMON)]} | {k: [v] for k, v in replies.items()})
    return memory


WAYS = pytest.mark.parametrize("write", [add, aadd])
FAULTS = pytest.mark.parametrize(
    ("broken", "says"),
    [
        (RuntimeError("no idea"), "RuntimeError: no idea"),
        (None, "TypeError: the decider returned NoneType, not an Answer"),
        (WRONG, "TypeError: the answer is a Stranger"),
    ],
)


@WAYS
@FAULTS
def test_an_extractor_that_raises_fails_the_write_and_its_input_is_kept(write: Write, broken: Any, says: str) -> None:
    memory = breaking("extract", broken)
    result = write(memory, LEMON)
    kept = memory.write(result.write_id)
    assert result.outcome == "failed" and kept.input["messages"][0]["text"] == LEMON
    assert says in kept.calls[0]["error"] and [m.text for m in memory.list(user_id=ANA)] == [TEA]


@WAYS
@FAULTS
def test_a_judge_that_raises_leaves_the_fact_added(write: Write, broken: Any, says: str) -> None:
    memory = breaking("judge", broken)
    result = write(memory, LEMON)
    assert [m.text for m in memory.list(user_id=ANA)] == [TEA, LEMON] and "judge_failed" in codes(result)
    assert says in memory.write(result.write_id).calls[1]["error"]


@WAYS
@FAULTS
def test_a_merge_that_raises_leaves_the_fact_added(write: Write, broken: Any, says: str) -> None:
    memory = breaking("merge", broken, judge=one("refines", "1"))
    result = write(memory, LEMON)
    assert [m.text for m in memory.list(user_id=ANA)] == [TEA, LEMON] and "merge_failed" in codes(result)
    assert says in memory.write(result.write_id).calls[2]["error"]


@WAYS
def test_an_interrupt_is_no_answer(write: Write) -> None:
    with pytest.raises(KeyboardInterrupt):
        write(breaking("extract", KeyboardInterrupt()), LEMON)
