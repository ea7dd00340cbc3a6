"""What a write left in the store is read from the versions that it made, whatever came later."""

from __future__ import annotations

from scrubjay.stores.records import Json, Memory
from scrubjay.studio.gains import gains_of
from tests.cli_records import memory


class Versions:
    """Histories by id."""

    def __init__(self, *versions: Memory) -> None:
        self.versions = versions

    def history(self, memory_id: str) -> list[Memory]:
        return [v for v in self.versions if v.id == memory_id]


def change(memory_id: str, action: str = "add", *retired: str) -> Json:
    return {"memory_id": memory_id, "action": action, "retired": list(retired)}


HOME = memory("m_home", write_id="w_a", text="lives in Porto")
MOVED = memory("m_moved", text="moved to Bergen")


def test_a_first_version_is_added() -> None:
    (gain,) = gains_of(Versions(MOVED), "w_b", [change("m_moved")])
    assert (gain.kind, gain.before) == ("added", None)


def test_a_later_version_is_changed_from_the_one_before() -> None:
    newer = memory("m_home", version=2, text="lives in Porto, by the sea")
    (gain,) = gains_of(Versions(HOME, newer), "w_b", [change("m_home", "merge")])
    assert (gain.kind, gain.before, gain.memory.text) == ("changed", "lives in Porto", "lives in Porto, by the sea")


def test_what_took_anothers_place_knows_the_old_text() -> None:
    ended = memory("m_home", version=2, status="superseded", text="lives in Porto")
    added, retired = gains_of(Versions(HOME, ended, MOVED), "w_b", [change("m_moved", "replace", "m_home")])
    assert (added.replaced, retired.kind) == (("lives in Porto",), "retired")


def test_what_ended_only_in_part_is_changed() -> None:
    left = memory("m_home", version=2, text="has a parrot")
    _, other = gains_of(Versions(HOME, left, MOVED), "w_b", [change("m_moved", "replace", "m_home")])
    assert (other.kind, other.memory.text) == ("changed", "has a parrot")


def test_news_of_the_past_is_history_from_the_start() -> None:
    old = memory("m_old", status="superseded", text="lived in Lyon")
    (gain,) = gains_of(Versions(old), "w_b", [change("m_old")])
    assert gain.kind == "past"


def test_versions_of_later_writes_are_not_this_ones() -> None:
    later = memory("m_moved", version=2, write_id="w_c", text="moved to Bergen with Ines")
    (gain,) = gains_of(Versions(MOVED, later), "w_b", [change("m_moved")])
    assert (gain.kind, gain.memory.version) == ("added", 1)
