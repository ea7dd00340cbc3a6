"""What a caller hands to a write, made plain before anything is done with it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from scrubjay.stores.errors import InvalidInput
from scrubjay.stores.records import Json


def as_messages(messages: str | Sequence[Any]) -> Sequence[Any]:
    if isinstance(messages, str):
        return [{"role": "user", "content": messages}]
    if isinstance(messages, bytes) or not isinstance(messages, Sequence):
        raise InvalidInput("messages must be text or a list of messages: dicts with role and content, or LangChain's")
    return [_message(m) for m in messages]


def plain_metadata(metadata: Mapping[str, Any]) -> Json:
    """As it will be read back; raises InvalidInput for what JSON cannot hold."""
    try:
        written = json.dumps(dict(metadata), allow_nan=False, ensure_ascii=False)
        written.encode("utf-8")  # half a surrogate pair would be refused by the store, after the model was paid
        kept: Json = json.loads(written, parse_int=_stored_int)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"metadata must be plain JSON: {error}") from None
    return kept


def _stored_int(digits: str) -> int:
    """As a checkpoint can hold it."""
    if len(digits) > 19 or not -(2**63) <= int(digits) < 2**63:
        raise ValueError(f"the integer {digits[:20]}… has more than 64 bits")
    return int(digits)


def _message(message: Any) -> Any:
    """A dict with what is read of it alone: an object in another field must not reach a checkpoint."""
    if not isinstance(message, dict):
        return message
    return {k: v for k, v in message.items() if k in ("role", "type", "content", "text", "parts", "id", "name", "at")}
