"""Replies as models really send them (C15): what is read, what is a failure, and what is clean nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from scrubjay.graph.deciders.reply import Unusable, read_reply
from scrubjay.prompts.extract import Extraction
from scrubjay.prompts.judge import JointVerdict, ManyVerdicts, OneVerdict
from scrubjay.prompts.merge import MergedText


def texts(reply: str) -> list[str]:
    read = read_reply(reply, Extraction)
    assert isinstance(read, Extraction)
    return [fact.text for fact in read.facts]


@pytest.mark.parametrize(
    "reply",
    [
        '{"facts":["F"]}',
        '```json\n{"facts":["F"]}\n```',
        '```\n{"facts":["F"]}\n```',
        'Here you go: {"facts":["F"]}',
        'For {you}: {"facts":["F"]}',
        '{"facts":["F"]} // that is all',
        '\ufeff{"facts":["F"]}',
        '{\r\n"facts": [\r\n"F"]\r\n}\r\n',
        '[{"facts":["F"]}]',
        '{"facts":["F"],"note":"x"}',
        '{"facts":"F"}',
        '{"facts":{"text":"F"}}',
        '{"text":"F"}',
        '[{"text":"F"}]',
        '["F"]',
        '<think>Is {"facts":["G"]} right? No.</think>{"facts":["F"]}',
        'Is {"facts":["G"]} right? No.</think>\n```json\n{"facts":["F"]}\n```',
        '<think>\n\n</think>\n\n{"facts":["F"]}',
        '<think>{"facts":["F"]}',
        '{"facts":["F"]}\n{"facts":["F"]}',
        '{"facts":[{"text":"F","type":"Fact","attributes":null,"subject":null,"message":"[2]","valid_to":""}]}',
    ],
)
def test_the_fact_is_found_whatever_stands_around_it(reply: str) -> None:
    assert texts(reply) == ["F"]


@pytest.mark.parametrize(
    "reply",
    [
        '{"facts":["F"',
        '{"facts":[{"text":"a"},{"text":"b',
        '```json\n{"facts":[{"text":"a"}',
        "{'facts':['F']}",
        '{\'facts\':[{"text":"F"}]}',
        "no facts found",
        "- [ ] no facts",
        '[1,{"a":2}]',
        '{"facts":null}',
        "{}",
        "null",
        "",
        '{"error":"overloaded"}',
        '{"facts":["F"]}\n{"facts":["G"]}',
        "<think>there are none</think>",
        "[" * 100_000,
    ],
)
def test_a_cut_off_or_alien_reply_is_a_failure_and_never_nothing(reply: str) -> None:
    with pytest.raises(Unusable):
        read_reply(reply, Extraction)


@pytest.mark.parametrize("reply", ['{"facts":[]}', '```json\n{"facts": []}\n```', "[]"])
def test_an_empty_list_is_a_clean_nothing(reply: str) -> None:
    assert texts(reply) == []


def test_a_fact_number_without_quotation_marks_is_no_fraction() -> None:
    read = read_reply('{"relation":"supersedes","target":2.1}', OneVerdict)
    assert isinstance(read, OneVerdict) and read.target == "2.1"


def test_a_single_verdict_stands_for_the_list() -> None:
    read = read_reply('{"relation":"refines","memory":2}', ManyVerdicts)
    assert isinstance(read, ManyVerdicts) and [v.memory for v in read.verdicts] == [2]


def test_a_bare_number_among_the_facts_of_a_group_is_a_new_fact() -> None:
    read = read_reply('{"groups":[{"facts":[1,"fact 2"],"memories":3,"relation":"refines"}]}', JointVerdict)
    assert isinstance(read, JointVerdict) and (read.groups[0].facts, read.groups[0].memories) == (["F1", "F2"], [3])


def test_the_failure_says_which_field_is_wrong() -> None:
    with pytest.raises(Unusable, match="text: Field required"):
        read_reply('{"memry":"x"}', MergedText)


@settings(derandomize=True)
@given(st.text(alphabet='{}[]",:tex0 \n`<>/think', max_size=60), st.sampled_from([Extraction, OneVerdict, MergedText]))
def test_any_text_is_read_or_refused(reply: str, model: type[BaseModel]) -> None:
    try:
        read = read_reply(reply, model)
    except Unusable as refused:
        assert str(refused)
    else:
        assert isinstance(read, model)


@pytest.mark.parametrize("digits", [30, 5000])
def test_a_number_too_long_to_be_read_costs_no_reply(digits: int) -> None:
    assert texts(f'{{"facts":[{{"text":"F","message":{"9" * digits}}}]}}') == ["F"]


def test_a_number_too_long_to_be_read_is_no_text() -> None:
    with pytest.raises(Unusable, match="string"):
        read_reply(f'{{"text":{"9" * 5000}}}', MergedText)
