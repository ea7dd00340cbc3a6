"""scrubjay undo: take one write back."""

from __future__ import annotations

from typing import Annotated

import typer

from scrubjay.studio.options import STORE, JsonOption, OwnerOption, StoreOption
from scrubjay.studio.reversing import reverse

WriteArgument = Annotated[
    str, typer.Argument(metavar="WRITE_ID", help="A write's id, or any part that only it has, best its end.")
]
TogetherOption = Annotated[
    bool, typer.Option("--together", help="Also the later writes that changed the same memories, and theirs.")
]


def undo(
    write_id: WriteArgument,
    together: TogetherOption = False,
    store: StoreOption = STORE,
    user: OwnerOption = None,
    json: JsonOption = False,
) -> None:
    """Take back what a write made of memories. Each is again what it was before, in a recorded write of its own;
    nothing is erased, and redo brings it back. Where later writes changed the same memories they are named, nothing is
    changed, and the command ends with 1.

    Example: scrubjay undo w_01m8q17nrn9zm65m --together
    """
    reverse("undo", store, write_id, user, together=together, json=json)
