"""Names of users and agents: text that can be stored, told apart and never means somebody else; and decisions' ids."""

from __future__ import annotations

import hashlib

from scrubjay.stores.errors import InvalidScope

NAME_LIMIT = 512
"""characters"""


def check_name(kind: str, value: object) -> str:
    """A user or agent id as text that can be stored; raises InvalidScope."""
    if not isinstance(value, str) or (kind == "user_id" and not value.strip()):
        raise InvalidScope(f"{kind} is {value!r}: give the id of the person whose memory this is, as text")
    if len(value) > NAME_LIMIT or "\0" in value or any("\ud800" <= c <= "\udfff" for c in value):
        raise InvalidScope(f"{kind} holds NUL, half a surrogate pair or more than {NAME_LIMIT} characters")
    return value


def decision_id(write_id: str, number: int, action: str) -> str:
    """The same for the same write, fact or memory, and action: a commit that runs twice records once."""
    said = f"{write_id}/{number}/{action}"
    return f"d_{hashlib.sha256(said.encode()).hexdigest()[:20]}"
