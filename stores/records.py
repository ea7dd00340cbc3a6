"""What the store keeps. Frozen values: everything that the store returns can be passed around and compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Json = dict[str, Any]

Standing = Literal["current", "past", "absorbed"]
Status = Literal["active", "superseded", "deleted", "pending"]
LinkKind = Literal["merged_into", "supersedes", "contradicts", "related"]
Outcome = Literal["applied", "dropped", "empty", "pending_review", "failed"]
WriteKind = Literal["add", "undo", "redo", "review", "what_if"]
Action = Literal["add", "merge", "replace", "delete", "none"]
FactType = Literal[
    "preference", "profile", "event", "plan", "decision", "constraint", "error", "relationship", "procedure", "other"
]
Modality = Literal["actual", "planned", "hypothetical", "fiction", "question"]

FACT_TYPES: tuple[FactType, ...] = (
    "preference", "profile", "event", "plan", "decision", "constraint", "error", "relationship", "procedure", "other",
)  # fmt: skip
MODALITIES: tuple[Modality, ...] = ("actual", "planned", "hypothetical", "fiction", "question")


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory. Nothing crosses it."""

    user_id: str
    """never empty"""
    agent_id: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it was read; the log that context and provenance come from."""

    id: str
    conversation_id: str
    role: str
    """user | assistant"""
    text: str
    at: str
    """ISO datetime with zone: the message's own time, never the server's clock"""
    name: str | None = None
    """who speaks, where several people do"""
    run_id: str | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """One self-contained statement; kept for ever, immutable."""

    id: str
    write_id: str
    text: str
    type: str = "other"
    subject: str = "user"
    """who it is about, "user" for the person of the scope"""
    attributes: tuple[str, ...] = ()
    """its slots, lower case: "home city"; two facts share an attribute when these sets meet"""
    modality: str = "actual"
    valid_from: str | None = None
    """ISO date, zoned datetime, "2026-08" or "2026" """
    valid_to: str | None = None
    derived_from: str | None = None
    """the ended fact of which this is a clause that still holds"""
    retraction: bool = False
    """a wish to forget: past at once, in no memory's text"""
    key: str = ""
    """message id # place among the facts of that message: the same in every run over the same messages"""
    recorded_at: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact was said; append-only, several a fact."""

    fact_id: str
    message_id: str
    quote: str
    """exact span of the message, empty when the model quoted something that is not there"""
    at: str = ""
    write_id: str = ""
    conversation_id: str = ""
    run_id: str | None = None


@dataclass(frozen=True, slots=True)
class FactStanding:
    """How a memory's version rests on a fact."""

    fact: Fact
    standing: Standing


@dataclass(frozen=True, slots=True)
class Link:
    """From one memory to another; `contradicts` and `related` are read from both ends."""

    kind: LinkKind
    memory_id: str
    """the other end"""


@dataclass(frozen=True, slots=True)
class Memory:
    """One version of a memory, as of the read."""

    id: str
    scope: Scope
    version: int
    text: str
    status: Status
    type: str
    subject: str
    attributes: tuple[str, ...]
    valid_from: str | None
    valid_to: str | None
    recorded_from: str
    """when this version was written"""
    recorded_to: str | None
    """when the next version was written, None for the newest"""
    created_at: str
    """when version 1 was written"""
    write_id: str
    """the write that made this version"""
    metadata: Json = field(default_factory=dict)
    facts: tuple[FactStanding, ...] = ()
    """in order of standing (current, past, absorbed), then of fact id"""
    sources: tuple[Source, ...] = ()
    """of all its facts"""
    links: tuple[Link, ...] = ()
    pending_embedding: bool = False
    """True: no vector yet, found by words only"""

    @property
    def current(self) -> tuple[Fact, ...]:
        """The facts that hold now."""
        return tuple(f.fact for f in self.facts if f.standing == "current")

    @property
    def past(self) -> tuple[Fact, ...]:
        """The facts that ended here."""
        return tuple(f.fact for f in self.facts if f.standing == "past")


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A version to be written: version 1 makes the memory, a later one expects `version - 1` to be the newest."""

    memory_id: str
    version: int
    text: str
    status: Status
    type: str
    subject: str
    attributes: tuple[str, ...]
    valid_from: str | None
    valid_to: str | None
    metadata: Json
    standings: tuple[tuple[str, Standing], ...]
    """(fact id, standing): all of this version's facts, since standings are kept per version"""
    links: tuple[Link, ...] = ()
    """new ones; links of earlier versions go on"""
    ended_links: tuple[Link, ...] = ()
    """links of earlier versions that do not go on"""


