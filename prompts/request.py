"""A question to a decider, as a value: what is asked, how it is put to a model, what a reply must look like."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel

ReplyT = TypeVar("ReplyT", bound=BaseModel)


@dataclass(frozen=True, kw_only=True)
class Request(ABC, Generic[ReplyT]):
    """One prompt with its inputs. Subclasses are frozen dataclasses whose fields are the inputs (plain data)."""

    fact_keys: Mapping[str, str] = field(default_factory=dict, compare=False)
    """number shown ("F1", "2", "2.1") → "message id#item": recorded and oracle deciders use it, no prompt shows it"""

    tag: ClassVar[str]
    """extract | judge | merge | edit | summary"""
    name: ClassVar[str]
    """the prompt's name: its file"""
    template: ClassVar[str]
    """the fixed part; its hash is the prompt's version"""
    reply_model: ClassVar[type[BaseModel]]

    @abstractmethod
    def render(self) -> list[tuple[str, str]]:
        """(role, text) messages, the fixed part first so that providers can cache it."""

    @abstractmethod
    def check(self, reply: ReplyT) -> Sequence[str]:
        """What is wrong with a well-formed reply, in words that a model can act on; pure."""

    @property
    def version(self) -> str:
        """name@hash of the fixed part and of the reply's schema."""
        return prompt_version(self.name, self.template, self.reply_model)

    @property
    def inputs(self) -> dict[str, Any]:
        """The fields as plain data, without `fact_keys`."""
        return {k: v for k, v in asdict(self).items() if k != "fact_keys"}

    @cached_property
    def hash(self) -> str:
        """Of what a model would see: two requests with one hash deserve one reply."""
        seen = json.dumps([self.version, self.render()], ensure_ascii=False)
        return hashlib.sha256(seen.encode("utf-8", "surrogatepass")).hexdigest()[:24]


@cache
def prompt_version(name: str, template: str, reply_model: type[BaseModel]) -> str:
    """A schema takes 10 ms to write out, and is the same for every request of a prompt."""
    schema = json.dumps(reply_model.model_json_schema(), sort_keys=True)
    return f"{name}@{hashlib.sha256((template + schema).encode()).hexdigest()[:8]}"
