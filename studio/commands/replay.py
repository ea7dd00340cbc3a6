"""scrubjay replay: run a write again from its record and say what came out otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrubjay.stores.errors import InvalidInput
from scrubjay.stores.records import Scope
from scrubjay.studio.opening import reading
from scrubjay.studio.options import STORE, USER, AgentOption, JsonOption, StoreOption, UserOption
from scrubjay.studio.screen import Screen, emit
from scrubjay.studio.short_ids import full_id

if TYPE_CHECKING:
    from scrubjay.graph.replaying.differences import Difference
    from scrubjay.graph.replaying.replay import Replay
    from scrubjay.stores.sqlite import SqliteStore

LONGEST = 300
"""characters of a value that are shown; --json has all of it"""


def replay(
    write_id: Annotated[
        str | None, typer.Argument(metavar="[WRITE_ID]", help="A write's id, or any part that only it has.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every write of the user.")] = False,
    store: StoreOption = STORE,
    user: UserOption = USER,
    agent: AgentOption = "",
    json: JsonOption = False,
) -> None:
    """Run a write again from its record. Against the store as it was, with the recorded replies: no model, no
    embedder, and nothing is changed. Says "identical", or what differs, stage by stage; then the exit code is 1.

    Example: scrubjay replay --all --user ana
    """
    if all_ == (write_id is not None):
        raise InvalidInput("give either the id of a write or --all")
    with reading(store) as opened:
        done = list(replays(opened, write_id, Scope(user, agent)))
    if json:
        emit(document(done))
    else:
        tell(Screen(), done)
    if not all(one.identical for one in done):
        raise typer.Exit(1)


def replays(store: SqliteStore, write_id: str | None, scope: Scope) -> Iterable[Replay]:
    from scrubjay.graph.replaying import replay as replaying  # noqa: PLC0415  LangGraph takes 2 s to import

    if write_id is None:
        return replaying.replay_all(store, scope)
    _, found = full_id(store, write_id, ("write",))
    return [replaying.replay(store, found)]


def document(done: Sequence[Replay]) -> dict[str, Any]:
    return {
        "identical": sum(one.identical for one in done), "different": sum(not one.identical for one in done),
        "writes": [one.as_json() for one in done],
    }  # fmt: skip


def tell(screen: Screen, done: Sequence[Replay]) -> None:
    for one in done:
        if len(done) == 1 or not one.identical:
            tell_one(screen, one)
    if len(done) != 1:
        same = sum(one.identical for one in done)
        screen.line((f"{same} of {len(done)} writes are identical", "bold"))


def tell_one(screen: Screen, one: Replay) -> None:
    verdict = "identical" if one.identical else one.refused or f"{len(one.differences)} differences"
    kind = "" if one.kind == "add" else f" ({one.kind})"
    screen.line((f"write {one.write_id}{kind}: ", "bold"), verdict)
    for difference in one.differences:
        tell_difference(screen, difference)


def tell_difference(screen: Screen, difference: Difference) -> None:
    fact = f" F{difference.fact}" if difference.fact else ""
    because = f" (because of {difference.because})" if difference.because else ""
    screen.line((f"{difference.stage}{fact}: {difference.what}", "yellow"), (because, "dim"), indent=2)
    screen.line(screen.changed(shown(difference.recorded), shown(difference.replayed)), indent=4)


def shown(value: object) -> str:
    """In short."""
    text = "(nothing)" if value is None else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
