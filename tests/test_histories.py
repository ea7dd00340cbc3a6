"""Agents hand over the whole conversation each turn: what was read once is context, never a source again."""

from __future__ import annotations

from typing import Any

import pytest

from scrubjay import Memory
from scrubjay.stores.errors import InvalidInput


@pytest.fixture
def memory() -> Any:
    with Memory.open(":memory:", checkpoints=False) as opened:
        yield opened


def texts(memory: Memory) -> list[str]:
    return [m.text for m in memory.list(user_id="ana")]


def said(*words: str, ids: bool = True) -> list[dict[str, str]]:
    return [{"role": "user", "content": w} | ({"id": f"m{n}"} if ids else {}) for n, w in enumerate(words)]


TEA = ("I like tea.", "Please forget that I like tea.", "I own a boat.")


@pytest.mark.parametrize("ids", [True, False])
def test_what_was_forgotten_does_not_come_back_with_the_history(memory: Memory, ids: bool) -> None:
    for turn in range(1, 4):
        memory.add(said(*TEA[:turn], ids=ids), user_id="ana")
    assert texts(memory) == ["User owns a boat"]


@pytest.mark.parametrize("ids", [True, False])
def test_what_was_superseded_does_not_come_back_with_the_history(memory: Memory, ids: bool) -> None:
    turns = ("I live in Porto.", "I moved to Bergen.", "I own a boat.")
    for turn in range(1, 4):
        memory.add(said(*turns[:turn], ids=ids), user_id="ana")
    assert [t for t in texts(memory) if t.startswith("User lives in Porto")] == []
    assert len(texts(memory)) == 2


def test_a_history_without_ids_delivered_twice_brings_nothing_back(memory: Memory) -> None:
    for turn in (1, 2, 3, 3):
        memory.add(said(*TEA[:turn], ids=False), user_id="ana")
    assert texts(memory) == ["User owns a boat"]


def test_a_history_with_rewritten_assistant_turns_brings_nothing_back(memory: Memory) -> None:
    first, forget, boat = said(*TEA, ids=False)
    memory.add([first, forget, {"role": "assistant", "content": "ok"}], user_id="ana")
    memory.add([first, forget, {"role": "assistant", "content": "Done!"}, boat], user_id="ana")
    assert texts(memory) == ["User owns a boat"]


@pytest.mark.parametrize(
    ("told", "left"), [(TEA[:2], []), (("I live in Porto.", "I moved to Bergen."), ["User moved to Bergen"])]
)
def test_a_change_within_one_batch_is_made(memory: Memory, told: tuple[str, ...], left: list[str]) -> None:
    memory.add(said(*told, ids=False), user_id="ana")
    assert [t.split(" (")[0] for t in texts(memory)] == left


def test_a_history_delivered_twice_returns_the_write_that_read_its_end(memory: Memory) -> None:
    memory.add(said(*TEA[:1]), user_id="ana")
    first = memory.add(said(TEA[0], TEA[2]), user_id="ana")
    again = memory.add(said(TEA[0], TEA[2]), user_id="ana")
    assert (again.first, again.write_id) == (False, first.write_id)


def test_the_same_words_said_once_more_are_news(memory: Memory) -> None:
    for word in ("I live in Porto.", "I moved to Bergen.", "I moved to Porto."):
        memory.add(word, user_id="ana")
    assert [t.split(" (")[0] for t in texts(memory)] == ["User moved to Porto"]


def test_an_id_that_comes_back_with_other_text_is_another_message(memory: Memory) -> None:
    memory.add([{"role": "user", "id": "1", "content": "I live in Porto."}], user_id="ana")
    result = memory.add([{"role": "user", "id": "1", "content": "I play the cello."}], user_id="ana")
    assert [p["code"] for p in result.problems] == ["id_reused"]
    assert "User plays the cello" in texts(memory)


def test_a_key_used_for_other_messages_is_refused(memory: Memory) -> None:
    memory.add("I live in Porto.", user_id="ana", key="k")
    with pytest.raises(InvalidInput, match="other messages"):
        memory.add("I play the cello.", user_id="ana", key="k")


def test_earlier_messages_are_context_for_the_extraction(memory: Memory) -> None:
    memory.add(said(*TEA[:1]), user_id="ana")
    result = memory.add(said(TEA[0], TEA[2]), user_id="ana")
    assert [m["text"] for m in memory.write(result.write_id).input["messages"]] == [TEA[2]]


def test_an_unknown_role_is_on_record(memory: Memory) -> None:
    result = memory.add([{"role": "customer", "content": "I like figs."}], user_id="ana")
    assert (result.outcome, [p["code"] for p in result.problems]) == ("empty", ["unknown_role"])


@pytest.mark.parametrize("metadata", [{"n": 10**30}, {"deep": {"n": -(2**70)}}])
def test_an_integer_that_no_checkpoint_holds_is_refused_at_the_entrance(memory: Memory, metadata: Any) -> None:
    with pytest.raises(InvalidInput, match="64 bits"):
        memory.add("I own a boat.", user_id="ana", metadata=metadata)


def test_an_object_in_a_foreign_field_of_a_message_does_no_harm() -> None:
    with Memory.open(":memory:") as memory:
        result = memory.add([{"role": "user", "content": "I own a boat.", "foo": object()}], user_id="ana")
    assert result.outcome == "applied"
