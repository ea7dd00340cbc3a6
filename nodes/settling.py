"""From a proposal and a person's word to what is committed. Pure: the same store and the same word, the same commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from scrubjay.nodes.answers import Answer, answer, check_editable
from scrubjay.nodes.approving import with_text
from scrubjay.nodes.changes import Changes, Planner, Standings
from scrubjay.nodes.decisions import parts, settled
from scrubjay.nodes.plan import actions
from scrubjay.nodes.reading import seen
from scrubjay.nodes.resolving import Task
from scrubjay.nodes.retrieve import snapshot
from scrubjay.nodes.settings import Settings, Strategy, WriteContext
from scrubjay.nodes.state import FactState, GroupState, Json, Resolved, Write
from scrubjay.nodes.vocabulary import is_label
from scrubjay.stores.errors import ProposalOutdated, ProposalSettled, UnknownName
from scrubjay.stores.names import decision_id
from scrubjay.stores.protocol import Reader
from scrubjay.stores.records import (
    Action,
    Commit,
    Decision,
    Link,
    Memory,
    NewVersion,
    Proposal,
    Standing,
    Status,
    WriteRow,
)

SAID = {
    "approve": "approved in review",
    "edit": "edited in review",
    "reject": "rejected in review: nothing is changed",
}


@dataclass(frozen=True)
class Asked:
    """One review: its own write, the proposal, and what is said of it."""

    write_id: str
    at: str
    """ISO, from the injected clock"""
    proposal_id: str
    answer: Answer


@dataclass(frozen=True)
class Settled:
    """A commit, but for its vectors."""

    commit: Commit
    texts: tuple[str, ...]
    """that need a vector"""
    takes_place: str | None
    """the text that takes the place of another one, and must not do so without a vector"""


def asked_of(row: WriteRow) -> Asked:
    """What was asked of a write of kind "review", from its record."""
    given = row.input
    return Asked(row.id, row.at, given["proposal"], answer(given["verdict"], given["text"]))


def replayed(view: Reader, row: WriteRow) -> Commit:
    """What a recorded review committed, derived anew from a store as it was then; without vectors."""
    return settling(view, asked_of(row)).commit


def open_proposal(view: Reader, proposal_id: str) -> Proposal:
    """Raises UnknownName and ProposalSettled."""
    found = view.proposal(proposal_id)
    if found is None:
        raise UnknownName("proposal", proposal_id, "`scrubjay review` shows what is open")
    if found.settled_by is not None:
        raise ProposalSettled(found.id, found.settled_by)
    return found


def settling(view: Reader, asked: Asked) -> Settled:
    """Raises UnknownName, ProposalSettled, ProposalOutdated, and InvalidInput for an edit of what has no text."""
    proposal = open_proposal(view, asked.proposal_id)
    item = cast(Resolved, {**proposal.body["item"], "calls": []})
    check_editable(item, asked.answer)
    settings = settings_of(proposal, asked)
    if asked.answer.verdict == "reject":
        return rejection(view, proposal, asked, settings)
    memories = unmoved(view, proposal)
    state = state_of(proposal, memories)
    if asked.answer.text is not None:
        item = with_text(item, asked.answer.text, task_of(item, state, settings, proposal.body["dates"]))
    changes = Approval(state, settings, asked.at, own_of(proposal)).approved(item, proposal.body["links"], memories)
    decisions = [decided(f, item, state, changes.home, proposal, asked, settings) for f in state["facts"]]
    commit = committed(view, proposal, asked, settings, changes, decisions)
    texts = (*changes.texts, *(f.text for f in changes.derived))
    return Settled(commit, texts, item["text"] if item["group"]["action"] != "delete" else None)


def rejection(view: Reader, proposal: Proposal, asked: Asked, settings: Settings) -> Settled:
    """The proposal is closed; its facts stay in the memories that they have, linked."""
    state: Write = {"facts": proposal.body["facts"], "known": {}}
    home = own_of(proposal)
    decisions = [decided(f, None, state, home, proposal, asked, settings) for f in state["facts"]]
    return Settled(committed(view, proposal, asked, settings, Changes(), decisions), (), None)


def settings_of(proposal: Proposal, asked: Asked) -> Settings:
    """Of the write that proposed, under the id of the review."""
    kept, common = proposal.body["settings"], proposal.body["common"]
    given = {**kept["context"], "write_id": asked.write_id, "key": asked.write_id}
    strategy = Strategy(
        name=common["strategy"], detector=common["detector"], resolver=common["resolver"],
        keeps_id=proposal.body["keeps_id"],
    )  # fmt: skip
    return Settings(WriteContext.model_validate(given), strategy, kept["recall"], kept["near"], kept["veto"])


def unmoved(view: Reader, proposal: Proposal) -> dict[str, Memory]:
    """Targets and own memories, each in the version that the proposal was made against; raises ProposalOutdated."""
    found: dict[str, Memory] = {}
    for memory_id, version in proposal.body["versions"].items():
        memory, later = view.get(memory_id), view.get(memory_id, version=version + 1)
        if memory is None or later is not None:
            raise ProposalOutdated(proposal.id, memory_id, later.write_id if later else "that forgot it")
        found[memory_id] = memory
    return found


def own_of(proposal: Proposal) -> dict[int, str]:
    """Fact number → the memory that it has had since it was proposed."""
    return {int(n): memory_id for n, memory_id in proposal.body["own"].items()}


def state_of(proposal: Proposal, memories: Mapping[str, Memory]) -> Write:
    """What a plan is carried out against; repeats that were absorbed in the meantime are in it."""
    return {
        "facts": proposal.body["facts"], "known": {i: snapshot(m) for i, m in memories.items()},
        "candidates": proposal.body["candidates"],
    }  # fmt: skip


def task_of(item: Resolved, state: Write, settings: Settings, dates: Sequence[str]) -> Task:
    group = item["group"]
    known = {t["ref"]: state["known"][t["ref"]] for t in group["targets"]}
    return {"group": group, "facts": state["facts"], "known": known, "resolver": settings.resolver,
            "dates": list(dates), "calls": []}  # fmt: skip


class Approval(Planner):
    """Carries out what waited: as a write would have, but that the facts have memories of their own by now."""

    def __init__(self, state: Write, settings: Settings, now: str, own: Mapping[int, str]) -> None:
        super().__init__(state, settings, now)
        self.own = own

    def approved(self, item: Resolved, links: Sequence[Json], memories: Mapping[str, Memory]) -> Changes:
        """The memory of a fact becomes the new one, or ends in the one that it was merged into."""
        self._carry_out(item)
        self._join(item["group"])
        self._link(links)
        before = {i: memories[i].links for i in self.own.values()}
        targets = [t["ref"] for t in item["group"]["targets"]]
        self.made.versions = [self._without_waiting(v, before.get(v.memory_id, ()), targets, links)
                              for v in self.made.versions]  # fmt: skip
        return self.made

    def _new_id(self, group: GroupState) -> str:
        return self.own[min(group["facts"])]

    def _version(
        self, memory_id: str, version: int, text: str, status: Status, like: FactState, metadata: Json,
        standings: Standings, links: tuple[Link, ...],
    ) -> None:  # fmt: skip
        if memory_id in self.own.values():
            version = self.state["known"][memory_id]["version"] + 1
        super()._version(memory_id, version, text, status, like, metadata, standings, links)

    def _own_standings(self, group: GroupState, standing: Standing) -> Standings:
        """With the repeats that a fact's own memory has absorbed while it waited."""
        known = [self.state["known"][i] for i in self.own.values()]
        return {f["id"]: f["standing"] for m in known for f in m["facts"]} | super()._own_standings(group, standing)

    def _join(self, group: GroupState) -> None:
        """The other facts' own memories end in the one that holds them now."""
        for n, memory_id in self.own.items():
            home = self.made.home.get(n)
            if home is not None and home != memory_id and group["action"] != "delete":
                self._retire(memory_id, Link("merged_into", home))
                self.made.reports[-1]["retired"].append(memory_id)

    def _without_waiting(
        self, version: NewVersion, before: Sequence[Link], targets: Sequence[str], judged: Sequence[Json]
    ) -> NewVersion:
        """The link to what it waited for goes; those that moved on with the fact go as well."""
        if version.memory_id not in self.own.values():
            return version
        gone = {Link("related", ref) for ref in targets}
        if version.status == "superseded":
            mine = [link for link in judged if self.own.get(link["n"]) == version.memory_id]
            gone |= {Link(link["kind"], self._there(link["ref"])) for link in mine}
        ended = tuple(link for link in before if link in gone)
        fresh = tuple(link for link in version.links if link not in before)
        return replace(version, links=fresh, ended_links=ended)

    def _there(self, ref: str) -> str:
        return self.own.get(int(ref[1:]), "") if is_label(ref) else ref


