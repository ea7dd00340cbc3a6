"""The graph that people see in Studio: its names, its edges, and plain data in every checkpoint."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph

from scrubjay.graph.recall_graph import build_recall_graph
from scrubjay.graph.write_graph import build_write_graph
from scrubjay.nodes.settings import WriteContext
from tests.fakes import ANA, Teller, fact, group, one, teller, verdict

NODES = {
    "load_context", "extract", "surprisal_gate", "retrieve", "judge", "merge", "replace", "delete", "review", "commit",
}  # fmt: skip
README = Path(__file__).parent.parent / "README.md"
HOME = {"attributes": ["home city"], "valid_from": "2026-08"}


def edges(told: Teller) -> set[tuple[str, str]]:
    return {(e.source, e.target) for e in told.memory.write_graph.get_graph().edges}


def reached(start: str, pairs: set[tuple[str, str]]) -> set[str]:
    found, last = {start}, set[str]()
    while found != last:
        last, found = found, found | {b for a, b in pairs if a in found}
    return found


def test_the_nodes_have_the_names_that_people_know(told: Teller) -> None:
    assert set(told.memory.write_graph.get_graph().nodes) == NODES | {"__start__", "__end__"}


def test_every_node_can_be_reached(told: Teller) -> None:
    assert reached("__start__", edges(told)) >= NODES


def test_every_node_leads_to_the_end(told: Teller) -> None:
    backwards = {(b, a) for a, b in edges(told)}
    assert reached("__end__", backwards) >= NODES


def test_a_conflict_leads_back_to_retrieve(told: Teller) -> None:
    assert ("commit", "retrieve") in edges(told)


def test_the_readme_shows_the_graph_as_it_is(told: Teller) -> None:
    shown = re.search(r"```mermaid\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert shown is not None, "README.md has no ```mermaid block: add the text of draw_mermaid()"
    assert shown.group(1).strip() == told.memory.write_graph.get_graph().draw_mermaid().strip()


def plain(value: Any, where: str = "state") -> list[str]:
    """Places that hold something else than JSON's own types."""
    if value is None or type(value) in (str, int, float, bool):
        return []
    if type(value) is list:
        return [w for i, item in enumerate(value) for w in plain(item, f"{where}[{i}]")]
    if type(value) is dict:
        keys = [f"{where}: key {k!r}" for k in value if type(k) is not str]
        return keys + [w for k, item in value.items() for w in plain(item, f"{where}.{k}")]
    return [f"{where}: {type(value).__name__}"]


def run_with_saver(told: Teller) -> CompiledStateGraph[Any, Any, Any, Any]:
    """A write that replaces and merges, every step of it saved."""
    told.say(fact("User lives in Seattle", **HOME), fact("User drinks tea", subject="user"))
    graph = build_write_graph(told.memory.engine.tools).compile(checkpointer=InMemorySaver())
    facts = fact("User lives in Austin", **HOME), fact("User drinks tea with lemon")
    judge = verdict(group("supersedes", "1"), group("refines", "2", facts=["F2"]))
    told.expect(*facts, judge=judge, merge={"text": "User lives in Austin (previously: User lives in Seattle)"})
    said = [{"role": "user", "content": "User lives in Austin. User drinks tea with lemon"}]
    graph.invoke(
        {"messages": said, "memory_write": {"metadata": {"a": [1, {"b": None}]}}},
        {"configurable": {"thread_id": "t", "user_id": ANA}},
    )
    return cast(CompiledStateGraph[Any, Any, Any, Any], graph)


def test_every_checkpoint_holds_plain_data_only() -> None:
    """C35: a numpy scalar, a connection or a lock in the state would break checkpoints and Studio."""
    texts = ("User lives in Seattle", "User lives in Austin")
    graph = run_with_saver(teller(alike=[(0.7, texts), (0.6, ("User drinks tea", "User drinks tea with lemon"))]))
    history = list(graph.get_state_history({"configurable": {"thread_id": "t"}}))
    assert len(history) >= 8
    assert [w for s in history for w in plain({k: v for k, v in s.values.items() if k != "messages"})] == []


def test_each_checkpoint_tells_what_had_been_decided_by_then() -> None:
    texts = ("User lives in Seattle", "User lives in Austin")
    graph = run_with_saver(teller(alike=[(0.7, texts), (0.6, ("User drinks tea", "User drinks tea with lemon"))]))
    steps = {s.next: s.values for s in graph.get_state_history({"configurable": {"thread_id": "t"}})}
    assert steps["retrieve",]["facts"][0]["gate"]["verdict"] == "pass"
    assert steps["judge",]["candidates"]["1"] and steps["commit",]["relations"]
    assert {item["group"]["action"] for item in steps["commit",]["plan"]} == {"merge", "replace"}


def test_the_recall_graph_holds_plain_data_only(told: Teller) -> None:
    """C35."""
    told.say("User drinks tea")
    graph = build_recall_graph(told.memory.engine.tools).compile(checkpointer=InMemorySaver())
    on: Any = {"configurable": {"thread_id": "t", "user_id": ANA}}
    out = graph.invoke({"messages": [{"role": "user", "content": "tea?"}]}, on)
    history = list(graph.get_state_history(on))
    assert "User drinks tea" in out["memory_context"] and len(history) == 4
    assert [w for s in history for w in plain({k: v for k, v in s.values.items() if k != "messages"})] == []


@pytest.mark.parametrize("name", ["write_graph", "recall_graph"])
@pytest.mark.parametrize("which", ["get_input_jsonschema", "get_output_jsonschema", "get_context_jsonschema"])
def test_studio_gets_a_schema_with_plain_fields(told: Teller, name: str, which: str) -> None:
    """C35: typing.TypedDict would raise here on Python 3.11."""
    schema = getattr(getattr(told.memory, name), which)()
    assert schema["properties"]


def test_studio_shows_descriptions_choices_and_ranges(told: Teller) -> None:
    fields = (told.memory.write_graph.get_context_jsonschema() or {})["properties"]
    assert all(field.get("description") for field in fields.values())
    assert "enum" in fields["strictness"] and fields.keys() == WriteContext.model_fields.keys()


def test_messages_are_gone_from_the_state_after_the_first_step() -> None:
    texts = ("User lives in Seattle", "User lives in Austin")
    graph = run_with_saver(teller(alike=[(0.7, texts), (0.6, ("User drinks tea", "User drinks tea with lemon"))]))
    history = list(graph.get_state_history({"configurable": {"thread_id": "t"}}))
    assert sum("messages" in s.values for s in history) <= 2


def test_a_second_write_on_a_thread_starts_from_clean_channels() -> None:
    told = teller(alike=[(0.6, ("User drinks tea", "User likes tea"))])
    graph = build_write_graph(told.memory.engine.tools).compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t", "user_id": ANA}}
    for said, judge in (("User drinks tea", None), ("User likes tea", one("contradicts", "1"))):
        told.expect(said, judge=judge)
        graph.invoke({"messages": [{"role": "user", "content": said}]}, config)
    state = graph.get_state(config).values
    assert [f["text"] for f in state["facts"]] == ["User likes tea"] and len(state["calls"]) == 2
