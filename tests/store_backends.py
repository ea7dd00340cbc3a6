"""Every backend of the store protocol, and short ways to say what is written into one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scrubjay.stores.protocol import Store
from scrubjay.stores.records import (
    Absorption,
    Commit,
    Committed,
    Conflict,
    Decision,
    Fact,
    Memory,
    Message,
    NewVersion,
    Scope,
    Source,
    Standing,
    Status,
    WriteRow,
)
from scrubjay.stores.sqlite import SqliteStore

DIMENSION = 16
ANA, BEN = Scope("ana"), Scope("ben")


class DumpableStore(Store, Protocol):
    """What the suite asks of a backend on top of the protocol: all its rows, to compare stores."""

    def dump(self) -> list[tuple[Any, ...]]: ...


BACKENDS: dict[str, Callable[[Path], DumpableStore]] = {
    "sqlite file": lambda folder: SqliteStore.open(folder / "memory.db"),
    "sqlite in memory": lambda folder: SqliteStore.open(":memory:"),
}
"""name → an empty store, in a folder of its own; a new backend is one line here"""


def vector(text: str) -> NDArray[np.float32]:
    """A unit vector that depends on the text alone."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return unit(np.random.default_rng(seed).normal(size=DIMENSION))


def unit(row: NDArray[Any]) -> NDArray[np.float32]:
    """The row at length one."""
    scaled: NDArray[np.float32] = (row / np.linalg.norm(row)).astype("<f4")
    return scaled


def near(text: str, other: str, share: float) -> NDArray[np.float32]:
    """A unit vector near that of `text`, bent towards `other` by `share`."""
    return unit(vector(text) + share * vector(other))


def rows(*vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Vectors as the matrix that `nearest` takes."""
    return np.stack(vectors)


def embed(*texts: str) -> tuple[tuple[str, bytes], ...]:
    """Texts with their vectors, as a commit takes them."""
    return tuple((text, vector(text).tobytes()) for text in texts)


def when(number: int) -> str:
    """The time of the write with this number."""
    return f"2026-03-01T{number // 60 % 24:02}:{number % 60:02}:00+00:00"


def write(number: int, scope: Scope = ANA, **more: Any) -> WriteRow:
    """A write's row; its key is its number."""
    row = WriteRow(
        id=f"w{number}",
        key=f"key {number}",
        scope=scope,
        conversation_id="talk",
        run_id=None,
        at=when(number),
        outcome="applied",
        incomplete=(),
        input={"messages": [f"message {number}"]},
        settings={"strategy": "joint"},
        calls=({"tag": "extract", "raw": "{}"},),
        result={},
        revision_read=0,
    )
    return replace(row, **more)


def fact(number: int, text: str, place: int = 1, **more: Any) -> Fact:
    """The fact f<number>.<place>."""
    return replace(
        Fact(
            id=f"f{number}.{place}",
            write_id=f"w{number}",
            text=text,
            type="profile",
            attributes=("home city",),
            recorded_at=when(number),
        ),
        **more,
    )


def said(of: Fact, number: int, conversation_id: str = "talk", run_id: str | None = None) -> Source:
    """The source of a fact in message msg<number>."""
    return Source(of.id, f"msg{number}", of.text, when(number), f"w{number}", conversation_id, run_id)


def version(
    of: str, number: int, text: str, standings: Sequence[tuple[str, Standing]], status: Status = "active", **more: Any
) -> NewVersion:
    """Version `number` of memory `of`."""
    made = NewVersion(
        memory_id=of,
        version=number,
        text=text,
        status=status,
        type="profile",
        subject="user",
        attributes=("home city",),
        valid_from=None,
        valid_to=None,
        metadata={},
        standings=tuple(standings),
    )
    return replace(made, **more)


def decision(number: int, place: int, *memories: tuple[str, str], **more: Any) -> Decision:
    """The decision d<number>.<place> over (memory id, part) pairs."""
    return replace(
        Decision(
            id=f"d{number}.{place}",
            write_id=f"w{number}",
            fact_number=place,
            fact_id=f"f{number}.{place}",
            action="add",
            outcome="applied",
            memory_ids=memories,
            body={"why": "new", "candidates": []},
            at=when(number),
        ),
        **more,
    )


def add(
    number: int,
    *texts: str,
    scope: Scope = ANA,
    expected: int | None = None,
    embedded: bool = True,
    conversation_id: str = "talk",
    run_id: str | None = None,
    **more: Any,
) -> Commit:
    """Write w<number>: a memory m<number>.1, m<number>.2 … for each text, each with its own fact and decision."""
    facts = tuple(fact(number, text, place) for place, text in enumerate(texts, 1))
    return Commit(
        write=write(number, scope, conversation_id=conversation_id, run_id=run_id),
        expected_revision=expected,
        messages=(Message(f"msg{number}", conversation_id, "user", " ".join(texts), when(number), run_id=run_id),),
        facts=facts,
        sources=tuple(said(each, number, conversation_id, run_id) for each in facts),
        versions=tuple(
            version(each.id.replace("f", "m", 1), 1, each.text, [(each.id, "current")], **more) for each in facts
        ),
        decisions=tuple(
            decision(number, place, (each.id.replace("f", "m", 1), "result")) for place, each in enumerate(facts, 1)
        ),
        embedded=embed(*texts) if embedded else (),
    )


def change(number: int, memory: Memory, text: str, status: Status = "active", expected: int | None = None) -> Commit:
    """Write w<number>: the memory's next version with `text`; a new fact is current, what was current is past."""
    new = fact(number, text)
    standings: list[tuple[str, Standing]] = [
        (each.fact.id, "absorbed" if each.standing == "absorbed" else "past") for each in memory.facts
    ]
    return Commit(
        write=write(number, memory.scope),
        expected_revision=expected,
        facts=(new,),
        sources=(said(new, number),),
        versions=(version(memory.id, memory.version + 1, text, [(new.id, "current"), *standings], status),),
        decisions=(decision(number, 1, (memory.id, "target"), action="replace"),),
        embedded=embed(text),
    )


def absorb(number: int, memory: Memory, text: str) -> Commit:
    """Write w<number>: a duplicate that the memory takes in."""
    new = fact(number, text)
    return Commit(
        write=write(number, memory.scope),
        expected_revision=None,
        facts=(new,),
        sources=(said(new, number),),
        absorptions=(Absorption(memory.id, memory.version, new.id),),
        decisions=(decision(number, 1, (memory.id, "target"), action="none"),),
    )


def done(result: Committed | Conflict) -> WriteRow:
    """The write that was committed."""
    assert isinstance(result, Committed), result
    return result.write


def the(memory: Memory | None) -> Memory:
    """The memory, which must be there."""
    assert memory is not None
    return memory
