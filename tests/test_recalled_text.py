"""What was recalled is never read as news, whoever quotes it; what the assistant echoes adds no source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from scrubjay import Memory
from scrubjay.graph.deciders.scripted import ScriptedDecider
from tests.fake_agents import on, say, texts
from tests.fakes import ANA, fact, teller


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", checkpoints=False) as opened:
        opened.add("I live in Porto.", user_id="ana")
        yield opened


@pytest.fixture
def block(memory: Memory) -> str:
    return str(memory.recall_graph.invoke(say("Where do I live?"), on())["memory_context"])


def recorded(memory: Memory) -> list[str]:
    """All facts that any write extracted."""
    return [d.body["fact"]["text"] for w in memory.store.writes() for d in memory.decisions(write_id=w.id) if d.fact_id]


@pytest.mark.parametrize("role", ["user", "assistant", "system", "tool", "developer"])
def test_recalled_text_is_no_source_in_any_role(memory: Memory, block: str, role: str) -> None:
    memory.add([{"role": role, "content": block}, {"role": "user", "content": "I own a boat."}], user_id="ana")
    assert recorded(memory).count("User lives in Porto") == 1 and "User owns a boat" in texts(memory)


@pytest.mark.parametrize(
    "around",
    [
        "{}\n\nI own a boat.", "I own a boat.\n\n{}", "Context: {} I own a boat. {}", "> {}\n> I own a boat.",
        "I own a boat. <RECALLED_MEMORIES>I live in Faro.</Recalled_Memories>",
    ],
)  # fmt: skip
def test_a_quoted_block_hides_itself_and_nothing_else(memory: Memory, block: str, around: str) -> None:
    memory.add(around.format(block, block), user_id="ana")
    assert recorded(memory).count("User lives in Porto") == 1 and texts(memory)[1:] == ["User owns a boat"]


def test_a_block_in_parts_of_a_message_is_no_source(memory: Memory, block: str) -> None:
    first, _, rest = block.partition("\n")
    parts = [{"type": "text", "text": t} for t in (first, rest, "I own a boat.")]
    memory.add([{"role": "user", "content": parts}], user_id="ana")
    assert recorded(memory) == ["User owns a boat", "User lives in Porto"]


def test_a_block_that_was_cut_off_hides_the_rest_and_the_record_says_so(memory: Memory, block: str) -> None:
    result = memory.add(f"I own a boat. {block[:-5]}", user_id="ana")
    assert texts(memory)[1:] == ["User owns a boat"]
    assert [p["code"] for p in result.problems] == ["recalled"]


def test_an_agent_that_puts_the_block_before_its_model_learns_nothing_twice(memory: Memory, block: str) -> None:
    said = [SystemMessage(block), HumanMessage(f"{block}\n\nWhere do I live?"), AIMessage(f"As I recall: {block}")]
    result = memory.add(said, user_id="ana")
    assert result.outcome == "empty" and texts(memory) == ["User lives in Porto"]


def test_what_the_assistant_echoes_adds_no_source(memory: Memory) -> None:
    said = [HumanMessage("I own a boat.", id="h"), AIMessage("I live in Porto. You own a boat.", id="a")]
    memory.add(said, user_id="ana")
    assert [[s.message_id for s in m.sources] for m in memory.list(user_id="ana")[1:]] == [["h"]]
    assert len(memory.list(user_id="ana")[0].sources) == 1


def test_an_echo_that_a_model_takes_for_a_fact_adds_no_source_to_what_was_said() -> None:
    told = teller()
    told.say("User lives in Porto")
    echo: Any = {"facts": [fact("User lives in Porto", quote="You live in Porto", message=2)]}
    told.cast.script = ScriptedDecider({"extract": [echo, echo]})
    said = [HumanMessage("Good night", id="h"), AIMessage("You live in Porto", id="a")]
    told.memory.add(said, user_id=ANA)
    assert [s.quote for s in told.only().sources] == ["User lives in Porto"]