def decided(
    fact: FactState, item: Resolved | None, state: Write, home: Mapping[int, str], proposal: Proposal, asked: Asked,
    settings: Settings,
) -> Decision:  # fmt: skip
    """The record of one fact: `item` as it was carried out, None where it was rejected."""
    n, waited = fact["n"], proposal.body["item"]["group"]
    action = actions([item]).get(n, "none") if item is not None else "none"
    targets = [t["ref"] for t in waited["targets"]]
    body: Json = {
        "fact": {k: v for k, v in fact.items() if k != "gate"}, "gate": fact["gate"], "candidates": [],
        "relations": [], "links": [], "problems": [], "reason": SAID[asked.answer.verdict], "memory_id": home.get(n),
        **settled(item, state), **proposal.body["common"],
        "review": {
            "verdict": asked.answer.verdict, "action": proposal.body["action"], "before": proposal.body["before"],
            "after": proposal.body["after"], "targets": targets, "proposal": proposal.id,
        },
    }  # fmt: skip
    touched = parts(home.get(n), body) + ([] if item is not None else [(ref, "candidate") for ref in targets])
    return Decision(
        id=decision_id(asked.write_id, n, action), write_id=asked.write_id, fact_number=n, fact_id=fact["id"],
        action=cast(Action, action), outcome="applied", memory_ids=tuple(touched), body=body, at=asked.at,
    )  # fmt: skip


def committed(
    view: Reader, proposal: Proposal, asked: Asked, settings: Settings, changes: Changes, decisions: list[Decision]
) -> Commit:
    """Version checks and revision: two reviews at once, or a write in between, and one of them looks again."""
    read = seen("review", view, settings)
    row = WriteRow(
        id=asked.write_id, key=asked.write_id, scope=proposal.scope, run_id=settings.context.run_id,
        conversation_id=settings.context.conversation_id, at=asked.at, outcome="applied", incomplete=(),
        input={"messages": [], "proposal": proposal.id, **asked.answer.plain()}, settings=settings.plain(), calls=(),
        result={"changes": changes.reports, "problems": [], "timings": {}, "where": {}, "embedding": [],
                "reads": [read]},
        revision_read=read["revision"], kind="review", about=(proposal.write_id,),
    )  # fmt: skip
    return Commit(
        write=row, expected_revision=read["revision"], facts=tuple(changes.derived), versions=tuple(changes.versions),
        decisions=tuple(decisions), settles=(proposal.id,),
    )  # fmt: skip
