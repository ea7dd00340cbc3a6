"""The recorded decider puts what was recorded about facts into the numbers of the request at hand."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, TypeVar

import pytest
from pydantic import BaseModel

from scrubjay.graph.cases import Case, load_case, parse_case
from scrubjay.graph.deciders.recorded import RecordedDecider
from scrubjay.nodes.decider import Answer
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

HABITS = load_case("two-habits")
BREAKFAST = load_case("breakfast")
Value = TypeVar("Value", bound=BaseModel)


def ask(decider: RecordedDecider, request: Request[Any]) -> Answer:
    return decider.decide(request, {})


def value(answer: Answer, model: type[Value]) -> Value:
    assert isinstance(answer.value, model), answer.error
    return answer.value


def fact(case: Case, number: str, key: str) -> ShownFact:
    item = case.items[key]
    return ShownFact(number=number, text=item.text, attributes=item.attributes, quote=item.quote)


def memory(case: Case, number: str, *keys: str) -> ShownMemory:
    facts = tuple(fact(case, f"{number}.{i}", key) for i, key in enumerate(keys, 1))
    return ShownMemory(number=number, text="; ".join(f.text for f in facts), facts=facts, score=0.5)


def keys(new: Mapping[str, str], *memories: tuple[str, ...]) -> dict[str, str]:
    """As the judge node gives them: a memory's own number where it rests on one fact."""
    shown = {f"{m}.{i}": key for m, facts in enumerate(memories, 1) for i, key in enumerate(facts, 1)}
    alone = {str(m): facts[0] for m, facts in enumerate(memories, 1) if len(facts) == 1}
    return {**new, **shown, **alone}


def one(case: Case, key: str, *memories: tuple[str, ...]) -> JudgeOneRequest:
    shown = tuple(memory(case, str(i), *facts) for i, facts in enumerate(memories, 1))
    return JudgeOneRequest(fact=fact(case, "F1", key), memories=shown, fact_keys=keys({"F1": key}, *memories))


def many(case: Case, key: str, *memories: tuple[str, ...]) -> JudgeManyRequest:
    shown = tuple(memory(case, str(i), *facts) for i, facts in enumerate(memories, 1))
    return JudgeManyRequest(fact=fact(case, "F1", key), memories=shown, fact_keys=keys({"F1": key}, *memories))


def joint(case: Case, new: list[str], *memories: tuple[str, ...], with_text: bool = True) -> JudgeJointRequest:
    numbers = {f"F{i}": key for i, key in enumerate(new, 1)}
    return JudgeJointRequest(
        facts=tuple(fact(case, number, key) for number, key in numbers.items()),
        memories=tuple(memory(case, str(i), *facts) for i, facts in enumerate(memories, 1)),
        with_text=with_text,
        fact_keys=keys(numbers, *memories),
    )


def extract(*messages: ShownMessage) -> ExtractRequest:
    return ExtractRequest(messages=messages, observed_at="2026-05-01T10:00:00+00:00", today="2026-05-01")


# -- extract
def test_a_message_is_found_by_its_id() -> None:
    answer = ask(RecordedDecider(HABITS), extract(ShownMessage(number=1, role="user", text="cleaned", id="m2")))
    assert [f.text for f in value(answer, Extraction).facts] == [HABITS.items["m2#0"].text]


def test_equal_messages_without_an_id_are_told_apart_by_their_time() -> None:
    twice = HABITS.model_copy(
        update={
            "messages": (HABITS.messages[0], HABITS.messages[1].model_copy(update={"text": HABITS.messages[0].text}))
        }
    )
    second = twice.messages[1]
    answer = ask(RecordedDecider(twice), extract(ShownMessage(number=1, role="user", text=second.text, at=second.at)))
    assert [f.text for f in value(answer, Extraction).facts] == [HABITS.items["m2#0"].text]


def test_several_new_messages_give_their_facts_in_order_with_their_numbers() -> None:
    shown = [ShownMessage(number=i, role="user", text=m.text) for i, m in enumerate(HABITS.messages, 1)]
    facts = value(ask(RecordedDecider(HABITS), extract(*shown)), Extraction).facts
    assert [(f.message, f.text) for f in facts] == list(enumerate((i.text for i in HABITS.items.values()), 1))


