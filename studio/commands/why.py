"""scrubjay why: the decisions behind a memory or a write."""

from __future__ import annotations

from scrubjay.stores.errors import UnknownName
from scrubjay.stores.records import WriteRow
from scrubjay.studio.opening import owned_memory, reading
from scrubjay.studio.options import STORE, IdArgument, JsonOption, OwnerOption, StoreOption
from scrubjay.studio.screen import Screen, emit
from scrubjay.studio.short_ids import full_id
from scrubjay.studio.story import stories, tell_story


def why(id: IdArgument, store: StoreOption = STORE, user: OwnerOption = None, json: JsonOption = False) -> None:
    """Tell why a memory is as it is. Every decision that ever considered it (or all of a write), from the quoted
    words over gate, candidates and judge to the text, and the first stage that went wrong where one did.

    Example: scrubjay why m_01m8q17nrn9zm65m_1
    """
    with reading(store) as opened:
        kind, found = full_id(opened, id, ("memory", "write"))
        if kind == "memory":
            memory = owned_memory(opened, found, user)
            subject, told = memory.text, stories(opened, memory_id=found)
        else:
            row = opened.write(found)
            if row is None or user not in (None, row.scope.user_id):
                raise UnknownName("write", id, f"user {user} has none of that id")
            subject, told = subject_of(row), stories(opened, write_id=found)
    if json:
        emit({"id": found, "kind": kind, "text": subject, "decisions": [s.as_json() for s in told]})
        return
    screen = Screen()
    screen.line((f"{kind} {found}", "bold"), f"  {subject}")
    for number, story in enumerate(told, 1):
        screen.blank()
        tell_story(screen, story, number)


def subject_of(row: WriteRow) -> str:
    """The messages, or what the write did to an earlier one."""
    if row.kind == "review":
        return f"{row.input['verdict']} {row.input['proposal']}, of {', '.join(row.about)}"
    if row.kind in ("undo", "redo"):
        return f"{row.kind} of {', '.join(row.about)}"
    return " / ".join(m["text"] for m in row.input["messages"])
