"""A chat model as decider: structured output where there is any, one repair turn, and every fault told as a value."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.chat_models import SimpleChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable, RunnableBinding, RunnableConfig, RunnableSequence
from langchain_core.runnables.config import merge_configs, run_in_executor
from pydantic import BaseModel, SecretStr

from scrubjay.graph.deciders.reply import read_reply
from scrubjay.graph.deciders.schema import strict_schema
from scrubjay.nodes.decider import Answer, Usage
from scrubjay.prompts.request import Request

_SECRET = re.compile(r"(?i)(sk-|bearer\s+|api[-_ ]?key(?: provided)?[\"']?\s*[:=]\s*[\"']?)[^\s\"',;]+")
_REFUSES_SCHEMA = (400, 422, 501)
_STALE_CONNECTIONS = 20
"""a client that outlives its event loop keeps connections on which the next loop's reply is lost: ask again"""
_CUT_OFF = ("length", "max_tokens", "MAX_TOKENS")
_WAITING = ThreadPoolExecutor(16, thread_name_prefix="scrubjay-model")
"""models without an asynchronous call wait here, not in the event loop's own threads, where nodes have short work"""

Turns = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Call:
    """One model request to be sent."""

    turns: Turns
    structured: bool


@dataclass(frozen=True, slots=True)
class _Reply:
    """What came of it: a message, or the exception instead."""

    message: BaseMessage | None = None
    error: Exception | None = None


_Dialogue = Generator[_Call, _Reply, Answer]


@dataclass(slots=True)
class _Log:
    """What piles up over the turns of one question."""

    started: float = field(default_factory=time.perf_counter)
    tokens_in: int = 0
    tokens_out: int = 0
    raw: str = ""
    repairs: int = 0
    notes: list[str] = field(default_factory=list)

    def hear(self, message: BaseMessage) -> None:
        self.raw = _raw(message)
        used = message.usage_metadata if isinstance(message, AIMessage) else None
        if used:
            self.tokens_in += used["input_tokens"]
            self.tokens_out += used["output_tokens"]


