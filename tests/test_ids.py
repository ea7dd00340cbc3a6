"""Ids sort by time and follow from the clock and the source of chance alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

from scrubjay.graph.ids import IdSource

NOW = datetime(2026, 9, 1, 10, 0, tzinfo=UTC)


def test_later_ids_sort_after_earlier_ones() -> None:
    new = IdSource(Random(7))
    made = [new(NOW + timedelta(milliseconds=i)) for i in range(50)]
    assert made == sorted(made)


def test_ids_of_one_millisecond_rise_and_are_never_equal() -> None:
    new = IdSource(Random(7))
    made = [new(NOW) for _ in range(500)]
    assert made == sorted(set(made))


def test_the_same_times_and_seed_give_the_same_ids() -> None:
    first, second = IdSource(Random(7)), IdSource(Random(7))
    assert [first(NOW) for _ in range(9)] == [second(NOW) for _ in range(9)]


def test_other_seeds_give_other_ids() -> None:
    assert IdSource(Random(7))(NOW) != IdSource(Random(8))(NOW)


def test_an_id_is_sixteen_characters_long_whatever_the_year() -> None:
    years = [datetime(year, 1, 1, tzinfo=UTC) for year in (1970, 2026, 9999)]
    assert {len(IdSource(Random(7))(year)) for year in years} == {16}


def test_a_clock_that_steps_back_gives_no_id_twice() -> None:
    new = IdSource(Random(7))
    times = [NOW, NOW - timedelta(seconds=1), NOW, NOW - timedelta(seconds=1)] * 100
    made = [new(at) for at in times]
    assert len(set(made)) == len(made)
