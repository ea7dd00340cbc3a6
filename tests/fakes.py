"""Fakes for writes: an embedder by table, a clock, ids, and a teller that scripts each write's replies as it speaks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from math import sqrt
from os import PathLike
from random import Random
from typing import Any, cast

import numpy as np
from langchain_core.embeddings import Embeddings
from langchain_core.runnables import RunnableConfig
from numpy.typing import NDArray

from scrubjay import Memory, WriteResult
from scrubjay.graph.deciders.scripted import Scripted, ScriptedDecider
from scrubjay.graph.ids import IdSource
from scrubjay.nodes.decider import Answer
from scrubjay.prompts.request import Request
from scrubjay.stores.records import Decision
from scrubjay.stores.records import Memory as Record

AXES, OWN, MARKS = 32, 512, 8
ANA = "ana"
START = datetime(2026, 9, 1, 10, 0, tzinfo=timezone(timedelta(hours=2)))
THRESHOLDS = {"recall": 0.40, "near": 0.05, "veto": 0.33}
"""what the table's cosines are compared with"""


class TableEmbedder(Embeddings):
    """text → (topic, share): texts of one topic have the product of their shares as cosine; others have about 0."""

    name = "table"
    dimension = AXES + OWN

    def __init__(self, table: dict[str, tuple[str, float]] | None = None) -> None:
        self.table = dict(table or {})
        self.down: set[str] | bool = False
        """texts that cannot be embedded; True: none can"""

    def alike(self, cosine: float, *texts: str) -> None:
        """Each two of these texts get this cosine."""
        topic = f"topic {len({t for t, _ in self.table.values()})}"
        self.table |= {text: (topic, sqrt(cosine)) for text in texts}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        if self.down is True or (isinstance(self.down, set) and text in self.down):
            raise ConnectionError("the embedder is down")
        topic, share = self.table.get(text, ("", 0.0))
        row = _own_axes(text) * sqrt(1 - share**2)
        if topic:
            row[_place(topic, self.table)] = share
        found: list[float] = row.tolist()
        return found


def _place(topic: str, table: dict[str, tuple[str, float]]) -> int:
    return sorted({t for t, _ in table.values()}).index(topic)


def _own_axes(text: str) -> NDArray[np.float64]:
    """A direction that depends on the text alone and shares next to nothing with another text's."""
    random = Random(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())
    row = np.zeros(AXES + OWN)
    for place in random.sample(range(AXES, AXES + OWN), MARKS):
        row[place] = random.choice((1.0, -1.0)) / sqrt(MARKS)
    return row


class Clock:
    """Starts at START and moves on by a second each time that it is read."""

    def __init__(self, start: datetime = START) -> None:
        self.now = start

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


class Cast:
    """A decider whose replies are changed from write to write; `seen` holds every request."""

    name = "scripted"

    def __init__(self) -> None:
        self.script = ScriptedDecider({})
        self.seen: list[Request[Any]] = []

    def decide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        self.seen.append(request)
        return self.script.decide(request, config)

    async def adecide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        return self.decide(request, config)


Fact = str | dict[str, Any]
"""an extracted fact: its text, or fields of a reply"""


@dataclass
class Teller:
    """A memory whose model says what the test tells it to."""

    memory: Memory
    cast: Cast
    embedder: TableEmbedder
    clock: Clock
    sent: int = 0
    results: list[WriteResult] = field(default_factory=list)

    def say(
        self,
        *facts: Fact,
        judge: Scripted | Sequence[Scripted] | None = None,
        merge: Scripted | Sequence[Scripted] | None = None,
        extract: Sequence[Scripted] | None = None,
        said: str | None = None,
        user: str = ANA,
        repairs: bool = True,
        **asked: Any,
    ) -> WriteResult:
        """One write whose message says the facts and whose model answers as told; each reply must be used up."""
        text = said if said is not None else message_of(facts)
        self.expect(*facts, judge=judge, merge=merge, extract=extract, text=text, repairs=repairs)
        result = self.memory.add(text, user_id=user, **asked)
        assert self.cast.script.left == {}, f"replies that nobody asked for: {self.cast.script.left}"
        self.results.append(result)
        return result

    def expect(
        self,
        *facts: Fact,
        judge: Scripted | Sequence[Scripted] | None = None,
        merge: Scripted | Sequence[Scripted] | None = None,
        extract: Sequence[Scripted] | None = None,
        text: str | None = None,
        repairs: bool = True,
    ) -> None:
        """Lay out the replies of the next write."""
        first = [extraction(facts, text if text is not None else message_of(facts))] if extract is None else extract
        replies = {"extract": first, "judge": listed(judge), "merge": listed(merge)}
        self.cast.script = ScriptedDecider(replies, repairs=repairs)

    def texts(self, user: str = ANA) -> list[str]:
        """Of the active memories, oldest first."""
        return [m.text for m in self.memory.list(user_id=user)]

    def only(self, user: str = ANA) -> Record:
        """The one active memory."""
        (found,) = self.memory.list(user_id=user)
        return found

    def asked(self, tag: str) -> list[Request[Any]]:
        return [request for request in self.cast.seen if request.tag == tag]


