"""Options that several commands share: one name, one default, one help text each."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from scrubjay.stores.errors import InvalidScope
from scrubjay.stores.names import check_name

DETECTORS = "none, pointwise, listwise, listwise_multitarget or joint"
RESOLVERS = "rewrite or replace"


def _one_of(kind: str, value: str | None, known: tuple[str, ...]) -> str | None:
    if value is not None and value not in known:
        raise typer.BadParameter(f"no {kind} {value!r}: choose one of {', '.join(known)}")
    return value


def known_strategy(value: str) -> str:
    from scrubjay.graph.strategies import STRATEGIES  # noqa: PLC0415  pydantic, for who writes

    _one_of("strategy", value, tuple(STRATEGIES))
    return value


def known_detector(value: str | None) -> str | None:
    from scrubjay.nodes.settings import DETECTORS as known  # noqa: PLC0415  pydantic, for who writes

    return _one_of("detector", value, known)


def known_resolver(value: str | None) -> str | None:
    from scrubjay.nodes.settings import RESOLVERS as known  # noqa: PLC0415  pydantic, for who writes

    return _one_of("resolver", value, known)


def only_off(value: str) -> str:
    if value != "off":
        raise typer.BadParameter(f"no reranker {value!r}: the one allowed value is off")
    return value


def zoned_time(value: str | None) -> str | None:
    """ISO text with a zone, as the write graph wants it."""
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise typer.BadParameter(f"{value!r} is no time: give one such as 2026-05-12T10:00+02:00") from None
    if moment.tzinfo is None:
        raise typer.BadParameter(f"{value!r} has no zone: append one, such as +00:00")
    return value


def person(value: str) -> str:
    return _name("user_id", value)


def helper(value: str) -> str:
    return _name("agent_id", value)


def _name(kind: str, value: str) -> str:
    try:
        return check_name(kind, value)
    except InvalidScope as error:
        raise typer.BadParameter(str(error)) from None


StoreOption = Annotated[
    Path, typer.Option("--store", metavar="PATH", envvar="SCRUBJAY_STORE", help="The store's file.", show_default=True)
]
UserOption = Annotated[
    str,
    typer.Option(
        "--user", metavar="USER", envvar="SCRUBJAY_USER", help="Whose memory.", callback=person, show_default=True
    ),
]
AgentOption = Annotated[
    str,
    typer.Option(
        "--agent", metavar="AGENT", help="Second part of the scope, for several agents of one user.", callback=helper
    ),
]
OwnerOption = Annotated[str | None, typer.Option("--user", metavar="USER", help="Only if it belongs to this user.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="SPEC",
        envvar="SCRUBJAY_MODEL",
        help="rules (needs no key), openai:MODEL or PROVIDER:MODEL. Default: rules.",
    ),
]
BaseUrlOption = Annotated[
    str | None,
    typer.Option("--base-url", metavar="URL", help="With openai:MODEL, any server that speaks OpenAI's API."),
]
StrategyOption = Annotated[
    str,
    typer.Option("--strategy", metavar="NAME", help="A preset, see `scrubjay strategies`.", callback=known_strategy),
]
DetectorOption = Annotated[
    str | None,
    typer.Option(
        "--dedup-detector",
        metavar="NAME",
        help=f"{DETECTORS}; the strategy's where not given.",
        callback=known_detector,
    ),
]
ResolverOption = Annotated[
    str | None,
    typer.Option(
        "--dedup-resolver",
        metavar="NAME",
        help=f"{RESOLVERS}; the strategy's where not given.",
        callback=known_resolver,
    ),
]
ThresholdOption = Annotated[
    float | None,
    typer.Option(
        "--dedup-recall-threshold",
        "--threshold",
        metavar="FLOAT",
        min=-1,
        max=1,
        help="It means what it says: no memory below this cosine reaches the judge, and words alone bring none in.",
    ),
]
NoDedupOption = Annotated[bool, typer.Option("--no-dedup", help="The detector none: nothing is judged.")]
TopKOption = Annotated[int | None, typer.Option("--top-k", metavar="N", min=1, max=50, help="Candidates a fact.")]
RerankOption = Annotated[
    str, typer.Option("--rerank", metavar="NAME", help="off is the one allowed value.", callback=only_off)
]
AtOption = Annotated[
    str | None,
    typer.Option(
        "--at", metavar="TIME", help="When it was said, ISO with zone; now where not given.", callback=zoned_time
    ),
]
IdArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="An id, or any part that only it has, best its end: all begin alike (4 characters or more)."
    ),
]

STORE = Path("memory.db")
USER = "me"
