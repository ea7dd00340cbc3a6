"""Which messages of a batch are new: agents hand over the whole history, and what was read once is only context."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from scrubjay.nodes.settings import Settings
from scrubjay.nodes.state import Json
from scrubjay.nodes.vocabulary import problem
from scrubjay.stores.errors import InvalidInput
from scrubjay.stores.protocol import Reader
from scrubjay.stores.records import Message, WriteRow

LOG = 500
"""messages of the log that a history without ids is laid against"""
LIMIT = 500
"""new messages in one write; the history before them may be of any length"""


def unread(batch: list[Json], settings: Settings, store: Reader) -> tuple[list[Json], list[Json]]:
    """(messages that this conversation has not read, problems); raises InvalidInput for too many."""
    fresh, problems = not_read(batch, settings, store)
    if len(fresh) > LIMIT:
        raise InvalidInput(f"{len(fresh)} new messages in one write, at most {LIMIT}: add them in parts")
    return fresh, problems


def not_read(batch: list[Json], settings: Settings, store: Reader) -> tuple[list[Json], list[Json]]:
    """(messages that this conversation has not read, problems).

    A message is known by its id; an id that comes back with other text is another message, and the record says so.
    Where no message has an id, the start of the batch that repeats the end of the log is the history.
    """
    scope, conversation = settings.scope, settings.context.conversation_id
    if not any(m["has_id"] for m in batch):
        return batch[overlap(batch, store.recent_messages(scope, conversation, LOG)) :] if len(batch) > 1 else batch, []
    known = store.read_messages(scope, conversation, [m["id"] for m in batch if m["has_id"]])
    fresh: list[Json] = []
    problems: list[Json] = []
    seen: dict[str, str] = dict(known)
    for message in batch:
        text = seen.get(message["id"])
        if text is None:
            seen[message["id"]] = message["text"]
            fresh.append(message)
        elif text != message["text"]:
            problems.append(problem("id_reused", f"message id {message['id']!r} came with other text before"))
            fresh.append({**message, "id": f"{message['id']}~{digest(message['text'])[:8]}"})
    return not_edited_before(fresh, store, settings), problems


def not_edited_before(fresh: list[Json], store: Reader, settings: Settings) -> list[Json]:
    """An edited message that was read in its edited form before is no news either."""
    renamed = [m["id"] for m in fresh if "~" in m["id"]]
    if not renamed:
        return fresh
    known = store.read_messages(settings.scope, settings.context.conversation_id, renamed)
    return [m for m in fresh if known.get(m["id"]) != m["text"]]


def overlap(batch: Sequence[Json], log: Sequence[Message]) -> int:
    """Messages at the start of the batch that repeat the end of the log.

    What the user said decides: hosts trim and rewrite the assistant's turns. One message alone is news, even when its
    words are those of the last one.
    """
    said = [i for i, m in enumerate(batch) if m["role"] == "user"]
    words = [batch[i]["text"] for i in said]
    read = [m.text for m in log if m.role == "user"]
    longest = min(len(said), len(read))
    n = next((n for n in range(longest, 0, -1) if words[:n] == read[-n:]), 0)
    return len(batch) if n == len(said) else (said[n - 1] + 1 if n else 0)


def key_of(batch: Sequence[Json], settings: Settings) -> str:
    """The caller's key, else scope, conversation, ids and texts of the new messages, else the write's own id."""
    context = settings.context
    if context.key is not None:
        return context.key
    if not batch or not all(m["has_id"] for m in batch):
        return context.write_id or ""
    said = [context.user_id, context.agent_id, context.conversation_id, [[m["id"], m["text"]] for m in batch]]
    return digest(json.dumps(said))[:32]


def delivered_before(batch: Sequence[Json], settings: Settings, store: Reader) -> WriteRow | None:
    """The write that read these messages: a batch that was delivered again may start with older history."""
    for start in range(max(0, len(batch) - LIMIT), len(batch) if batch and batch[-1]["has_id"] else 0):
        row = store.write_by_key(settings.scope, key_of(batch[start:], settings))
        if row is not None:
            return row
    return None


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