def message_of(facts: Sequence[Fact]) -> str:
    """A message that says all that its facts say, so that extraction loses nothing."""
    return ". ".join(f if isinstance(f, str) else str(f.get("quote") or f["text"]) for f in facts) or "Good night, all"


def extraction(facts: Sequence[Fact], text: str) -> dict[str, Any]:
    """The extractor's reply; a fact that stands in the message is its own quote."""
    return {"facts": [extracted(f, text) for f in facts]}


def extracted(fact: Fact, text: str) -> dict[str, Any]:
    given = {"text": fact} if isinstance(fact, str) else fact
    return {"quote": given["text"] if given["text"] in text else text, **given}


def listed(replies: Scripted | Sequence[Scripted] | None) -> Sequence[Scripted]:
    if replies is None:
        return []
    return replies if isinstance(replies, list | tuple) else [cast(Scripted, replies)]


def group(relation: str, *memories: str, facts: Sequence[str] = ("F1",), **more: Any) -> dict[str, Any]:
    """One group of a joint reply."""
    return {"reason": "as the test says", "facts": list(facts), "memories": list(memories), "relation": relation} | more


def verdict(*groups: dict[str, Any]) -> dict[str, Any]:
    """A joint reply."""
    return {"groups": list(groups)}


def one(relation: str, *memories: str, facts: Sequence[str] = ("F1",), **more: Any) -> dict[str, Any]:
    """A joint reply with one group."""
    return verdict(group(relation, *memories, facts=facts, **more))


def fact(text: str, **fields: Any) -> dict[str, Any]:
    """An extracted fact with fields of its own."""
    return {"text": text, **fields}


def teller(
    path: str | PathLike[str] = ":memory:",
    *,
    alike: Sequence[tuple[float, Sequence[str]]] = (),
    seed: int = 7,
    **opened: Any,
) -> Teller:
    """An empty memory; `alike`: cosines and the texts that have them with one another."""
    embedder, cast, clock = TableEmbedder(), Cast(), Clock()
    for cosine, texts in alike:
        embedder.alike(cosine, *texts)
    memory = Memory.open(
        path, model=cast, embedder=embedder, clock=clock, new_id=IdSource(Random(seed)), checkpoints=False, **opened
    )
    memory.store.bind_embedder(embedder.name, embedder.dimension, THRESHOLDS)
    return Teller(memory, cast, embedder, clock)


def kinds(record: Record) -> list[str]:
    """Kinds of a memory's links."""
    return [link.kind for link in record.links]


def linked(record: Record) -> list[tuple[str, str]]:
    """(kind, other memory) of a memory's links."""
    return [(link.kind, link.memory_id) for link in record.links]


def codes(result: WriteResult) -> list[str]:
    """Codes of a write's problems."""
    return [p["code"] for p in result.problems]


def relations(decision: Decision) -> list[str]:
    return [r["relation"] for r in decision.body["relations"]]


def by_text(make: Callable[[Callable[[str], str]], Any]) -> Callable[[Request[Any]], Any]:
    """A reply that names memories by what they say; `make` gets text → number."""
    return lambda request: make(lambda text: number_of(request, text))


def number_of(request: Request[Any], text: str) -> str:
    """The number under which a memory, or one of its facts, is shown; KeyError when it is not."""
    memories = [m for m in request.memories if m.text == text]  # type: ignore[attr-defined]
    facts = [f for m in request.memories for f in m.facts if f.text == text]  # type: ignore[attr-defined]
    for found in [*memories, *facts]:
        return str(found.number)
    raise KeyError(text)
