"""Several hands undo the same write: it is undone once, whoever asks, and everybody learns by which write."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

from scrubjay import Memory
from scrubjay.graph.undoing.plan import Asked, planned
from scrubjay.graph.undoing.record import Stamp, commit_of
from scrubjay.stores.errors import AlreadyUndone
from scrubjay.stores.records import Committed, Scope
from scrubjay.stores.sqlite import SqliteStore
from tests.fakes import ANA, Teller, fact, one, teller

ROOT = Path(__file__).parent.parent
LISBON, PORTO = "User lives in Lisbon", "User lives in Porto"


def moved(path: str | Path) -> Teller:
    t = teller(path, alike=[(0.6, (LISBON, PORTO))])
    t.say(fact(LISBON, attributes=["home city"]))
    t.say(fact(PORTO, attributes=["home city"]), judge=one("supersedes", "1", text=PORTO))
    return t


def undos(store: SqliteStore) -> list[str]:
    return [row.id for row in store.reversals(Scope(ANA))]


def test_threads_undo_a_write_once() -> None:
    t = moved(":memory:")
    start = Barrier(4)

    def undo(_: int) -> str:
        start.wait(timeout=60)
        try:
            return t.memory.undo(t.results[1].write_id).write_id
        except AlreadyUndone as error:
            return error.undone_by

    with ThreadPoolExecutor(4) as pool:
        told = set(pool.map(undo, range(4)))
    assert undos(t.memory.store) == list(told) and t.texts() == [LISBON]


def test_two_plans_made_at_the_same_time_are_committed_once(tmp_path: Path) -> None:
    t = moved(tmp_path / "m.db")
    asked = Asked("undo", t.results[1].write_id)
    with closing(SqliteStore.open(tmp_path / "m.db")) as other:
        plans = [store.picture(lambda view: planned(view, asked)) for store in (t.memory.store, other)]
        first = t.memory.store.commit(commit_of(plans[0], Stamp("w_one", "2026-09-02T10:00:00+02:00")))
        second = other.commit(commit_of(plans[1], Stamp("w_two", "2026-09-02T10:00:01+02:00")))
    assert isinstance(first, Committed) and isinstance(second, Committed)
    assert (first.first, second.first, second.write.id) == (True, False, "w_one")
    t.memory.redo("w_one")
    again = t.memory.store.picture(lambda view: planned(view, asked))
    assert commit_of(again, Stamp("w_three", "")).write.key != first.write.key


def test_processes_undo_a_write_once(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    t = moved(path)
    write_id = t.results[1].write_id
    t.memory.close()
    command = [sys.executable, "-m", "tests.undo_worker", str(path), write_id]
    workers = [
        subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    for worker in workers:
        assert worker.stdout and worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin
        worker.stdin.write("go\n")
        worker.stdin.flush()
    told = {worker.communicate(timeout=120)[0].strip() for worker in workers}
    with closing(SqliteStore.open(path)) as store:
        assert undos(store) == list(told)
        assert [m.text for m in store.active(Scope(ANA))] == [LISBON]


def test_an_undo_needs_neither_model_nor_embedder(tmp_path: Path) -> None:
    """Vectors belong to texts: what comes back has its own already."""
    t = moved(tmp_path / "m.db")
    asked = len(t.cast.seen)
    t.embedder.down = True
    with Memory.open(tmp_path / "m.db", model=t.cast, embedder=t.embedder, checkpoints=False) as other:
        other.undo(t.results[1].write_id)
    assert not t.only().pending_embedding and len(t.cast.seen) == asked
