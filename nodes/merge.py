"""merge: one text for facts that belong together, checked before it takes the place of the old one."""

from __future__ import annotations

from scrubjay.nodes.asking import Asking
from scrubjay.nodes.resolving import Task, resolver_node
from scrubjay.nodes.tools import Tools


def merge(tools: Tools) -> Asking[Task]:
    """The memory keeps its id and gets a new version that rests on the old facts and the new."""
    return resolver_node("merge", tools)
