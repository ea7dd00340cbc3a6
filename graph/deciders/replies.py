"""Answers from a write's own record: each question gets the reply that it got then, and nobody else is asked.

A reply is found by the hash of what a model would see. Where the prompt itself has changed since, no hash can fit: then
the reply recorded in that place (the first of its tag that is still there) is used, and `heard` says so. Where only the
question is another one, the reply would answer something else: there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.runnables import RunnableConfig
from pydantic import ValidationError

from scrubjay.nodes.decider import Answer, Decider, Usage
from scrubjay.prompts.request import Request
from scrubjay.stores.records import Json

How = Literal["recorded", "prompt changed", "question changed", "new question", "live"]
Mode = Literal["then", "same", "place", "live"]
"""then: as recorded, also after a change of the prompt; same: recorded if it is the very question; place: whatever was
replied in that place; live: never recorded. What the record does not answer goes to the live decider, if there is
one"""

TRUSTED: dict[Mode, tuple[How, ...]] = {
    "then": ("recorded", "prompt changed"),
    "same": ("recorded",),
    "place": ("recorded", "prompt changed", "question changed"),
    "live": (),
}


@dataclass(frozen=True)
class Heard:
    """One question of a run, and where its answer came from."""

    tag: str
    how: How
    asked: str
    """prompt and hash, as asked now"""
    recorded: str | None = None
    """prompt and hash, as recorded in that place"""


class Replies:
    """A decider over recorded calls; `mode` says how far each question's record is to be trusted."""

    name = "replies"

    def __init__(
        self,
        calls: Sequence[Json],
        *,
        live: Decider | None = None,
        mode: Callable[[Request[Any]], Mode] = lambda request: "then",
    ) -> None:
        self._left = list(calls)
        self._live, self._mode = live, mode
        self.heard: list[Heard] = []

    @property
    def left(self) -> list[Json]:
        """Recorded calls whose question did not come."""
        return list(self._left)

    def decide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        answer = self._recorded(request)
        return answer if answer is not None else self._asked(request).decide(request, config)

    async def adecide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        answer = self._recorded(request)
        return answer if answer is not None else await self._asked(request).adecide(request, config)

    def _asked(self, request: Request[Any]) -> Decider:
        assert self._live is not None  # _recorded answers where there is none
        self.heard.append(Heard(request.tag, "live", _name(request.version, request.hash)))
        return self._live

    def _recorded(self, request: Request[Any]) -> Answer | None:
        """None: ask the live one."""
        mode = self._mode(request)
        same = next((c for c in self._left if c["hash"] == request.hash), None)
        place = same or next((c for c in self._left if c["tag"] == request.tag), None)
        how = how_found(request, same, place)
        if self._live is not None and how not in TRUSTED[mode]:
            return None
        if place is not None:
            self._left.remove(place)
        self._hear(request, how, place)
        if place is not None and how in TRUSTED[mode]:
            return answer_of(request, place)
        return Answer(None, error=f"{how}: no reply to it is recorded")

    def _hear(self, request: Request[Any], how: How, place: Json | None) -> None:
        recorded = _name(place["prompt"], place["hash"]) if place is not None else None
        self.heard.append(Heard(request.tag, how, _name(request.version, request.hash), recorded))


def how_found(request: Request[Any], same: Json | None, place: Json | None) -> How:
    if same is not None:
        return "recorded"
    if place is None:
        return "new question"
    return "prompt changed" if place["prompt"] != request.version else "question changed"


def answer_of(request: Request[Any], call: Json) -> Answer:
    """The recorded answer; one that today's schema refuses is no usable reply, and says so."""
    value, error = None, call["error"]
    try:
        value = None if call["value"] is None else request.reply_model.model_validate(call["value"])
    except ValidationError as invalid:
        error = f"the recorded reply is no {request.reply_model.__name__}: {invalid.errors()[0]['msg']}"
    return Answer(
        value, raw=call["raw"] or "", problems=tuple(call["problems"]), error=error, model=call["model"],
        usage=Usage(call["tokens_in"], call["tokens_out"]), milliseconds=call["milliseconds"], repairs=call["repairs"],
    )  # fmt: skip


def _name(prompt: str, hashed: str) -> str:
    return f"{prompt} {hashed}"
