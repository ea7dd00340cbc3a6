"""The thread in which a model is called: the caller's, so that Ctrl-C reaches it, or one that keeps nobody waiting."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import PrivateAttr

from scrubjay.graph.deciders.chat import ChatDecider
from scrubjay.nodes.decider import Answer
from scrubjay.prompts.merge import MergedText, MergeRequest

ASK = MergeRequest(current=("User drinks tea", "User drinks tea with lemon"))
TEXT = "User drinks tea with lemon"
REPLY = MergedText(text=TEXT).model_dump_json()


class Located(BaseChatModel):
    """Notes its thread and how it was bound; LangChain's own structured output, by a tool."""

    _where: list[str] = PrivateAttr(default_factory=list)
    _bound: list[dict[str, Any]] = PrivateAttr(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "located"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[LanguageModelInput, AIMessage]:
        return self.bind(tools=[tool.__name__ for tool in tools])

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self._where.append(threading.current_thread().name)
        self._bound.append(kwargs)
        return ChatResult(generations=[ChatGeneration(message=AIMessage(REPLY))])


class Native(Located):
    """Has an asynchronous call."""

    async def _agenerate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        return self._generate(messages, **kwargs)


class Opaque(Located):
    """Structured output of its own, of which nothing can be taken apart."""

    def with_structured_output(self, schema: Any, **kwargs: Any) -> Runnable[LanguageModelInput, Any]:
        return RunnableLambda(lambda asked: {"raw": self.invoke(asked), "parsed": None, "parsing_error": None})


def test_a_model_is_called_in_the_callers_thread() -> None:
    model = Located()
    answer = ChatDecider(model, "fake").decide(ASK, {})
    assert answer.value == MergedText(text=TEXT)
    assert model._where == [threading.current_thread().name] and model._bound[0]["tools"] == ["MergedText"]


def test_structured_output_that_is_no_chain_is_used_as_it_is() -> None:
    assert ChatDecider(Opaque(), "fake").decide(ASK, {}).value == MergedText(text=TEXT)


def test_a_model_with_an_asynchronous_call_runs_on_the_loop() -> None:
    model = Native()
    answer = asyncio.run(ChatDecider(model, "fake").adecide(ASK, {}))
    assert answer.value is not None and model._where == [threading.current_thread().name]


class Waiting(Located):
    """Answers only once it is let go."""

    _go: threading.Event = PrivateAttr(default_factory=threading.Event)

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        assert self._go.wait(30), "nobody let it go"
        return super()._generate(messages, **kwargs)


async def let_go(model: Waiting) -> Answer:
    """The loop has one thread; what lets the model go needs it."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    asked = asyncio.create_task(ChatDecider(model, "fake").adecide(ASK, {}))
    await asyncio.sleep(0)
    await asyncio.to_thread(model._go.set)
    return await asked


def test_a_model_without_an_asynchronous_call_leaves_the_loops_threads_free() -> None:
    model = Waiting()
    assert asyncio.run(let_go(model)).value == MergedText(text=TEXT)
    assert model._where[0].startswith("scrubjay-model")
