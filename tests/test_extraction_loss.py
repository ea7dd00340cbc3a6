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
        ("This week I'm staying in Turku", "User is staying in Turku", "This week"),
        ("This week I'm staying in Turku", "User lives in Turku as of 11 May 2026", "This week"),
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


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("I'm at my aunt's in Turku for the week", "User lives in Turku"),
        ("I'm staying in Turku this week, dentist tomorrow at 9", "User lives in Turku"),
        ("I only drink decaf until the baby comes", "User drinks decaf"),
        ("Maybe we'll get a dog", "User gets a dog"),
        ("I'm thinking of quitting my job", "User quits the job"),
        ("I never learned to swim", "User learned to swim"),
        ("I'm not a vegetarian", "User is a vegetarian"),
        ("We no longer own a car", "User owns a car"),
        ("If I get the job I'll move to Oslo", "User moves to Oslo"),
        ("My flight is at 7:45", "User has a flight"),
        ("It costs $1,150", "It costs a lot"),
        ("It costs $1,150", "It costs 1150 euros"),
        ("I have two sisters", "User has three sisters"),
        ("My doctor is Dr Petrovic", "User has a doctor"),
        ("I'm allergic to 3 things", "User is allergic"),
        ("For the next three months I'm in Lyon", "User lives in Lyon"),
        ("I'm in Lyon temporarily", "User lives in Lyon"),
        ("I would move to Lyon", "User moves to Lyon"),
        ("I could be moving to Lyon", "User is moving to Lyon"),
        ("Just for today I'm skipping lunch", "User skips lunch"),
        ("While my car is in the shop I take the bus", "User takes the bus"),
        ("Unless it rains I cycle", "User cycles"),
        ("I neither smoke nor drink", "User smokes"),
        ("I have no children", "User has children"),
        ("I haven't got a dog", "User has a dog"),
        ("I'd rather not eat gluten", "User eats gluten"),
        ("I am not sure I like it in Oslo", "User likes it in Oslo"),
        ("我没有孩子", "用户有孩子"),
        ("我这个月住在上海", "用户住在上海"),
        ("要是下雨我就不去", "用户不去"),
        ("我暂时用旧手机", "用户用旧手机"),
        ("我有两个妹妹", "用户有妹妹"),
        ("会议在3月14日", "用户有会议"),
        ("我不再抽烟了", "用户抽烟"),
        ("我从不吃辣", "用户吃辣"),
        ("我从来没去过日本", "用户去过日本"),
        ("住到周五", "用户住在这里"),
        ("我在考虑搬去杭州", "用户搬去杭州"),
        ("接下来三个月我在里昂", "用户住在里昂"),
        ("名字叫 Piet", "用户有名字"),
        ("别给我推荐香菜", "用户要香菜推荐"),
    ],
)
def test_a_fact_that_says_less_or_the_opposite_has_a_loss(quote: str, text: str) -> None:
    assert loss(quote, text)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("I moved to Lyon in March", "User moved to Lyon in March 2026"),
        ("I've lived here for three years", "User has lived in Lyon since May 2023"),
        ("I'm 34", "User is 34 years old"),
        ("I was born in 1990", "User was born in 1990"),
        ("I've been vegan for 10 years", "User has been vegan since 2016"),
        ("Dinner at half past seven", "User has dinner at 19:30"),
        ("I quit coffee", "User no longer drinks coffee"),
        ("I gave up sugar", "User stopped eating sugar"),
        ("I can't stand cilantro", "User dislikes cilantro"),
        ("I'm not vegetarian anymore", "User eats meat again"),
        ("I don't work at Acme anymore, I'm at Globex now", "User works at Globex"),
        ("I don't drink coffee, only tea", "User drinks tea"),
        ("Not Tulsa, I live in Omaha", "User lives in Omaha"),
        ("I no longer live in Seattle; moved to Austin", "User moved to Austin"),
        ("I don't mind dogs", "User is fine with dogs"),
        ("next week I fly to Rome", "User flies to Rome in the week of 18 May 2026"),
        ("in two weeks I fly to Rome", "User flies to Rome on 26 May 2026"),
        ("see you tomorrow, I have an exam at 9", "User has an exam on 13 May 2026 at 9 am"),
        ("My mum's name is Ida", "User's mother is called Ida"),
        ("I paid 20 bucks", "User paid $20"),
        ("this week I started a new job at Acme", "User started at Acme in May 2026"),
        ("Can't wait to move to Lyon!", "User moves to Lyon"),
        ("My son isn't two yet", "User's son is not yet two"),
        ("it was a no-brainer to buy the house", "User bought the house"),
        ("I'm in Turku till Friday", "User is in Turku until 15 May 2026"),
        ("I usually work nights, if that matters", "User usually works nights"),
        ("Could you remind me that I have a dog?", "User has a dog"),
        ("I wonder why but I love olives", "User loves olives"),
        ("I think of Oslo as home", "User considers Oslo home"),
        ("I haven't eaten meat since 2019", "User has been meat-free since 2019"),
        ("我三年前搬到杭州", "用户2023年搬到杭州"),
        ("下周三我去北京", "用户2026年5月20日去北京"),
        ("我不喝咖啡，只喝茶", "用户喝茶"),
        ("我戒烟了", "用户不再抽烟"),
        ("我明天下午三点看牙", "用户2026年5月13日15:00看牙"),
        ("我不是素食者", "用户吃荤，不是素食者"),
        ("我每天跑五公里", "用户每天跑5公里"),
        ("我现在不住成都，搬到重庆了", "用户搬到重庆"),
        ("我妈今年六十岁", "用户的妈妈60岁"),
        ("有一点累，不过我喜欢跑步", "用户喜欢跑步"),
    ],
)
def test_a_fact_that_a_careful_person_would_write_has_none(quote: str, text: str) -> None:
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
