"""Read a model's reply: JSON, whatever stands around it. A cut-off or alien reply is a failure, never "nothing"."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

_THOUGHT = re.compile(r"</?(?:think|thinking|thought|reasoning)>|◁/?think▷", re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]*[ \t]*\r?\n?(.*?)```", re.DOTALL)
READABLE = 4000
"""digits of a whole number; beyond 4300 Python raises"""


def _whole(digits: str) -> int | float:
    """A number that Python does not read is as large as any: it names nothing and is no text either."""
    return int(digits) if len(digits) <= READABLE else float("inf")


_DECODER = json.JSONDecoder(parse_int=_whole)
_CLOSES = {"{": "}", "[": "]"}


class Unusable(ValueError):
    """A reply that holds no answer; the message tells the model what to do about it."""


def read_reply(text: str, model: type[BaseModel]) -> BaseModel:
    """The one answer that the text holds; raises Unusable for none, and for several that differ.

    Copes with a byte order mark, thoughts, code fences, text around the JSON, a list for a single object, a single
    item for the list that the schema asks for. Text that ends inside its JSON holds no answer, whatever stands before.
    """
    found: list[BaseModel] = []
    problem = "it holds no JSON object"
    for value in _values(_answer_part(text)):
        try:
            answer = fit(value, model)
        except ValidationError as error:
            problem = explain(error)
            continue
        if answer not in found:
            found.append(answer)
    if len(found) > 1:
        raise Unusable("it holds several answers that differ: give one JSON object")
    if not found:
        raise Unusable(problem)
    return found[0]


def fit(value: Any, model: type[BaseModel]) -> BaseModel:
    """The value as the reply model, in the shapes that models confuse; raises the plain reading's ValidationError."""
    try:
        return model.model_validate(value)
    except ValidationError as plain:
        for shape in _other_shapes(value, model):
            try:
                return model.model_validate(shape)
            except ValidationError:
                continue
        raise plain


def explain(error: ValidationError) -> str:
    """The first few faults, as "where: what", without the input."""
    faults = [f"{'.'.join(map(str, e['loc'])) or 'the reply'}: {e['msg']}" for e in error.errors(include_url=False)[:3]]
    return "it does not fit the schema: " + "; ".join(faults)


def _other_shapes(value: Any, model: type[BaseModel]) -> Iterator[Any]:
    """[{…}] for {…}; and where the reply is one list, the bare list or a single item of it."""
    if isinstance(value, list) and len(value) == 1:
        yield value[0]
    if len(model.model_fields) == 1 and value not in ({}, None):
        (name,) = model.model_fields
        yield {name: value if isinstance(value, list) else [value]}


def _answer_part(text: str) -> str:
    """Without mark, thoughts and fences. A thought that never ends leaves only what a fence or the very end holds."""
    text = text.replace("\ufeff", "").strip()
    text = _THOUGHT.split(text)[-1]
    fenced = [block.strip() for block in _FENCE.findall(text) if block.strip()[:1] in _CLOSES]
    return "\n".join(fenced) if fenced else text.strip()


def _values(text: str) -> Iterator[Any]:
    """Top-level JSON values. A bracket that is no JSON is passed over to its end; without an end it ends the search."""
    at = 0
    while (start := _next_bracket(text, at)) is not None:
        try:
            value, at = _DECODER.raw_decode(text, start)
        except (json.JSONDecodeError, RecursionError):
            at = _closing(text, start)
            continue
        if isinstance(value, dict) or text == text[start:at] or (value and all(isinstance(v, dict) for v in value)):
            yield value


def _next_bracket(text: str, at: int) -> int | None:
    starts = [i for i in (text.find("{", at), text.find("[", at)) if i >= 0]
    return min(starts) if starts else None


def _closing(text: str, start: int) -> int:
    """Just behind the bracket that closes the one at `start`, or the text's end."""
    opening, closing = text[start], _CLOSES[text[start]]
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == opening) - (text[i] == closing)
        if not depth:
            return i + 1
    return len(text)
