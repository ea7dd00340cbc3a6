"""Cleaning, equality and the language of a text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.stores import text as leaf
from scrubjay.stores.text import clean, language, normalise

ANY_TEXT = st.text(alphabet=st.characters(), max_size=60)
WORDS = [
    "not",
    "never",
    "no longer",
    "User",
    "lives in Seattle",
    "May",
    "5",
    "mg",
    "$",
    "64",
    "9 am",
    "14 March",
    "2026",
    "two hundred",
    ";",
    "(",
    ")",
    ",",
    ".",
    ":",
    "“",
    "”",
    "'s",
    "don't",
    "用户",
    "不",
    "喜欢",
    "三",
    "月",
    "5号",
    "十点半",
    "两万二",
    "别",
    "忘掉",
    "从",
    "搬到",
    "，",
    "。",
    "-",
]
PIECES = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
TEXTS = ANY_TEXT | PIECES | PIECES.map(lambda t: t.replace(" ", ""))


def test_lone_surrogates_and_nul_are_cleaned() -> None:
    assert clean("a\ud800b\0c") == "a\ufffdbc"


@settings(derandomize=True, deadline=None, max_examples=300)
@given(TEXTS)
def test_a_cleaned_text_can_be_read_by_every_function(raw: str) -> None:
    text = clean(raw)
    text.encode()
    readers = (
        leaf.normalise, leaf.language, leaf.search_tokens, leaf.content_stems, leaf.numbers, leaf.dates, leaf.names,
        leaf.denials, leaf.negated, leaf.has_change_cue, leaf.has_past_cue, leaf.asks_to_forget, leaf.bounds,
        leaf.weekdays,
    )  # fmt: skip
    results = [reader(text) for reader in readers]
    assert len(results) == len(readers) and leaf.mentions_subject(text, text) in (True, False)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(TEXTS)
def test_normalising_twice_is_normalising_once(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(TEXTS)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert leaf.differences(text, text) == []


@settings(derandomize=True, deadline=None, max_examples=200)
@given(TEXTS)
def test_search_terms_are_letters_and_digits_alone(text: str) -> None:
    assert all(term and not set(term) & set(" \"'*^():+-#.;") for term in leaf.search_tokens(text))


@settings(derandomize=True, deadline=None, max_examples=100)
@given(TEXTS, TEXTS)
def test_times_that_cannot_be_read_compare_as_equal(a: str, b: str) -> None:
    assert leaf.compare_dates(a, b) == -leaf.compare_dates(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("User lives  in Oslo.", "user lives in oslo"),
        ("I’m in", "i'm in"),
        ("用户住在成都。", "用户住在成都"),
        ("Ａ１", "a1"),
    ],
)
def test_spelling_of_the_same_words_does_not_count(a: str, b: str) -> None:
    assert normalise(a) == normalise(b)


def test_other_words_are_other_texts() -> None:
    assert normalise("User lives in Oslo") != normalise("User lived in Oslo")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("User likes tea", "en"),
        ("用户喜欢茶", "zh"),
        ("重跑build后", "zh"),
        ("User likes 乌龙", "en"),
        ("名字叫 Piet", "zh"),
    ],
)
def test_the_script_that_carries_the_sentence_is_its_language(text: str, expected: str) -> None:
    assert language(text) == expected
