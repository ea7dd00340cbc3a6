"""Whichever way a write was run, its record is enough: in a parent, resumed, edited, answered, with conflicts."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from scrubjay.graph.write_graph import build_write_graph
from scrubjay.stores.records import Scope
from tests.fakes import ANA, Teller, fact, one, teller
from tests.test_embedding_in_agents import Chat, echoing
from tests.test_when_things_go_wrong import LEMON, MINT, SUPERSEDED, TEA, Crashing, elsewhere, meddled, tea, version

ON: Any = {"configurable": {"thread_id": "t", "user_id": ANA}}
OLD, NEW = "User lives in Lisbon", "User lives in Porto"
MOVED = f"{NEW} (previously: {OLD})"
HOME = {"attributes": ["home city"]}


def different(told: Teller) -> list[Any]:
    return [r.differences for r in told.memory.replay_all(user_id=ANA) if not r.identical]


def said(text: str) -> Any:
    return {"messages": [HumanMessage(text, id=text)]}


def parent_of(told: Teller, saver: Any) -> Any:
    parent = StateGraph(Chat)
    parent.add_node("remember", told.memory.write_graph)
    parent.add_edge(START, "remember")
    parent.add_edge("remember", END)
    return parent.compile(checkpointer=saver)


@pytest.mark.parametrize("saver", [None, InMemorySaver()], ids=["no saver", "saver"])
@pytest.mark.parametrize("awaited", [False, True], ids=["invoke", "ainvoke"])
def test_a_write_inside_a_parent(saver: Any, awaited: bool) -> None:
    told = echoing(teller())
    graph = parent_of(told, saver)
    for text in ("User owns a boat", "Ida paints kilns", "User owns a boat"):
        if awaited:
            asyncio.run(graph.ainvoke(said(text), ON))
        else:
            graph.invoke(said(text), ON)
    assert told.texts() == ["User owns a boat", "Ida paints kilns"] and different(told) == []


class Watched(TypedDict, total=False):
    identical: bool


def test_a_replay_inside_somebodys_graph_neither_streams_nor_saves_there() -> None:
    told = echoing(teller())
    told.memory.add("User owns a boat", user_id=ANA)

    def check(state: Watched) -> Watched:
        return {"identical": different(told) == []}

    parent = StateGraph(Watched)
    parent.add_node("check", check)
    parent.add_edge(START, "check")
    streamed: Any = list(parent.compile(checkpointer=InMemorySaver()).stream({}, ON, stream_mode=["custom", "values"]))
    assert [part for mode, part in streamed if mode == "custom"] == [] and streamed[-1][1]["identical"]


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_write_that_met_conflicts(tmp_path: Path, rounds: int) -> None:
    told = meddled(tmp_path, *[lambda t, n=n: version(n, t) for n in range(2, 2 + rounds)])
    judge = lambda request: one("supersedes", "1", text=SUPERSEDED)  # noqa: E731
    result = told.say(SUPERSEDED, judge=[judge] * min(3, rounds + 1), repairs=False)
    assert result.decisions[0].body["round"] == min(2, rounds) and different(told) == []


def test_a_write_that_met_a_conflict_with_an_unrelated_one(tmp_path: Path) -> None:
    told = meddled(tmp_path, elsewhere)
    told.say(LEMON, judge=one("refines", "1"), merge={"text": f"{TEA}; {LEMON}"})
    assert different(told) == []


def test_a_write_whose_fact_was_written_by_somebody_else_meanwhile(tmp_path: Path) -> None:
    told = meddled(tmp_path, lambda other: other.say(LEMON, judge=one("independent")))
    assert told.say(LEMON, judge=one("independent")).outcome == "dropped" and different(told) == []


def test_writes_that_ran_side_by_side(tmp_path: Path) -> None:
    """The later one began before the earlier one ended: copies cannot go back, so there are two."""
    told = meddled(tmp_path, lambda other: other.say(MINT, judge=one("independent")))
    told.say(LEMON, judge=[one("independent")] * 2, repairs=False)
    reads = [row.result["reads"][0]["moment"] for row in told.memory.store.writes(Scope(ANA))]
    assert reads[0] < told.memory.store.writes(Scope(ANA))[1].moment and different(told) == []


def test_a_failed_write_and_the_one_that_finished_it() -> None:
    told = tea()
    told.say(extract=["?"], said=LEMON, key="k")
    told.say(LEMON, judge=one("independent"), key="k")
    assert different(told) == []


def test_an_incomplete_write_and_the_one_that_finished_it() -> None:
    told = teller()
    text, first = f"{TEA}. {'So it goes. ' * 700}{LEMON}.", {"facts": [fact(TEA, quote=TEA)]}
    told.say(extract=[first, TimeoutError("60 s")], said=text, repairs=False, key="k")
    second = {"facts": [fact(LEMON, quote=LEMON)]}
    told.say(extract=[first, second], judge=one("independent"), said=text, repairs=False, key="k")
    assert different(told) == []


def test_a_run_that_was_resumed_after_its_commit(tmp_path: Path) -> None:
    told = teller(tmp_path / "memory.db")
    told.memory.store.close()
    told.memory.store = Crashing.open(tmp_path / "memory.db")
    graph: Any = build_write_graph(told.memory.engine.tools).compile(checkpointer=InMemorySaver())
    told.expect(TEA)
    with pytest.raises(SystemError):
        graph.invoke({"messages": [{"role": "user", "content": TEA}]}, ON)
    graph.invoke(None, ON)
    assert different(told) == []


def test_a_failed_run_that_was_sent_back_and_took_its_own_place() -> None:
    told = tea()
    graph: Any = build_write_graph(told.memory.engine.tools).compile(checkpointer=InMemorySaver())
    told.expect(extract=["?"])
    graph.invoke({"messages": [{"role": "user", "content": LEMON}]}, ON)
    before = next(s for s in graph.get_state_history(ON) if s.next == ("extract",))
    told.expect(LEMON, judge=one("independent"))
    graph.invoke(None, before.config)
    assert told.texts() == [TEA, LEMON] and different(told) == []


@pytest.mark.parametrize("refused", [True, {LEMON}, {f"{LEMON}; {TEA}"}], ids=["all", "the fact", "the text"])
def test_an_outage_of_the_embedder(refused: Any) -> None:
    told = tea()
    told.embedder.down = refused
    told.say(LEMON, judge=one("refines", "1", text=f"{LEMON}; {TEA}"))
    assert different(told) == []


@pytest.mark.parametrize("back_at", [2, 3, 4, 5])
def test_an_outage_that_ends_within_the_write(back_at: int) -> None:
    """The embedder answers again at the gate's next text, at retrieve, at commit."""
    told = tea()
    calls = iter(range(1, 99))
    embed = told.embedder.embed_query

    def counted(text: str) -> list[float]:
        told.embedder.down = next(calls) < back_at
        return embed(text)

    told.embedder.embed_query = counted  # type: ignore[method-assign]
    told.say(LEMON, judge=one("refines", "1"), merge={"text": f"{LEMON}; {TEA}"})
    assert different(told) == []


