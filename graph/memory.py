"""Memory: what an application holds in its hand. Light to import: graph and models come with the first write."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

from scrubjay.graph.ids import IdSource
from scrubjay.graph.intake import as_messages, plain_metadata
from scrubjay.graph.results import WriteResult, result_of
from scrubjay.graph.turnstile import Turnstile
from scrubjay.graph.undoing.plan import Asked
from scrubjay.graph.undoing.record import Stamp
from scrubjay.graph.undoing.run import carry_out
from scrubjay.stores.errors import InvalidInput, UnknownName
from scrubjay.stores.names import check_name
from scrubjay.stores.records import Decision, Filters, Json, Proposal, Scope, WriteRow
from scrubjay.stores.records import Memory as Record
from scrubjay.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from scrubjay.graph.as_of import AsOf
    from scrubjay.graph.binding import StoreEmbedder
    from scrubjay.graph.engine import Compiled, CompiledRecall, Engine, Ran
    from scrubjay.graph.replaying.anew import WhatIfAll
    from scrubjay.graph.replaying.replay import Replay
    from scrubjay.graph.replaying.what_if import Change, WhatIf
    from scrubjay.nodes.recalling import SearchHit
    from scrubjay.nodes.vectors import TextVectors
    from scrubjay.stores.protocol import Store


def now() -> datetime:
    """The clock of this machine, with its zone."""
    return datetime.now().astimezone()


class Memory:
    """A store, a model, an embedder and a strategy. Safe for threads and event loops; close it, or use `with`."""

    def __init__(
        self,
        store: SqliteStore,
        *,
        model: Any,
        base_url: str | None,
        embedder: Any,
        bound: Json,
        clock: Callable[[], datetime],
        new_id: Callable[[datetime], str],
        checkpoints: bool,
    ) -> None:
        self.store = store
        self._model, self._base_url, self._embedder, self._bound = model, base_url, embedder, bound
        self._clock, self._new_id, self._checkpoints = clock, new_id, checkpoints
        self._turnstile = Turnstile()

    @classmethod
    def open(
        cls,
        path: str | PathLike[str] = "memory.db",
        *,
        model: Any = None,
        embedder: Any = None,
        strategy: str = "joint",
        detector: str | None = None,
        resolver: str | None = None,
        threshold: float | None = None,
        top_k: int | None = None,
        approve: Sequence[str] = (),
        base_url: str | None = None,
        clock: Callable[[], datetime] = now,
        new_id: Callable[[datetime], str] | None = None,
        checkpoints: bool = True,
    ) -> Memory:
        """Open or make the store at `path` (":memory:" for none on disk).

        model: None or "rules" (no key), "openai:MODEL", a LangChain chat model, or a decider; strategy: see
        `scrubjay strategies`; detector, resolver, threshold and top_k override the strategy's; approve: "merge",
        "replace" and "delete" wait for `review` before they touch a stored memory. Raises UnknownName, InvalidInput,
        StoreUnreadable, StoreTooNew; nothing is changed then. The model is first looked at when used.
        """
        from scrubjay.graph.strategies import STRATEGIES  # noqa: PLC0415  pydantic, not needed to import the class
        from scrubjay.nodes.settings import bound_settings  # noqa: PLC0415

        given = {
            "strategy": strategy,
            "detector": detector,
            "resolver": resolver,
            "threshold": threshold,
            "top_k": top_k,
            "approve": approve,
        }
        bound = bound_settings(given, STRATEGIES)
        store = SqliteStore.open(path)
        return cls(store, model=model, base_url=base_url, embedder=embedder, bound=bound, clock=clock,
                   new_id=new_id or IdSource(), checkpoints=checkpoints)  # fmt: skip

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes both files."""
        if "engine" in self.__dict__:
            self.engine.close()
        self.store.close()

    # -- writing
    def add(
        self,
        messages: str | Sequence[Any],
        *,
        user_id: str,
        agent_id: str = "",
        conversation_id: str = "default",
        run_id: str | None = None,
        at: datetime | str | None = None,
        key: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> WriteResult:
        """One write: what the user says in `messages` goes through the graph, and all of it is on record.

        Raises InvalidScope, InvalidInput, ModelError (set-up only), StoreBusy, StoreError, CheckpointError, and
        GraphError where it would wait for ever for another write of this user (in an event loop: await `aadd`). A model
        that fails later gives outcome "failed" with the input kept, never an exception.
        """
        asked = self._asked(user_id, agent_id, conversation_id, run_id, at, key, metadata)
        with self._turnstile.pass_(Scope(user_id, agent_id)):
            ran = self.engine.write(as_messages(messages), asked)
        return self._result(ran, asked)

    async def aadd(
        self,
        messages: str | Sequence[Any],
        *,
        user_id: str,
        agent_id: str = "",
        conversation_id: str = "default",
        run_id: str | None = None,
        at: datetime | str | None = None,
        key: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> WriteResult:
        """`add` for an event loop; other users' writes go on while the model is awaited."""
        asked = self._asked(user_id, agent_id, conversation_id, run_id, at, key, metadata)
        async with self._turnstile.apass(Scope(user_id, agent_id)):
            ran = await self.engine.awrite(as_messages(messages), asked)
        return self._result(ran, asked)

    def _asked(self, user_id: str, agent_id: str, conversation_id: str, run_id: str | None,
               at: datetime | str | None, key: str | None, metadata: Mapping[str, Any] | None) -> Json:  # fmt: skip
        check_name("user_id", user_id)
        check_name("agent_id", agent_id)
        self.store.check_writable()
        asked = {
            "user_id": user_id, "agent_id": agent_id, "conversation_id": conversation_id, "run_id": run_id,
            "at": at.isoformat() if isinstance(at, datetime) else at, "key": key,
            "metadata": plain_metadata(metadata or {}), "write_id": f"w_{self._new_id(self._clock())}",
        }  # fmt: skip
        return {k: v for k, v in asked.items() if v is not None}

    def _result(self, ran: Ran, asked: Json) -> WriteResult:
        row = self.store.write(ran.write_id)
        assert row is not None  # the graph has just committed it
        result = result_of(self.store, row, first=row.id == asked["write_id"])
        return replace(result, problems=(*result.problems, *ran.problems))

    # -- undoing
    def undo(self, write_id: str, *, together: bool = False) -> WriteResult:
        """Take back all that a write made of memories, in a recorded write of its own; nothing is erased.

        together: undo later writes that touched the same memories as well, in the same write. Raises UnknownName, and
        with nothing changed AlreadyUndone, NothingToUndo, LaterWrites (who and what, without `together`), InvalidInput
        for an undo (redo takes that back), StoreBusy.
        """
        return self._reverse(Asked("undo", write_id, together))

    def redo(self, write_id: str) -> WriteResult:
        """Bring back what an undo took: by the write that is undone, or by the undo.

        Writes that were undone together come back together. Raises UnknownName, NotUndone, LaterWrites, StoreBusy.
        """
        return self._reverse(Asked("redo", write_id))

    def _reverse(self, asked: Asked) -> WriteResult:
        self.store.check_writable()
        with self._turnstile.pass_(self.write(asked.write_id).scope):
            now = self._clock()
            stamp = Stamp(f"w_{self._new_id(now)}", now.isoformat(timespec="milliseconds"))
            done = carry_out(self.store, asked, stamp)
        return result_of(self.store, done.write, first=done.first)

    # -- approving
    def pending(self, *, user_id: str, agent_id: str = "") -> Sequence[Proposal]:
        """Changes that wait for approval, oldest first."""
        return self.store.proposals(_scope(user_id, agent_id))

    def review(
        self, proposal_id: str, verdict: str, text: str | None = None, *, user_id: str | None = None
    ) -> WriteResult:
        """Approve, edit (with the text to be used) or reject what waits: a write of its own, in one transaction.

        user_id: only if it is this user's. Raises InvalidInput, UnknownName, ProposalSettled, ProposalOutdated where a
        later write has moved what it would change, EmbedderError where the text gets no vector, StoreBusy; nothing is
        changed then and the proposal stays open.
        """
        from scrubjay.graph.reviewing import Reviewer  # noqa: PLC0415  LangGraph's channels, for who reviews

        self.store.check_writable()
        reviewer = Reviewer(self.store, lambda: self.vectors, self._clock, self._new_id)
        return result_of(self.store, reviewer.review(proposal_id, verdict, text, user_id))

    # -- reading
    def search(
        self,
        query: str,
        *,
        user_id: str,
        agent_id: str = "",
        limit: int = 5,
        filters: Filters | None = None,
    ) -> Sequence[SearchHit]:
        """The best active memories by meaning and by words, best first; raises InvalidScope, InvalidFilter."""
        from scrubjay.nodes.recalling import hybrid_search  # noqa: PLC0415  numpy and the embedder, for who searches

        scope = _scope(user_id, agent_id)
        if not isinstance(query, str) or type(limit) is not int or limit < 1:
            raise InvalidInput(f"query {query!r} with limit {limit!r}: give text and a whole number from 1 on")
        return hybrid_search(self.store, self.vectors, scope, query, limit=limit, filters=filters or Filters())

    def list(self, *, user_id: str, agent_id: str = "", limit: int | None = None, offset: int = 0) -> Sequence[Record]:
        """Active memories, oldest first."""
        return self.store.active(_scope(user_id, agent_id), limit=limit, offset=offset)

    def get(self, memory_id: str) -> Record:
        """The newest version, whatever its status; raises UnknownName."""
        found = self.store.get(memory_id)
        if found is None:
            raise UnknownName("memory", memory_id, "`scrubjay list` shows the ids of active ones")
        return found

    def history(self, memory_id: str) -> Sequence[Record]:
        """Every version, oldest first; raises UnknownName."""
        self.get(memory_id)
        return self.store.history(memory_id)

    def decisions(self, *, write_id: str | None = None, memory_id: str | None = None) -> Sequence[Decision]:
        """Of one write, or all that ever considered a memory, oldest first; raises InvalidInput, UnknownName."""
        if (write_id is None) == (memory_id is None):
            raise InvalidInput("give either write_id or memory_id")
        if memory_id is not None:
            self.get(memory_id)
        elif write_id is not None:
            self.write(write_id)
        return self.store.decisions(write_id=write_id, memory_id=memory_id)

    def as_of(self, when: datetime | str, *, user_id: str | None = None, agent_id: str = "") -> AsOf:
        """The memory as it was, after a write (its id) or at a time (aware datetime or ISO text with zone).

        A time needs the user_id; a write has its own, and one that is not this user's is unknown. Raises InvalidScope,
        InvalidInput, UnknownName.
        """
        from scrubjay.graph.as_of import AsOf, zoned  # noqa: PLC0415  for who looks back

        time = zoned(when)
        if time is None:
            row = self._row(str(when), "it is no time with a zone either, such as 2026-05-12T10:00+02:00")
            if user_id is not None and row.scope != _scope(user_id, agent_id):
                raise UnknownName("write", row.id, f"user {user_id} has none of that id")
            scope, moment = row.scope, row.moment
        else:
            scope = Scope(check_name("user_id", user_id), check_name("agent_id", agent_id))
            moment = self.store.moment_at(scope, time)
        return AsOf(self.store, scope, moment, self._vectors_of)

    def _vectors_of(self, store: Store) -> TextVectors:
        from scrubjay.nodes.vectors import TextVectors  # noqa: PLC0415  numpy

        return TextVectors(store, self._embedding)

    # -- running writes again
    def replay(self, write_id: str) -> Replay:
        """Run a write again from its record, against the store as it was: no model, no embedder, no change.

        The result says that the same came out, or what differs and at which stage. Raises UnknownName, NotReplayable.
        """
        from scrubjay.graph.replaying.replay import replay  # noqa: PLC0415  LangGraph takes 2 s to import

        return replay(self.store, write_id)

    def replay_all(self, *, user_id: str, agent_id: str = "") -> Iterator[Replay]:
        """Every write of a scope, oldest first; raises InvalidScope, and UnknownName for who has none."""
        from scrubjay.graph.replaying.replay import replay_all  # noqa: PLC0415  LangGraph takes 2 s to import

        return replay_all(self.store, _scope(user_id, agent_id))

    def what_if(
        self,
        write_id: str,
        *,
        from_node: str | None = None,
        strategy: str | None = None,
        detector: str | None = None,
        resolver: str | None = None,
        threshold: float | None = None,
        top_k: int | None = None,
        model: Any = None,
        apply: bool = False,
    ) -> WhatIf:
        """The write as it would have been: run again against the store as it was; nothing is written.

        from_node: up to there all is as recorded, from it on the settings hold and the model (this memory's own, unless
        one is named) is asked. Without it, only what the record does not answer is asked; a model that is named alone
        is asked from the extraction on. apply: the alternative takes the old write's place, in a recorded write of its
        own. Raises UnknownName, InvalidInput, NotReplayable, ModelError; LaterWrites where later writes changed what
        the old one made.
        """
        from scrubjay.graph.replaying.what_if import what_if  # noqa: PLC0415  LangGraph takes 2 s to import

        settings = {"strategy": strategy, "detector": detector, "resolver": resolver, "threshold": threshold}
        change = self._change(from_node, {**settings, "top_k": top_k}, model)
        found = what_if(self.store, write_id, change, live=self.vectors)
        return self._applied(found, change) if apply else found

    def _applied(self, found: WhatIf, change: Change) -> WhatIf:
        from scrubjay.graph.replaying.applying import apply  # noqa: PLC0415  LangGraph takes 2 s to import

        self.store.check_writable()
        with self._turnstile.pass_(found.recorded.row.scope):
            now = self._clock()
            stamp = Stamp(f"w_{self._new_id(now)}", now.isoformat(timespec="milliseconds"))
            done = apply(self.store, found, change, stamp, self.vectors)
        return replace(found, applied=done.write.id)

    def what_if_all(
        self,
        *,
        user_id: str,
        agent_id: str = "",
        since: datetime | str | None = None,
        strategy: str | None = None,
        detector: str | None = None,
        resolver: str | None = None,
        threshold: float | None = None,
        top_k: int | None = None,
        model: Any = None,
    ) -> WhatIfAll:
        """The store as it would be, had all writes been decided like this: run anew into a copy, nothing is written.

        What was extracted stays; a model that is named judges everything, this memory's own only what is not on record.
        since: an aware datetime or ISO text; what was written up to then stays as it is. Raises as `what_if`.
        """
        from scrubjay.graph.as_of import zoned  # noqa: PLC0415  for who looks back
        from scrubjay.graph.replaying.anew import what_if_all  # noqa: PLC0415  LangGraph takes 2 s to import

        settings = {"strategy": strategy, "detector": detector, "resolver": resolver, "threshold": threshold}
        change, time = self._change(None, {**settings, "top_k": top_k}, model), None
        if since is not None and (time := zoned(since)) is None:
            raise InvalidInput(f"since {since!r}: give an aware datetime or ISO text such as 2026-05-12T10:00+02:00")
        return what_if_all(self.store, _scope(user_id, agent_id), change, since=time, live=self.vectors)

    def _change(self, from_node: str | None, settings: Json, model: Any) -> Change:
        from scrubjay.graph.models import resolve_model  # noqa: PLC0415  LangChain
        from scrubjay.graph.replaying.what_if import Change  # noqa: PLC0415

        own = model is None
        decider = self.engine.tools.decider if own else resolve_model(model, base_url=self._base_url)
        return Change(from_node, settings, decider, anew=not own)

    def write(self, write_id: str) -> WriteRow:
        """The record of one write; raises UnknownName."""
        return self._row(write_id, "`scrubjay history ID` shows the writes that made a memory")

    def _row(self, write_id: str, way_out: str) -> WriteRow:
        found = self.store.write(write_id)
        if found is None:
            raise UnknownName("write", write_id, way_out)
        return found

    # -- graphs
    @property
    def write_graph(self) -> Compiled:
        """The write graph without a saver of its own: a node for a parent graph, or invoke it yourself."""
        return self.engine.subgraph

    @property
    def recall_graph(self) -> CompiledRecall:
        """Search and context block, to stand before a model."""
        return self.engine.recall

    # -- parts
    @cached_property
    def vectors(self) -> TextVectors:
        """Looked up and embedded; raises WrongEmbedder at first use, nothing when the embedder is down."""
        return self._vectors_of(self.store)

    @cached_property
    def _embedding(self) -> StoreEmbedder:
        from scrubjay.graph.binding import StoreEmbedder  # noqa: PLC0415  numpy
        from scrubjay.graph.embedders import resolve_embedder  # noqa: PLC0415  numpy

        return StoreEmbedder(self.store, resolve_embedder(self._embedder))

    @cached_property
    def engine(self) -> Engine:
        """Graph, model and saver; raises ModelError when the model cannot be set up."""
        from scrubjay.graph.engine import Engine  # noqa: PLC0415  LangGraph takes 2 s to import

        beside = ":memory:" if self.store.path == ":memory:" else f"{self.store.path}.checkpoints"
        return Engine(
            store=self.store, model=self._model, base_url=self._base_url, vectors=self.vectors,
            limits=self._embedding.limits, clock=self._clock, new_id=self._new_id,
            saver_path=beside if self._checkpoints else None, bound=self._bound,
        )  # fmt: skip


def _scope(user_id: str, agent_id: str) -> Scope:
    return Scope(check_name("user_id", user_id), check_name("agent_id", agent_id))
