"""How each detector asks, and how its replies are read when they say too much or too little."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakes import ANA, Teller, by_text, codes, group, kinds, one, relations, teller, verdict

BOATS = [f"User sails a {what} boat" for what in ("red", "blue", "green", "white", "black", "small", "quick", "old")]


def boats(count: int, **opened: Any) -> Teller:
    """So many memories of boats, all alike."""
    t = teller(alike=[(0.7, [*BOATS, *MANY])], **opened)
    for i, text in enumerate(BOATS[:count]):
        asked = {"pointwise": i, "add-only": 0}.get(opened.get("detector") or opened.get("strategy", ""), min(i, 1))
        t.say(text, judge=[independent(t)] * asked)
    return t


MANY = [f"User sails boat {chr(65 + n // 26)}{chr(97 + n % 26)}" for n in range(40)]


def independent(t: Teller) -> Any:
    """A reply that fits whatever is asked."""
    return lambda request: {
        "judge_one": {"relation": "independent"},
        "judge_many": {"verdicts": []},
        "judge_joint": one("independent", facts=[f.number for f in getattr(request, "facts", ())]),
    }[request.name]


def test_listwise_takes_the_first_target_that_exists_and_records_the_rest() -> None:
    t = boats(3, detector="listwise")
    reply = {"relation": "supersedes", "target": [9, 2, 1]}
    result = t.say(BOATS[3], judge=[reply] * 2, merge={"text": BOATS[3]})
    assert len(t.texts()) == 3 and {"invalid_target", "extra_target"} <= set(codes(result))
    assert relations(result.decisions[0]) == ["supersedes"]


def test_listwise_asks_once_a_fact() -> None:
    t = boats(2, detector="listwise")
    result = t.say(BOATS[2], BOATS[3], judge=[{"relation": "independent"}] * 2)
    assert result.calls == {"extract": 1, "judge": 2}


def test_pointwise_asks_once_a_pair() -> None:
    t = boats(3, detector="pointwise")
    result = t.say(BOATS[3], judge=[{"relation": "independent"}] * 3)
    assert result.calls["judge"] == 3 and len(t.asked("judge")[-1].inputs["memories"]) == 1


def test_multitarget_takes_every_target() -> None:
    t = boats(3, detector="listwise_multitarget")
    verdicts = [{"relation": "supersedes", "memory": n} for n in (1, 2, 3)]
    t.embedder.table["User sold all boats"] = ("topic 0", 0.9)
    t.say("User sold all boats", judge={"verdicts": verdicts}, merge={"text": "User sold all boats"})
    assert t.texts() == ["User sold all boats"]


def test_the_detector_none_adds_and_links_and_asks_nobody() -> None:
    t = boats(2, strategy="add-only")
    result = t.say(BOATS[2])
    assert result.calls == {"extract": 1} and kinds(result.memories[0]) == ["related", "related"]


def test_joint_asks_once_for_all_facts() -> None:
    t = boats(2)
    judge = by_text(
        lambda at: verdict(group("supersedes", at(BOATS[0]), text=BOATS[2]), group("independent", facts=["F2"]))
    )
    result = t.say(BOATS[2], BOATS[3], judge=judge)
    assert result.calls == {"extract": 1, "judge": 1} and t.texts() == [BOATS[1], BOATS[2], BOATS[3]]


def test_joint_asks_about_at_most_four_facts_at_once() -> None:
    t = boats(1)
    result = t.say(*BOATS[1:7], judge=[independent(t)] * 2)
    assert result.calls["judge"] == 2 and [len(r.inputs["facts"]) for r in t.asked("judge")] == [4, 2]


def test_joint_shows_at_most_twenty_memories_at_once_and_says_what_it_left_out() -> None:
    t = teller(alike=[(0.7, [*MANY, *BOATS])], top_k=30)
    t.cast.seen.clear()
    t.expect(*MANY[:25], judge=[independent(t)] * 9, repairs=False)
    t.memory.add(". ".join(MANY[:25]), user_id=ANA)
    result = t.say(BOATS[0], judge=independent(t))
    assert len(t.asked("judge")[-1].inputs["memories"]) == 20 and codes(result) == ["cut"]


@pytest.mark.parametrize("detector", ["pointwise", "listwise", "listwise_multitarget", "joint"])
def test_a_fact_without_a_candidate_is_added_without_a_judge(detector: str) -> None:
    t = teller(detector=detector)
    t.say(BOATS[0])
    assert t.say("Ida owns a kiln").calls == {"extract": 1}


@pytest.mark.parametrize("detector", ["pointwise", "listwise", "listwise_multitarget", "joint"])
def test_only_memories_at_the_threshold_reach_the_judge_where_one_is_given(detector: str) -> None:
    t = teller(alike=[(0.7, BOATS)], detector=detector, threshold=0.8)
    t.say(BOATS[0])
    assert t.say(BOATS[1]).calls == {"extract": 1} and len(t.texts()) == 2


def test_the_default_admits_a_few_by_their_words_and_marks_them() -> None:
    t = teller()
    for text in BOATS[:6]:
        t.say(text, judge=independent(t) if t.results else None)
    shown = t.results[-1].decisions[0].body["candidates"]
    assert [c["channel"] for c in shown] == ["lexical"] * 3


def test_the_word_user_alone_makes_no_candidate() -> None:
    t = teller()
    t.say(BOATS[0])
    assert t.say("User owns a kiln").decisions[0].body["candidates"] == []


def test_an_earlier_fact_of_the_write_is_shown_under_its_own_name() -> None:
    t = boats(1)
    t.say(BOATS[1], BOATS[2], judge=one("independent", facts=["F1", "F2"]))
    assert [m["number"] for m in t.asked("judge")[-1].inputs["memories"]] == ["1", "F1"]
