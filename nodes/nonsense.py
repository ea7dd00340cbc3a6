"""A checkpoint that was edited into nonsense, in Studio or by `update_state`: said by name, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from scrubjay.nodes.state import Write
from scrubjay.stores.errors import ScrubjayError, StateError

Node = TypeVar("Node", bound=Callable[..., Any])
UNREADABLE = (KeyError, IndexError, TypeError, AttributeError, ValueError)
"""what code meets in a value of another shape than it expects"""


def reads_state(node: Node) -> Node:
    """The same node, or edge; raises StateError where it cannot read its state."""

    @wraps(node)
    def reading(state: Write, *rest: Any, **named: Any) -> Any:
        with readable(node.__name__, state):
            return node(state, *rest, **named)

    return cast(Node, reading)


@contextmanager
def readable(name: str, state: Any) -> Iterator[None]:
    """Our own errors pass; the cause of a StateError is chained, since it may be a fault of ours after all."""
    try:
        yield
    except ScrubjayError:
        raise
    except UNREADABLE as error:
        raise StateError(name, misfit(state) or f"{type(error).__name__}: {error}") from error


def must_fit(name: str, state: Write) -> None:
    """Raises StateError for a value of another type than its channel's."""
    if wrong := misfit(state):
        raise StateError(name, wrong)


def misfit(state: Any) -> str:
    """Where the state first is not what it should be; "" where nothing is seen of it."""
    try:
        _shape().validate_python({k: v for k, v in state.items() if k in Write.__annotations__ and k != "messages"})
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg'].lower()}, not {first['input']!r:.60}"
    except UNREADABLE as error:
        return f"{type(error).__name__}: {error}"
    return ""


@cache
def _shape() -> TypeAdapter[Any]:
    return TypeAdapter(Write)
