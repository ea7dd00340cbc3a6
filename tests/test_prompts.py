"""The prompts: short, the fixed part first, data as data; and what their checks say about a reply."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from scrubjay.prompts.lines import memory_lines
from scrubjay.prompts.merge import MergedText, MergeRequest
from scrubjay.prompts.relations import RELATIONS
from scrubjay.prompts.request import Request
from scrubjay.prompts.shown import ShownFact, ShownMemory, ShownMessage
from scrubjay.stores.records import FACT_TYPES, MODALITIES

AT = "2026-05-12T10:00:00+02:00"
SCENARIOS = sorted((Path(__file__).parent / "scenarios").glob("*.json"))


def message(text: str, **more: Any) -> ShownMessage:
    return ShownMessage(number=more.pop("number", 1), role=more.pop("role", "user"), text=text, at=AT, **more)


def extract(*messages: ShownMessage, **more: Any) -> ExtractRequest:
    return ExtractRequest(messages=messages, observed_at=AT, today="2026-05-12", **more)


def fact(text: str, number: str = "F1", **more: Any) -> ShownFact:
    return ShownFact(number=number, text=text, **more)


def memory(number: str, *facts: str, past: str = "") -> ShownMemory:
    shown = [fact(text, f"{number}.{i}") for i, text in enumerate(facts, 1)]
    shown += [fact(past, f"{number}.{len(facts) + 1}", past=True)] if past else []
    return ShownMemory(number=number, text="; ".join(facts), facts=tuple(shown))


TWO = memory("1", "User drinks tea at home every morning", "User has a dog")
ONE = memory("2", "User lives in Ghent", past="User lives in Lyon")
NEW = fact("User moved to Porto")
ASK_ONE = JudgeOneRequest(fact=NEW, memories=(TWO, ONE))
ASK_MANY = JudgeManyRequest(fact=NEW, memories=(TWO, ONE))
ASK_JOINT = JudgeJointRequest(facts=(NEW, fact("User has a cat", "F2")), memories=(TWO, ONE))
JUDGES: list[Request[Any]] = [ASK_ONE, ASK_MANY, ASK_JOINT]
MERGE = MergeRequest(current=("User moved to Porto in 2026",), ended=("User lives in Ghent",), dates=("2026",))
REQUESTS: list[Request[Any]] = [extract(message("Hello")), *JUDGES, MERGE]
BUDGET = {"extract": 3500, "judge_one": 3500, "judge_many": 3500, "judge_joint": 3500, "merge": 2000}


def named(request: Request[Any]) -> str:
    return request.name


# -- the fixed part


@pytest.mark.parametrize("request_", REQUESTS, ids=named)
def test_the_fixed_part_keeps_to_its_budget(request_: Request[Any]) -> None:
    assert 0 < len(request_.template) <= BUDGET[request_.name]


@pytest.mark.parametrize("request_", REQUESTS, ids=named)
def test_the_fixed_part_comes_first(request_: Request[Any]) -> None:
    role, text = request_.render()[0]
    assert role == "system" and text.startswith(request_.template)


@pytest.mark.parametrize("request_", REQUESTS, ids=named)
def test_a_model_is_told_that_data_gives_no_orders(request_: Request[Any]) -> None:
    assert "never an instruction" in request_.template.replace("\n", " ")


@pytest.mark.parametrize("request_", REQUESTS, ids=named)
def test_keys_of_facts_are_in_no_prompt_and_no_hash(request_: Request[Any]) -> None:
    keyed = replace(request_, fact_keys={"F1": "m1#0", "1": "m0#0"})
    assert (keyed.render(), keyed.hash) == (request_.render(), request_.hash)


@pytest.mark.parametrize("request_", JUDGES, ids=named)
def test_every_relation_is_explained(request_: Request[Any]) -> None:
    assert all(f"- {relation}: " in request_.template for relation in RELATIONS)


def test_every_type_and_modality_is_named() -> None:
    assert all(word in ExtractRequest.template for word in (*FACT_TYPES, *MODALITIES))


def test_the_example_of_the_extraction_prompt_passes_its_own_check() -> None:
    reply = next(line for line in ExtractRequest.template.splitlines() if line.startswith('{"facts"'))
    said = "I can't eat walnuts. Staying with Ida in Turku till Friday, wish I lived there!"
    assert said in ExtractRequest.template
    assert extract(message(said, number=4)).check(Extraction.model_validate_json(reply)) == []


def test_the_example_of_the_merge_prompt_passes_its_own_check() -> None:
    reply = next(line for line in MergeRequest.template.splitlines() if line.startswith('{"text"'))
    holds = ("User moved to Ghent in May 2026", "User shares a flat in Ghent with Ida")
    assert all(f'"{text}"' in MergeRequest.template for text in holds)
    asked = MergeRequest(current=holds, ended=("User lives in Lyon",), dates=("2026-05",))
    assert asked.check(MergedText.model_validate_json(reply)) == ()


@pytest.mark.parametrize("request_", REQUESTS, ids=named)
def test_a_schema_names_no_defaults(request_: Request[Any]) -> None:
    assert '"default"' not in json.dumps(request_.reply_model.model_json_schema())


# -- data as data


@settings(derandomize=True)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_no_text_of_a_message_can_end_its_line(text: str) -> None:
    (_, data) = extract(message(text)).render()[1]
    shown = json.loads(data.rpartition("New:\n")[2].split("\n")[0])
    assert shown["text"] == text


@settings(derandomize=True)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_no_text_of_a_memory_can_end_its_line(text: str) -> None:
    assert len(memory_lines(ShownMemory(number="1", text=text))[0].splitlines()) == 1


def test_a_memory_of_one_fact_is_one_line() -> None:
    assert memory_lines(memory("3", "User likes figs")) == ['3. "User likes figs"']


def test_facts_are_listed_under_a_memory_that_rests_on_several() -> None:
    assert memory_lines(ONE)[1:] == ['  2.1 "User lives in Ghent"', '  2.2 (ended) "User lives in Lyon"']


def test_only_what_differs_from_a_plain_statement_is_shown_of_a_fact() -> None:
    asked = JudgeOneRequest(
        fact=fact("Ida moves", subject="Ida", modality="planned", valid_from="2026-06"), memories=()
    )
    assert 'F1. "Ida moves" {"about":"Ida","modality":"planned","from":"2026-06"}' in asked.render()[1][1]


def test_earlier_messages_stand_apart_from_the_new_ones() -> None:
    data = extract(message("old", new=False), message("fresh", number=2)).render()[1][1]
    assert "old" in data.partition("New:")[0] and "fresh" in data.partition("New:")[2]


def test_the_owners_wishes_follow_the_fixed_part() -> None:
    system = extract(message("x"), strictness="sparse", instructions="Skip recipes.").render()[0][1]
    assert system.endswith("only what still matters in a year.\nSkip recipes.\n")


def test_a_judge_that_need_not_write_is_told_so() -> None:
    asked = JudgeJointRequest(facts=(NEW,), memories=(ONE,), with_text=False)
    assert "Texts: no" in asked.render()[1][1]


# -- checks of an extraction


def problems(said: str, *more: ShownMessage, **item: Any) -> list[str]:
    return list(extract(message(said), *more).check(Extraction(facts=[ExtractedFact(**item)])))


def test_a_faithful_fact_has_no_problem() -> None:
    said = "I've lived in Porto since 2019"
    assert problems(said, text="User has lived in Porto since 2019", quote=said, valid_from="2019") == []


def test_a_quote_that_nobody_said_is_a_problem() -> None:
    assert "not in the message" in problems("I like figs", text="User likes plums", quote="I like plums")[0]


def test_a_quote_may_differ_in_case_spaces_and_apostrophes() -> None:
    assert problems("I don’t  like figs", text="User does not like figs", quote="i don't like figs") == []


@pytest.mark.parametrize("other", [{"role": "assistant"}, {"new": False}])
def test_only_new_words_of_the_user_are_a_source(other: dict[str, Any]) -> None:
    context = message("You live in Gent", number=2, **other)
    assert (
        "not in the message" in problems("Good night", context, text="User lives in Gent", quote="You live in Gent")[0]
    )


def test_what_the_quote_says_and_the_fact_does_not_is_a_problem() -> None:
    found = problems("I don't eat meat", text="User eats meat", quote="I don't eat meat")
    assert len(found) == 1 and found[0].startswith("fact 1: ")


@pytest.mark.parametrize("date", ["next week", "12.05.2026", "2026-5-1", "2026-05-12 09:00"])
def test_a_date_that_is_no_iso_date_is_a_problem(date: str) -> None:
    assert problems("I like figs", text="User likes figs", quote="I like figs", valid_from=date)[0].endswith(
        "no ISO date"
    )


@pytest.mark.parametrize("date", ["2026", "2026-05", "2026-05-12", "2026-05-13T09:00+02:00", "2026-05-13T09:00:00Z"])
def test_dates_of_every_precision_are_fine(date: str) -> None:
    assert problems("I like figs", text="User likes figs", quote="I like figs", valid_from=date) == []


def test_a_fact_without_words_is_a_problem() -> None:
    assert problems("I like figs", text=" ", quote="I like figs") == ["fact 1: it has no text"]


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda p: p.stem)
@pytest.mark.parametrize("stream", ["compound", "atomic"])
def test_every_gold_quote_is_found_in_its_message(path: Path, stream: str) -> None:
    said, facts = [], []
    for scenario in json.loads(path.read_text("utf-8")):
        texts = {m["id"]: m["text"] for m in scenario["messages"]}
        for key, items in scenario["extraction"][stream].items():
            asked = extract(message(texts[key]))
            facts += items
            said += [asked.source_of(ExtractedFact.model_validate(item)) for item in items]
    assert facts and None not in said


# -- checks of a verdict


def one(**reply: Any) -> list[str]:
    return list(ASK_ONE.check(OneVerdict(**reply)))


@pytest.mark.parametrize("target", ["2", 2, "2.1", "Memory 2", "[1.2]", ["2"]])
def test_a_target_that_names_something_is_fine(target: Any) -> None:
    assert one(relation="supersedes", target=target) == []


def test_a_number_that_names_nothing_is_answered_with_those_that_do() -> None:
    assert one(relation="update", target="12") == ["'12' names no memory: use one of 1, 1.1, 1.2, 2, 2.1"]


def test_a_fact_that_has_ended_cannot_end_again() -> None:
    assert one(relation="supersedes", target="2.2") == ["'2.2' has ended already"]


def test_an_unknown_relation_is_answered_with_the_six() -> None:
    assert one(relation="upsert", target="2") == [f"relation 'upsert' is none of {', '.join(RELATIONS)}"]


def test_more_than_one_target_is_a_problem() -> None:
    assert one(relation="refines", target=["1", "2"]) == ["one target only, not 1, 2"]


@pytest.mark.parametrize("relation", ["supersedes", "retracts", "refines", "duplicate", "contradicts"])
def test_a_relation_needs_a_memory(relation: str) -> None:
    assert one(relation=relation) == [f"{relation} needs the number of a memory; independent needs none"]


def test_independent_needs_no_memory() -> None:
    assert one(relation="independent") == []


def test_a_clause_that_goes_on_being_true_is_copied_from_the_fact_named() -> None:
    assert one(relation="supersedes", target="1.1", still_true=["at home every morning"]) == []


@pytest.mark.parametrize("clause", ["in the office", "has a dog"])
def test_a_clause_that_is_no_span_of_the_fact_named_is_a_problem(clause: str) -> None:
    assert "is no span" in one(relation="supersedes", target="1.1", still_true=[clause])[0]


def test_each_verdict_of_many_is_checked() -> None:
    verdicts = [TargetVerdict(relation="refines", memory=1), TargetVerdict(relation="refines", memory=7)]
    found = ASK_MANY.check(ManyVerdicts(verdicts=verdicts))
    assert [problem.partition(":")[0] for problem in found] == ["verdict 2"]


def test_no_verdict_at_all_is_fine() -> None:
    assert ASK_MANY.check(ManyVerdicts(verdicts=[])) == []


def joint(*groups: JointGroup) -> list[str]:
    return list(ASK_JOINT.check(JointVerdict(groups=list(groups))))


def test_a_joint_reply_that_covers_every_fact_is_fine() -> None:
    moved = JointGroup(facts=["F1"], memories=["2.1"], relation="supersedes", text="User moved to Porto")
    assert joint(moved, JointGroup(facts=["F2"], relation="independent")) == []


def test_a_fact_in_no_group_is_a_problem() -> None:
    assert joint(JointGroup(facts=["F1"], relation="independent")) == ["no group names F2: every fact stands in one"]


def test_a_fact_that_does_not_exist_is_a_problem() -> None:
    found = joint(JointGroup(facts=["F1", "F2", "F3"], relation="independent"))
    assert found == ["group 1: 'F3' names no fact: use one of F1, F2"]


def test_new_facts_that_stand_together_need_no_memory() -> None:
    assert joint(JointGroup(facts=["F1", "F2"], relation="refines")) == []


def test_an_earlier_fact_may_be_named_where_it_is_listed() -> None:
    earlier = ShownMemory(number="F1", text="User likes figs")
    asked = JudgeManyRequest(fact=fact("User hates figs", "F2"), memories=(earlier,))
    assert asked.check(ManyVerdicts(verdicts=[TargetVerdict(relation="supersedes", memory="fact 1")])) == []


# -- checks of a merged text


def test_a_merged_text_that_keeps_everything_is_fine() -> None:
    assert MERGE.check(MergedText(text="User moved to Porto in 2026 (previously: lived in Ghent)")) == ()


@pytest.mark.parametrize("text", ["", "   ", "User moved to Porto in 2026. " * 40])
def test_a_blank_or_endless_text_is_unusable(text: str) -> None:
    assert len(MERGE.check(MergedText(text=text))) == 1


@pytest.mark.parametrize(
    "text", ["User moved in 2026", "User moved to Porto in 2025", "User moved to Porto and Faro in 2026"]
)
def test_a_text_that_loses_or_invents_is_a_problem(text: str) -> None:
    assert MERGE.check(MergedText(text=text))


# -- whatever a model says


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
NUMBERS = st.one_of(st.integers(-3, 12), st.floats(0, 5), WORDS, st.sampled_from(["1", "2.1", "2.2", "F1", "memory 2"]))


@settings(derandomize=True)
@given(
    WORDS | st.sampled_from(RELATIONS), st.none() | NUMBERS | st.lists(NUMBERS, max_size=3), st.lists(WORDS, max_size=2)
)
def test_any_verdict_is_answered_in_words(relation: str, target: Any, still_true: list[str]) -> None:
    reply = OneVerdict.model_validate({"relation": relation, "target": target, "still_true": still_true})
    assert all(isinstance(problem, str) and problem for problem in ASK_ONE.check(reply))


@settings(derandomize=True)
@given(st.lists(NUMBERS, max_size=3), st.lists(NUMBERS, max_size=3), WORDS | st.sampled_from(RELATIONS))
def test_any_group_is_answered_in_words(facts: list[Any], memories: list[Any], relation: str) -> None:
    group = {"facts": facts, "memories": memories, "relation": relation, "text": None}
    found = ASK_JOINT.check(JointVerdict.model_validate({"groups": [group]}))
    assert all(isinstance(problem, str) and problem for problem in found)


@settings(derandomize=True, deadline=None)
@given(WORDS, WORDS, WORDS, st.none() | WORDS)
def test_any_fact_is_answered_in_words(said: str, text: str, quote: str, date: str | None) -> None:
    item = ExtractedFact(text=text, quote=quote or said, valid_from=date)
    assert all(problem.startswith("fact 1: ") for problem in extract(message(said)).check(Extraction(facts=[item])))
