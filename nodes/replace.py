"""replace: a new memory takes over from what ended; the old facts stay on record as past."""

from __future__ import annotations

from scrubjay.nodes.asking import Asking
from scrubjay.nodes.resolving import Task, resolver_node
from scrubjay.nodes.tools import Tools


def replace(tools: Tools) -> Asking[Task]:
    """One new memory for all targets that its fact ended; a target with other current facts stays, without these."""
    return resolver_node("replace", tools)
