"""Messages as they come (LangChain objects, dicts) to plain data: text only, cleaned, with id and time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from scrubjay.nodes.recall_block import RECALL_CLOSE, RECALL_OPEN
from scrubjay.nodes.state import Json
from scrubjay.nodes.vocabulary import conversation_time
from scrubjay.stores.errors import InvalidInput
from scrubjay.stores.text import clean

ROLES = {
    "user": "user", "human": "user", "humanmessagechunk": "user",
    "assistant": "assistant", "ai": "assistant", "aimessagechunk": "assistant",
}  # fmt: skip
SILENT = {"system", "developer", "tool", "function", "remove", "systemmessagechunk", "toolmessagechunk"}
"""never a source, and nothing to say about it"""
RECALLED = re.compile(re.escape(RECALL_OPEN) + r".*?(?:" + re.escape(RECALL_CLOSE) + r"|\Z)", re.DOTALL | re.IGNORECASE)
"""a block that was cut off goes on to the end of its message"""


def plain_messages(messages: Sequence[Any], *, at: str, write_id: str) -> tuple[list[Json], list[Json]]:
    """(what people said, what was left out): system, tool and recalled text is never a source (mem0#4573)."""
    kept: list[Json] = []
    problems: list[Json] = []
    for number, message in enumerate(messages):
        role, content, found = parts(message)
        if role not in ROLES:
            if role not in SILENT:
                problems.append({"code": "unknown_role", "text": f"message {number + 1}: role {role!r} is not read"})
            continue
        text, left_out = text_of(content)
        if left_out:
            problems.append({"code": "not_text", "text": f"message {number + 1}: {left_out} part(s) that are no text"})
        text = clean(text)
        if text.lower().count(RECALL_OPEN) > text.lower().count(RECALL_CLOSE):
            problems.append({"code": "recalled", "text": f"message {number + 1}: nothing is read after {RECALL_OPEN}"})
        text = RECALLED.sub(" ", text).strip()
        if not any(c.isalnum() for c in text):
            continue
        kept.append(as_plain(ROLES[role], text, found, default_id=f"{write_id}.{number + 1}", at=at))
    return kept, problems


def parts(message: Any) -> tuple[str, Any, Json]:
    """(role, content, the rest) of a LangChain message or a dict."""
    if isinstance(message, dict):
        role = message.get("role") or message.get("type")
        if not isinstance(role, str):
            raise InvalidInput(f"a message without role: {sorted(map(str, message))}; give role and content")
        content = message.get("content", message.get("text", message.get("parts")))
        return role.strip().lower(), content, {**as_dict(message.get("additional_kwargs")), **message}
    role = getattr(message, "type", None)
    if not isinstance(role, str):
        raise InvalidInput(f"a message of type {type(message).__name__}: give dicts or LangChain messages")
    extra = as_dict(getattr(message, "additional_kwargs", None))
    return role.lower(), message.content, {**extra, "id": message.id, "name": message.name}


def as_dict(value: Any) -> Json:
    return dict(value) if isinstance(value, dict) else {}


def text_of(content: Any) -> tuple[str, int]:
    """(text, number of parts that are none): images, tool calls and the like are no source."""
    if content is None:
        return "", 0
    if isinstance(content, str):
        return content, 0
    if not isinstance(content, Sequence):
        raise InvalidInput(f"message content of type {type(content).__name__}: give text or a list of parts")
    if isinstance(content, (bytes, bytearray)):
        return "", 1
    texts = [p.get("text") if isinstance(p, dict) else p for p in content]
    return "\n".join(t for t in texts if isinstance(t, str)), sum(not isinstance(t, str) for t in texts)


def as_plain(role: str, text: str, found: Json, *, default_id: str, at: str) -> Json:
    own = found.get("id")
    name = found.get("name")
    return {
        "id": clean(own)[:200] if isinstance(own, str) and own else default_id,
        "has_id": isinstance(own, str) and bool(own),
        "role": role,
        "text": text,
        "at": conversation_time(found.get("at"), at),
        "name": clean(name)[:200] if isinstance(name, str) and name else None,
    }
