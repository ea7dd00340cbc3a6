"""scrubjay add: one write."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.stores.records import Json
from scrubjay.studio.documents import calls_json, calls_line, decision_json, short_memory
from scrubjay.studio.gains import Gain, gains_of
from scrubjay.studio.opening import How, writing
from scrubjay.studio.options import (
    STORE,
    USER,
    AgentOption,
    AtOption,
    BaseUrlOption,
    JsonOption,
    ModelOption,
    StoreOption,
    StrategyOption,
    UserOption,
)
from scrubjay.studio.screen import Screen, emit, note
from scrubjay.studio.telling import tell_write

if TYPE_CHECKING:
    from scrubjay.graph.results import WriteResult

TextArgument = Annotated[list[str], typer.Argument(metavar="TEXT...", help="What was said; - reads standard input.")]
ConversationOption = Annotated[
    str, typer.Option("--conversation", metavar="ID", help="Where it was said: provenance, never a wall.")
]
KeyOption = Annotated[
    str | None, typer.Option("--key", metavar="KEY", help="A second write with this key gives the first one's result.")
]
MetadataOption = Annotated[
    list[str] | None, typer.Option("--metadata", metavar="K=V", help="k=v, kept with the memories; repeatable.")
]


def add(
    text: TextArgument,
    store: StoreOption = STORE,
    user: UserOption = USER,
    agent: AgentOption = "",
    conversation: ConversationOption = "default",
    at: AtOption = None,
    key: KeyOption = None,
    metadata: MetadataOption = None,
    strategy: StrategyOption = "joint",
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    json: JsonOption = False,
) -> None:
    """Remember what was said. It is one write, and what it changed is shown. Where the model fails the outcome is
    failed, the input is kept, and the command ends with 1.

    Example: scrubjay add "I moved to Bergen last week" --user ana
    """
    how = How(model=model, base_url=base_url, strategy=strategy)
    kept = pairs(metadata or [])
    said = sys.stdin.read() if text == ["-"] else " ".join(text)
    with writing(store, how) as memory:
        result = memory.add(
            said, user_id=user, agent_id=agent, conversation_id=conversation, at=at, key=key, metadata=kept
        )
        gains = gains_of(memory.store, result.write_id, result.changes)
        row = memory.write(result.write_id)
    if json:
        emit(document(result, gains, row.key))
    else:
        tell(result, gains)
    if result.outcome == "failed" or result.incomplete:
        note(f"error: {unfinished(result, row.key, store)}")
    if result.outcome == "failed":
        raise typer.Exit(1)


def unfinished(result: WriteResult, key: str, store: Path) -> str:
    """What went wrong, that nothing is lost, and how to go on."""
    troubles = [p["text"] for p in result.problems if p["code"] == "extraction_failed"]
    what = result.decisions[0].body["reason"] if result.outcome == "failed" else "not all of it was read"
    return (
        f"{': '.join([what, *dict.fromkeys(troubles)])}; the input is kept in {store} as write {result.write_id}: "
        f"the same command with --key {key} finishes it"
    )


def undone(result: WriteResult) -> str:
    """Told a second time, what was undone does not come back by itself."""
    return f", undone by {result.undone_by}: `scrubjay redo` brings it back" if result.undone_by else ""


def pairs(given: list[str]) -> Json:
    """k=v as a dictionary; values stay text."""
    found: Json = {}
    for pair in given:
        name, sign, value = pair.partition("=")
        if not sign or not name:
            raise typer.BadParameter(f"{pair!r} is not of the form k=v", param_hint="'--metadata'")
        found[name] = value
    return found


def document(result: WriteResult, gains: list[Gain], key: str) -> Json:
    return {
        "write_id": result.write_id, "key": key, "outcome": result.outcome, "first": result.first,
        "undone_by": result.undone_by,
        "incomplete": list(result.incomplete), "decisions": [decision_json(d) for d in result.decisions],
        "changes": result.changes, "gains": [g.as_json() for g in gains],
        "memories": [short_memory(m) for m in result.memories], "calls": calls_json(result.calls),
        "problems": list(result.problems),
    }  # fmt: skip


def tell(result: WriteResult, gains: list[Gain]) -> None:
    screen = Screen()
    screen.line((f"write {result.write_id}", "bold"), f" {result.outcome}")
    if not result.first:
        screen.line((f"this key was written before: its first result{undone(result)}", "dim"))
    tell_write(screen, result.decisions, gains)
    screen.line(("model calls ", "bold"), calls_line(result.calls))
