"""scrubjay review: the changes that wait for somebody's approval, and what is to become of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from scrubjay.stores.errors import InvalidInput, UnknownName
from scrubjay.stores.records import Json, Proposal
from scrubjay.studio.documents import decision_json
from scrubjay.studio.gains import gains_of
from scrubjay.studio.opening import How, must_exist, reading, writing
from scrubjay.studio.options import STORE, JsonOption, OwnerOption, StoreOption
from scrubjay.studio.screen import Screen, emit
from scrubjay.studio.short_ids import SHORTEST, listed
from scrubjay.studio.telling import tell_write

if TYPE_CHECKING:
    from scrubjay.graph.results import WriteResult

ProposalArgument = Annotated[
    str | None, typer.Argument(metavar="ID", help="A proposal's id, or any part that only it has; all where not given.")
]
ApproveOption = Annotated[bool, typer.Option("--approve", help="Carry it out as it was proposed.")]
EditOption = Annotated[str | None, typer.Option("--edit", metavar="TEXT", help="Carry it out with this text.")]
RejectOption = Annotated[bool, typer.Option("--reject", help="Close it: the new fact stays beside the old memory.")]


def review(
    id: ProposalArgument = None,
    approve: ApproveOption = False,
    edit: EditOption = None,
    reject: RejectOption = False,
    store: StoreOption = STORE,
    user: OwnerOption = None,
    json: JsonOption = False,
) -> None:
    """Show the changes that wait for approval, and decide. Merges, replacements and deletions that the policy lists.

    Example: scrubjay review p_01m8q17nrn9zm65m_1 --approve
    """
    verdicts = [name for name, given in (("approve", approve), ("edit", edit is not None), ("reject", reject)) if given]
    if len(verdicts) > 1 or (verdicts and id is None):
        raise typer.BadParameter("name one proposal, and say one of --approve, --edit TEXT and --reject")
    must_exist(store)
    with reading(store) as opened:
        found = [p for p in opened.proposals() if user in (None, p.scope.user_id)]
        asked = full_id(id, found) if id is not None else None
    if asked is not None and verdicts:
        decide(store.as_posix(), asked, verdicts[0], edit, user, json)
    else:
        show([p for p in found if asked in (None, p.id)], asked, json)


def full_id(asked: str, known: Sequence[Proposal]) -> str:
    """As `asked` where no open one has it: it may be settled. Raises InvalidInput for a part of several."""
    fitting = [p.id for p in known if asked == p.id or (len(asked) >= SHORTEST and asked in p.id)]
    if len(fitting) > 1 and asked not in fitting:
        raise InvalidInput(f"{asked!r} is part of several ids: {listed(fitting)}")
    return asked if asked in fitting or not fitting else fitting[0]


def show(found: Sequence[Proposal], asked: str | None, json: bool) -> None:
    if asked is not None and not found:
        raise UnknownName("open proposal", asked, "`scrubjay review` shows what is open")
    if json:
        emit({"proposals": [proposal_json(p) for p in found]})
        return
    screen = Screen()
    if not found:
        screen.line("nothing waits for approval")
        return
    rows = [(p.id, p.at[:16], p.scope.user_id, p.body["action"], told(screen, p)) for p in found]
    screen.table([("id", "id"), ("since", "id"), "user", "action", "change"], rows)


def told(screen: Screen, proposal: Proposal) -> Text:
    """The words that would go and come; where a memory is forgotten whole, all of them go."""
    body = proposal.body
    text = screen.changed(body["before"] or "", body["after"] or "")
    lost = "; ".join(body["item"]["lost"])
    return text + Text(f"  lost: {lost}", "dim") if lost else text


def proposal_json(proposal: Proposal) -> Json:
    body = proposal.body
    return {
        "id": proposal.id, "write_id": proposal.write_id, "user_id": proposal.scope.user_id,
        "agent_id": proposal.scope.agent_id, "at": proposal.at, "settled_by": proposal.settled_by,
        "action": body["action"], "before": body["before"], "after": body["after"],
        "facts": [f["text"] for f in body["facts"]], "targets": [t["ref"] for t in body["item"]["group"]["targets"]],
        "lost": body["item"]["lost"],
    }  # fmt: skip


def decide(store: str, proposal_id: str, verdict: str, text: str | None, user: str | None, json: bool) -> None:
    with writing(store, How(), banner=False) as memory:
        result = memory.review(proposal_id, verdict, text, user_id=user)
        gains = gains_of(memory.store, result.write_id, result.changes)
    if json:
        emit(result_json(result, proposal_id, verdict))
        return
    screen = Screen()
    screen.line((f"write {result.write_id}", "bold"), f"  {proposal_id}: {verdict}")
    tell_write(screen, result.decisions, gains)


def result_json(result: WriteResult, proposal_id: str, verdict: str) -> Json:
    return {
        "write_id": result.write_id, "proposal": proposal_id, "verdict": verdict, "outcome": result.outcome,
        "changes": result.changes, "decisions": [decision_json(d) for d in result.decisions],
    }  # fmt: skip
