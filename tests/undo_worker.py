"""Another process that undoes a write: `python -m tests.undo_worker PATH WRITE_ID`; prints what came of it."""

from __future__ import annotations

import sys

from scrubjay import Memory
from scrubjay.stores.errors import AlreadyUndone


def undo(path: str, write_id: str) -> str:
    with Memory.open(path, checkpoints=False) as memory:
        print("ready", flush=True)
        sys.stdin.readline()
        try:
            result = memory.undo(write_id)
        except AlreadyUndone as error:
            return error.undone_by
        return result.write_id


if __name__ == "__main__":
    print(undo(*sys.argv[1:]), flush=True)
