"""What a merged text lost of its facts and what it invented."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.prompts.merge_check import MergeReport, details_kept, details_lost, merge_check, unusable
from scrubjay.stores.text import render

WORDS = [
    *("User", "lives in", "does not like", "Seattle", "never", "cheese", "on 14 March 2026", "2021", "5 mg", "at 9 am"),
    *(
        "$64",
        '"the elegy"',
        "no longer",
        "(",
        ")",
        ",",
        ":",
        "previously",
        "instead of",
        "Bronwen",
        "dislikes",
        "three",
    ),
    *("used to", "May", "in May", "-5", "and", "because", "a.m.", ".", "most nights", "used to", "John", "quit", "“"),
    *(
        "用户",
        "不喜欢",
        "芝士",
        "住在",
        "9月17日",
        "三年",
        "从北京搬到",
        "：",
        "，",
        "十点半",
        "别",
        "《高山流水》",
        "戒了",
    ),
]
SENTENCE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)
FACTS = st.lists(SENTENCE | SENTENCE.map(lambda t: t.replace(" ", "")) | st.text(max_size=40), min_size=1, max_size=3)


def check(text: str, current: Sequence[str], ended: Sequence[str] = (), dates: Sequence[str] = ()) -> MergeReport:
    return merge_check(text, current=current, ended=ended, dates=dates)


@settings(derandomize=True, deadline=None, max_examples=400)
@given(FACTS, st.lists(SENTENCE, max_size=2))
def test_the_deterministic_text_passes(current: list[str], ended: list[str]) -> None:
    rendered = render(current, ended)
    report = check(rendered.text, current, ended)
    assert rendered.left_out or (report.ok and report.stems_kept == 1), (rendered, report)


@pytest.mark.parametrize(
    ("text", "fact", "line"),
    [
        ("User lives in a city", "User lives in Seattle", "name: seattle"),
        ("User takes a pill", "User takes 5 mg", "number: 5 mg"),
        ("User takes 5 g", "User takes 5 mg", "number: 5 mg"),
        ("User takes 5", "User takes 5 mg", "number: 5 mg"),
        ("User moved", "User moved in August 2026", "date: August 2026"),
        ("User likes cheese", "User does not like cheese", "polarity: not chees, like"),
        ("User dislikes cheese", "User likes cheese", "polarity: chees is denied"),
        ("用户喜欢芝士", "用户不喜欢芝士", "polarity: not 喜欢, 欢芝, 芝士"),
        ("用户吃药", "用户吃药3毫克", "number: 3 mg"),
    ],
)
def test_what_a_current_fact_says_must_survive(text: str, fact: str, line: str) -> None:
    assert line in check(text, [fact]).lost


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("User lives with Bronwen", "name: bronwen"),
        ("User has lived there for 3 years", "number: 3 year"),
        ("User lives there since 2021", "date: 2021"),
        ("User lives there on Mondays", "date: Monday"),
    ],
)
def test_what_no_fact_says_is_invented(text: str, line: str) -> None:
    assert check(text, ["User lives there"]).invented == (line,)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("The user works from 09:00", "User works from 9 am"),
        ("User has 3 cats", "User has three cats"),
        ("User doesn't eat cheese", "User never eats cheese"),
        ("User has two Americanos", "User has two of the Americano kind"),
    ],
)
def test_another_spelling_survives(text: str, fact: str) -> None:
    assert check(text, [fact]).ok


def test_a_date_of_the_write_is_not_invented() -> None:
    assert check("As of September 2026 user drinks tea", ["User drinks tea"], dates=["2026-09-17T10:00:00-05:00"]).ok


def test_a_date_computed_from_the_write_is_invented() -> None:
    report = check("User lives there since 2023", ["User lives there for over three years"], dates=["2026-09-17"])
    assert "date: 2023" in report.invented


def test_a_date_that_took_another_ones_place_is_shown_as_a_pair() -> None:
    report = check("User lives in Rome (until July 2023)", ["User lives in Rome"], ["User was in Oslo until May 2023"])
    assert report.invented == ("date: May → July 2023",)


def test_ended_facts_may_be_dropped() -> None:
    assert check("User lives in Austin", ["User lives in Austin"], ["User lived in Seattle for 3 years"]).ok


def test_ended_facts_may_be_told_as_past() -> None:
    assert check(
        "User switched from coffee to tea", ["User drinks no coffee and switched to tea"], ["User likes coffee"]
    ).ok


@pytest.mark.parametrize(
    ("text", "current", "ended", "dates"),
    [
        (
            "User went from Tacoma to Boise in May 2026 (previously: rented in Fern Hill for four years)",
            ["User went to Boise in May 2026"],
            ["User rents in Fern Hill, Tacoma, for four years"],
            [],
        ),
        ("User lives in Austin; previously lived in Seattle", ["User lives in Austin"], ["User lives in Seattle"], []),
        ("User no longer drinks cocoa and drinks tea", ["User drinks tea"], ["User drinks cocoa"], []),
        ("User drinks tea instead of coffee", ["User drinks tea now"], ["User drinks coffee"], []),
        ("The user likes cheese and chicken pizza", ["User likes cheese pizza", "User likes chicken pizza"], [], []),
        ("User has two cats, Momo and Kiki", ["User has two cats", "User's cats are called Momo and Kiki"], [], []),
        ("User works 09:00–17:00 at Globex", ["User works at Globex", "User works from 9 am to 5 pm"], [], []),
        ("用户住在长沙五一广场旁边（此前住在武汉光谷）", ["用户住在长沙五一广场旁边"], ["用户在武汉光谷租房住"], []),
        ("用户不吃葱和蒜，吃全素", ["用户不吃葱和蒜", "用户吃全素"], [], []),
        ("User avoids nuts", ["User does not eat nuts"], [], []),
        (
            "As of November 2026, user's rent is 815 euros",
            ["User's rent is 815 euros"],
            [],
            ["2026-11-30T10:00:00+00:00"],
        ),
        (
            "User is in Turku until Sunday 17 May 2026",
            ["User is in Turku this week"],
            [],
            ["2026-05-12T10:00:00+02:00", "2026-05-11", "2026-05-17"],
        ),
        ("User enjoys running on Tuesdays and Saturdays", ["User runs on Tuesdays and Saturdays"], [], []),
        (
            "User's dog Bramble is on 150 mg gabapentin twice daily",
            ["User's dog Bramble is on gabapentin 150 mg twice a day"],
            [],
            [],
        ),
        ("Since March 2026 User has been vegan", ["User is vegan since March 2026"], [], []),
    ],
)
def test_a_faithful_merge_passes(text: str, current: list[str], ended: list[str], dates: list[str]) -> None:
    report = check(text, current, ended, dates)
    assert report.ok, report


@pytest.mark.parametrize(
    ("text", "current"),
    [
        ("User lives in Austin", ["User lives in Austin", "User works at Globex"]),
        ("User drinks tea and coffee", ["User does not drink coffee", "User drinks tea"]),
        ("User takes 50 mg", ["User takes 5 mg"]),
        ("User does not like Austin", ["User likes Austin"]),
        ("User lives in Austin, Texas", ["User lives in Austin"]),
        ("User has a sister", ["User has two sisters"]),
        ("User moved in July 2026", ["User moved in August 2026"]),
        ("User lives in Austin since 2019", ["User lives in Austin"]),
        ("User eats meat", ["User eats no meat"]),
        ("用户吃葱", ["用户不吃葱"]),
        ("用户吃两片药", ["用户吃三片药"]),
        ("User runs Mondays", ["User runs on Tuesdays"]),
        ("User runs on Tuesday", ["User runs on Tuesday", "User never runs on Saturday"]),
    ],
)
def test_an_unfaithful_merge_fails(text: str, current: list[str]) -> None:
    assert not check(text, current).ok


def test_few_stems_are_thin_and_no_failure() -> None:
    report = check("User likes tea", ["User likes strong black tea from a chipped blue mug"])
    assert report.ok and report.thin and "mug" in report.missing_stems


@pytest.mark.parametrize("text", ["", "  \n", "x" * 231])
def test_a_blank_or_endless_text_is_unusable(text: str) -> None:
    """C05: three times ten characters and 200 is the most."""
    assert unusable(text, ["a" * 10])


def test_a_text_at_the_limit_is_usable() -> None:
    assert unusable("x" * 230, ["a" * 4, "b" * 6]) is None


def test_lost_details_are_phrases() -> None:
    old = "User takes the tram to work every day, reading novels for the book club"
    assert details_lost("User cycles to work every day", [old]) == [
        "User takes the tram",
        "reading novels for the book club",
    ]


def test_a_lone_lost_word_keeps_its_neighbour() -> None:
    assert details_lost("User drinks tea", ["User drinks green tea"]) == ["green tea"]


def test_lost_details_of_chinese_are_clauses() -> None:
    assert details_lost("用户现在早上游泳", ["用户每天早上快走，边走边听法语课"]) == [
        "用户每天早上快走",
        "边走边听法语课",
    ]


def test_a_lost_amount_keeps_what_it_was_of() -> None:
    lost = details_lost("用户的手机套餐2026年6月起每月79元", ["用户的手机套餐每月129元，妈妈的副卡挂在上面"])
    assert lost == ["每月129元", "妈妈的副卡挂在上面"]


def test_kept_details_are_phrases() -> None:
    assert details_kept("User reads novels on the bus", ["User takes the tram, reading novels"]) == ["reading novels"]


def test_nothing_is_lost_of_a_text_that_says_it_all() -> None:
    old = "User takes 5 mg at 9 am on Mondays, with milk"
    assert details_lost(old, [old]) == []


@pytest.fixture(scope="module")
def traces() -> dict[str, dict[str, Any]]:
    """Published merges; their file is not part of this repository."""
    folder = os.environ.get("SCRUBJAY_TRACES")
    if not folder or not (path := Path(folder) / "article.json").is_file():
        pytest.skip("SCRUBJAY_TRACES names no folder with article.json")
    return {trace["id"]: trace for trace in json.loads(path.read_text("utf-8"))}


def texts(trace: dict[str, Any], message: str) -> list[str]:
    """What was extracted from a message, or its words where that is not printed."""
    items = [item["text"] for item in trace["extraction"]["compound"][message]]
    return items or [m["text"] for m in trace["messages"] if m["id"] == message]


def published(trace: dict[str, Any]) -> MergeReport:
    """The last message's facts are current, the others ended."""
    ids = [m["id"] for m in trace["messages"]]
    return check(
        trace["published"]["final"][0],
        texts(trace, ids[-1]),
        [text for i in ids[:-1] for text in texts(trace, i)],
        [m["at"] for m in trace["messages"]],
    )


def test_the_published_move_has_a_wrong_month(traces: dict[str, dict[str, Any]]) -> None:
    assert published(traces["article-move-pointwise-04"]).invented == ("date: June → September 2023",)


@pytest.mark.parametrize(
    "name", ["article-breakfast-rewrite", "article-habits-multi", "article-mem0-update", "article-mem0-merge"]
)
def test_the_other_published_merges_pass(traces: dict[str, dict[str, Any]], name: str) -> None:
    report = published(traces[name])
    assert report.ok, report


@pytest.mark.parametrize(
    ("name", "phrase"),
    [("article-move-listwise-replace", "over three years"), ("article-breakfast-replace", "podcasts")],
)
def test_a_published_overwrite_lists_what_it_lost(traces: dict[str, dict[str, Any]], name: str, phrase: str) -> None:
    trace = traces[name]
    assert phrase in " | ".join(details_lost(trace["published"]["final"][0], texts(trace, "m1")))