def test_context_and_what_the_assistant_says_are_no_source() -> None:
    old = ShownMessage(number=1, role="user", text=HABITS.messages[0].text, new=False)
    echo = ShownMessage(number=2, role="assistant", text=HABITS.messages[1].text)
    assert value(ask(RecordedDecider(HABITS), extract(old, echo)), Extraction).facts == []


def test_a_message_that_was_not_recorded_is_an_error_and_not_an_empty_extraction() -> None:
    answer = ask(RecordedDecider(HABITS), extract(ShownMessage(number=1, role="user", text="Something else")))
    assert answer.value is None and "no recorded extraction of message 1" in (answer.error or "")


# -- judge
def test_the_target_is_called_by_its_number_in_this_request() -> None:
    answer = ask(RecordedDecider(BREAKFAST), one(BREAKFAST, "m2#0", ("m1#0",)))
    assert value(answer, OneVerdict).target == "1" and answer.problems == ()


def test_one_fact_of_a_memory_is_called_by_its_own_number() -> None:
    answer = ask(RecordedDecider(HABITS), many(HABITS, "m3#0", ("m2#0", "m1#0")))
    assert [v.memory for v in value(answer, ManyVerdicts).verdicts] == ["1.2", "1.1"]


def test_a_judge_of_many_hears_of_every_target() -> None:
    answer = ask(RecordedDecider(HABITS), many(HABITS, "m3#0", ("m2#0",), ("m1#0",)))
    assert [(v.relation, v.memory) for v in value(answer, ManyVerdicts).verdicts] == [
        ("supersedes", "2"),
        ("supersedes", "1"),
    ]


def test_a_judge_of_one_hears_of_the_first_recorded_target() -> None:
    answer = ask(RecordedDecider(HABITS), one(HABITS, "m3#0", ("m2#0",), ("m1#0",)))
    assert value(answer, OneVerdict).target == "2"


def test_a_target_that_was_not_retrieved_is_left_out_and_reported() -> None:
    answer = ask(RecordedDecider(HABITS), many(HABITS, "m3#0", ("m2#0",)))
    assert [v.memory for v in value(answer, ManyVerdicts).verdicts] == ["1"]
    assert answer.problems == ("recorded target m1#0 of m3#0 was not retrieved",)


def test_without_its_only_target_a_fact_is_independent_of_what_is_shown() -> None:
    answer = ask(RecordedDecider(BREAKFAST), joint(BREAKFAST, ["m2#0"], ("m2#0",)))
    groups = value(answer, JointVerdict).groups
    assert [(g.relation, g.memories) for g in groups] == [("independent", [])]
    assert answer.problems == ("recorded target m1#0 of m2#0 was not retrieved",)


def test_a_pair_reports_nothing_about_the_other_pairs() -> None:
    answer = ask(RecordedDecider(HABITS), one(HABITS, "m3#0", ("m2#0",)))
    assert value(answer, OneVerdict).target == "1" and answer.problems == ()


def test_a_fact_recorded_as_independent_has_no_target() -> None:
    answer = ask(RecordedDecider(HABITS), one(HABITS, "m2#0", ("m1#0",)))
    assert value(answer, OneVerdict).relation == "independent"
    assert value(answer, OneVerdict).target is None


@pytest.mark.parametrize("request_for", [one, many])
def test_a_verdict_that_was_not_recorded_is_not_invented(request_for: Any) -> None:
    answer = ask(RecordedDecider(HABITS), request_for(HABITS, "m1#0", ("m2#0",)))
    assert answer.value is None and answer.error == "recorded:two-habits has no recorded verdict on m1#0"


def test_a_joint_group_holds_all_targets_of_a_fact_and_their_text() -> None:
    (group,) = value(ask(RecordedDecider(HABITS), joint(HABITS, ["m3#0"], ("m1#0",), ("m2#0",))), JointVerdict).groups
    assert (group.facts, group.memories, group.text) == (["F1"], ["1", "2"], HABITS.texts[0].text)


