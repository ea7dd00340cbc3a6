"""scrubjay redo: bring back what an undo took."""

from __future__ import annotations

from scrubjay.studio.commands.undo import WriteArgument
from scrubjay.studio.options import STORE, JsonOption, OwnerOption, StoreOption
from scrubjay.studio.reversing import reverse


def redo(
    write_id: WriteArgument, store: StoreOption = STORE, user: OwnerOption = None, json: JsonOption = False
) -> None:
    """Bring back what an undo took. Named by the write that is undone or by the undo; writes that were undone together
    come back together. Where later writes changed the same memories they are named, nothing is changed, and the command
    ends with 1.

    Example: scrubjay redo w_01m8q17nrn9zm65m
    """
    reverse("redo", store, write_id, user, together=False, json=json)
