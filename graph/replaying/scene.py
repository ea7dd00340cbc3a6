"""One scope's writes, run again one after the other against the store as each of them met it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scrubjay.graph.deciders.replies import Replies
from scrubjay.graph.replaying.made import Made, look, planned, touched
from scrubjay.graph.replaying.player import Player, Playing
from scrubjay.graph.replaying.stage import Embedded, KeptVectors, Stage, Timeline
from scrubjay.graph.strategies import STRATEGIES
from scrubjay.nodes.settings import Strategy
from scrubjay.nodes.vectors import TextVectors
from scrubjay.stores.protocol import Reader
from scrubjay.stores.records import Commit, Committed, Memory, Scope, WriteRow
from scrubjay.stores.sqlite import SqliteStore

EMBEDDER = "embedder"
"""code of what the gate was told of the embedder"""


class Scene(Player):
    """Takes writes in the order of their moments. Close it, or use `with`, to free its two copies."""

    committed: Commit
    """of the run that was played last"""
    after: dict[str, Memory]
    """memories that it or the recorded write touched, as they stood right after it"""

    def __init__(
        self,
        store: SqliteStore,
        scope: Scope,
        *,
        strategies: Mapping[str, Strategy] = STRATEGIES,
        live: TextVectors | None = None,
    ) -> None:
        super().__init__(strategies)
        self.store, self.scope = store, scope
        self.stage = self._staged()
        self.then = SqliteStore.open(":memory:")
        self._vectors = KeptVectors(self.then, live)

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.stage.close()
        self.then.close()

    @property
    def copy(self) -> Stage:
        return self.stage

    @property
    def vectors(self) -> KeptVectors:
        return self._vectors

    def recall(self) -> float:
        """As recorded: that is what the preset had then, unless something else is asked for now."""
        kept = float(self.playing.row.settings["recall"])
        asked = self.playing.overrides or any(stop.settles for stop in self.playing.stops)
        return float(self.store.meta()["thresholds"].get("recall", kept)) if asked else kept

    def rewind(self) -> None:
        """Another stage, for a write that is to be tried once more; the graph is set up again."""
        self.stage.close()
        self.stage = self._staged()
        self.forget_graph()

    def _staged(self) -> Stage:
        stage = Stage.open(":memory:")
        stage.source, stage.scope = self.store, self.scope
        return stage

    def reaches(self, row: WriteRow) -> bool:
        """Copies move forward only: a write that began before the last one ended needs another scene."""
        return self.stage.moment() <= Timeline.of(row).first and self.then.moment() <= row.moment

    def recorded(self, row: WriteRow) -> Made:
        """What the write left, as of its end."""
        self.store.bring(self.then, self.scope, row.moment)
        return look(self.then, row.id, touched(self.then, row.id))

    def play(self, playing: Playing) -> Made | None:
        """What the write makes now; None where it made nothing, since its commit was refused or it stopped to ask."""
        self._set(playing.row)
        self.run(playing)
        return self.stage.made

    def rehearse(self, row: WriteRow, derive: Callable[[Reader, WriteRow], Commit]) -> Made | None:
        """The same for a write that no messages went through."""
        self._set(row)
        self.playing = Playing(row, Replies([]))
        self.stage.come(row.moment - 1)
        self.stage.commit(derive(self.stage, row))
        return self.stage.made

    def _set(self, row: WriteRow) -> None:
        timeline = Timeline.of(row)
        problems = [p["text"] for p in row.result.get("problems", []) if p["code"] == EMBEDDER]
        self.stage.timeline, self.stage.made = timeline, None
        self._vectors.embedded = Embedded(timeline, problems)
        known = touched(self.then, row.id)

        def seen(view: Reader, commit: Commit, done: Committed) -> Made:
            self.committed, self.after = commit, view.stood(sorted(known | planned(commit)))
            return look(view, done.write.id, known | planned(commit))

        self.stage.look = seen
