"""A long history with all that can happen to a write, made from a seed: changes, merges, failures, outages, repeats."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings
from langchain_core.runnables import RunnableConfig

from scrubjay import Memory
from scrubjay.graph.ids import IdSource
from scrubjay.graph.rules.decider import RulesDecider
from scrubjay.nodes.decider import Answer
from scrubjay.prompts.judge import JointGroup, JointVerdict, JudgeJointRequest
from scrubjay.prompts.merge import MergedText, MergeRequest
from scrubjay.prompts.request import Request
from scrubjay.stores.errors import ProposalOutdated
from tests.dialogues import dialogues
from tests.fakes import ANA, Clock

SIZE = 64
STRATEGIES = ("joint", "joint", "joint", "neatmem", "signetai", "add-only")
POLICIES: tuple[list[str], ...] = ([], [], [], ["delete", "replace"])


class Words(Embeddings):
    """Texts that share words are near one another; `down` for an outage, or a share of texts that it refuses."""

    name = "words"
    dimension = SIZE

    def __init__(self) -> None:
        self.down = False

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        if self.down:
            raise ConnectionError("the embedder is down")
        row = np.full(SIZE, 1e-3)
        for word in text.lower().split() or [text]:
            row += np.random.default_rng(int(hashlib.sha256(word.encode()).hexdigest()[:8], 16)).normal(size=SIZE)
        found: list[float] = (row / np.linalg.norm(row)).tolist()
        return found


class Moody:
    """`rules`, but that now and then it fails, merges what it should not, or words a text badly."""

    name = "moody"

    def __init__(self, random: Random) -> None:
        self.random, self.rules = random, RulesDecider()

    def decide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        chance = self.random.random()
        if chance < 0.04:
            raise TimeoutError("60 s")
        if chance < 0.07:
            return Answer(None, raw="I cannot", error="no JSON", model=self.name, problems=("no JSON",), repairs=1)
        if isinstance(request, MergeRequest):
            return self._merged(request)
        if isinstance(request, JudgeJointRequest) and chance < 0.5 and request.memories:
            return Answer(self._joined(request), model=self.name)
        return self.rules.decide(request, config)

    async def adecide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        return self.decide(request, config)

    def _joined(self, request: JudgeJointRequest) -> JointVerdict:
        relation: Any = self.random.choice(["refines", "supersedes", "duplicate", "contradicts"])
        number = self.random.choice([m.number for m in request.memories] + ["99"])
        facts: list[int | str] = [f.number for f in request.facts]
        text = self.random.choice([None, "", "User has 3 boats"])
        return JointVerdict(
            groups=[JointGroup(reason="a mood", facts=facts, memories=[number], relation=relation, text=text)]
        )

    def _merged(self, request: MergeRequest) -> Answer:
        whole = "; ".join(request.current)
        value = MergedText(text=self.random.choice([whole, whole, "", "User has 3 boats"]))
        return Answer(value, raw=value.model_dump_json(), problems=tuple(request.check(value)), model=self.name)


def grown(writes: int, seed: int = 5, strategies: Sequence[str] = STRATEGIES, outages: float = 0.08) -> Memory:
    """A memory of one user, with so many writes in it."""
    random, embedder = Random(seed), Words()
    memory = Memory.open(
        ":memory:",
        model=Moody(random),
        embedder=embedder,
        clock=Clock(),
        new_id=IdSource(Random(seed)),
        checkpoints=False,
    )
    for number, message in enumerate(told(seed)):
        embedder.down = random.random() < outages
        memory.engine.bound["strategy"] = random.choice(strategies)
        memory.engine.bound["approve"] = random.choice(POLICIES)
        key, where = f"k{number}" if random.random() < 0.5 else None, f"c{random.randrange(5)}"
        for _ in range(2 if random.random() < 0.3 else 1):  # again: resumed where it failed, else a repeat or news
            memory.add(message, user_id=ANA, conversation_id=where, key=key)
        if random.random() < 0.03:
            embedder.down = False
            settle(memory, random)
        if memory.store.meta()["counts"]["writes"] >= writes:
            break
    embedder.down = True
    return memory


def told(seed: int) -> Iterator[list[dict[str, Any]]]:
    """Messages, now and then two at once, with ids or without."""
    random = Random(seed)
    said = [say.text for dialogue in dialogues(seed, 5000) for say in dialogue.messages]
    while said:
        taken = [said.pop(0) for _ in range(min(len(said), random.choice((1, 1, 1, 2))))]
        ids = random.random() < 0.5
        yield [
            {"role": "user", "content": text} | ({"id": f"m{len(said)}.{n}"} if ids else {})
            for n, text in enumerate(taken)
        ]


def settle(memory: Memory, random: Random) -> None:
    """Take a write back, or answer what waits."""
    open_ones = memory.store.proposals()
    if open_ones:
        try:
            memory.review(open_ones[0].id, random.choice(["approve", "reject"]))
        except ProposalOutdated:
            memory.review(open_ones[0].id, "reject")
        return
    last = memory.store.writes(limit=1)[0]
    if last.kind == "add" and last.result["changes"]:
        memory.undo(last.id)
