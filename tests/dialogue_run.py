"""Plays dialogues against an agent's memory and adds up how they ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.dialogue_records import Dialogue
from tests.dialogue_score import Decided, Remembered, Score, score

ENOUGH = 0.9
"""the share of plain dialogues that must work, in all and of every kind"""


class Agent(Protocol):
    """A memory to talk to: scrubjay.Memory is one."""

    def add(self, messages: Any, *, user_id: str, at: Any) -> Any: ...

    def list(self, *, user_id: str) -> Sequence[Remembered]: ...


@dataclass(frozen=True, slots=True)
class Played:
    """One dialogue and what it left."""

    dialogue: Dialogue
    score: Score
    texts: tuple[str, ...]

    def __str__(self) -> str:
        said = " || ".join(say.text for say in self.dialogue.messages)
        return (
            f"#{self.dialogue.number} {self.dialogue.kind}: {'; '.join(self.score.why)}\n"
            f"    said: {said}\n    left: {' || '.join(self.texts) or '(nothing)'}"
        )


@dataclass
class Tally:
    """Adds up the dialogues of one run."""

    played: list[Played] = field(default_factory=list)

    def total(self, what: str) -> int:
        """The sum of one of the score's numbers, by its name."""
        return sum(getattr(p.score, what) for p in self.played)

    def rates(self) -> dict[str, tuple[int, int]]:
        """kind → (how many work, how many there were), plain kinds only."""
        plain = [p for p in self.played if not p.dialogue.near]
        works = Counter(p.dialogue.kind for p in plain if p.score.works)
        return {kind: (works[kind], n) for kind, n in sorted(Counter(p.dialogue.kind for p in plain).items())}

    def share(self) -> float:
        """Of all plain dialogues, how many work."""
        rates = self.rates().values()
        return sum(works for works, _ in rates) / max(1, sum(n for _, n in rates))

    def weak(self) -> dict[str, tuple[int, int]]:
        """The kinds that work too seldom."""
        return {kind: (works, n) for kind, (works, n) in self.rates().items() if works < ENOUGH * n}

    def wrong(self, what: str = "wrong") -> list[Played]:
        return [p for p in self.played if getattr(p.score, what)]

    def failing(self, kind: str | None = None) -> list[Played]:
        """The plain dialogues that do not work."""
        return [p for p in self.played if not p.dialogue.near and not p.score.works and kind in (None, p.dialogue.kind)]

    @property
    def passes(self) -> bool:
        return not self.wrong() and not self.weak() and self.share() >= ENOUGH

    def report(self) -> str:
        near = [p for p in self.played if p.dialogue.near]
        numbers = (
            "wrong_supersession",
            "wrong_deletion",
            "wrong_assertion",
            "stale_left",
            "duplicates_left",
            "unforgotten",
        )
        lines = [f"{len(self.played)} dialogues: plain work {self.share():.1%}"]
        lines += [f"  {what.replace('_', ' ')}: {self.total(what)}" for what in numbers]
        lines += [f"  near misses remembered whole: {sum(p.score.works for p in near)} of {len(near)}"]
        lines += [f"  {kind}: {works} of {n}" for kind, (works, n) in self.rates().items()]
        return "\n".join(lines)


def play(agent: Agent, dialogue: Dialogue, user_id: str) -> Played:
    """Say it message by message, one write each, and look after every one."""
    decisions: list[Decided] = []
    snapshots: list[Sequence[Remembered]] = []
    for say in dialogue.messages:
        written = agent.add([{"role": "user", "content": say.text}], user_id=user_id, at=say.at)
        decisions += written.decisions
        snapshots.append([memory for memory in agent.list(user_id=user_id) if memory.status == "active"])
    left = snapshots[-1]
    return Played(dialogue, score(dialogue, left, decisions, snapshots), tuple(memory.text for memory in left))


def play_all(agent: Agent, many: Iterable[Dialogue]) -> Tally:
    """One user a dialogue, all in the one store."""
    return Tally([play(agent, dialogue, f"user-{dialogue.number}") for dialogue in many])
