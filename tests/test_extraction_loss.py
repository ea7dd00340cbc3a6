"""What an extracted fact dropped of its quote."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.prompts.extraction_loss import extraction_loss

SCENARIOS = sorted(Path(__file__).with_name("scenarios").glob("*.json"))
AT = "2026-05-12T10:00:00+02:00"


def loss(quote: str, text: str, **facts: Any) -> list[str]:
    given: dict[str, Any] = {"subject": "user", "valid_from": None, "valid_to": None, "modality": "actual"}
    return extraction_loss(text, quote, observed_at=AT, **(given | facts))


def items() -> list[tuple[dict[str, Any], dict[str, Any], set[str]]]:
    """(item, message, relations) of both streams of every family."""
    found = []
    for scenario in (s for path in SCENARIOS for s in json.loads(path.read_text("utf-8"))):
        for stream in ("compound", "atomic"):
            for message in (m for m in scenario["messages"] if m["role"] == "user"):
                pairs = zip(
                    scenario["extraction"][stream][message["id"]],
                    scenario["expected"][stream][message["id"]],
                    strict=True,
                )
                found += [(item, message, {r["relation"] for r in gold["relations"]}) for item, gold in pairs]
    return found


def losses(item: dict[str, Any], message: dict[str, Any]) -> list[str]:
    validity: dict[str, Any] = {
        "valid_from": item.get("valid_from"),
        "valid_to": item.get("valid_to"),
        "modality": "actual",
    }
    return extraction_loss(
        item["text"],
        item["quote"],
        subject=item["subject"],
        observed_at=message["at"],
        speaker=message.get("name"),
        **validity,
    )


def test_no_gold_item_that_ends_something_has_a_loss() -> None:
    ending = [(i, m) for i, m, relations in items() if relations & {"supersedes", "retracts"}]
    assert len(ending) > 100 and [i["text"] for i, m in ending if losses(i, m)] == []


def test_few_other_gold_items_have_a_loss() -> None:
    """Those that have dropped a name or a number of their quote on purpose, for another item to carry."""
    assert sum(bool(losses(i, m)) for i, m, _ in items()) <= 0.02 * len(items())


@pytest.mark.parametrize(
    ("quote", "text", "word"),
    [
        ("This week I'm staying in Turku", "User lives in Turku", "This week"),
        ("I don't eat meat", "User eats meat", "meat"),
        ("I might move to Austin", "User moves to Austin", "might"),
        ("I love olives", "User dislikes olives", "olives"),
        ("I'm staying with Jo until Friday", "User lives with Jo", "until"),
        ("If the flat is sold I'll move to Leith", "User moves to Leith", "If"),
        ("I take 50 mg at night", "User takes tablets at night", "50 mg"),
        ("I take 50 mg", "User takes 50 g", "50 mg"),
        ("I have three cats", "User has cats", "three"),
        ("I live with Oskar", "User lives with a flatmate", "oskar"),
        ("My visa appointment is on 14 March", "User has a visa appointment", "14 March"),
        ("My visa appointment is on 14 March", "User has a visa appointment on 15 March 2026", "14 March"),
        ("For now I work from home", "User works from home", "For now"),
        ("我不吃肉", "用户吃肉", "吃肉"),
        ("这周我住在贵阳", "用户住在贵阳", "这周"),
        ("我可能搬到杭州", "用户搬到杭州", "可能"),
        ("每片3毫克", "用户吃褪黑素", "3毫克"),
        ("如果下雨我就坐车", "用户坐车", "如果"),
    ],
)
def test_a_dropped_word_is_named(quote: str, text: str, word: str) -> None:
    found = loss(quote, text)
    assert len(found) == 1 and word in found[0]


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("I don't like olives", "User dislikes olives"),
        ("I stopped smoking", "User quit smoking"),
        ("I can't eat nuts", "User is allergic to nuts"),
        ("I work at nine pm", "User works at 21:00"),
        ("dentist tomorrow at 9", "User sees the dentist on 13 May 2026 at 09:00"),
        ("three years in this flat", "User has lived in the flat since 2023"),
        ("I still live in Oslo now", "User lives in Oslo"),
        ("recently moved to Oslo", "User lives in Oslo"),
        ("the report is due by the 20th", "User's report is due on 20 May 2026"),
        ("I have three cats", "User has 3 cats"),
        ("in March 2026 I joined", "User joined in March"),
        ("I moved to Oslo this week", "User moved to Oslo in May 2026"),
        ("I'm free of it as of this week", "User is free of it as of 11 May 2026"),
        ("Forget what I told you about Kim", "User asks that it be forgotten"),
        ("我吃药三年了", "用户2023年起吃药"),
        ("我不喜欢香菜", "用户讨厌香菜"),
    ],
)
def test_other_words_for_the_same_are_no_loss(quote: str, text: str) -> None:
    assert loss(quote, text) == []


def test_a_bound_carried_by_validity_is_no_loss() -> None:
    assert (
        loss("This week I'm staying in Turku", "User is in Turku", valid_from="2026-05-11", valid_to="2026-05-17") == []
    )


@pytest.mark.parametrize("modality", ["planned", "hypothetical"])
def test_a_modal_carried_by_the_modality_is_no_loss(modality: str) -> None:
    assert loss("I might move to Austin", "User moves to Austin", modality=modality) == []


def test_a_name_may_stand_in_the_subject() -> None:
    assert loss("and Imogen starts school", "She starts school", subject="daughter Imogen") == []


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.text(max_size=60))
def test_a_fact_in_the_words_of_its_quote_lost_nothing(text: str) -> None:
    assert loss(text, text) == []
