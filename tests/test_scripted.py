"""The scripted decider: a queue by tag, read as a chat model's replies are."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from scrubjay.graph.deciders.scripted import NothingLeft, ScriptedDecider
from scrubjay.nodes.decider import Answer
from scrubjay.prompts.merge import MergedText, MergeRequest

REQUEST = MergeRequest(current=("User likes oolong", "User likes rye bread"))
GOOD = {"text": "User likes oolong and rye bread"}
LOSSY = {"text": "User likes everything"}


def ask(*replies: Any, repairs: bool = True) -> Answer:
    return ScriptedDecider({"merge": replies}, repairs=repairs).decide(REQUEST, {})


def test_a_reply_is_read_as_the_request_wants_it() -> None:
    assert ask(GOOD) == Answer(
        value=MergedText(**GOOD), raw='{"text": "User likes oolong and rye bread"}', model="scripted"
    )


def test_a_reply_that_does_not_validate_is_an_error_with_its_raw_text() -> None:
    answer = ask({"memry": "oops"})
    assert answer.value is None and answer.raw == '{"memry": "oops"}' and "no MergedText" in (answer.error or "")


def test_text_that_is_no_reply_is_an_error() -> None:
    answer = ask("I would rather not say")
    assert answer.value is None and answer.error and answer.raw == "I would rather not say"


def test_a_failing_provider_is_an_error_and_takes_no_repair() -> None:
    decider = ScriptedDecider({"merge": [TimeoutError("60 s"), GOOD]})
    answer = decider.decide(REQUEST, {})
    assert (answer.value, answer.error, decider.left) == (None, "TimeoutError: 60 s", {"merge": 1})


def test_a_callable_sees_the_request() -> None:
    answer = ask(lambda request: MergedText(text=" and ".join(request.current)))
    assert answer.value == MergedText(text="User likes oolong and User likes rye bread")


def test_what_the_check_finds_is_reported() -> None:
    answer = ask(LOSSY)
    assert answer.problems == tuple(REQUEST.check(MergedText(**LOSSY))) != ()


@pytest.mark.parametrize("first", [LOSSY, {"memry": "oops"}, "no JSON"])
def test_the_next_reply_repairs_a_bad_one(first: Any) -> None:
    answer = ask(first, GOOD)
    assert answer.value == MergedText(**GOOD) and answer.error is None
    assert answer.repairs == 1 and answer.problems


def test_a_usable_reply_outlives_a_repair_that_is_none() -> None:
    answer = ask(LOSSY, "no JSON")
    assert answer.value == MergedText(**LOSSY) and answer.error is None and answer.repairs == 1


def test_a_good_reply_leaves_the_next_one_for_the_next_request() -> None:
    decider = ScriptedDecider({"merge": [GOOD, LOSSY]})
    assert decider.decide(REQUEST, {}).repairs == 0 and decider.left == {"merge": 1}


def test_without_repairs_each_request_takes_one_reply() -> None:
    decider = ScriptedDecider({"merge": [LOSSY, GOOD]}, repairs=False)
    assert decider.decide(REQUEST, {}).value == MergedText(**LOSSY) and decider.left == {"merge": 1}


@pytest.mark.parametrize("replies", [{}, {"merge": []}, {"judge": [GOOD]}])
def test_a_call_that_nobody_scripted_fails_the_test(replies: dict[str, Any]) -> None:
    with pytest.raises(NothingLeft, match="no scripted reply left under 'merge'"):
        ScriptedDecider(replies).decide(REQUEST, {})


def test_requests_are_kept_in_order_of_asking() -> None:
    decider = ScriptedDecider({"merge": [GOOD, GOOD]})
    asyncio.run(decider.adecide(REQUEST, {}))
    other = MergeRequest(current=("User rows",))
    decider.decide(other, {})
    assert decider.seen == [REQUEST, other]
