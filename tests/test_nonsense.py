"""A checkpoint edited into nonsense: a typed error that names the place, and a store that is as it was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from scrubjay import Memory
from scrubjay.graph.write_graph import build_write_graph
from scrubjay.nodes.state import Write
from scrubjay.stores.errors import ScrubjayError, StateError

ON: Any = {"configurable": {"thread_id": "t", "user_id": "ana"}}
NODES = ("extract", "surprisal_gate", "retrieve", "judge", "replace", "review", "commit")
NONSENSE: tuple[Any, ...] = ("abc", None, {"1": {"x": 2}}, 7, [None], [{"x": 1}], ["abc"])
KEYS = sorted(
    set(Write.__annotations__) - {"messages", "memory_write", "resolved", "memory_changes", "memory_write_id"}
)
MOVED = "User moved to Bergen (previously: User lives in Porto)"


class Stopped:
    """A move that stands still before one node, in a store that knows the old home."""

    def __init__(self, node: str) -> None:
        self.memory = Memory.open(":memory:", checkpoints=False)
        self.memory.add("I live in Porto.", user_id="ana")
        self.graph: Any = build_write_graph(self.memory.engine.tools).compile(checkpointer=InMemorySaver())
        said = {"role": "user", "content": "I moved to Bergen.", "id": "m1"}
        self.graph.invoke({"messages": [said]}, ON, interrupt_before=[node])
        self.stop = self.graph.get_state(ON)
        assert self.stop.next == (node,)

    def texts(self) -> list[str]:
        return [m.text for m in self.memory.list(user_id="ana")]

    def go_on_with(self, key: str, value: Any) -> None:
        """From the same stop each time; not past the commit, so that what is written is written by an edit alone."""
        edited = self.graph.update_state(self.stop.config, {key: value})
        end = None if self.stop.next == ("commit",) else ["commit"]
        self.graph.invoke(None, {"configurable": {**edited["configurable"], "user_id": "ana"}}, interrupt_before=end)


@pytest.fixture(params=NODES)
def stopped(request: pytest.FixtureRequest) -> Iterator[Stopped]:
    write = Stopped(request.param)
    yield write
    write.memory.close()


def test_nonsense_is_refused_or_changes_nothing_of_what_is_remembered(stopped: Stopped) -> None:
    """What fits its channel, whatever it says, may stand in the record of the edited write."""
    before = stopped.memory.store.dump()
    for key in KEYS:
        for value in NONSENSE:
            try:
                stopped.go_on_with(key, value)
            except ScrubjayError:
                assert stopped.memory.store.dump() == before, (key, value)
            if stopped.memory.store.dump() != before:
                assert stopped.texts() == [MOVED], (key, value)
                stopped = Stopped(stopped.stop.next[0])
                before = stopped.memory.store.dump()


def test_the_error_names_the_place() -> None:
    write = Stopped("retrieve")
    with pytest.raises(StateError, match=r"cannot read the state \(facts: input should be a valid list, not 'abc'\)"):
        write.go_on_with("facts", "abc")


def test_what_was_edited_can_be_put_back() -> None:
    write = Stopped("judge")
    with pytest.raises(StateError):
        write.go_on_with("known", [None])
    write.graph.invoke(None, {"configurable": {**write.stop.config["configurable"], "user_id": "ana"}})
    assert [m.text for m in write.memory.list(user_id="ana")] == [
        "User moved to Bergen (previously: User lives in Porto)"
    ]
