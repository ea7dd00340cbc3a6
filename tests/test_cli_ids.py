"""Ids may be shortened to any part of at least four characters that only one of them has."""

from __future__ import annotations

import pytest

from scrubjay.stores.errors import InvalidInput, UnknownName
from scrubjay.stores.records import Memory, WriteRow
from scrubjay.studio.short_ids import PAGE, full_id
from tests.cli_records import memory, write


class Records:
    """Writes, and the memories that they name."""

    def __init__(self, *rows: WriteRow) -> None:
        self.rows = rows
        self.ids = {c["memory_id"] for row in rows for c in row.result["changes"]}

    def get(self, memory_id: str, *, version: int | None = None) -> Memory | None:
        return memory(memory_id) if memory_id in self.ids else None

    def write(self, write_id: str) -> WriteRow | None:
        return next((row for row in self.rows if row.id == write_id), None)

    def writes(self, *, limit: int = 100, offset: int = 0) -> list[WriteRow]:
        return list(self.rows[offset : offset + limit])


STORE = Records(
    write("w_01abcd", ("m_01abcd_1", ())),
    write("w_01abef", ("m_01abef_1", ("m_01abcd_1",)), ("m_01abef_2", ())),
)


def test_a_whole_id_names_itself() -> None:
    assert full_id(STORE, "m_01abcd_1") == ("memory", "m_01abcd_1")


def test_a_part_that_one_memory_has_names_it() -> None:
    assert full_id(STORE, "ef_2") == ("memory", "m_01abef_2")


def test_a_part_of_several_is_an_error_that_lists_them() -> None:
    with pytest.raises(InvalidInput, match="part of several ids: m_01abef_1, m_01abef_2; .* best its end"):
        full_id(STORE, "01abef_")


def test_fewer_than_four_characters_name_nothing() -> None:
    with pytest.raises(UnknownName, match="no memory 'f_2'.* best its end"):
        full_id(STORE, "f_2")


def test_a_write_is_not_taken_for_a_memory() -> None:
    with pytest.raises(UnknownName):
        full_id(STORE, "w_01abcd")


def test_a_memory_is_meant_before_the_write_that_made_it() -> None:
    assert full_id(STORE, "01abcd", ("memory", "write")) == ("memory", "m_01abcd_1")


def test_the_end_of_a_write_of_several_memories_names_the_write() -> None:
    assert full_id(STORE, "01abef", ("memory", "write")) == ("write", "w_01abef")


def test_old_ids_are_found_in_a_store_of_many_writes() -> None:
    rows = [write(f"w_{i:05}", (f"m_{i:05}_1", ())) for i in range(2 * PAGE + 3)]
    assert full_id(Records(*rows), "1002_1") == ("memory", "m_01002_1")
