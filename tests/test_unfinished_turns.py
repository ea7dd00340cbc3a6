"""A turn that waits for its tools is not read by halves: it stays for the next write, and the record says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver

from scrubjay import Memory
from scrubjay.nodes.turns import ended_turns
from tests.fake_agents import on, parent, texts, writes

BOAT, CAR = HumanMessage("I own a boat.", id="h1"), HumanMessage("I own a car.", id="h2")
DONE = AIMessage("Noted.", id="a1")
CALL = AIMessage(
    "", id="a2", tool_calls=[{"name": "look", "args": {}, "id": "c1"}, {"name": "see", "args": {}, "id": "c2"}]
)
FIRST, SECOND = ToolMessage("blue", tool_call_id="c1", id="t1"), ToolMessage("red", tool_call_id="c2", id="t2")
ANSWER = AIMessage("It is blue.", id="a3")


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", checkpoints=False) as opened:
        yield opened


UNFINISHED = [[CALL], [CALL, FIRST], [CALL, FIRST, SECOND], [CALL, FIRST, SECOND, SystemMessage("Be brief.")]]


@pytest.mark.parametrize("tail", UNFINISHED)
def test_a_turn_that_waits_for_its_tools_stays_unread(memory: Memory, tail: list[AnyMessage]) -> None:
    result = memory.add([BOAT, DONE, CAR, *tail], user_id="ana")
    assert texts(memory) == ["User owns a boat"]
    assert [p["code"] for p in result.problems] == ["unfinished_turn"]


@pytest.mark.parametrize("tail", UNFINISHED)
def test_the_next_write_reads_it(memory: Memory, tail: list[AnyMessage]) -> None:
    memory.add([BOAT, DONE, CAR, *tail], user_id="ana")
    result = memory.add([BOAT, DONE, CAR, CALL, FIRST, SECOND, ANSWER], user_id="ana")
    assert texts(memory) == ["User owns a boat", "User owns a car"] and not result.problems


def test_with_nothing_else_to_read_the_write_is_empty_and_says_why(memory: Memory) -> None:
    result = memory.add([CAR, CALL], user_id="ana")
    (decision,) = result.decisions
    assert (result.outcome, result.calls) == ("empty", {})
    assert "wait for the assistant's answer" in decision.body["reason"]


def test_such_a_write_does_not_report_an_earlier_ones_changes(memory: Memory) -> None:
    memory.add([BOAT, DONE], user_id="ana")
    result = memory.add([BOAT, DONE, CAR, CALL], user_id="ana")
    assert (result.outcome, result.changes, result.first) == ("empty", [], True)


def test_a_key_is_not_used_up_by_a_turn_that_was_not_read(memory: Memory) -> None:
    memory.add([CAR, CALL], user_id="ana", key="k")
    memory.add([CAR, CALL, FIRST, SECOND, ANSWER], user_id="ana", key="k")
    again = memory.add([CAR, CALL, FIRST, SECOND, ANSWER], user_id="ana", key="k")
    assert texts(memory) == ["User owns a car"] and not again.first


def test_a_key_that_is_used_up_still_gives_its_first_result(memory: Memory) -> None:
    memory.add([BOAT], user_id="ana", key="k")
    again = memory.add([BOAT, CAR, CALL], user_id="ana", key="k")
    assert not again.first and writes(memory) == 1


@pytest.mark.parametrize("said", [[CAR], [CAR, DONE], [CAR, CALL, FIRST, SECOND, ANSWER], [BOAT, CALL, FIRST, CAR]])
def test_a_turn_without_open_tools_is_read(memory: Memory, said: list[AnyMessage]) -> None:
    result = memory.add(said, user_id="ana")
    assert "User owns a car" in texts(memory) and not result.problems


def test_inside_an_agent_the_turn_is_read_once_when_it_is_over(memory: Memory) -> None:
    graph = parent(memory.write_graph, checkpointer=InMemorySaver())
    for new in ([BOAT, CALL], [FIRST, SECOND], [ANSWER]):
        graph.invoke({"messages": new}, on())
    assert texts(memory) == ["User owns a boat"] and writes(memory) == 3


OPENAI = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function"}]}
OLD_OPENAI = {"role": "assistant", "content": "", "function_call": {"name": "look", "arguments": "{}"}}
ANTHROPIC = {"role": "assistant", "content": [{"type": "text", "text": "Let me see."}, {"type": "tool_use", "id": "c"}]}
ANTHROPIC_RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "blue"}]}
HUMAN: dict[str, Any] = {"role": "user", "content": "I own a car."}


@pytest.mark.parametrize(
    "tail",
    [[OPENAI], [OPENAI, {"role": "tool", "content": "blue"}], [OLD_OPENAI], [ANTHROPIC], [ANTHROPIC, ANTHROPIC_RESULT]],
)
def test_calls_of_tools_are_seen_in_every_dialect(tail: list[dict[str, Any]]) -> None:
    ended, problems = ended_turns([HUMAN, *tail])
    assert list(ended) == [] and [p["code"] for p in problems] == ["unfinished_turn"]


def test_dialects_of_finished_turns_are_read_whole() -> None:
    said = [HUMAN, ANTHROPIC, ANTHROPIC_RESULT, {"role": "assistant", "content": [{"type": "text", "text": "Blue."}]}]
    assert ended_turns(said) == (said, [])