def test_a_joint_group_has_the_text_of_the_targets_that_were_shown() -> None:
    (group,) = value(ask(RecordedDecider(HABITS), joint(HABITS, ["m3#0"], ("m1#0",))), JointVerdict).groups
    assert group.text == HABITS.texts[1].text


def test_no_text_is_given_where_none_is_wanted() -> None:
    request = joint(HABITS, ["m3#0"], ("m1#0",), ("m2#0",), with_text=False)
    assert [g.text for g in value(ask(RecordedDecider(HABITS), request), JointVerdict).groups] == [None]


def test_facts_that_refine_one_memory_stand_in_one_group() -> None:
    case = parse_case(
        HABITS.model_copy(
            update={
                "verdicts": tuple(
                    row.model_copy(update={"relation": "refines", "target": "m1#0", "fact": key})
                    for row, key in zip(HABITS.verdicts[:2], ("m2#0", "m3#0"), strict=True)
                )
            }
        ).model_dump_json(by_alias=True)
    )
    groups = value(ask(RecordedDecider(case), joint(case, ["m2#0", "m3#0"], ("m1#0",))), JointVerdict).groups
    assert [(g.facts, g.memories, g.relation) for g in groups] == [(["F1", "F2"], ["1"], "refines")]


def test_a_strategy_may_hear_something_else() -> None:
    request = one(BREAKFAST, "m2#0", ("m1#0",))
    usual, replacing = (value(ask(RecordedDecider(BREAKFAST, s), request), OneVerdict) for s in ("neatmem", "signetai"))
    assert usual.still_true and not replacing.still_true


def test_an_earlier_fact_of_the_same_write_is_called_by_its_label() -> None:
    earlier = ShownMemory(number="F1", text=BREAKFAST.items["m1#0"].text)
    request = JudgeOneRequest(
        fact=fact(BREAKFAST, "F2", "m2#0"), memories=(earlier,), fact_keys={"F1": "m1#0", "F2": "m2#0"}
    )
    assert value(ask(RecordedDecider(BREAKFAST), request), OneVerdict).target == "F1"


# -- merge
def merge(*current: str, ended: tuple[str, ...] = ()) -> MergeRequest:
    return MergeRequest(current=current, ended=ended, dates=("2026-05-04T08:10:00+02:00",))


def test_a_text_is_found_by_the_facts_that_it_is_made_of() -> None:
    items = HABITS.items
    request = merge(items["m3#0"].text, ended=(items["m2#0"].text, items["m1#0"].text))
    assert value(ask(RecordedDecider(HABITS), request), MergedText).text == HABITS.texts[0].text


def test_clauses_that_go_on_do_not_hide_the_text() -> None:
    old, new = BREAKFAST.items.values()
    request = merge(new.text, *BREAKFAST.verdicts[0].still_true, ended=(old.text,))
    assert value(ask(RecordedDecider(BREAKFAST), request), MergedText).text == BREAKFAST.texts[0].text


def test_a_text_that_was_not_recorded_is_an_error() -> None:
    answer = ask(RecordedDecider(HABITS), merge("User rows", "User swims"))
    assert answer.value is None and "no recorded text" in (answer.error or "")


# -- the decider
def test_the_answer_names_the_case_and_keeps_the_reply() -> None:
    answer = ask(RecordedDecider(BREAKFAST), one(BREAKFAST, "m2#0", ("m1#0",)))
    assert answer.model == "recorded:breakfast"
    assert OneVerdict.model_validate_json(answer.raw) == answer.value


def test_the_async_answer_is_the_same() -> None:
    decider, request = RecordedDecider(BREAKFAST), many(BREAKFAST, "m2#0", ("m1#0",))
    assert asyncio.run(decider.adecide(request, {})) == decider.decide(request, {})


def test_what_the_check_finds_is_reported_and_nothing_is_repaired() -> None:
    """The recorded text speaks of Utrecht, which is in neither of the facts that this request shows."""
    (text,) = BREAKFAST.texts
    case = BREAKFAST.model_copy(update={"texts": (text.model_copy(update={"targets": ()}),)})
    answer = ask(RecordedDecider(case), merge(case.items["m2#0"].text))
    assert any("utrecht" in problem.casefold() for problem in answer.problems)
    assert answer.value == MergedText(text=text.text) and answer.repairs == 0