class ChatDecider:
    """Any LangChain chat model behind the decider protocol; a model that fails is an answer without a value."""

    def __init__(self, model: BaseChatModel, name: str) -> None:
        self._model = model
        self._name = name
        self._plain = False
        """True once the model has refused a schema and then answered without one"""

    @property
    def name(self) -> str:
        return self._name

    def decide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        """Ask, and once more with the problems if there are any."""
        dialogue = self._dialogue(request)
        call = next(dialogue)
        while True:
            reply = self._send(call, request, config)
            try:
                call = dialogue.send(reply)
            except StopIteration as end:
                return _answer(end)

    async def adecide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        """As `decide`, without blocking the loop."""
        dialogue = self._dialogue(request)
        call = next(dialogue)
        while True:
            reply = await self._asend(call, request, config)
            try:
                call = dialogue.send(reply)
            except StopIteration as end:
                return _answer(end)

    # -- the dialogue: what is asked next, free of any I/O
    def _dialogue(self, request: Request[Any]) -> _Dialogue:
        log = _Log()
        turns = request.render()
        reply = yield from self._ask(turns, log)
        if reply.message is None:
            return self._failed(_describe(reply.error), log)
        value, problems = _read(reply, request)
        if not problems:
            return self._answered(value, [], log)
        if stop := _hopeless(reply.message, value):
            return self._failed(stop, log)
        log.repairs += 1
        second = yield from self._ask([*turns, ("ai", log.raw or "(nothing)"), ("human", _repair(problems))], log)
        if second.message is None:
            return self._settled(value, problems, [f"the repair failed: {self._clean(_describe(second.error))}"], log)
        mended, left = _read(second, request)
        if mended is None:
            return self._settled(value, problems, [f"the repair is unusable: {p}" for p in left], log)
        if value is not None and len(left) > len(problems):
            return self._settled(value, problems, ["the repair made it worse"], log)
        log.notes += [f"repaired: {p}" for p in problems if p not in left]
        return self._answered(mended, left, log)

    def _ask(self, turns: Turns, log: _Log) -> Generator[_Call, _Reply, _Reply]:
        """One turn. A schema that is refused is left out; here the longer chain of fallbacks will stand."""
        reply = yield _Call(turns, structured=not self._plain)
        if not self._plain and _refuses_schema(reply.error):
            first, refused = reply.error, self._clean(_describe(reply.error))
            reply = yield _Call(turns, structured=False)
            self._plain = reply.message is not None
            if self._plain and not isinstance(first, NotImplementedError):
                log.notes.append(f"asked without a schema: {refused}")
        if reply.message is not None:
            log.hear(reply.message)
        return reply

    # -- sending
    def _send(self, call: _Call, request: Request[Any], config: RunnableConfig) -> _Reply:
        try:
            runnable, turns = self._prepared(call, request.reply_model)
            return _heard(runnable.invoke(turns, _tagged(config, request)))
        except Exception as error:  # whatever a provider raises is an answer; interrupts and cancellation pass
            return _Reply(error=error)

    async def _asend(self, call: _Call, request: Request[Any], config: RunnableConfig) -> _Reply:
        reply = _Reply()
        for _ in range(_STALE_CONNECTIONS):
            try:
                runnable, turns = self._prepared(call, request.reply_model)
                return _heard(await self._called(runnable, turns, _tagged(config, request)))
            except Exception as error:  # as above
                reply = _Reply(error=error)
                if str(error) != "Event loop is closed":
                    break
        return reply

    async def _called(self, runnable: Runnable[Any, Any], turns: Turns, config: RunnableConfig) -> Any:
        if _waits_in_a_thread(self._model):
            return await run_in_executor(_WAITING, copy_context().run, runnable.invoke, turns, config)
        return await runnable.ainvoke(turns, config)

    def _prepared(self, call: _Call, reply_model: type[BaseModel]) -> tuple[Runnable[Any, Any], Turns]:
        if call.structured:
            return _with_structure(self._model, reply_model), call.turns
        return self._model, _with_schema(call.turns, reply_model)

    # -- answers
    def _settled(self, value: BaseModel | None, problems: list[str], more: list[str], log: _Log) -> Answer:
        """The repair brought nothing: the first reply is taken for what it is worth."""
        log.notes += more
        return self._failed(problems[0], log) if value is None else self._answered(value, problems, log)

    def _answered(self, value: BaseModel | None, problems: list[str], log: _Log) -> Answer:
        return self._made(value, (*log.notes, *problems), None, log)

    def _failed(self, error: str, log: _Log) -> Answer:
        return self._made(None, tuple(log.notes), self._clean(error), log)

    def _made(self, value: BaseModel | None, problems: tuple[str, ...], error: str | None, log: _Log) -> Answer:
        return Answer(
            value=value,
            raw=log.raw,
            problems=problems,
            error=error,
            model=self._name,
            usage=Usage(log.tokens_in, log.tokens_out),
            milliseconds=(time.perf_counter() - log.started) * 1000,
            repairs=log.repairs,
        )

    def _clean(self, text: str) -> str:
        """Without keys: those that the model object holds, and whatever looks like one."""
        for secret in (v.get_secret_value() for v in vars(self._model).values() if isinstance(v, SecretStr)):
            text = text.replace(secret, "***") if secret else text
        return _SECRET.sub(r"\1***", text)[:600]


def _answer(end: StopIteration) -> Answer:
    answer: Answer = end.value
    return answer


def _tagged(config: RunnableConfig, request: Request[Any]) -> RunnableConfig:
    """Named for traces; "nostream" keeps the reply out of a parent graph's stream of messages."""
    return merge_configs(config, {"tags": [f"scrubjay:{request.tag}", "nostream"], "run_name": request.name})


