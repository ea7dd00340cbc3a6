"""scrubjay demo: what a strategy makes of sentences, shown write by write."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from scrubjay.stores.records import Json, Scope
from scrubjay.studio.heading import WRITTEN, conclude, introduce, invite, model_name
from scrubjay.studio.opening import BANNER, How, must_be_reachable, writing
from scrubjay.studio.options import (
    USER,
    AgentOption,
    AtOption,
    BaseUrlOption,
    DetectorOption,
    JsonOption,
    ModelOption,
    NoDedupOption,
    RerankOption,
    ResolverOption,
    StrategyOption,
    ThresholdOption,
    TopKOption,
    UserOption,
)
from scrubjay.studio.screen import Screen, emit, note
from scrubjay.studio.sessions import Session, Told, free, of_case, said, session_json
from scrubjay.studio.telling import tell_write

SayOption = Annotated[
    list[str] | None, typer.Option("--say", metavar="TEXT", help="A sentence, one write; may be given several times.")
]
CaseOption = Annotated[
    list[str] | None, typer.Option("--case", metavar="NAME", help="A shipped case, or all; may be given several times.")
]
StoreOption = Annotated[
    Path | None, typer.Option("--store", metavar="PATH", help="Keep it in this file; in memory where not given.")
]


def demo(
    ctx: typer.Context,
    say: SayOption = None,
    case: CaseOption = None,
    strategy: StrategyOption = "joint",
    dedup_detector: DetectorOption = None,
    dedup_resolver: ResolverOption = None,
    dedup_recall_threshold: ThresholdOption = None,
    no_dedup: NoDedupOption = False,
    top_k: TopKOption = None,
    rerank: RerankOption = "off",
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    user: UserOption = USER,
    agent: AgentOption = "",
    store: StoreOption = None,
    at: AtOption = None,
    json: JsonOption = False,
) -> None:
    """Show what memory makes of sentences. Write by write: each decision and its reason, what the store gained, what
    it cost. With --case all, or without --say and --case: free sentences with `rules`, then all shipped cases with
    their recorded replies.

    Example: scrubjay demo --say "I live in Porto" --say "I moved to Bergen"
    """
    how = How(
        model=model, base_url=base_url, strategy=strategy, detector=detector_of(dedup_detector, no_dedup),
        resolver=dedup_resolver, threshold=dedup_recall_threshold, top_k=top_k,
    )  # fmt: skip
    asked_model = model if given(ctx, "model") else None
    everything = "all" in case if case else not say
    names = case_list(case or [], everything=everything)
    sessions = [case_session(name, how, asked_model, user, agent) for name in names]
    if say:
        sessions.append((said(say, Scope(user, agent), at), how))
    elif everything:
        sessions = [(session, replace(how, model=asked_model)) for session in free(user, agent)] + sessions
    documents = play_all(sessions, store, json)
    if json:
        emit(document(sessions, documents))
    elif everything and not say:
        invite(Screen(), [session for session, _ in sessions], store)
    if any(session.failed for session, _ in sessions):
        raise typer.Exit(1)


def detector_of(detector: str | None, no_dedup: bool) -> str | None:
    if no_dedup and detector not in (None, "none"):
        raise typer.BadParameter(f"--no-dedup is the detector none: leave out --dedup-detector {detector}")
    return "none" if no_dedup else detector


def given(ctx: typer.Context, name: str) -> bool:
    """On the command line: an environment variable must not turn recorded cases into paid calls."""
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def case_list(asked: list[str], *, everything: bool) -> list[str]:
    """Names as asked for, `all` spelt out; an unknown one is misuse."""
    if not asked and not everything:
        return []
    from scrubjay.graph.cases import case_names  # noqa: PLC0415  pydantic, not for --help

    known = case_names()
    names = [n for name in asked or ["all"] for n in (known if name == "all" else [name])]
    if unknown := next((n for n in names if n not in known), None):
        raise typer.BadParameter(f"no case {unknown!r}: choose one of all, {', '.join(known)}", param_hint="'--case'")
    return list(dict.fromkeys(names))


def case_session(name: str, how: How, model: str | None, user: str, agent: str) -> tuple[Session, How]:
    """With its recorded replies, or with the model that was asked for. Each case has a scope of its own."""
    from scrubjay.graph.cases import load_case  # noqa: PLC0415  pydantic, not for --help
    from scrubjay.graph.deciders.recorded import RecordedDecider  # noqa: PLC0415  as above

    case = load_case(name)
    decider: Any = RecordedDecider(case, how.strategy) if model is None else model
    session = of_case(case, Scope(user, agent or name), recorded=model is None)
    return session, replace(how, model=decider)


def play_all(sessions: list[tuple[Session, How]], store: Path | None, quiet: bool) -> list[Json]:
    """One after the other; what would stop any of them is told before the first."""
    for _, how in sessions:
        must_be_reachable(how)
    if any(how.by_rules for _, how in sessions):
        note(BANNER)
    first_case = next((session for session, _ in sessions if session.recorded), None)
    documents = []
    for session, how in sessions:
        if session is first_case and not quiet:
            Screen().line((WRITTEN, "dim"))
        documents.append(play(session, how, store, quiet))
    return documents


def play(session: Session, how: How, store: Path | None, quiet: bool) -> Json:
    """Run it, and tell it as it goes."""
    screen = Screen()
    with writing(store or ":memory:", how, banner=False) as agent:
        if not quiet:
            introduce(screen, session, how)
        for told in session.run(agent):
            if not quiet:
                tell(screen, told)
        if not quiet:
            conclude(screen, session, store)
        return session_json(session, agent, how.strategy, model_name(how))


def tell(screen: Screen, told: Told) -> None:
    screen.line((f"> {told.line.text}", "bold cyan"))
    if not told.result.first:
        screen.line(("this message is in the store already: its first result", "dim"), indent=2)
    tell_write(screen, told.result.decisions, told.gains)


def document(sessions: list[tuple[Session, How]], documents: list[Json]) -> Json:
    """One session alone is its own document; several, or any case, stand in a list."""
    if len(sessions) == 1 and sessions[0][0].name == "say":
        return documents[0]
    heads = [{"case": s.name, "title": s.title, "recorded": s.recorded} for s, _ in sessions]
    return {"cases": [{**head, **found} for head, found in zip(heads, documents, strict=True)]}
