"""Scrubjay: a memory agent for LangGraph whose every write is a graph run that can be stepped through and undone.

The names below are loaded when first used, so `import scrubjay` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrubjay.graph.memory import Memory
    from scrubjay.graph.results import WriteResult
    from scrubjay.stores.errors import ScrubjayError

__version__ = "0.1.0"
__all__ = ["Memory", "ScrubjayError", "WriteResult", "__version__"]

_HOMES = {
    "Memory": "scrubjay.graph.memory",
    "WriteResult": "scrubjay.graph.results",
    "ScrubjayError": "scrubjay.stores.errors",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'scrubjay' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
