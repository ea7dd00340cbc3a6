"""Every error that Scrubjay raises on purpose: one base, and each names the thing and the way out."""

from __future__ import annotations

from collections.abc import Mapping


class ScrubjayError(Exception):
    """Base of all errors raised on purpose; the message names the thing and the way out."""


class InvalidInput(ScrubjayError, ValueError):
    """An argument that cannot be used; nothing was changed."""


class InvalidScope(InvalidInput):
    """A user_id or agent_id that is missing, blank or not text; nothing was changed."""


class InvalidFilter(InvalidInput):
    """A filter key or value outside the allow-list; nothing was read."""


SHOWN = 100
"""characters of an unknown name that an error repeats"""


class UnknownName(ScrubjayError, LookupError):
    """An id, strategy, detector or case that does not exist; `name` is what was asked for."""

    def __init__(self, kind: str, name: str, way_out: str = "") -> None:
        self.kind, self.name = kind, name
        asked = repr(name) if len(repr(name)) <= SHOWN else f"{repr(name)[:SHOWN]}…"
        super().__init__(f"no {kind} {asked}" + (f": {way_out}" if way_out else ""))


class ProposalSettled(InvalidInput):
    """A proposal that was approved, edited, rejected or undone before; `settled_by` is the write that did it."""

    def __init__(self, proposal_id: str, settled_by: str) -> None:
        self.proposal_id, self.settled_by = proposal_id, settled_by
        super().__init__(
            f"proposal {proposal_id} was settled by write {settled_by}: `scrubjay review` shows what is open"
        )


class UndoError(ScrubjayError):
    """A write that cannot be undone or redone as asked; nothing was changed."""


class AlreadyUndone(UndoError):
    """The write is undone; `undone_by` is the undo."""

    def __init__(self, write_id: str, undone_by: str) -> None:
        self.write_id, self.undone_by = write_id, undone_by
        super().__init__(f"write {write_id} was undone by {undone_by}: `scrubjay redo {write_id}` brings it back")


class NotUndone(UndoError):
    """The write is in force, so there is nothing to bring back."""

    def __init__(self, write_id: str) -> None:
        self.write_id = write_id
        super().__init__(f"write {write_id} is not undone: only what `scrubjay undo` took back can be brought back")


class NothingToUndo(UndoError):
    """The write left no memory, standing, source or link behind."""

    def __init__(self, write_id: str, kind: str = "undo") -> None:
        self.write_id = write_id
        super().__init__(f"nothing to {kind}: write {write_id} changed no memory; `scrubjay why {write_id}` tells why")


class LaterWrites(UndoError):
    """Later writes changed the same memories; `later`: write id → ids of these memories."""

    def __init__(self, write_id: str, kind: str, later: Mapping[str, tuple[str, ...]]) -> None:
        self.write_id, self.later = write_id, dict(later)
        told = "; ".join(f"write {i} changed {', '.join(m) or 'a proposal of it'}" for i, m in later.items())
        way_out = "undo these first, or all at once with --together (together=True)"
        way_out = way_out if kind == "undo" else "undo these first"
        super().__init__(f"cannot {kind} {write_id} alone, nothing was changed: since then {told}; {way_out}")


class StoreError(ScrubjayError):
    """The store cannot do what was asked; nothing was half written."""


class StoreUnreadable(StoreError):
    """The file is not a Scrubjay store, is damaged, or cannot be opened; it was left untouched."""


class StoreBusy(StoreError):
    """Another process holds the store for longer than the busy timeout; try again."""


class ProposalOutdated(StoreError):
    """What a proposal would change is no longer what it was made for; it stays open, and nothing was changed."""

    def __init__(self, proposal_id: str, memory_id: str, moved_by: str) -> None:
        self.proposal_id, self.memory_id, self.moved_by = proposal_id, memory_id, moved_by
        super().__init__(
            f"proposal {proposal_id} cannot be carried out: write {moved_by} has changed memory {memory_id} since "
            "it was made; reject it, and say again what is to hold"
        )


class CheckpointError(StoreError):
    """The steps of a run could not be saved or read; the message says what became of the write."""


class StoreTooNew(StoreError):
    """The file was written by a later version; it was left untouched."""


class WrongEmbedder(StoreError):
    """The store was filled with another embedder; `stored` and `given` name both."""

    def __init__(self, stored: str, given: str) -> None:
        self.stored, self.given = stored, given
        super().__init__(
            f"this store holds vectors of {stored}, but it was opened with {given}: "
            f"open it with {stored}, or start a new store for {given}"
        )


class NotReplayable(ScrubjayError):
    """A write that cannot be run again; `write_id` is the one asked for, `why` says what is missing."""

    def __init__(self, write_id: str, why: str) -> None:
        self.write_id, self.why = write_id, why
        super().__init__(f"write {write_id} cannot be replayed: {why}; `scrubjay why {write_id}` shows what is kept")


class ModelError(ScrubjayError):
    """A model could not be reached or set up; the message names the variable or package that is missing."""


class EmbedderError(ScrubjayError):
    """The embedder failed or returned something that is no vector."""


class GraphError(ScrubjayError):
    """The write graph was set up in a way that cannot work; the message names the fix."""


class MissingExtra(ScrubjayError):
    """A part that is installed on its own is not there; `package` is what is missing."""

    def __init__(self, extra: str, package: str) -> None:
        self.extra, self.package = extra, package
        super().__init__(f'no {package} here: pip install "scrubjay[{extra}]"')


class StateError(InvalidInput):
    """The state of a write in a graph is not what its next node can read: a checkpoint was edited into nonsense."""

    def __init__(self, node: str, wrong: str) -> None:
        self.node = node
        super().__init__(
            f"{node} cannot read the state ({wrong}): nothing was written; put the edited value back with "
            "update_state, or go on from the checkpoint before the edit"
        )
