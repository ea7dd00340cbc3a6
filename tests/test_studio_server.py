"""What Studio does, done through its own API on the real server: schemas, steps, breakpoints, edits, forks, chat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from scrubjay.graph.strategies import STRATEGIES
from scrubjay.nodes.settings import DETECTORS, RESOLVERS

pytest.importorskip("langgraph_api", reason="pip install -e '.[dev]' brings the server")

from langgraph_sdk.errors import BadRequestError

from tests.langgraph_server import Server, said, serving

GRAPHS = {"write", "recall", "agent"}
HERE, THERE = "I live in Utrecht.", "I moved to Ghent."
LIVES, MOVED = "User lives in Utrecht", "User moved to Ghent"
REPLACED = f"{MOVED} (previously: {LIVES})"
PATH = ["load_context", "extract", "surprisal_gate", "retrieve", "judge", "replace", "review", "commit"]
AFTER_JUDGE = ["merge", "replace", "delete", "review"]


@pytest.fixture(scope="module")
def running_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("studio")) as server:
        yield server


@pytest.fixture
def server(running_server: Server) -> Iterator[Server]:
    """What the server logged meanwhile is shown with a test that fails."""
    before = running_server.log.stat().st_size
    yield running_server
    with running_server.log.open("rb") as log:
        log.seek(before)
        print(log.read().decode("utf-8", "replace"))


@pytest.fixture
def user(request: pytest.FixtureRequest) -> str:
    """Somebody that no other test writes for."""
    return str(request.node.name)


def run(server: Server, assistant: str, text: str, thread: str | None = None, **asked: Any) -> Any:
    """One run of a message; what it returns."""
    return server.client.runs.wait(thread or server.thread(), assistant, input=said(text), **asked)


def fields(server: Server, graph: str, kind: str) -> dict[str, Any]:
    return dict(server.schemas(graph)[f"{kind}_schema"]["properties"])


# -- what the assistants show
def test_three_graphs_are_served_and_say_what_they_are(server: Server) -> None:
    found = {a["graph_id"]: a.get("description") for a in server.client.assistants.search()}
    assert found.keys() == GRAPHS and all(found.values())


@pytest.mark.parametrize("kind", ["input", "output", "state", "context", "config"])
@pytest.mark.parametrize("graph", sorted(GRAPHS))
def test_every_graph_has_all_its_schemas(server: Server, graph: str, kind: str) -> None:
    assert fields(server, graph, kind)


@pytest.mark.parametrize("graph", sorted(GRAPHS))
def test_messages_are_those_that_the_chat_box_sends(server: Server, graph: str) -> None:
    """As in a graph over MessagesState, which `agent` is."""
    messages = fields(server, graph, "input")["messages"]
    assert messages["items"] == fields(server, "agent", "input")["messages"]["items"]
    assert any("Human" in str(kind) for kind in messages["items"]["oneOf"])


@pytest.mark.parametrize("graph", ["write", "agent"])
def test_settings_are_choices_where_there_are_choices(server: Server, graph: str) -> None:
    shown = fields(server, graph, "context")
    assert shown["strategy"]["enum"] == list(STRATEGIES)
    assert shown["detector"]["anyOf"][0]["enum"] == list(DETECTORS)
    assert shown["resolver"]["anyOf"][0]["enum"] == list(RESOLVERS)


def test_numbers_among_the_settings_have_their_range(server: Server) -> None:
    shown = fields(server, "write", "context")
    assert shown["threshold"]["anyOf"][0] == {"type": "number", "minimum": -1, "maximum": 1}
    assert shown["top_k"]["anyOf"][0] == {"type": "integer", "minimum": 1, "maximum": 50}


@pytest.mark.parametrize("kind", ["input", "output", "context"])
@pytest.mark.parametrize("graph", ["write", "recall"])
def test_every_field_says_what_it_is(server: Server, graph: str, kind: str) -> None:
    assert [name for name, field in fields(server, graph, kind).items() if not field.get("description")] == []


# -- a run
def test_a_streamed_write_tells_each_step_and_what_it_changed(server: Server, user: str) -> None:
    modes: Any = ["updates", "custom"]
    told = list(
        server.client.runs.stream(
            server.thread(), "write", input=said(HERE), context={"user_id": user}, stream_mode=modes
        )
    )
    steps = [node for e in told if e.event == "updates" for node in e.data]
    (change,) = [e.data for e in told if e.event == "custom"]
    assert steps == ["load_context", "extract", "surprisal_gate", "retrieve", "commit"]
    assert (change["action"], change["after"]) == ("add", LIVES) and server.texts(user) == [LIVES]


def test_a_streamed_step_shows_all_that_it_found(server: Server, user: str) -> None:
    stream = server.client.runs.stream(
        server.thread(), "write", input=said(HERE), context={"user_id": user}, stream_mode="updates"
    )
    found = {node: update for e in stream if e.event == "updates" for node, update in e.data.items()}
    assert [f["text"] for f in found["extract"]["facts"]] == [LIVES]
    assert found["surprisal_gate"]["facts"][0]["gate"]["verdict"] == "pass"


def test_the_history_has_one_checkpoint_a_node_and_the_decision_grows(server: Server, user: str) -> None:
    server.write(HERE, user)
    thread = server.write(THERE, user)
    steps: dict[str, Any] = {
        s["next"][0]: s["values"] for s in server.client.threads.get_history(thread, limit=50) if s["next"]
    }
    assert list(reversed(steps)) == ["__start__", *PATH]
    assert not steps["extract"]["facts"] and steps["surprisal_gate"]["facts"]
    assert not steps["retrieve"]["candidates"] and steps["judge"]["candidates"]["1"]
    assert not steps["judge"]["relations"] and steps["replace"]["relations"][0]["relation"] == "supersedes"
    assert not steps["review"]["plan"] and steps["commit"]["plan"][0]["text"] == REPLACED


def test_a_write_can_be_stopped_before_any_node_and_goes_on(server: Server, user: str) -> None:
    server.write(HERE, user)
    thread = server.write(THERE, user, interrupt_before="*")
    stops = server.state(thread)["next"]
    while server.state(thread)["next"]:
        server.go_on(thread, context={"user_id": user}, interrupt_before="*")
        stops = stops + server.state(thread)["next"]
    assert stops == PATH and server.texts(user) == [REPLACED]


def test_an_assistant_has_its_own_settings(server: Server, user: str) -> None:
    assistant = server.client.assistants.create("write", context={"strategy": "neatmem", "top_k": 3, "user_id": user})
    (decision,) = server.decisions(run(server, assistant["assistant_id"], HERE)["memory_write_id"])
    assert (decision.body["strategy"], decision.body["detector"]) == ("neatmem", "listwise_multitarget")


def test_nobody_named_writes_for_the_user_that_the_server_was_told(server: Server) -> None:
    run(server, "write", "I own a kayak.")
    assert server.texts("me") == ["User owns a kayak"]


# -- edits
def test_an_edited_verdict_is_what_the_store_holds(server: Server, user: str) -> None:
    server.write(HERE, user)
    thread = server.write(THERE, user, interrupt_before=AFTER_JUDGE)
    (judged,) = server.state(thread)["values"]["relations"]
    server.client.threads.update_state(thread, {"relations": [{**judged, "relation": "contradicts"}]})
    server.go_on(thread)
    assert judged["relation"] == "supersedes" and server.texts(user) == [LIVES, MOVED]


def test_the_record_says_that_a_verdict_was_edited(server: Server, user: str) -> None:
    server.write(HERE, user)
    thread = server.write(THERE, user, interrupt_before=AFTER_JUDGE)
    (judged,) = server.state(thread)["values"]["relations"]
    server.client.threads.update_state(thread, {"relations": [{**judged, "relation": "contradicts"}]})
    (decision,) = server.decisions(server.go_on(thread)["memory_write_id"])
    assert (decision.body["relations"][0]["said"], decision.body["reason"]) == ("supersedes", "edited by hand")


def test_a_verdict_that_means_nothing_is_refused_in_words(server: Server, user: str) -> None:
    server.write(HERE, user)
    thread = server.write(THERE, user, interrupt_before=AFTER_JUDGE)
    (judged,) = server.state(thread)["values"]["relations"]
    with pytest.raises(BadRequestError, match="write one of duplicate, refines"):
        server.client.threads.update_state(thread, {"relations": [{**judged, "relation": "maybe"}]})
    assert server.state(thread)["next"] == ["replace"] and server.texts(user) == [LIVES]


def test_a_fact_edited_after_extract_is_what_the_store_holds(server: Server, user: str) -> None:
    thread = server.write(HERE, user, interrupt_before=["surprisal_gate"])
    (fact,) = server.state(thread)["values"]["facts"]
    server.client.threads.update_state(thread, {"facts": [{**fact, "text": "User lives in Utrecht, upstairs"}]})
    server.go_on(thread)
    assert server.texts(user) == ["User lives in Utrecht, upstairs"]


# -- approval
@pytest.mark.parametrize(
    ("answer", "texts"), [("approve", [REPLACED]), ({"edit": "User lives in Ghent now"}, ["User lives in Ghent now"])]
)
def test_a_run_that_asks_is_answered_and_goes_on(server: Server, user: str, answer: Any, texts: list[str]) -> None:
    server.write(HERE, user)
    context, thread = {"user_id": user, "approve": ["replace"], "how": "interrupt"}, server.thread()
    run(server, "write", THERE, thread, context=context)
    (asked,) = server.state(thread)["tasks"][0]["interrupts"]
    server.go_on(thread, command={"resume": answer})
    (item,) = asked["value"]["items"]
    assert (item["before"], item["after"], server.texts(user)) == (LIVES, REPLACED, texts)


# -- forks
@pytest.mark.parametrize("node", ["extract", "judge", "commit"])
def test_a_fork_of_a_committed_write_writes_nothing_more(server: Server, user: str, node: str) -> None:
    server.write(HERE, user)
    thread = server.write(THERE, user)
    before = [(m.id, m.version) for m in server.memories(user)]
    first = server.state(thread)["values"]["memory_write_id"]
    at: Any = server.checkpoint_before(thread, node)
    fork: Any = server.client.threads.update_state(thread, {"owed": []}, checkpoint_id=at)
    again = server.go_on(thread, checkpoint_id=fork["checkpoint_id"])
    assert again["memory_write_id"] == first and [(m.id, m.version) for m in server.memories(user)] == before


def test_a_write_run_again_from_its_start_is_the_same_write(server: Server, user: str) -> None:
    thread = server.write(HERE, user)
    first = server.state(thread)["values"]["memory_write_id"]
    again = server.go_on(
        thread, context={"user_id": user}, checkpoint_id=server.checkpoint_before(thread, "load_context")
    )
    assert (again["memory_write_id"], again["repeat"], server.texts(user)) == (first, True, [LIVES])


# -- recall, and the agent
def test_recall_gives_what_was_written(server: Server, user: str) -> None:
    server.write(HERE, user)
    out: Any = server.client.runs.wait(
        server.thread(), "recall", input=said("Where do I live?"), context={"user_id": user}
    )
    assert LIVES in out["memory_context"]


def test_the_agent_knows_in_the_next_turn_what_was_said_in_this_one(server: Server, user: str) -> None:
    thread, context = server.thread(), {"user_id": user}
    first = run(server, "agent", HERE, thread, context=context)
    second = run(server, "agent", "Where do I live?", thread, context=context)
    assert [c["after"] for c in first["memory_changes"]] == [LIVES]
    assert LIVES not in first["messages"][-1]["content"] and LIVES in second["messages"][-1]["content"]


def test_the_agents_write_is_seen_step_by_step_inside_it(server: Server, user: str) -> None:
    stream = server.client.runs.stream(
        server.thread(),
        "agent",
        input=said(HERE),
        context={"user_id": user},
        stream_mode="updates",
        stream_subgraphs=True,
    )
    inside = [node for e in stream if e.event.startswith("updates|remember") for node in e.data]
    assert inside == ["load_context", "extract", "surprisal_gate", "retrieve", "commit"]
