"""A chat model for tests: answers by tag from a queue, remembers what it was asked, reaches nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import Field, PrivateAttr

Reply = str | dict[str, Any] | list[Any] | AIMessage | BaseException
"""a text, a value to be sent as JSON, a whole message, or what is raised"""


class FakeChat(BaseChatModel):
    """`replies[tag]` is used up from the front; a tag without a reply left is an AssertionError, which nobody handles.

    `schemas=True`: offers structured output and notes the schemas it was given; False: knows plain text only.
    """

    replies: dict[str, list[Any]] = Field(default_factory=dict)
    schemas: bool = False

    _prompts: list[tuple[str, list[BaseMessage]]] = PrivateAttr(default_factory=list)
    _asked_for: list[str] = PrivateAttr(default_factory=list)

    @property
    def prompts(self) -> list[tuple[str, list[BaseMessage]]]:
        """(tag, messages) of every request, in order."""
        return self._prompts

    @property
    def asked_for(self) -> list[str]:
        """Names of the schemas sent."""
        return self._asked_for

    @property
    def _llm_type(self) -> str:
        return "fake"

    def with_structured_output(
        self, schema: Any, *, include_raw: bool = False, **kwargs: Any
    ) -> Runnable[LanguageModelInput, Any]:
        """The reply's text goes through; what it is worth is left to the caller."""
        if not self.schemas:
            raise NotImplementedError("plain text only")

        def wrap(message: AIMessage) -> dict[str, Any]:
            return {"raw": message, "parsed": None, "parsing_error": None}

        self._asked_for.append(schema.__name__)
        return self | RunnableLambda(wrap)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        tag = _tag(run_manager.tags if run_manager else [])
        self._prompts.append((tag, messages))
        reply = self._next(tag)
        if isinstance(reply, BaseException):
            raise reply
        return ChatResult(generations=[ChatGeneration(message=_message(reply))])

    def _next(self, tag: str) -> Reply:
        queue = self.replies.get(tag, [])
        if not queue:
            raise NothingLeft(f"no reply left for {tag!r}")
        reply: Reply = queue.pop(0)
        return reply


class NothingLeft(BaseException):
    """The test queued too few replies; no `except Exception` may hide it."""


def _tag(tags: Sequence[str]) -> str:
    (tag,) = [t.removeprefix("scrubjay:") for t in tags if t.startswith("scrubjay:")]
    return tag


def _message(reply: Reply) -> AIMessage:
    if isinstance(reply, AIMessage):
        return reply
    return AIMessage(reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False))
