"""Which turns of a conversation are over: a turn that waits for its tools is left to the next write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from scrubjay.nodes.messages import ROLES, parts
from scrubjay.nodes.state import Json
from scrubjay.nodes.vocabulary import problem

UNFINISHED = "unfinished_turn"
CALLS, RESULTS = {"tool_use", "tool_call", "function_call"}, {"tool_result", "function_call_output"}
"""types of content parts"""
Kind = Literal["user", "assistant", "calls", "result", "silent"]


def ended_turns(messages: Sequence[Any]) -> tuple[Sequence[Any], list[Json]]:
    """(messages of turns that are over, what is left for the next write).

    A turn is not over while the last word is the assistant's call of a tool or a tool's result: an agent that writes
    then would have half a turn read, and the rest never. A plain message of the user's is a turn of its own.
    """
    kinds = [kind(m) for m in messages]
    last = next((k for k in reversed(kinds) if k != "silent"), "silent")
    if last not in ("calls", "result"):
        return messages, []
    start = max((i for i, k in enumerate(kinds) if k == "user"), default=0)
    left = len(messages) - start
    why = f"the last {left} messages wait for the assistant's answer to its tools: the next write reads them"
    return messages[:start], [problem(UNFINISHED, why)]


def kind(message: Any) -> Kind:
    """Who speaks, and whether a tool is called or answers; in LangChain's words, OpenAI's or Anthropic's."""
    role, content, found = parts(message)
    types = part_types(content)
    if role in ("tool", "function", "toolmessagechunk") or (types and types <= RESULTS):
        return "result"
    if ROLES.get(role) != "assistant":
        return "user" if role in ROLES else "silent"
    calls = getattr(message, "tool_calls", None) or found.get("tool_calls") or found.get("function_call")
    return "calls" if calls or types & CALLS else "assistant"


def part_types(content: Any) -> set[str]:
    if not isinstance(content, list | tuple):
        return set()
    return {str(p.get("type")) if isinstance(p, dict) else "text" for p in content}
