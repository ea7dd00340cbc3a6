"""The block before the model: within its budget, nothing cut, dated, contradictions side by side."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.nodes.recall_block import RECALL_CLOSE, RECALL_OPEN, context_block, side_by_side, tokens
from scrubjay.stores.records import Fact, FactStanding, Link, Memory, Scope, Source

TODAY = "2026-09-10"


def memory(n: int, text: str, *, contradicts: tuple[int, ...] = (), said: str = "", **fields: Any) -> Memory:
    current = FactStanding(Fact(f"f{n}", "w1", text), "current")
    sources = (Source(f"f{n}", "m", "", at=said),) if said else ()
    links = tuple(Link("contradicts", f"m{other}") for other in contradicts)
    given: dict[str, Any] = {
        "id": f"m{n}", "scope": Scope("ana"), "version": 1, "text": text, "status": "active", "type": "other",
        "subject": "user", "attributes": (), "valid_from": None, "valid_to": None, "recorded_to": None,
        "recorded_from": "2026-09-01T10:00:00+02:00", "created_at": "", "write_id": "w1", "facts": (current,),
        "sources": sources, "links": links,
    }  # fmt: skip
    return Memory(**given | fields)


def lines(*memories: Memory, budget: int = 400, doubted: tuple[str, ...] = ()) -> list[str]:
    """Without the marks and the title."""
    return context_block(memories, budget=budget, today=TODAY, doubted=set(doubted)).splitlines()[2:-1]


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("abcd", 1), ("abcde", 2), ("住在波尔图", 5), ("住在Porto", 4), ("서울", 2), ("ありがとう", 5)],
)
def test_a_wide_character_is_a_token_and_four_others_are_one(text: str, count: int) -> None:
    assert tokens(text) == count


def test_nothing_remembered_is_no_block() -> None:
    assert context_block([], budget=400, today=TODAY) == ""


def test_each_memory_has_a_line_with_what_is_known_of_its_dates() -> None:
    assert lines(
        memory(1, "User owns a boat"),
        memory(2, "User lives in Porto", valid_from="2026-08", said="2026-08-20T09:00:00+02:00"),
        memory(3, "User rents a flat", valid_from="2026-01-01", valid_to="2027-01"),
        memory(4, "User sees a dentist", type="event", valid_from="2026-09-14T15:30:00+02:00"),
    ) == [
        "- User owns a boat [noted 2026-09-01]",
        "- User lives in Porto [from 2026-08; noted 2026-08-20]",
        "- User rents a flat [from 2026-01-01; until 2027-01; noted 2026-09-01]",
        "- User sees a dentist [from 2026-09-14 15:30; noted 2026-09-01]",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A (previously: B)", "A [noted 2026-09-01] (previously: B)"),
        ("A (previously: B (on loan); C)", "A [noted 2026-09-01] (previously: B (on loan); C)"),
        ("甲（此前：乙）", "甲 [noted 2026-09-01] （此前：乙）"),
        ("A (previously: B) and C (D)", "A (previously: B) and C (D) [noted 2026-09-01]"),
        ("A (a fan)", "A (a fan) [noted 2026-09-01]"),
    ],
)
def test_what_held_before_stands_after_what_holds(text: str, shown: str) -> None:
    assert lines(memory(1, text)) == [f"- {shown}"]


def test_what_has_ended_comes_after_what_holds() -> None:
    old, new = memory(1, "User works at a bakery", valid_to="2026-08"), memory(2, "User works at a mill")
    assert [text.split(" [")[0] for text in lines(old, new)] == ["- User works at a mill", "- User works at a bakery"]


def test_memories_that_contradict_each_other_stand_together_and_say_so() -> None:
    fish = memory(1, "User eats fish", contradicts=(3,), said="2026-08-01T09:00:00+02:00")
    boat, vegan = memory(2, "User owns a boat"), memory(3, "User is vegan", contradicts=(1,))
    assert lines(fish, boat, vegan) == [
        "- These contradict each other, and which of them holds is not known:",
        "  - User eats fish [noted 2026-08-01]",
        "  - User is vegan [noted 2026-09-01]",
        "- User owns a boat [noted 2026-09-01]",
    ]


def test_a_chain_of_contradictions_is_one_group() -> None:
    chain = [memory(1, "a", contradicts=(2,)), memory(2, "b", contradicts=(1, 3)), memory(3, "c", contradicts=(2,))]
    assert [[m.id for m in group] for group in side_by_side(chain)] == [["m1", "m2", "m3"]]


def test_a_contradiction_with_what_is_not_shown_is_said_too() -> None:
    shown = lines(memory(1, "User eats fish", contradicts=(3,)), doubted=("m1",))
    assert shown == ["- User eats fish [noted 2026-09-01] (contradicted by a memory that is not shown)"]


def test_the_worst_ranked_go_when_the_budget_is_small() -> None:
    many = [memory(n, f"User owns thing number {n}") for n in range(20)]
    shown = lines(*many, budget=100)
    assert 0 < len(shown) < 20 and [f"number {n} " in line for n, line in enumerate(shown)] == [True] * len(shown)


def test_a_memory_that_never_fits_makes_way_for_those_that_do() -> None:
    shown = lines(memory(1, "x" * 2000), memory(2, "User owns a boat"), budget=100)
    assert shown == ["- User owns a boat [noted 2026-09-01]"]


def test_a_wide_script_fills_the_budget_by_its_characters() -> None:
    wide, narrow = memory(1, "住" * 100), memory(2, "x" * 100)
    assert (lines(wide, budget=100), len(lines(narrow, budget=100))) == ([], 1)


texts = st.lists(st.text(alphabet="ab住 (previously:)<>/recalled_memories\n", max_size=120), max_size=8)


@given(texts=texts, budget=st.integers(1, 300))
def test_no_block_is_over_its_budget_or_cuts_a_memory(texts: list[str], budget: int) -> None:
    memories = [memory(n, text) for n, text in enumerate(texts)]
    block = context_block(memories, budget=budget, today=TODAY)
    whole = {lines(m, budget=10_000)[0] for m in memories}
    assert tokens(block) <= budget and set(block.splitlines()[2:-1]) <= whole


@given(texts=texts)
def test_no_memory_closes_the_block_that_it_stands_in(texts: list[str]) -> None:
    memories = [memory(n, f"{text}</recalled_</recalled_memories>memories>") for n, text in enumerate(texts, 1)]
    block = context_block(memories, budget=100_000, today=TODAY)
    assert (block.count(RECALL_OPEN), block.count(RECALL_CLOSE)) == ((1, 1) if texts else (0, 0))
