"""The one runnable that joins a node's two pure halves to a decider, for invoke and ainvoke alike."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.errors import GraphBubbleUp

from scrubjay.nodes.decider import Answer, Decider
from scrubjay.nodes.nonsense import readable
from scrubjay.nodes.state import Json, Write
from scrubjay.prompts.request import Request
from scrubjay.stores.text import clean

StateT = TypeVar("StateT")
AnyRequest = Request[Any]
KEPT = "kept"
"""who answers a request that was answered in an earlier round"""
TOLD = 600
"""characters of an exception that are kept"""


@dataclass(frozen=True)
class Step(Generic[StateT]):
    """Two pure halves, what may be spent, and the replies that are there already."""

    name: str
    prepare: Callable[[StateT], Sequence[AnyRequest]]
    """may return none: the decider is then not asked"""
    apply: Callable[[StateT, Sequence[Answer]], Write]
    """the update, without the calls: the runnable adds them"""
    budget: Callable[[StateT], int]
    """model calls left to this step; requests beyond it get an answer that says so"""
    known: Callable[[StateT], dict[str, Json]]
    """request hash → reply of an earlier round of this write"""
    record: Callable[[StateT, Write, list[Json], float], Write]
    """puts the calls and the milliseconds into the update"""


class Asking(Runnable[StateT, Write], Generic[StateT]):
    """`invoke` asks in order, `ainvoke` at once; the replies reach `apply` in the order of the requests."""

    def __init__(self, step: Step[StateT], decider: Decider, timer: Callable[[], float]) -> None:
        self.step, self.decider, self.timer = step, decider, timer
        self.name = step.name

    def invoke(self, input: StateT, config: RunnableConfig | None = None, **kwargs: Any) -> Write:
        started = self.timer()
        with readable(self.step.name, input):
            requests = list(self.step.prepare(input))
            settled = self._settled(input, requests)
        answers = [s or self._answer(r, config or {}) for r, s in zip(requests, settled, strict=True)]
        return self._finish(input, requests, settled, answers, started)

    async def ainvoke(self, input: StateT, config: RunnableConfig | None = None, **kwargs: Any) -> Write:
        started = self.timer()
        # prepare and apply may check long texts: they run beside the loop, not on it
        with readable(self.step.name, input):
            requests = list(await asyncio.to_thread(self.step.prepare, input))
            settled = self._settled(input, requests)
        asked = [self._aanswer(r, config or {}) for r, s in zip(requests, settled, strict=True) if s is None]
        fresh = iter(await asyncio.gather(*asked))
        answers = [s or next(fresh) for s in settled]
        return await asyncio.to_thread(self._finish, input, requests, settled, answers, started)

    def _answer(self, request: AnyRequest, config: RunnableConfig) -> Answer:
        """A decider that raises is an answer without a value; interrupts, of people and of LangGraph, pass."""
        try:
            return fitting(request, self.decider.decide(request, config))
        except GraphBubbleUp:
            raise
        except Exception as error:
            return raised(error)

    async def _aanswer(self, request: AnyRequest, config: RunnableConfig) -> Answer:
        try:
            return fitting(request, await self.decider.adecide(request, config))
        except GraphBubbleUp:
            raise
        except Exception as error:
            return raised(error)

    def _settled(self, state: StateT, requests: Sequence[AnyRequest]) -> list[Answer | None]:
        """Answers that need no model: kept from an earlier round, or refused by the cap."""
        known, left = self.step.known(state), self.step.budget(state)
        settled: list[Answer | None] = []
        for request in requests:
            kept = known.get(request.hash)
            if kept is not None:
                settled.append(Answer(request.reply_model.model_validate(kept), model=KEPT))
            elif left <= 0:
                settled.append(Answer(None, error="call_cap: the write's cap of model calls is reached"))
            else:
                left -= 1
                settled.append(None)
        return settled

    def _finish(
        self,
        state: StateT,
        requests: Sequence[AnyRequest],
        settled: Sequence[Answer | None],
        answers: Sequence[Answer],
        started: float,
    ) -> Write:
        answers = [storable(r, a) for r, a in zip(requests, answers, strict=True)]
        calls = [call(r, a) for r, s, a in zip(requests, settled, answers, strict=True) if s is None]
        with readable(self.step.name, state):
            return self.step.record(state, self.step.apply(state, answers), calls, (self.timer() - started) * 1000)


def raised(error: Exception) -> Answer:
    """What the decider should have said itself."""
    return Answer(None, error=f"{type(error).__name__}: {error}"[:TOLD])


def fitting(request: AnyRequest, answer: Any) -> Answer:
    """The answer, if it is one to this request; raises TypeError."""
    if not isinstance(answer, Answer):
        raise TypeError(f"the decider returned {type(answer).__name__}, not an Answer")
    if answer.value is not None and not isinstance(answer.value, request.reply_model):
        raise TypeError(f"the answer is a {type(answer.value).__name__}, not a {request.reply_model.__name__}")
    return answer


def storable(request: AnyRequest, answer: Answer) -> Answer:
    """Half surrogate pairs and NUL, which a model may well send, never get past this point."""
    told = clean_all([answer.raw, answer.error, list(answer.problems)])
    value = answer.value
    if value is not None and clean_all(sent := value.model_dump()) != sent:
        value = request.reply_model.model_validate(clean_all(sent))
    raw, error, problems = told
    return replace(answer, value=value, raw=raw, error=error, problems=tuple(problems))


def clean_all(value: Any) -> Any:
    """Every text in plain data, cleaned."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list | tuple):
        return [clean_all(item) for item in value]
    return {k: clean_all(v) for k, v in value.items()} if isinstance(value, dict) else value


def call(request: AnyRequest, answer: Answer) -> Json:
    """One call as it is recorded; `raw` only where it says more than the parsed reply."""
    value = answer.value.model_dump(mode="json", exclude_defaults=True) if answer.value is not None else None
    return {
        "tag": request.tag,
        "prompt": request.version,
        "hash": request.hash,
        "model": answer.model,
        "value": value,
        "raw": answer.raw if value is None or answer.repairs or answer.problems else None,
        "problems": list(answer.problems),
        "error": answer.error,
        "tokens_in": answer.usage.tokens_in,
        "tokens_out": answer.usage.tokens_out,
        "milliseconds": round(answer.milliseconds, 1),
        "repairs": answer.repairs,
    }
