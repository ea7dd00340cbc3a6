"""A run that stops and asks: what is shown, how it is answered, and that nothing is lost in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send
from typing_extensions import TypedDict

from scrubjay.graph.deciders.scripted import ScriptedDecider
from scrubjay.graph.saver import open_saver
from scrubjay.graph.write_graph import build_write_graph
from scrubjay.stores.errors import GraphError
from tests.fakes import ANA, Teller, extraction, fact, group, linked, one, teller, verdict

SEATTLE, AUSTIN = "User lives in Seattle", "User lives in Austin"
TEA, LEMON = "User drinks tea", "User loves tea with lemon"
MOVED, BOTH = f"{AUSTIN} (previously: Seattle)", "User drinks tea, and loves it with lemon"
HOME = {"attributes": ["home city"]}
ASKING = {"approve": ["merge", "replace", "delete"], "how": "interrupt"}
NONSENSE = [
    "perhaps", "", 7, True, [], ["approve"], {"g1": "approve"}, {"g1": "approve", "g2": "reject", "g9": "approve"},
    {"g1": "approve", "g2": {"edit": "  "}}, {"g1": "approve", "g2": {"edit": 7}}, {"edit": "a text for both"},
    {"g1": {"edit": "a", "b": 1}, "g2": "reject"}, {"g1": "approve", "g2": {"edit": "\0\u200b"}},
    {"g1": "approve", "g2": {"edit": "x" * 4001}},
]  # fmt: skip


@pytest.fixture(params=["memory", "sqlite"])
def saver(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BaseCheckpointSaver[Any]]:
    if request.param == "memory":
        yield InMemorySaver()
        return
    opened = open_saver(str(tmp_path / "checkpoints"))
    yield opened
    opened.conn.close()


def told() -> Teller:
    """Seattle and tea are remembered."""
    t = teller(alike=[(0.6, (SEATTLE, AUSTIN, "User lives in Boston")), (0.6, (TEA, LEMON))])
    t.say(fact(SEATTLE, **HOME))
    t.say(TEA)
    return t


def lay_out(t: Teller, times: int = 1) -> dict[str, Any]:
    """A write that replaces Seattle and merges tea; its input."""
    facts = (fact(AUSTIN, **HOME), LEMON)
    text = f"{AUSTIN}. {LEMON}"
    judged = verdict(group("supersedes", "1", text=MOVED), group("refines", "2", facts=["F2"], text=BOTH))
    t.cast.script = ScriptedDecider({"extract": [extraction(facts, text)] * times, "judge": [judged] * times})
    return {"messages": [HumanMessage(text)], "memory_write": dict(ASKING)}


def on(thread: str = "t") -> Any:
    return {"configurable": {"thread_id": thread, "user_id": ANA}}


def graph_of(t: Teller, saver: BaseCheckpointSaver[Any] | None) -> Any:
    return build_write_graph(t.memory.engine.tools).compile(checkpointer=saver)


def run(way: str, graph: Any, given: Any) -> Any:
    return graph.invoke(given, on()) if way == "sync" else asyncio.run(graph.ainvoke(given, on()))


def stopped(t: Teller) -> Any:
    """A graph whose run waits for an answer."""
    graph = graph_of(t, InMemorySaver())
    graph.invoke(lay_out(t), on())
    return graph


def value(out: Any) -> Any:
    (found,) = out["__interrupt__"]
    return found.value


@pytest.mark.parametrize("way", ["sync", "async"])
def test_a_run_that_was_approved_ends_as_it_would_have_without_a_policy(
    way: str, saver: BaseCheckpointSaver[Any]
) -> None:
    t = told()
    graph = graph_of(t, saver)
    assert "__interrupt__" in run(way, graph, lay_out(t)) and t.texts() == [SEATTLE, TEA]
    out = run(way, graph, Command(resume="approve"))
    assert t.texts() == [BOTH, MOVED] and "__interrupt__" not in out
    assert t.cast.script.left == {}, "each model was asked once"


def test_what_is_asked_reads_well() -> None:
    t = told()
    asked = value(graph_of(t, InMemorySaver()).invoke(lay_out(t), on()))
    first, second = asked["items"]
    assert (first["action"], first["before"], first["after"], first["facts"]) == ("replace", SEATTLE, MOVED, [AUSTIN])
    assert second["targets"] == [{"memory_id": t.memory.list(user_id=ANA)[1].id, "text": TEA}]
    assert '"approve"' in asked["answer"] and "problem" not in asked


def test_each_item_gets_its_own_answer() -> None:
    t = told()
    out = stopped(t).invoke(Command(resume={"g1": "reject", "g2": {"edit": "User drinks tea with lemon"}}), on())
    assert t.texts() == [SEATTLE, "User drinks tea with lemon", AUSTIN]
    rejected, edited = t.memory.decisions(write_id=out["memory_write_id"])
    assert (rejected.action, rejected.outcome) == ("add", "applied")
    assert rejected.body["reason"].startswith("rejected in review")
    assert (edited.body["wording"], edited.body["review"]["verdict"]) == ("person", "edit")


def test_what_was_rejected_is_linked_to_what_it_would_have_changed() -> None:
    t = told()
    stopped(t).invoke(Command(resume="reject"), on())
    seattle, tea, austin, lemon = t.memory.list(user_id=ANA)
    assert (linked(austin), linked(lemon)) == ([("related", seattle.id)], [("related", tea.id)])


@pytest.mark.parametrize("said", NONSENSE)
def test_nonsense_is_asked_again_with_what_was_wrong_and_nothing_is_lost(said: Any) -> None:
    t = told()
    graph = stopped(t)
    again = value(graph.invoke(Command(resume=said), on()))
    assert again["problem"] and [i["id"] for i in again["items"]] == ["g1", "g2"]
    assert t.texts() == [SEATTLE, TEA]
    graph.invoke(Command(resume="approve"), on())
    assert t.texts() == [BOTH, MOVED]


def test_a_later_answer_counts_and_not_the_nonsense_before_it() -> None:
    t = told()
    graph = stopped(t)
    for said in ("perhaps", {"g7": "approve"}, {"g1": "approve", "g2": "reject"}):
        out = graph.invoke(Command(resume=said), on())
    assert "__interrupt__" not in out and t.texts() == [TEA, MOVED, LEMON]


def test_an_edit_that_invents_and_loses_is_used_and_what_the_check_found_is_on_record() -> None:
    t = told()
    graph = stopped(t)
    out = graph.invoke(Command(resume={"g1": {"edit": "User lives in Rome"}, "g2": "approve"}), on())
    decision = t.memory.decisions(write_id=out["memory_write_id"])[0]
    assert "User lives in Rome" in t.texts() and "name: rome" in decision.body["details"]["invented"]
    assert "name: austin" in decision.body["details"]["lost"]


def test_additions_and_what_the_policy_does_not_list_are_not_asked_about() -> None:
    t = told()
    given = lay_out(t)
    given["memory_write"]["approve"] = ["merge"]
    asked = value(graph_of(t, InMemorySaver()).invoke(given, on()))
    assert [i["action"] for i in asked["items"]] == ["merge"]


def test_without_a_saver_it_says_so_before_any_model_is_asked() -> None:
    t = told()
    given, seen = lay_out(t), len(t.cast.seen)
    with pytest.raises(GraphError, match="saves this run"):
        graph_of(t, None).invoke(given, on())
    assert len(t.cast.seen) == seen and len(t.memory.store.writes()) == 2


def test_where_nothing_is_listed_no_saver_is_needed() -> None:
    t = told()
    given = lay_out(t)
    given["memory_write"]["approve"] = []
    graph_of(t, None).invoke(given, on())
    assert t.texts() == [BOTH, MOVED]


def test_an_answer_holds_when_another_write_moves_the_store_meanwhile() -> None:
    t = told()
    graph = stopped(t)
    script = t.cast.script
    t.say("User plays chess")
    t.cast.script = script
    out = graph.invoke(Command(resume="approve"), on())
    assert "__interrupt__" not in out and t.texts() == [BOTH, "User plays chess", MOVED]


def test_a_change_that_became_another_one_is_asked_about_again() -> None:
    t = told()
    graph = stopped(t)
    t.say(fact("User lives in Boston", **HOME), judge=one("supersedes", "1", text="User lives in Boston"))
    boston = verdict(group("supersedes", "1", text=AUSTIN), group("refines", "2", facts=["F2"], text=BOTH))
    t.cast.script = ScriptedDecider({"judge": [boston], "merge": [{"text": AUSTIN}] * 2})
    again = value(graph.invoke(Command(resume="approve"), on()))
    assert "User lives in Boston" in {i["before"] for i in again["items"]}


class Parent(TypedDict, total=False):
    messages: list[Any]
    memory_write: dict[str, Any]


def parent_of(t: Teller, saver: BaseCheckpointSaver[Any] | None, spread: Callable[[Parent], Any]) -> Any:
    graph: Any = StateGraph(Parent)
    graph.add_node("remember", t.memory.write_graph)
    graph.add_conditional_edges(START, spread, ["remember"])
    graph.add_edge("remember", END)
    return graph.compile(checkpointer=saver)


def twice(state: Parent) -> list[Send]:
    """The same for two users at once."""
    return [Send("remember", {**state, "memory_write": {**state["memory_write"], "user_id": u}}) for u in (ANA, "ben")]


@pytest.mark.parametrize("way", ["sync", "async"])
def test_two_writes_of_a_parent_that_stop_at_once_are_answered_by_id(way: str, saver: BaseCheckpointSaver[Any]) -> None:
    """Two interrupts, two answers, each used once."""
    t = told()
    t.say(fact(SEATTLE, **HOME), user="ben")
    t.say(TEA, user="ben")
    graph = parent_of(t, saver, twice)
    asked = run(way, graph, lay_out(t, times=2))["__interrupt__"]
    mine = {i.id: t.memory.store.get(i.value["items"][0]["targets"][0]["memory_id"]) for i in asked}
    answers = {i: "approve" if m is not None and m.scope.user_id == ANA else "reject" for i, m in mine.items()}
    assert sorted(answers.values()) == ["approve", "reject"]
    run(way, graph, Command(resume=answers))
    assert t.texts() == [BOTH, MOVED] and t.texts("ben") == [SEATTLE, TEA, AUSTIN, LEMON]


def test_of_two_that_wait_one_may_be_answered_later() -> None:
    t = told()
    t.say(fact(SEATTLE, **HOME), user="ben")
    t.say(TEA, user="ben")
    graph = parent_of(t, InMemorySaver(), twice)
    first, second = graph.invoke(lay_out(t, times=2), on())["__interrupt__"]
    (rest,) = graph.invoke(Command(resume={first.id: "reject"}), on())["__interrupt__"]
    assert rest.id == second.id
    graph.invoke(Command(resume={second.id: "reject"}), on())
    assert len(t.texts()) == len(t.texts("ben")) == 4 and t.cast.script.left == {}


def test_a_parent_without_a_saver_is_told_so() -> None:
    t = told()
    with pytest.raises(GraphError, match="checkpointer"):
        parent_of(t, None, lambda state: [Send("remember", state)]).invoke(lay_out(t), on())


def test_memory_add_never_stops() -> None:
    t = teller(alike=[(0.6, (SEATTLE, AUSTIN))], approve=("replace",))
    t.say(fact(SEATTLE, **HOME))
    result = t.say(fact(AUSTIN, **HOME), judge=one("supersedes", "1", text=MOVED))
    assert result.outcome == "pending_review" and len(t.memory.pending(user_id=ANA)) == 1
