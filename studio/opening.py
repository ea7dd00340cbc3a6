"""Opening: the store alone for who reads, a whole Memory for who writes or searches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.stores.errors import StoreUnreadable, UnknownName
from scrubjay.stores.records import Memory as Record
from scrubjay.studio.screen import note
from scrubjay.studio.short_ids import full_id

if TYPE_CHECKING:
    from scrubjay.graph.memory import Memory
    from scrubjay.stores.sqlite import SqliteStore

BANNER = (
    "rules: a small deterministic model for trying things, it reads plain sentences only; "
    "for a real one pass --model openai:MODEL (with OPENAI_API_KEY, or --base-url for a server of your own)"
)


@dataclass(frozen=True, kw_only=True)
class How:
    """How writes are run."""

    model: Any = None
    base_url: str | None = None
    strategy: str = "joint"
    detector: str | None = None
    resolver: str | None = None
    threshold: float | None = None
    top_k: int | None = None

    @property
    def by_rules(self) -> bool:
        return self.model is None or self.model == "rules"


@contextmanager
def reading(path: Path) -> Iterator[SqliteStore]:
    """The store, which must exist: a reader that makes an empty file at a mistyped path hides the mistake."""
    from scrubjay.stores.sqlite import SqliteStore  # noqa: PLC0415  numpy, not for --help

    must_exist(path)
    store = SqliteStore.open(path)
    try:
        yield store
    finally:
        store.close()


def must_exist(path: Path) -> None:
    """Raises StoreUnreadable for a path without a file, or with an empty one: a reader would turn it into a store."""
    if os.path.isfile(path) and not os.path.getsize(path):
        raise StoreUnreadable(f"{path} is empty: `scrubjay add` makes it a store, --store names another")
    if not os.path.exists(path):
        raise StoreUnreadable(f"no store at {path}: `scrubjay add` makes one, --store or SCRUBJAY_STORE names another")


def owned_memory(store: SqliteStore, asked: str, user: str | None) -> Record:
    """The newest version of what `asked` names, id or part; of `user` where one is given. Raises UnknownName."""
    _, memory_id = full_id(store, asked)
    memory = store.get(memory_id)
    if memory is None or user not in (None, memory.scope.user_id):
        raise UnknownName("memory", asked, f"user {user} has none of that id")
    return memory


def must_be_reachable(how: How) -> None:
    """Raises ModelError where a key or a package is missing, before anything is printed or written."""
    if isinstance(how.model, str) and not how.by_rules:
        from scrubjay.graph.models import resolve_model  # noqa: PLC0415  LangChain, for who asks a model

        resolve_model(how.model, base_url=how.base_url)


@contextmanager
def writing(path: Path | str, how: How, *, banner: bool = True) -> Iterator[Memory]:
    """A Memory; with a banner on standard error where `rules` answers."""
    from scrubjay.graph.memory import Memory  # noqa: PLC0415  numpy, not for --help

    if banner and how.by_rules:
        note(BANNER)
    with Memory.open(
        path, model=how.model, base_url=how.base_url, strategy=how.strategy, detector=how.detector,
        resolver=how.resolver, threshold=how.threshold, top_k=how.top_k,
    ) as memory:  # fmt: skip
        yield memory
