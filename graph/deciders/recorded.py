"""Answers from a recorded case: what a model would have replied, in terms of facts, put into the numbers of a request.

A recorded target that is not among the memories shown is left out and reported: nobody can judge what was not
retrieved, and the report makes that visible. Nothing is invented: a fact without a row has no verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.runnables import RunnableConfig
from pydantic import BaseModel

from scrubjay.graph.cases.format import Case, CaseMessage, Text, Verdict
from scrubjay.nodes.decider import Answer
from scrubjay.prompts.extract import ExtractedFact, Extraction, ExtractRequest
from scrubjay.prompts.judge import (
    JointGroup,
    JointVerdict,
    JudgeJointRequest,
    JudgeManyRequest,
    JudgeOneRequest,
    ManyVerdicts,
    OneVerdict,
    TargetVerdict,
)
from scrubjay.prompts.merge import MergedText, MergeRequest
from scrubjay.prompts.request import Request
from scrubjay.prompts.shown import ShownMemory, ShownMessage
from scrubjay.stores.records import Json

JOINED = ("duplicate", "refines")
"""relations under which several facts of one write go into one group; an ending has one owner (RULES §1)"""


class NotRecorded(LookupError):
    """The file holds no reply to this request; becomes the error of an Answer."""


@dataclass(frozen=True)
class Hearing:
    """What of the record concerns one fact of one request."""

    number: str
    """of the fact, as shown"""
    fact: str
    rows: tuple[Verdict, ...]
    """those whose target is shown"""
    absent: tuple[str, ...]
    """recorded targets that are not"""


@dataclass
class Reply:
    """A reply in the making."""

    value: BaseModel
    problems: list[str] = field(default_factory=list)


class RecordedDecider:
    """Stands in for a model in a case whose replies are known; answers every detector from one table of verdicts.

    `strategy` picks the case's override of that name, if it has one. No repair turn is recorded: what `check` finds is
    reported and the nodes' safe default applies.
    """

    def __init__(self, case: Case, strategy: str = "joint") -> None:
        override = case.strategies.get(strategy)
        own, texts = (override.verdicts, override.texts) if override else ((), ())
        spoken_for = {row.fact for row in own}
        self._case = case
        self._verdicts = (*own, *(row for row in case.verdicts if row.fact not in spoken_for))
        self._texts = (*texts, *case.texts)
        self._items = case.items
        self._replies: dict[type[Request[Any]], Callable[[Any], Reply]] = {
            ExtractRequest: self._extract,
            JudgeOneRequest: self._judge_one,
            JudgeManyRequest: self._judge_many,
            JudgeJointRequest: self._judge_joint,
            MergeRequest: self._merge,
        }

    @property
    def name(self) -> str:
        return f"recorded:{self._case.id}"

    def decide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        try:
            reply = self._reply(request)
        except NotRecorded as error:
            return Answer(value=None, error=str(error), model=self.name)
        problems = (*reply.problems, *request.check(reply.value))
        return Answer(value=reply.value, raw=reply.value.model_dump_json(), problems=problems, model=self.name)

    async def adecide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        return self.decide(request, config)

    def _reply(self, request: Request[Any]) -> Reply:
        answer = self._replies.get(type(request))
        if answer is None:
            raise NotRecorded(f"{self.name} has no recorded reply to {request.name}")
        return answer(request)

    # -- extract
    def _extract(self, request: ExtractRequest) -> Reply:
        new = [message for message in request.messages if message.new and message.role == "user"]
        return Reply(Extraction(facts=[fact for message in new for fact in self._extracted(message)]))

    def _extracted(self, shown: ShownMessage) -> Iterator[ExtractedFact]:
        message = self._message(shown)
        if message is None or message.id not in self._case.extracted:
            raise NotRecorded(f"{self.name} has no recorded extraction of message {shown.number}: {shown.text[:60]!r}")
        for item in self._case.extracted[message.id]:
            yield ExtractedFact(**item.model_dump(exclude={"gold"}), message=shown.number)

    def _message(self, shown: ShownMessage) -> CaseMessage | None:
        """By id; without one by text, where the time tells equal texts apart."""
        if shown.id:
            return next((m for m in self._case.messages if m.id == shown.id), None)
        alike = [m for m in self._case.messages if m.text == shown.text]
        return next((m for m in alike if m.at == shown.at), alike[0] if alike else None)

    # -- judge
    def _judge_one(self, request: JudgeOneRequest) -> Reply:
        shown = shown_numbers(request.memories, request.fact_keys)
        hearing = self._hear(request.fact.number, request.fact_keys, shown)
        # With one memory this is one pair of many (pointwise): the other targets have their own request.
        problems = [] if len(request.memories) == 1 else _not_shown(hearing)
        if not hearing.rows:
            return Reply(OneVerdict(relation="independent", reason="nothing shown is concerned"), problems)
        row = hearing.rows[0]
        value = OneVerdict(relation=row.relation, target=shown.get(row.target or ""), **_said(row))
        return Reply(value, problems)

    def _judge_many(self, request: JudgeManyRequest) -> Reply:
        shown = shown_numbers(request.memories, request.fact_keys)
        hearing = self._hear(request.fact.number, request.fact_keys, shown)
        verdicts = [
            TargetVerdict(relation=row.relation, memory=shown[row.target], **_said(row))
            for row in hearing.rows
            if row.target is not None
        ]
        return Reply(ManyVerdicts(verdicts=verdicts), _not_shown(hearing))

    def _judge_joint(self, request: JudgeJointRequest) -> Reply:
        shown = shown_numbers(request.memories, request.fact_keys)
        hearings = [self._hear(fact.number, request.fact_keys, shown) for fact in request.facts]
        groups = [self._group(members, shown, request.with_text) for members in _joined(hearings)]
        return Reply(JointVerdict(groups=groups), [problem for hearing in hearings for problem in _not_shown(hearing)])

    def _hear(self, number: str, fact_keys: Mapping[str, str], shown: Mapping[str, str]) -> Hearing:
        fact = fact_keys.get(number, "")
        rows = [row for row in self._verdicts if row.fact == fact]
        if not rows:
            raise NotRecorded(f"{self.name} has no recorded verdict on {fact or number}")
        absent = [row.target for row in rows if row.target is not None and row.target not in shown]
        heard = [row for row in rows if row.target is None or row.target in shown]
        return Hearing(number, fact, tuple(heard), tuple(absent))

    def _group(self, members: Sequence[Hearing], shown: Mapping[str, str], with_text: bool) -> JointGroup:
        """Members have rows of one relation to the same targets."""
        rows = members[0].rows
        targets = [row.target for row in rows if row.target is not None]
        text = self._text([m.fact for m in members], targets) if with_text and targets else None
        return JointGroup(
            reason="; ".join(dict.fromkeys(row.reason for row in rows if row.reason)),
            facts=[m.number for m in members],
            memories=[shown[target] for target in targets],
            relation=rows[0].relation if rows else "independent",
            text=text.text if text else None,
            still_true=[clause for row in rows for clause in row.still_true],
        )

    # -- merge
    def _text(self, facts: Sequence[str], targets: Sequence[str]) -> Text | None:
        wanted = set(facts), set(targets)
        return next((text for text in self._texts if (set(text.facts), set(text.targets)) == wanted), None)

    def _merge(self, request: MergeRequest) -> Reply:
        """By the wording of its facts, since a merge shows no numbers; clauses that go on are part of their fact."""
        clauses = {clause for row in self._verdicts for clause in row.still_true}
        wanted = {*request.current, *request.ended} - clauses
        for text in self._texts:
            if {self._items[key].text for key in (*text.facts, *text.targets)} == wanted:
                return Reply(MergedText(text=text.text))
        raise NotRecorded(f"{self.name} has no recorded text of {' + '.join(sorted(wanted))[:120]!r}")


def shown_numbers(memories: Sequence[ShownMemory], fact_keys: Mapping[str, str]) -> dict[str, str]:
    """Fact key → the number it is shown under: the memory's own where it rests on that fact alone, else "2.1"."""
    numbers = [number for memory in memories for number in (memory.number, *(fact.number for fact in memory.facts))]
    return {fact_keys[number]: number for number in reversed(numbers) if number in fact_keys}


def _joined(hearings: Sequence[Hearing]) -> list[list[Hearing]]:
    """One list a group: a fact's rows by relation, and facts that merge into the same targets together."""
    groups: dict[tuple[str, ...], list[Hearing]] = {}
    for hearing in hearings:
        relations = dict.fromkeys(row.relation for row in hearing.rows) or {"independent": None}
        for relation in relations:
            rows = tuple(row for row in hearing.rows if row.relation == relation)
            owner = "" if relation in JOINED else hearing.fact
            key = (relation, owner, *sorted(row.target or "" for row in rows))
            groups.setdefault(key, []).append(Hearing(hearing.number, hearing.fact, rows, ()))
    return list(groups.values())


def _said(row: Verdict) -> Json:
    return {"reason": row.reason, "still_true": list(row.still_true)}


def _not_shown(hearing: Hearing) -> list[str]:
    return [f"recorded target {target} of {hearing.fact} was not retrieved" for target in hearing.absent]