@pytest.mark.parametrize("judge", [TimeoutError("60 s"), "no idea", {"groups": None}, one("refines", "99")])
def test_a_reply_that_could_not_be_used(judge: Any) -> None:
    told = tea()
    told.say(LEMON, judge=judge)
    assert different(told) == []


@pytest.mark.parametrize("text", ["", "User has 3 boats", "x" * 3000])
@pytest.mark.parametrize("repairs", [False, True])
def test_a_text_that_could_not_be_used(text: str, repairs: bool) -> None:
    told = tea()
    replies = [{"text": text}] * (2 if repairs else 1)
    told.say(LEMON, judge=one("refines", "1"), merge=replies, repairs=repairs)
    assert different(told) == []


def test_an_empty_write_and_messages_that_were_left_out() -> None:
    told = tea()
    told.memory.add([{"role": "customer", "content": "hello"}], user_id=ANA)
    told.say(said="Good night", extract=[{"facts": []}])
    assert different(told) == []


# -- what people said while the run stood still


def stopped(before: list[str], judge: Any) -> tuple[Teller, Any]:
    told = teller(alike=[(0.6, (OLD, NEW))])
    told.say(fact(OLD, **HOME))
    graph: Any = build_write_graph(told.memory.engine.tools).compile(checkpointer=InMemorySaver())
    told.expect(fact(NEW, **HOME), judge=judge, merge=[{"text": MOVED}] * 2, text=NEW)
    graph.invoke({"messages": [{"role": "user", "content": NEW}]}, ON, interrupt_before=before)
    return told, graph


@pytest.mark.parametrize("before", [["merge", "replace", "delete", "review"], ["review"]])
@pytest.mark.parametrize(("said", "edited"), [("contradicts", "supersedes"), ("supersedes", "contradicts")])
def test_a_verdict_that_was_edited_by_hand(before: list[str], said: str, edited: str) -> None:
    told, graph = stopped(before, one(said, "1"))
    (relation,) = graph.get_state(ON).values["relations"]
    graph.update_state(ON, {"relations": [{**relation, "relation": edited}]})
    graph.invoke(None, ON)
    assert different(told) == []


def test_a_verdict_that_was_taken_out_by_hand() -> None:
    told, graph = stopped(["replace"], one("supersedes", "1"))
    graph.update_state(ON, {"relations": []})
    graph.invoke(None, ON)
    assert told.texts() == [OLD, NEW] and different(told) == []


@pytest.mark.parametrize("answer", ["approve", "reject", {"edit": "User lives in Porto now"}])
def test_an_answer_to_a_run_that_asked(answer: Any) -> None:
    told = teller(alike=[(0.6, (OLD, NEW))])
    told.say(fact(OLD, **HOME))
    graph: Any = build_write_graph(told.memory.engine.tools).compile(checkpointer=InMemorySaver())
    told.expect(fact(NEW, **HOME), judge=one("supersedes", "1", text=MOVED), text=NEW)
    asking = {"approve": ["replace"], "how": "interrupt"}
    graph.invoke({"messages": [{"role": "user", "content": NEW}], "memory_write": asking}, ON)
    graph.invoke(Command(resume=answer), ON)
    assert different(told) == []
