"""What `scrubjay demo` runs: sentences one write each, or a shipped case with its recorded replies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrubjay.stores.records import Json, Memory, Scope
from scrubjay.stores.text.cleaning import clean
from scrubjay.studio.documents import added_up, calls_json, decision_json, memory_json, short_memory
from scrubjay.studio.gains import Gain, gains_of

if TYPE_CHECKING:
    from scrubjay.graph.cases import Case
    from scrubjay.graph.memory import Memory as Agent
    from scrubjay.graph.results import WriteResult

FREE = {
    "rules": (
        "plain sentences, no key and nothing recorded: told, repeated, changed, twice nearly changed, forgotten",
        ("2026-02-02T09:00:00+00:00", "I live in Porto. My dentist is Dr. Lopes."),
        ("2026-02-09T09:00:00+00:00", "I love rye bread."),
        ("2026-03-02T09:00:00+00:00", "I live in Porto."),
        ("2026-04-13T09:00:00+00:00", "I moved to Bergen last month."),
        ("2026-04-20T09:00:00+00:00", "My sister moved to Oslo."),
        ("2026-04-27T09:00:00+00:00", "I might move to Oslo too."),
        ("2026-05-04T09:00:00+00:00", "Please forget that I love rye bread."),
    ),
    "rules-zh": (
        "普通句子，不用密钥，也没有录好的回复：说出、重复、改变、两次险些改变、忘记",
        ("2026-02-02T09:00:00+08:00", "我住在厦门。"),
        ("2026-02-09T09:00:00+08:00", "我喜欢喝乌龙茶。"),
        ("2026-03-02T09:00:00+08:00", "我住在厦门。"),
        ("2026-04-13T09:00:00+08:00", "我上个月搬到成都了。"),
        ("2026-04-20T09:00:00+08:00", "我妹妹搬到西安了。"),
        ("2026-04-27T09:00:00+08:00", "我可能会搬到西安。"),
        ("2026-05-04T09:00:00+08:00", "请忘记我喜欢喝乌龙茶。"),
    ),
}  # fmt: skip
"""sentences for which nothing is recorded, and that `rules` reads as a person would: name → title, (when, what) …"""


@dataclass(frozen=True)
class Line:
    """One message, one write."""

    text: str
    at: str | None = None
    id: str | None = None
    name: str | None = None
    conversation: str = "default"


@dataclass(frozen=True)
class Told:
    """One write of a session."""

    line: Line
    result: WriteResult
    gains: tuple[Gain, ...]
    memories: tuple[Memory, ...]
    """all active ones of the scope after it"""

    def as_json(self) -> Json:
        return {
            "write_id": self.result.write_id, "input": self.line.text, "outcome": self.result.outcome,
            "first": self.result.first, "decisions": [decision_json(d) for d in self.result.decisions],
            "changes": self.result.changes, "calls": calls_json(self.result.calls),
            "memories": [short_memory(m) for m in self.memories],
        }  # fmt: skip


@dataclass(frozen=True)
class Session:
    """Lines, and whose memory they go to."""

    name: str
    title: str
    lines: tuple[Line, ...]
    scope: Scope
    recorded: bool = False
    note: str = ""
    told: list[Told] = field(default_factory=list)

    def run(self, agent: Agent) -> Iterator[Told]:
        """Write after write, each given out as soon as it is done."""
        for line in self.lines:
            result = agent.add(
                [_message(line)], user_id=self.scope.user_id, agent_id=self.scope.agent_id,
                conversation_id=line.conversation, at=line.at,
            )  # fmt: skip
            gains = gains_of(agent.store, result.write_id, result.changes)
            done = Told(line, result, tuple(gains), tuple(agent.store.active(self.scope)))
            self.told.append(done)
            yield done

    @property
    def memories(self) -> tuple[Memory, ...]:
        return self.told[-1].memories if self.told else ()

    @property
    def calls(self) -> dict[str, int]:
        return added_up(told.result.calls for told in self.told)

    @property
    def failed(self) -> bool:
        return any(told.result.outcome == "failed" for told in self.told)


def said(texts: Sequence[str], scope: Scope, at: str | None) -> Session:
    """What the caller says."""
    return Session("say", "your sentences", tuple(Line(clean(text), at) for text in texts), scope)


def free(user: str, agent: str) -> list[Session]:
    """In English, then in Chinese; each has a scope of its own where no agent is given."""
    return [
        Session(name, title, tuple(Line(text, at) for at, text in lines), Scope(user, agent or name))
        for name, (title, *lines) in FREE.items()
    ]


def of_case(case: Case, scope: Scope, *, recorded: bool) -> Session:
    """The user's messages of a case; they keep their ids, by which the recorded decider knows them."""
    lines = tuple(Line(m.text, m.at, m.id, m.name, m.conversation) for m in case.messages if m.role == "user")
    return Session(case.id, case.title, lines, scope, recorded, case.note)


def session_json(session: Session, agent: Agent, strategy: str, model: str) -> Json:
    """The document of one session, as DESIGN promises it."""
    return {
        "strategy": strategy, "model": model, "embedder": agent.store.meta()["embedder"],
        "writes": [told.as_json() for told in session.told],
        "memories": [memory_json(m) for m in session.memories],
        "calls": calls_json(session.calls),
    }  # fmt: skip


def _message(line: Line) -> Json:
    told = {"role": "user", "content": line.text, "id": line.id, "name": line.name, "at": line.at}
    return {key: value for key, value in told.items() if value is not None}
