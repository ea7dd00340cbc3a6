"""What a parent can get wrong is said before anything is written or any model asked, with the way out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import MessagesState
from typing_extensions import TypedDict

from scrubjay.graph.write_graph import build_write_graph
from scrubjay.stores.errors import GraphError, InvalidInput, InvalidScope, ScrubjayError
from tests.fake_agents import on, parent, saver, say, writes
from tests.fakes import Teller, teller


@pytest.fixture
def told() -> Teller:
    """Its model would fail if it were asked."""
    return teller()


def untouched(told: Teller) -> bool:
    return writes(told.memory) == 0 and told.cast.seen == []


class Loose(TypedDict, total=False):
    messages: Any
    memory_write: Any
    memory_recall: Any


@pytest.mark.parametrize("user", [None, "", " ", 7])
def test_a_parent_without_a_user_is_told_where_to_give_one(told: Teller, user: Any) -> None:
    with pytest.raises(InvalidScope, match="user_id"):
        parent(told.memory.write_graph).invoke(say("I own a boat."), on(user))
    assert untouched(told)


def test_the_message_names_both_places_and_why_the_user_may_be_lost(told: Teller) -> None:
    with pytest.raises(InvalidScope, match=r"configurable.*memory_write.*thread_id of its own"):
        parent(told.memory.write_graph).invoke(say("I own a boat."), on(None))


@pytest.mark.parametrize(
    "value", ["I own a boat.", b"boat", 7, {"role": "user"}, {"a"}, "", 0, [7], [["user", "boat"]]]
)
@pytest.mark.parametrize("graph", ["write_graph", "recall_graph"])
def test_messages_that_are_none_are_refused(told: Teller, graph: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match="message"):
        parent(getattr(told.memory, graph), Loose).invoke({"messages": value}, on())
    assert untouched(told)


@pytest.mark.parametrize("value", ["mine", 7, 0, "", ["a"], [], True, object])
@pytest.mark.parametrize(("graph", "key"), [("write_graph", "memory_write"), ("recall_graph", "memory_recall")])
def test_a_key_of_ours_that_holds_something_else_is_refused_by_name(
    told: Teller, graph: str, key: str, value: Any
) -> None:
    with pytest.raises(InvalidInput, match=key):
        parent(getattr(told.memory, graph), Loose).invoke(say("I own a boat.") | {key: value}, on())
    assert untouched(told)


@pytest.mark.parametrize("setting", [{"threshold": 7}, {"strategy": "best"}, {"at": "soon"}, {"metadata": 3}])
def test_settings_that_make_no_sense_are_refused(told: Teller, setting: dict[str, Any]) -> None:
    with pytest.raises(ScrubjayError):
        parent(told.memory.write_graph, Loose).invoke(say("I own a boat.") | {"memory_write": setting}, on())
    assert untouched(told)


@pytest.mark.parametrize(
    ("graph", "asked"),
    [("write_graph", {"memory_write": {"aprove": ["delete"]}}), ("recall_graph", {"memory_recall": {"limmit": 1}})],
)
def test_a_misspelt_setting_is_refused_by_name(told: Teller, graph: str, asked: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"has no setting (aprove|limmit): it knows user_id"):
        parent(getattr(told.memory, graph), Loose).invoke(say("I own a boat.") | asked, on())
    assert untouched(told)


# -- savers that cannot be awaited
@pytest.fixture
def sync_only(tmp_path: Path) -> Any:
    with saver("sqlite", tmp_path) as opened:
        yield opened


def compiled(told: Teller, checkpointer: Any) -> Any:
    return build_write_graph(told.memory.engine.tools).compile(checkpointer=checkpointer)


async def compiled_by_the_user(told: Teller, checkpointer: Any) -> None:
    await compiled(told, checkpointer).ainvoke(say("I own a boat."), on())


async def awaited_in_a_sync_node(told: Teller, checkpointer: Any) -> None:
    """The parent is not awaited; its saver is handed down to a graph that is."""

    def remember(state: MessagesState) -> dict[str, Any]:
        asyncio.run(told.memory.write_graph.ainvoke({"messages": state["messages"]}))
        return {}

    await asyncio.to_thread(parent(remember, checkpointer=checkpointer).invoke, say("I own a boat."), on())


@pytest.mark.parametrize("run", [compiled_by_the_user, awaited_in_a_sync_node])
def test_a_saver_that_cannot_be_awaited_is_refused_with_the_one_that_can(
    told: Teller, sync_only: Any, run: Callable[[Teller, Any], Coroutine[Any, Any, None]]
) -> None:
    with pytest.raises(GraphError, match="AsyncSqliteSaver"):
        asyncio.run(run(told, sync_only))
    assert untouched(told)


def test_so_is_one_of_another_make(told: Teller) -> None:
    class SyncOnly(SqliteSaver):
        """A subclass that adds no async methods."""

    with SyncOnly.from_conn_string(":memory:") as opened, pytest.raises(GraphError, match="cannot be awaited"):
        asyncio.run(compiled_by_the_user(told, opened))
    assert untouched(told)


def test_a_parent_with_such_a_saver_fails_by_itself_before_anything_is_written(told: Teller, sync_only: Any) -> None:
    """The words are LangGraph's: the parent looks into its saver before it runs any node."""
    graph = parent(told.memory.write_graph, checkpointer=sync_only)
    with pytest.raises(NotImplementedError, match="AsyncSqliteSaver"):
        asyncio.run(graph.ainvoke(say("I own a boat."), on()))
    assert untouched(told)


def test_such_a_saver_is_fine_where_nothing_is_awaited(told: Teller, sync_only: Any) -> None:
    told.expect("User owns a boat", text="User owns a boat")
    compiled(told, sync_only).invoke(say("User owns a boat"), on())
    assert told.texts() == ["User owns a boat"]


def test_a_saver_that_can_be_awaited_is_no_matter(told: Teller) -> None:
    told.expect("User owns a boat", text="User owns a boat")
    asyncio.run(compiled(told, InMemorySaver()).ainvoke(say("User owns a boat"), on()))
    assert told.texts() == ["User owns a boat"]
