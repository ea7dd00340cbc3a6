"""Memory.as_of and `scrubjay as-of`: what was remembered then, and what held on a date."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from scrubjay import Memory
from scrubjay.stores.errors import InvalidInput, InvalidScope, UnknownName
from scrubjay.studio.cli import app

SAID = (
    "I live in Porto.",
    "I love rye bread.",
    "I live in Porto.",
    "I moved to Bergen.",
    "Please forget that I love rye bread.",
)
START = datetime(2026, 1, 1, 9, 0, 0, 250_000, tzinfo=UTC)


class Days:
    """A clock that is a day on whenever it is told."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def told(tmp_path: Path) -> Iterator[tuple[Memory, list[str]]]:
    """A sentence a day, and somebody else's."""
    clock = Days()
    with Memory.open(tmp_path / "memory.db", clock=clock, checkpoints=False) as memory:
        memory.add("I live in Ghent.", user_id="ben")
        writes = []
        for sentence in SAID:
            writes.append(memory.add(sentence, user_id="ana").write_id)
            clock.now += timedelta(days=1)
        yield memory, writes


Told = tuple[Memory, list[str]]


def test_a_list_as_of_a_write_is_the_list_that_stood_after_it(told: Told) -> None:
    memory, writes = told
    assert [[m.text for m in memory.as_of(w).list()] for w in writes] == [
        ["User lives in Porto"],
        ["User lives in Porto", "User loves rye bread"],
        ["User lives in Porto", "User loves rye bread"],
        ["User loves rye bread", "User moved to Bergen (previously: User lives in Porto)"],
        ["User moved to Bergen (previously: User lives in Porto)"],
    ]


def test_the_present_is_as_of_the_last_write(told: Told) -> None:
    memory, writes = told
    assert memory.as_of(writes[-1]).list() == memory.list(user_id="ana")


def test_a_memory_of_then_has_the_sources_of_then(told: Told) -> None:
    memory, writes = told
    counts = [len(memory.as_of(w).list()[0].sources) for w in writes[:3]]
    assert counts == [1, 1, 2]


def test_a_time_between_two_writes_shows_the_first(told: Told) -> None:
    memory, _ = told
    past = memory.as_of(START + timedelta(days=1, hours=1), user_id="ana")
    assert [m.text for m in past.list()] == ["User lives in Porto", "User loves rye bread"]


def test_milliseconds_count(told: Told) -> None:
    memory, _ = told
    moments = [memory.as_of(at, user_id="ana").moment for at in ("2026-01-01T10:00:00.249+01:00", START)]
    assert moments == [0, 2]


def test_a_search_finds_what_it_would_have_found(told: Told) -> None:
    memory, writes = told
    with memory.as_of(writes[1]) as past:
        assert [h.memory.text for h in past.search("where does she live", limit=1)] == ["User lives in Porto"]
        assert [h.memory.text for h in past.search("rye bread", limit=1)] == ["User loves rye bread"]


def test_what_was_not_there_yet_is_unknown(told: Told) -> None:
    memory, writes = told
    moved = memory.list(user_id="ana")[0].id
    with memory.as_of(writes[2]) as past, pytest.raises(UnknownName):
        past.get(moved)


def test_looking_back_changes_nothing(told: Told) -> None:
    memory, writes = told
    memory.search("home", user_id="ana")
    before = memory.store.dump()
    with memory.as_of(writes[2]) as past:
        past.search("rye bread")
        past.history(past.list()[0].id)
        past.held("2026-01-02")
    assert memory.store.dump() == before


def test_what_held_on_a_date_may_have_ended_since(told: Told) -> None:
    memory, writes = told
    with memory.as_of(writes[-1]) as now:
        held = {day: [h.fact.text for h in now.held(day)] for day in ("2025-12-31", "2026-01-02", "2026-01-06")}
    assert held == {
        "2025-12-31": [], "2026-01-02": ["User lives in Porto"], "2026-01-06": ["User moved to Bergen"],
    }  # fmt: skip


def test_what_held_is_told_as_far_as_was_known_then(told: Told) -> None:
    memory, writes = told
    with memory.as_of(writes[1]) as then:
        assert [h.fact.text for h in then.held("2026-02")] == ["User lives in Porto", "User loves rye bread"]


@pytest.mark.parametrize(
    ("when", "user", "error"),
    [
        ("2026-01-01T09:00", "ana", InvalidInput), ("2026-01-01T09:00Z", None, InvalidScope),
        ("w_nothing", None, UnknownName), ("yesterday", "ana", UnknownName),
    ],
)  # fmt: skip
def test_a_when_that_says_nothing_is_refused(told: Told, when: str, user: str | None, error: type[Exception]) -> None:
    with pytest.raises(error):
        told[0].as_of(when, user_id=user)


def test_the_last_moment_of_all_is_after_every_write(told: Told) -> None:
    times = ("0001-01-01T00:00+14:00", "9999-12-31T23:59:59-12:00")
    assert [len(told[0].as_of(at, user_id="ana").list()) for at in times] == [0, 1]


def test_an_endless_name_is_not_repeated_whole(told: Told) -> None:
    with pytest.raises(UnknownName, match="neither|either") as refused:
        told[0].as_of("x" * 10_000, user_id="ana")
    assert len(str(refused.value)) < 300


def test_somebody_elses_write_is_unknown(told: Told) -> None:
    with pytest.raises(UnknownName):
        told[0].as_of(told[1][0], user_id="ben")


def test_a_date_that_is_none_is_refused(told: Told) -> None:
    with told[0].as_of(told[1][0]) as past:
        for date in ("last week", "", "2026-02-30", None):
            with pytest.raises(InvalidInput):
                past.held(date)  # type: ignore[arg-type]


# -- the command
def run(memory: Memory, *args: str) -> Result:
    env = {"SCRUBJAY_STORE": str(memory.store.path), "SCRUBJAY_USER": "ana", "COLUMNS": "200"}
    return CliRunner().invoke(app, ["as-of", *args], env=env)


def document(memory: Memory, *args: str) -> Any:
    return json.loads(run(memory, *args, "--json").stdout)


def test_the_command_takes_the_end_of_a_writes_id(told: Told) -> None:
    memory, writes = told
    assert [m["text"] for m in document(memory, writes[0][-6:])["memories"]] == ["User lives in Porto"]


def test_the_command_searches_the_past(told: Told) -> None:
    memory, writes = told
    assert document(memory, writes[2], "--query", "home city", "--limit", "1")["hits"][0]["memory"]["text"] == (
        "User lives in Porto"
    )


def test_the_command_shows_what_held(told: Told) -> None:
    memory, writes = told
    assert "2026-01-01" in run(memory, writes[-1], "--valid-at", "2026-01-02").output


def test_the_command_says_when_there_was_nothing(told: Told) -> None:
    assert run(told[0], "2025-01-01T00:00Z").output == "nothing of user ana then\n"


@pytest.mark.parametrize(
    ("args", "code"), [(["2026-01-01"], 1), (["w_nothing"], 1), (["w_x", "--query", "a", "--valid-at", "2026"], 2)]
)
def test_the_command_refuses_what_it_cannot_read(told: Told, args: list[str], code: int) -> None:
    assert run(told[0], *args).exit_code == code
