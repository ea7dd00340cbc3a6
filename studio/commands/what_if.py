"""scrubjay what-if: a write, or a whole history, as it would have been otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from scrubjay.stores.errors import InvalidInput
from scrubjay.studio.opening import How, must_be_reachable, must_exist, writing
from scrubjay.studio.options import (
    DETECTORS,
    RESOLVERS,
    STORE,
    USER,
    AgentOption,
    BaseUrlOption,
    JsonOption,
    ModelOption,
    StoreOption,
    ThresholdOption,
    TopKOption,
    UserOption,
    known_detector,
    known_resolver,
    known_strategy,
    zoned_time,
)
from scrubjay.studio.screen import Screen, emit
from scrubjay.studio.short_ids import full_id
from scrubjay.studio.what_if import tell, tell_all, what_if_all_json, what_if_json


def optional_strategy(value: str | None) -> str | None:
    return None if value is None else known_strategy(value)


def what_if(
    write_id: Annotated[
        str | None, typer.Argument(metavar="[WRITE_ID]", help="A write's id, or any part that only it has.")
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="NODE", help="All before this node is as recorded, from it on live: judge …"),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every write of the user, run anew into an empty copy.")] = False,
    since: Annotated[
        str | None,
        typer.Option(
            "--since", metavar="TIME", help="With --all: what was written up to then stays.", callback=zoned_time
        ),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option("--strategy", metavar="NAME", help="Another preset.", callback=optional_strategy),
    ] = None,
    detector: Annotated[
        str | None, typer.Option("--dedup-detector", metavar="NAME", help=DETECTORS, callback=known_detector)
    ] = None,
    resolver: Annotated[
        str | None, typer.Option("--dedup-resolver", metavar="NAME", help=RESOLVERS, callback=known_resolver)
    ] = None,
    threshold: ThresholdOption = None,
    top_k: TopKOption = None,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Carry the alternative out: it takes the write's place, on record.")
    ] = False,
    store: StoreOption = STORE,
    user: UserOption = USER,
    agent: AgentOption = "",
    json: JsonOption = False,
) -> None:
    """Run a write again with something changed. Against the store as it was, decisions and memories side by side with
    the recorded ones; nothing is written without --apply. What the record answers is not asked again, a named model is.

    Example: scrubjay what-if --all --strategy add-only --user ana
    """
    if all_ == (write_id is not None):
        raise InvalidInput("give either the id of a write or --all")
    if all_ and (from_ or apply) or since and not all_:
        raise InvalidInput("--from and --apply go with the id of a write, --since with --all")
    settings = {
        "strategy": strategy, "detector": detector, "resolver": resolver, "threshold": threshold, "top_k": top_k,
    }  # fmt: skip
    how = How(model=model, base_url=base_url)
    must_be_reachable(how)
    must_exist(store)
    with opened(store, how) as memory:
        if write_id is None:
            found_all = memory.what_if_all(user_id=user, agent_id=agent, since=since, model=model, **settings)
            shown(json, what_if_all_json(found_all), lambda screen: tell_all(screen, found_all))
            return
        _, whole = full_id(memory.store, write_id, ("write",))
        found = memory.what_if(whole, from_node=from_, model=model, apply=apply, **settings)
        shown(json, what_if_json(found), lambda screen: tell(screen, found))


def opened(store: Path, how: How) -> Any:
    """Without the banner of `rules`: nothing is written."""
    return writing(store, how, banner=False)


def shown(json: bool, document: Mapping[str, Any], tell_it: Any) -> None:
    if json:
        emit(document)
    else:
        tell_it(Screen())
