"""delete: what the user asked to forget leaves every live text; the record of it stays until `forget`."""

from __future__ import annotations

from scrubjay.nodes.asking import Asking
from scrubjay.nodes.resolving import Task, resolver_node
from scrubjay.nodes.tools import Tools


def delete(tools: Tools) -> Asking[Task]:
    """Soft: the target's named facts end; a memory with none left is `deleted`, another is worded anew."""
    return resolver_node("delete", tools)
