"""The deterministic text of a memory."""

from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.stores.text import LIMIT, normalise, render

FACTS = st.lists(st.text(min_size=1, max_size=120).filter(str.strip), min_size=1, max_size=6)


def test_one_fact_is_its_own_text() -> None:
    assert render(["User lives in Oslo."], []).text == "User lives in Oslo."


def test_facts_are_joined_newest_first() -> None:
    assert render(["User likes tea.", "User likes jam."], []).text == "User likes tea; User likes jam"


def test_what_ended_stands_in_one_clause() -> None:
    text = render(["User lives in Austin"], ["User lives in Oslo", "User lives in Rome"]).text
    assert text == "User lives in Austin (previously: User lives in Oslo; User lives in Rome)"


def test_chinese_facts_are_joined_in_chinese() -> None:
    assert render(["用户住在长沙。"], ["用户住在武汉"]).text == "用户住在长沙（此前：用户住在武汉）"


def test_nothing_is_said_twice() -> None:
    assert render(["User lives in Oslo", "user lives in oslo."], ["User lives in Oslo"]).text == "User lives in Oslo"


def test_past_facts_give_way_first() -> None:
    now, before = ["a" * 200, "b" * 150], ["c" * 100, "d" * 10]
    result = render(now, before)
    assert result.left_out == ("c" * 100,) and "b" * 150 in result.text and "d" * 10 in result.text


def test_a_fact_beyond_the_limit_stays_whole() -> None:
    assert render(["x" * 900], ["old"]).text == "x" * 900


def test_only_ended_facts_make_a_text_about_the_past() -> None:
    assert render([], ["User smokes."]).text == "Previously: User smokes"


@settings(derandomize=True, deadline=None, max_examples=200)
@given(FACTS, FACTS)
def test_every_fact_is_in_the_text_or_listed(now: list[str], before: list[str]) -> None:
    result = render(now, before)
    told = {
        normalise(f) for f in (*now, *before) if f.strip().removesuffix(".").removesuffix("。").rstrip() in result.text
    }
    assert {normalise(f) for f in (*now, *before)} == told | {normalise(f) for f in result.left_out}


@settings(derandomize=True, deadline=None, max_examples=200)
@given(FACTS, FACTS)
def test_only_a_single_long_fact_goes_beyond_the_limit(now: list[str], before: list[str]) -> None:
    assert len(render(now, before).text) <= max(LIMIT, len(now[0]))
