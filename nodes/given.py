"""What a parent graph hands over, checked before anything else happens: a key of the same name may hold anything."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime
from pydantic import BaseModel

from scrubjay.nodes.settings import configured
from scrubjay.nodes.state import Json
from scrubjay.stores.errors import GraphError, InvalidInput

SHOWN = 60
"""characters of an unknown setting that an error repeats"""
SAVER = "__pregel_checkpointer"
"""LangGraph's key of `configurable` for the saver of this run or of its parent; should it change, LangGraph's own
message is what users see"""


def given_messages(value: Any) -> Sequence[Any]:
    """The messages; none for a missing key. Raises InvalidInput for what is no list of messages."""
    if value is None:
        return []
    if isinstance(value, (str, bytes, bytearray)) or not isinstance(value, Sequence):
        raise InvalidInput(
            f"messages is {type(value).__name__}: it must be a list of messages, dicts with role and content or "
            "LangChain's; in a graph that uses this name otherwise, invoke the memory graph in a node of your own"
        )
    return value


def given_settings(name: str, value: Any, known: Collection[str]) -> Json:
    """Settings in the input under `name`; raises InvalidInput for anything but a dict, and for a setting not `known`.

    A misspelt one that is ignored may be the very policy that was to hold a deletion back.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput(
            f"{name} is {type(value).__name__}: it must be a dict of settings such as user_id; "
            "a key of your graph that means something else needs another name"
        )
    if unknown := sorted(str(key)[:SHOWN] for key in value if key not in known):
        raise InvalidInput(f"{name} has no setting {', '.join(unknown)}: it knows {', '.join(known)}")
    return dict(value)


def layers(
    bound: Json, config: RunnableConfig, runtime: Runtime[Any], ours: tuple[type[BaseModel], ...], asked: Json
) -> tuple[Json, ...]:
    """Weakest first: bound at build time, `configurable`, our own context, the input. A parent's context is none."""
    context = runtime.context
    set_there = context.model_dump(exclude_unset=True) if isinstance(context, ours) else {}
    return bound, configured(config), set_there, asked


def must_be_saved(config: RunnableConfig) -> None:
    """A run that stops without a saver ends there, without an error and with nothing written. Raises GraphError."""
    if (config.get("configurable") or {}).get(SAVER) is None:
        raise GraphError(
            'how="interrupt" stops the run until a person answers, and nobody saves this run, so that it could not go '
            "on: compile the graph that is invoked with a checkpointer, or leave how at its default, "
            '"queue"; nothing was read or written'
        )