def _with_structure(model: BaseChatModel, reply_model: type[BaseModel]) -> Runnable[Any, Any]:
    """Structured output, the schema named after the reply; where it can be told apart, the bound model alone.

    LangChain's way to the raw reply calls the model in a thread of its own, where Ctrl-C does not reach it. OpenAI's
    client is given the schema as plain data: with a class it raises on a reply that is not bare JSON, and the reply is
    lost.
    """
    strict = "strict" in signature(model.with_structured_output).parameters
    shape: Any = strict_schema(reply_model) if strict else reply_model
    more: dict[str, Any] = {"strict": True} if strict else {}
    parsed = model.with_structured_output(shape, **more)
    if isinstance(parsed, RunnableSequence) and isinstance(parsed.first, RunnableBinding | BaseChatModel):
        return parsed.first
    return model.with_structured_output(shape, include_raw=True, **more)


def _waits_in_a_thread(model: BaseChatModel) -> bool:
    """It has no asynchronous call of its own: LangChain then runs the other one in a thread."""
    return type(model)._agenerate in (BaseChatModel._agenerate, SimpleChatModel._agenerate)


def _heard(output: Any) -> _Reply:
    """The message itself: what LangChain parsed from it is used only where it holds nothing to read.

    Its JSON parser mends a reply that was cut off, and so turns half an answer into an answer. Raises ValueError for a
    message whose content cannot be written down.
    """
    if isinstance(output, BaseMessage):
        _raw(output)
        return _Reply(message=output)
    parsed = output.get("parsed") if isinstance(output, dict) and "raw" in output else output
    message = output["raw"] if parsed is not output else AIMessage("")
    return _Reply(message=message) if _raw(message) else _Reply(message=_spelled_out(message, parsed))


def _spelled_out(message: BaseMessage, parsed: Any) -> BaseMessage:
    """A message whose text is the value that came instead of one."""
    if parsed is None:
        return message
    text = parsed.model_dump_json() if isinstance(parsed, BaseModel) else json.dumps(parsed, ensure_ascii=False)
    return message.model_copy(update={"content": text})


def _raw(message: BaseMessage) -> str:
    """The reply's text; the arguments of the tool calls where it came as such."""
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    return "\n".join(json.dumps(call["args"], ensure_ascii=False) for call in calls) or str(message.text)


def _read(reply: _Reply, request: Request[Any]) -> tuple[BaseModel | None, list[str]]:
    """(the reply as its model, what is wrong with it); no value: the reply is unusable."""
    assert reply.message is not None
    try:
        value = read_reply(_raw(reply.message), request.reply_model)
        return value, list(request.check(value))
    except ValueError as error:  # Unusable, and whatever else in a reply cannot be read
        return None, [f"unusable reply: {error}"]


def _hopeless(message: BaseMessage, value: BaseModel | None) -> str | None:
    """A reply that another turn would not mend: cut off at the limit, or refused."""
    if refusal := message.additional_kwargs.get("refusal"):
        return f"Refusal: {refusal}"
    metadata = message.response_metadata
    reason = metadata.get("finish_reason") or metadata.get("stop_reason") or metadata.get("done_reason")
    if value is None and reason in _CUT_OFF:
        return f"CutOff: the reply ended at the limit of tokens ({reason}): ask for less at once, or raise it"
    return None


def _refuses_schema(error: Exception | None) -> bool:
    """No structured output at all, or a provider that calls the request itself wrong."""
    return isinstance(error, NotImplementedError) or getattr(error, "status_code", None) in _REFUSES_SCHEMA


def _describe(error: Exception | None) -> str:
    return f"{type(error).__name__}: {error}"


def _repair(problems: list[str]) -> str:
    listed = "\n".join(f"- {problem}" for problem in problems)
    return f"That reply has problems:\n{listed}\nGive the whole reply again, put right; leave what was right as it was."


def _with_schema(turns: Turns, reply_model: type[BaseModel]) -> Turns:
    """The schema in words, behind the fixed part."""
    schema = json.dumps(reply_model.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    (role, text), *rest = turns
    return [(role, f"{text}\nReply with JSON alone, an object of this schema:\n{schema}\n"), *rest]