@dataclass(frozen=True, slots=True)
class Absorption:
    """A duplicate taken into an existing version: text and version stay."""

    memory_id: str
    version: int
    fact_id: str


@dataclass(frozen=True, slots=True)
class Decision:
    """Why one fact of one write ended as it did. `body` is the whole story, the rest is there to be searched."""

    id: str
    """hash of write, fact number and action"""
    write_id: str
    fact_number: int | None
    """from 1; None for a write that found no fact"""
    fact_id: str | None
    action: Action
    outcome: Outcome
    memory_ids: tuple[tuple[str, str], ...]
    """(memory id, part): result | target | candidate | neighbour; a memory may play several"""
    body: Json
    """fact, gate, candidates, relations, vetoes, before, after, details, problems, links; see nodes/decisions.py"""
    at: str = ""


@dataclass(frozen=True, slots=True)
class WriteRow:
    """One run of the write graph."""

    id: str
    key: str
    """what makes a re-delivery the same write"""
    scope: Scope
    conversation_id: str
    run_id: str | None
    at: str
    """when it was recorded, from the injected clock"""
    outcome: Outcome
    incomplete: tuple[str, ...]
    """facts or windows that are still owed: a write that has any, or failed, is resumed under the same key"""
    input: Json
    settings: Json
    calls: tuple[Json, ...]
    """each model request: tag, prompt, hash, model, raw reply, problems, usage, milliseconds"""
    result: Json
    """changes, timings and whatever the caller gets back"""
    revision_read: int
    revision: int = 0
    """the scope's revision that this write made; given by the store"""
    resumed_by: str | None = None
    """the later write that took this one's key over, since this one failed or is incomplete; given by the store"""
    kind: WriteKind = "add"
    """add: messages went through the graph; the others change what an earlier write did"""
    about: tuple[str, ...] = ()
    """the writes that this one undoes, redoes, settles or decides anew"""
    moment: int = 0
    """its place among all commits of the store; given by the store"""


@dataclass(frozen=True, slots=True)
class Touch:
    """A memory that a write changed: a version, a standing, a link or a source of it."""

    revision: int
    """the scope's revision that the write made"""
    write_id: str
    memory_id: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that waits for somebody's approval; what it would change stays as it is until then."""

    id: str
    write_id: str
    scope: Scope
    body: Json
    """item of the plan, its facts, and the versions that it was made against; see nodes/review.py"""
    at: str
    settled_by: str | None = None
    """the write that approved, edited, rejected or undid it; given by the store"""


@dataclass(frozen=True, slots=True)
class Commit:
    """Everything that one write changes, in one transaction."""

    write: WriteRow
    expected_revision: int | None
    """the scope's revision that the plan was made against; None for a plan that only adds and need not look"""
    messages: tuple[Message, ...] = ()
    facts: tuple[Fact, ...] = ()
    sources: tuple[Source, ...] = ()
    """also of facts that are stored already: repeats add provenance"""
    versions: tuple[NewVersion, ...] = ()
    absorptions: tuple[Absorption, ...] = ()
    decisions: tuple[Decision, ...] = ()
    embedded: tuple[tuple[str, bytes], ...] = ()
    """(text, float32 little-endian unit vector) for memory and fact texts new to the store"""
    withdrawn: tuple[Source, ...] = ()
    """sources that no longer count; named in `sources` again, they do"""
    proposals: tuple[Proposal, ...] = ()
    """changes that wait for approval"""
    settles: tuple[str, ...] = ()
    """ids of proposals that this write settles"""


@dataclass(frozen=True, slots=True)
class Committed:
    """The write is in the store; `first` is False when it already was, and `write` is then the first one."""

    write: WriteRow
    first: bool


@dataclass(frozen=True, slots=True)
class Conflict:
    """Nothing was written: the scope moved since the plan was made."""

    revision: int
    memory_ids: tuple[str, ...]
    """memories with a version newer than the expected revision"""


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search may be narrowed by; part of the query, never applied after top-k."""

    conversation_id: str | None = None
    run_id: str | None = None
    types: tuple[str, ...] = ()
    subject: str | None = None
    metadata: tuple[tuple[str, str | int | float | bool | None], ...] = ()
    """top-level keys made of ASCII letters, digits, "_" and "-", equal to a plain value"""


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory found by one leg of the search."""

    memory_id: str
    score: float
    """cosine in [-1, 1], or BM25 as a positive number: more is better in both"""
