"""Numbers, relations and quotes as models write them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.prompts.extract import ExtractedFact
from scrubjay.prompts.judge import OneVerdict
from scrubjay.prompts.numbers import parse_number, parse_numbers
from scrubjay.prompts.quotes import find_quote
from scrubjay.prompts.relations import RELATIONS, Relation, parse_relation


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (2, "2"), (2.0, "2"), (2.1, "2.1"), ("2", "2"), (" 2. ", "2"), ("[2]", "2"), ("(2)", "2"), ("#2", "2"),
        ("m2", "2"), ("M2", "2"), ("Memory 2", "2"), ("memory #2", "2"), ("memory_2", "2"), ("2.1", "2.1"),
        ("[2.1]", "2.1"), ("Fact 2.1", "2.1"), ("F1", "F1"), ("f1", "F1"), ("fact 1", "F1"), ("Fact F1", "F1"),
        ("memory F1", "F1"), ("２", "2"), ("记忆2", "2"), ("事实1", "F1"), ("第2条", "2"), ("02", "2"), ("\"2\"", "2"),
    ],
)  # fmt: skip
def test_a_number_is_read_in_every_spelling(value: object, number: str) -> None:
    assert parse_number(value) == number


@pytest.mark.parametrize(
    "value", [None, True, "-1", -1, "", "none", "the first", "2a", "1.2.3", "mem_01HV", "1/2", "²³"]
)
def test_what_is_no_number_names_nothing(value: object) -> None:
    assert parse_number(value) not in ("1", "2", "2.1", "F1")


def kind(value: object) -> str:
    """A test's name, where Python would not spell out the value."""
    return type(value).__name__


@pytest.mark.parametrize("value", [10**6, 10**29, 10**5000, 1e30, "9" * 30, f"1{' ' * 60}and more"], ids=kind)
def test_a_number_too_long_for_any_list_is_a_short_text(value: object) -> None:
    read = parse_number(value)
    assert len(read) <= 40 and read == parse_number(read) and not (read.isdigit() and len(read) <= 6)


@pytest.mark.parametrize("value", [10**6, 10**29, 10**5000, 1e30, float("inf"), "9" * 30, "²" * 30, "፩"], ids=kind)
def test_a_long_number_names_no_message_and_costs_no_fact(value: object) -> None:
    assert ExtractedFact.model_validate({"text": "User drinks tea", "message": value}).message is None


@pytest.mark.parametrize("value", [10**29, 10**5000, 1e30, float("inf"), "9" * 30], ids=kind)
def test_a_long_number_in_a_verdict_is_kept_as_a_short_text(value: object) -> None:
    read = OneVerdict.model_validate({"relation": "refines", "target": [1, value]}).target
    assert isinstance(read, list) and read[0] == 1 and isinstance(read[1], str) and len(read[1]) <= 40


@pytest.mark.parametrize(
    ("value", "numbers"),
    [(None, []), (2, ["2"]), ("1, 2.1 and F1", ["1", "2.1", "F1"]), ([1, "m1", 2], ["1", "2"]), ("1、2", ["1", "2"])],
)
def test_several_numbers_are_read_in_order_and_once(value: object, numbers: list[str]) -> None:
    assert parse_numbers(value) == numbers


@settings(derandomize=True)
@given(st.text(max_size=20))
def test_a_number_once_read_stays_as_it_is(text: str) -> None:
    assert parse_number(parse_number(text)) == parse_number(text)


@pytest.mark.parametrize(
    ("word", "relation"),
    [
        ("UPDATE", "supersedes"), ("DELETE ", "retracts"), ("add", "independent"), ("NONE", "independent"),
        ("noop", "independent"), ("Duplicates", "duplicate"), ("**refines**", "refines"),
        ("contradictory", "contradicts"),
        ("redundant", "duplicate"), ('"supersedes".', "supersedes"), ("取代", "supersedes"),
    ],
)  # fmt: skip
def test_a_relation_is_read_in_the_words_of_other_systems(word: str, relation: Relation) -> None:
    assert parse_relation(word) == relation


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_relation_is_read_in_any_case(relation: Relation) -> None:
    assert parse_relation(f" {relation.upper()} ") == relation


@pytest.mark.parametrize("word", ["upsert", "", None, 3, "refines or supersedes"])
def test_another_word_is_no_relation(word: object) -> None:
    assert parse_relation(word) is None


@pytest.mark.parametrize("quote", ["it's  “warm”", 'IT\'S "WARM"', "it’s\n'warm'", '“it\'s "warm"”'])
def test_a_quote_is_found_as_it_stands_in_the_text(quote: str) -> None:
    text = "Well, it’s “warm” here" if "'warm'" not in quote else "Well, it's ‘warm’ here"
    found = find_quote(quote, text)
    assert found is not None and found in text


@pytest.mark.parametrize("quote", ["", "  ", '""', "it is warm", "it's ... here"])
def test_other_words_are_not_found(quote: str) -> None:
    assert find_quote(quote, "Well, it's warm here") is None


@settings(derandomize=True)
@given(st.text(max_size=40), st.data())
def test_any_span_of_a_text_that_says_something_is_found(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    span = text[start : data.draw(st.integers(start, len(text)))]
    found = find_quote(span, text)
    says_something = bool(span.strip().strip('"“”„…').strip())
    assert (found is not None and found in text) == says_something
