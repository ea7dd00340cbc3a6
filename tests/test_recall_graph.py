"""The recall graph as the node before the model: whose memory, how much of it, narrowed how, which first."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from scrubjay import Memory
from scrubjay.nodes.recall_block import tokens
from scrubjay.nodes.recall_settings import RecallContext
from scrubjay.nodes.settings import WriteContext
from scrubjay.stores.errors import InvalidFilter, InvalidInput, InvalidScope, ScrubjayError
from tests.fake_agents import on, say
from tests.fakes import Teller, fact, one, teller

ASK = "Where do I live?"


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", checkpoints=False) as opened:
        for text in ("I live in Lisbon.", "I moved to Porto.", "I own a boat.", "I drink oolong."):
            opened.add(text, user_id="ana", conversation_id="boat" if "boat" in text else "talk")
        yield opened


def recalled(memory: Memory, given: Any = None, config: Any = None, **asked: Any) -> str:
    settings = {"memory_recall": asked} if asked else {}
    return str(memory.recall_graph.invoke((given or say(ASK)) | settings, config or on())["memory_context"])


def count(block: str) -> int:
    return len([line for line in block.splitlines() if line.startswith("- ")])


class Chat(MessagesState):
    memory_context: str


def agent(memory: Memory, state: Any = Chat, **compiled: Any) -> Any:
    """Answers with what it was given."""
    graph = StateGraph(state)
    graph.add_node("recall", memory.recall_graph)
    graph.add_node("answer", lambda state: {"messages": [AIMessage(state["memory_context"])]})
    graph.add_edge(START, "recall")
    graph.add_edge("recall", "answer")
    return graph.compile(**compiled)


def test_what_is_asked_for_stands_before_the_model(memory: Memory) -> None:
    out = agent(memory).invoke(say(ASK), on())
    assert "- User moved to Porto" in out["messages"][-1].content
    assert set(out) == {"messages", "memory_context"}


def test_an_agent_that_is_awaited_recalls_too(memory: Memory) -> None:
    out = asyncio.run(agent(memory, checkpointer=InMemorySaver()).ainvoke(say(ASK), on()))
    assert "User moved to Porto" in out["memory_context"]


def test_the_newest_words_of_the_user_are_searched_for(memory: Memory) -> None:
    said = [
        HumanMessage(ASK),
        AIMessage("In Porto."),
        HumanMessage("What do I drink?"),
        ToolMessage("x", tool_call_id="c"),
    ]
    assert "oolong" in recalled(memory, {"messages": said}, limit=1)


@pytest.mark.parametrize("said", [[], [AIMessage("Hello.")], [HumanMessage("")]])
def test_nothing_asked_is_nothing_recalled(memory: Memory, said: list[Any]) -> None:
    assert recalled(memory, {"messages": said}) == ""


def test_the_limit_comes_from_the_input_before_the_configuration(memory: Memory) -> None:
    config = {"configurable": {"user_id": "ana", "limit": 2}}
    assert (count(recalled(memory, config=config)), count(recalled(memory, config=config, limit=1))) == (2, 1)


@pytest.mark.parametrize("context", [RecallContext(user_id="ana", limit=1), {"user_id": "ana", "limit": 1}])
def test_settings_may_come_with_our_context(memory: Memory, context: Any) -> None:
    assert count(memory.recall_graph.invoke(say(ASK), context=context)["memory_context"]) == 1


def test_the_context_of_a_write_says_whose_memory_it_is(memory: Memory) -> None:
    graph = StateGraph(Chat, WriteContext)
    graph.add_node("recall", memory.recall_graph)
    graph.add_edge(START, "recall")
    out = graph.compile().invoke(say(ASK), context=WriteContext(user_id="ana"))
    assert "User moved to Porto" in out["memory_context"]


@pytest.mark.parametrize("budget", [40, 60, 90, 400])
def test_the_budget_is_kept(memory: Memory, budget: int) -> None:
    assert tokens(recalled(memory, budget_tokens=budget)) <= budget


def test_a_smaller_budget_shows_fewer_memories(memory: Memory) -> None:
    assert 0 < count(recalled(memory, budget_tokens=60)) < count(recalled(memory))


def test_filters_narrow_the_search(memory: Memory) -> None:
    block = recalled(memory, filters={"conversation_id": "boat"})
    assert count(block) == 1 and "User owns a boat" in block


NONSENSE: list[dict[str, Any]] = [
    {"limit": 0}, {"limit": -1}, {"limit": True}, {"limit": "many"}, {"limit": 1.5}, {"limit": 10**9},
    {"budget_tokens": 0}, {"budget_tokens": "400"}, {"budget_tokens": None, "limit": []}, {"strategy": 7},
]  # fmt: skip


@pytest.mark.parametrize("asked", NONSENSE)
def test_settings_that_make_no_sense_are_refused_by_name(memory: Memory, asked: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=f"recall setting {[k for k, v in asked.items() if v is not None][0]}"):
        recalled(memory, **asked)


BAD_FILTERS: list[Any] = [
    "boat", {"colour": "red"}, {"types": "event"}, {"types": ["weather"]}, {"metadata": {"a": [1]}},
    {"metadata": {"x') OR '1'='1": 1}}, {"subject": 7},
]  # fmt: skip


@pytest.mark.parametrize("filters", BAD_FILTERS)
def test_filters_outside_the_list_are_refused(memory: Memory, filters: Any) -> None:
    with pytest.raises(InvalidFilter):
        recalled(memory, filters=filters)


def test_an_unknown_strategy_is_refused(memory: Memory) -> None:
    with pytest.raises(ScrubjayError, match="no strategy 'best'"):
        recalled(memory, strategy="best")


@pytest.mark.parametrize("user", [None, "", 7])
def test_nobody_has_no_memory(memory: Memory, user: Any) -> None:
    with pytest.raises(InvalidScope):
        recalled(memory, config=on(user))


def test_a_parents_keys_with_our_names_neither_crash_nor_leak(memory: Memory) -> None:
    class Clashing(Chat):
        recalled: int
        settings: str

    out = agent(memory, Clashing).invoke(say(ASK) | {"recalled": 3, "settings": "mine"}, on())
    assert (out["recalled"], out["settings"]) == (3, "mine")


def test_settings_of_one_turn_do_not_stay_on_its_thread(memory: Memory) -> None:
    graph = memory.recall_graph.builder.compile(checkpointer=InMemorySaver())
    graph.invoke(say(ASK) | {"memory_recall": {"limit": 1}}, on())
    assert count(graph.invoke(say(ASK), on())["memory_context"]) > 1


# -- contradictions and time
FISH, VEGAN = "User eats fish on Fridays", "User is vegan on Fridays"


@pytest.fixture
def torn() -> Teller:
    told = teller(alike=[(0.7, (FISH, VEGAN, "fish"))])
    told.say(FISH)
    told.say(fact(VEGAN), judge=one("contradicts", "1"))
    return told


def test_what_contradicts_a_hit_is_shown_beside_it_though_the_limit_is_one(torn: Teller) -> None:
    block = recalled(torn.memory, say("fish"), limit=1)
    assert "- These contradict each other" in block
    assert f"  - {FISH} [noted 2026-09-01]" in block and f"  - {VEGAN} [noted 2026-09-01]" in block


def test_a_filter_keeps_the_other_side_out_but_not_the_doubt(torn: Teller) -> None:
    block = recalled(torn.memory, say("fish"), limit=1, filters={"conversation_id": "default"})
    assert count(block) == 1 and "contradicted by a memory that is not shown" in block


OLD, NEW, DAWN = "User rows a boat at noon", "User rows a boat at dawn", "a boat at dawn"


@pytest.fixture
def added() -> Teller:
    """Two memories for one question: meaning finds the older first, words the newer."""
    told = teller(strategy="add-only", alike=[(0.7, (OLD, NEW, DAWN))])
    for text in (OLD, NEW):
        told.say(text)
    return told


def test_where_nothing_is_judged_newer_memories_come_first(added: Teller) -> None:
    first = [recalled(added.memory, say(DAWN), limit=1, strategy=s) for s in ("add-only", "mem0-v3")]
    assert [NEW in block for block in first] == [True, True]


def test_other_strategies_rank_by_meaning_and_words_alone(added: Teller) -> None:
    assert OLD in recalled(added.memory, say(DAWN), limit=1, strategy="joint")


def test_a_search_by_hand_knows_no_recency(added: Teller) -> None:
    assert added.memory.search(DAWN, user_id="ana")[0].memory.text == OLD
