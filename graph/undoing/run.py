"""Carrying out an undo or redo: plan and commit, again when the store moved in between."""

from __future__ import annotations

from scrubjay.graph.undoing.plan import Asked, planned
from scrubjay.graph.undoing.record import Stamp, commit_of
from scrubjay.stores.errors import StoreBusy
from scrubjay.stores.protocol import Reader, Store
from scrubjay.stores.records import Commit, Committed, WriteRow

ATTEMPTS = 20
"""times that a plan is made anew because other processes write to the same scope"""


def carry_out(store: Store, asked: Asked, stamp: Stamp) -> Committed:
    """Raises what `planned` does, with nothing changed, and StoreBusy when the store never holds still."""
    for _ in range(ATTEMPTS):
        plan = store.picture(lambda view: planned(view, asked))
        done = store.commit(commit_of(plan, stamp))
        if isinstance(done, Committed):
            return done
    raise StoreBusy(f"the store kept moving under the {asked.kind} of {asked.write_id}: nothing was changed, try again")


def derived(view: Reader, row: WriteRow) -> Commit:
    """The commit of an undo or redo once more, from its row and the store as of just before: what a replay compares."""
    asked = Asked("redo" if row.kind == "redo" else "undo", row.input["asked"], row.input["together"])
    return commit_of(planned(view, asked), Stamp(row.id, row.at))
