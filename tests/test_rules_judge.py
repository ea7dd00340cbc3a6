"""How the embedded decider relates a new fact to what is remembered."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import ClassVar

import pytest
from pydantic import BaseModel

from scrubjay.graph.rules import RulesDecider
from scrubjay.prompts.extract import Extraction, ExtractRequest
from scrubjay.prompts.judge import (
    JointVerdict,
    JudgeJointRequest,
    JudgeManyRequest,
    JudgeOneRequest,
    ManyVerdicts,
    OneVerdict,
)
from scrubjay.prompts.merge import MergedText, MergeRequest
from scrubjay.prompts.request import Request
from scrubjay.prompts.shown import ShownFact, ShownMemory, ShownMessage

AT = "2026-05-12T10:00:00+02:00"
DECIDER = RulesDecider()


def said(text: str, mark: str) -> list[ShownFact]:
    """The statements that would be stored, numbered F1, F2 … or 1.1, 2.1 …"""
    message = ShownMessage(number=1, role="user", text=text, at=AT)
    reply = DECIDER.decide(ExtractRequest(messages=(message,), observed_at=AT, today=AT[:10]), {}).value
    assert isinstance(reply, Extraction)
    kept = [fact for fact in reply.facts if fact.modality in ("actual", "planned")]
    return [
        ShownFact(
            number=f"F{at}" if mark == "F" else f"{at}.1",
            attributes=tuple(fact.attributes),
            **fact.model_dump(exclude={"attributes", "message"}),
        )
        for at, fact in enumerate(kept, 1)
    ]


def memories(text: str) -> tuple[ShownMemory, ...]:
    return tuple(ShownMemory(number=f.number.split(".")[0], text=f.text, facts=(f,)) for f in said(text, ""))


def relations(before: str, after: str) -> list[str]:
    found: list[str] = []
    for fact in said(after, "F"):
        reply = DECIDER.decide(JudgeManyRequest(fact=fact, memories=memories(before)), {}).value
        assert isinstance(reply, ManyVerdicts)
        found += [verdict.relation for verdict in reply.verdicts]
    return found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I live in Seattle", "I moved to Austin"),
        ("I live in Seattle", "I now live in Austin"),
        ("I live in Seattle", "We relocated to Porto"),
        ("I live in Seattle", "I no longer live in Seattle"),
        ("I moved to Austin", "I moved back to Seattle"),
        ("I like oolong", "I don't like oolong any more"),
        ("I love oolong", "I can't stand oolong any more"),
        ("I enjoy oolong", "I've gone off oolong"),
        ("I hate olives", "I like olives now"),
        ("My rent is 1,150", "My rent is now 1,190"),
        ("My rent is $1,150", "My landlord raised my rent to $1,190"),
        ("My dentist appointment is on 14 March", "My dentist appointment moved to 15 March"),
        ("My name is Ana", "My name is Anna"),
        ("I'm 34 years old", "I just turned 35"),
        ("I work at Google", "I started at Netflix"),
        ("I work at Google", "I quit my job at Google"),
        ("I work as a nurse", "I now work as a teacher"),
        ("I drink coffee every morning", "I switched to tea"),
        ("I play tennis on Sundays", "I stopped playing tennis"),
        ("I take 5 mg of zinc daily", "I now take 10 mg of zinc daily"),
        ("我住在北京", "我搬到了上海"),
        ("我喜欢咖啡", "我不喜欢咖啡了"),
        ("我在腾讯工作", "我跳槽到了阿里"),
        ("房租是3500", "房租涨到了3800"),
    ],
)
def test_a_change_of_the_same_slot_supersedes(before: str, after: str) -> None:
    assert relations(before, after) == ["supersedes"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I live in Seattle", "My sister moved to Austin"),
        ("I live in Seattle", "My company moved to Austin"),
        ("I work at Google", "My company moved to Austin"),
        ("I live in Seattle", "I'm moving to Austin next month"),
        ("I live in Seattle", "I'm living in Austin for the summer"),
        ("I live in Seattle", "I don't live in Austin"),
        ("I live in Seattle", "I haven't moved to Austin"),
        ("I live in Seattle", "I used to live in Austin"),
        ("I live in Seattle", "I moved to Austin in 2010"),
        ("I live in Seattle", "When I lived in Austin I had a dog"),
        ("I live in Seattle", "I moved to Spotify"),
        ("I live in Seattle", "I love Austin"),
        ("I like green tea", "I don't like tea any more"),
        ("I like coffee", "I don't like coffee cake any more"),
        ("I like coffee", "I switched from coffee to tea"),
        ("I drink coffee every morning", "I switched to tea for a week"),
        ("I drink coffee every morning", "I switched to a new phone plan"),
        ("My rent is 1,150", "My sister's rent is now 1,190"),
        ("My rent is 1,150", "My rent is due on the 5th"),
        ("My dentist appointment is on 14 March", "I have another dentist appointment on 20 April"),
        ("I work at Google", "I started at the gym"),
        ("I work at Google", "I quit my job at Netflix"),
        ("I work at Google", "I used to work at Netflix"),
        ("我住在北京", "我姐姐搬到了上海"),
        ("我住在北京", "我这周住在上海"),
    ],
)
def test_a_near_miss_ends_nothing(before: str, after: str) -> None:
    assert not {"supersedes", "retracts"} & set(relations(before, after))


@pytest.mark.parametrize(
    ("before", "after", "relation"),
    [
        ("My name is Ana", "I'm called Ana", "duplicate"),
        ("I live in Seattle", "I still live in Seattle", "duplicate"),
        ("I like pizza", "I like pizza with friends", "refines"),
        ("I live in Seattle", "I live in Austin", "contradicts"),
        ("我叫李雷", "我的名字是李雷", "duplicate"),
    ],
)
def test_more_or_the_same_of_one_slot_is_told_apart(before: str, after: str, relation: str) -> None:
    assert relations(before, after) == [relation]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("My address is 12 Oak Street", "Forget my address"),
        ("I'm allergic to peanuts", "Please forget that I'm allergic to peanuts"),
        ("I work at Google", "Can you forget my job?"),
        ("我的地址是长安街1号", "忘掉我的地址"),
    ],
)
def test_a_wish_to_forget_retracts_what_it_names(before: str, after: str) -> None:
    assert relations(before, after) == ["retracts"]


def test_a_wish_to_forget_spares_other_people_and_other_slots() -> None:
    assert relations("My sister's address is 3 Elm Road. My phone number is 555-1234.", "Forget my address") == []


def test_a_switch_that_could_end_two_habits_ends_neither() -> None:
    before = "I drink coffee every morning. I drink green tea at night."
    assert relations(before, "I switched to matcha") == ["contradicts", "contradicts"]


def _mixed() -> ShownMemory:
    home = ShownFact(number="1.1", text="User lives in Seattle")
    phone = ShownFact(number="1.2", text="User's phone number is 555-1234")
    old = ShownFact(number="1.3", text="User lives in Leeds", past=True)
    return ShownMemory(number="1", text="…", facts=(home, phone, old))


def test_one_fact_of_a_memory_is_named_alone() -> None:
    fact = ShownFact(number="F1", text="User moved to Austin")
    reply = DECIDER.decide(JudgeOneRequest(fact=fact, memories=(_mixed(),)), {}).value
    assert isinstance(reply, OneVerdict) and (reply.relation, reply.target) == ("supersedes", "1.1")


def test_a_wish_to_forget_reaches_past_wording_too() -> None:
    fact = ShownFact(number="F1", text="User asks to forget where user lives", type="decision")
    reply = DECIDER.decide(JudgeManyRequest(fact=fact, memories=(_mixed(),)), {}).value
    assert isinstance(reply, ManyVerdicts) and [v.memory for v in reply.verdicts] == ["1.1", "1.3"]


def test_every_fact_stands_in_a_group_of_the_joint_reply() -> None:
    facts = tuple(said("I moved to Austin. I like jazz.", "F"))
    reply = DECIDER.decide(JudgeJointRequest(facts=facts, memories=memories("I live in Seattle")), {}).value
    assert isinstance(reply, JointVerdict)
    assert [(g.facts, g.memories, g.relation) for g in reply.groups] == [
        (["F1"], ["1"], "supersedes"),
        (["F2"], [], "independent"),
    ]


def test_only_what_was_said_before_can_be_ended_within_a_write() -> None:
    facts = tuple(said("I live in Leeds. I moved to York.", "F"))
    shown = tuple(ShownMemory(number=f.number, text=f.text, facts=(f,)) for f in facts)
    reply = DECIDER.decide(JudgeJointRequest(facts=facts, memories=shown), {}).value
    assert isinstance(reply, JointVerdict)
    assert [(g.facts, g.memories) for g in reply.groups] == [(["F1"], []), (["F2"], ["F1"])]


def test_a_merged_text_is_the_deterministic_one() -> None:
    reply = DECIDER.decide(MergeRequest(current=("User moved to Austin",), ended=("User lives in Leeds",)), {}).value
    assert reply == MergedText(text="User moved to Austin (previously: User lives in Leeds)")


def test_an_answer_carries_its_reply_as_text_and_needs_no_repair() -> None:
    answer = asyncio.run(DECIDER.adecide(MergeRequest(current=("User lives in Leeds",)), {}))
    assert answer.value is not None and answer.raw == answer.value.model_dump_json()
    assert (answer.model, answer.repairs, answer.problems) == ("rules", 0, ())


class _Nothing(BaseModel):
    pass


@dataclass(frozen=True, kw_only=True)
class _Unknown(Request[_Nothing]):
    tag: ClassVar[str] = "edit"
    name: ClassVar[str] = "unknown"
    template: ClassVar[str] = ""
    reply_model: ClassVar[type[BaseModel]] = _Nothing
    nothing: tuple[str, ...] = field(default=())

    def render(self) -> list[tuple[str, str]]:
        return []

    def check(self, reply: _Nothing) -> list[str]:
        return []


def test_a_request_without_a_rule_is_a_programming_error() -> None:
    with pytest.raises(TypeError, match="_Unknown"):
        DECIDER.decide(_Unknown(), {})
