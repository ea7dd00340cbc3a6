"""The embedded decider: answers every request by rules, without a model, a key or a network."""

from __future__ import annotations

import time
from typing import Any

from langchain_core.runnables import RunnableConfig
from pydantic import BaseModel

from scrubjay.graph.rules.extraction import extract
from scrubjay.graph.rules.judging import joint, many, one
from scrubjay.nodes.decider import Answer
from scrubjay.prompts.extract import ExtractRequest
from scrubjay.prompts.judge import JudgeJointRequest, JudgeManyRequest, JudgeOneRequest
from scrubjay.prompts.merge import MergedText, MergeRequest
from scrubjay.prompts.request import Request
from scrubjay.stores.text import render

NAME = "rules"


class RulesDecider:
    """Deterministic, and never wrong on purpose: what it is unsure of is kept beside what was known.

    It reads plain English and Chinese statements of the user about the user, their people and things. Everything else
    (irony, hints, long stories, other languages) yields no fact: a chat model reads more.
    """

    @property
    def name(self) -> str:
        return NAME

    def decide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        """Raises TypeError for a request that no rule answers."""
        started = time.perf_counter()
        reply = _reply(request)
        spent = (time.perf_counter() - started) * 1000
        return Answer(value=reply, raw=reply.model_dump_json(), model=NAME, milliseconds=spent)

    async def adecide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        """As `decide`: it takes less than a millisecond a sentence and waits for nothing."""
        return self.decide(request, config)


def _reply(request: Request[Any]) -> BaseModel:
    match request:
        case ExtractRequest():
            return extract(request)
        case JudgeOneRequest():
            return one(request)
        case JudgeManyRequest():
            return many(request)
        case JudgeJointRequest():
            return joint(request)
        case MergeRequest():
            return MergedText(text=render(request.current, request.ended).text)
    raise TypeError(f"the rules decider has no rule for {type(request).__name__}: give it a chat model (model=…)")
