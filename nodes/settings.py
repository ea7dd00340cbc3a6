"""What a write may be told, and where it is told it: input, context, configurable, bound defaults, in this order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from scrubjay.stores.errors import InvalidInput, InvalidScope, UnknownName
from scrubjay.stores.names import check_name
from scrubjay.stores.records import Json, Scope
from scrubjay.stores.text import clean

Detector = Literal["none", "pointwise", "listwise", "listwise_multitarget", "joint"]
Resolver = Literal["rewrite", "replace"]
Approvable = Literal["merge", "replace", "delete"]
DETECTORS: tuple[str, ...] = get_args(Detector)
RESOLVERS: tuple[str, ...] = get_args(Resolver)
NOBODY = (
    "no user_id: whose memory is this? Give it in config['configurable'] or in the input under memory_write "
    "(memory_recall for recall); a graph that is invoked with a thread_id of its own inherits nothing from its parent"
)


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """A preset: how candidates are found, how relations are judged, how a hit is handled."""

    name: str
    detector: Detector
    resolver: Resolver
    k: int = 5
    threshold: float | None = None
    """cosine for the embedded embedder, moved with the calibration for others; None: the calibrated threshold"""
    extras: int = 0
    """lexical or same-slot candidates below the threshold, marked as such"""
    fusion: Literal["rrf", "weighted"] = "rrf"
    """weighted: 0.7 · cosine + 0.3 · BM25 over the list's best BM25"""
    keeps_id: Literal["oldest", "highest"] = "oldest"
    """whose id a merge of several memories keeps: the oldest target's, or the best-ranked target's"""
    same_type_gate: bool = False
    recency: float = 0.0
    """weight of the time of recording at recall, beside meaning and words with weight 1 each"""
    calls_per_fact: int = 6
    origin: str = ""
    differs: str = ""
    """what differs from the original"""


class WriteContext(BaseModel):
    """Settings of a write, as Studio shows them. Every field may also stand in the input or in `configurable`."""

    model_config = ConfigDict(extra="ignore")

    user_id: str | None = Field(default=None, description="whose memory this is; needed for every write")
    agent_id: str = Field(default="", description="a second part of the scope, for several agents of one user")
    conversation_id: str = Field(
        default="default", description="provenance of the messages, never a wall; the thread where not given"
    )
    run_id: str | None = Field(default=None, description="provenance, an optional search filter")
    at: str | None = Field(default=None, description="when the messages were said, ISO with zone; a message's own wins")
    key: str | None = Field(default=None, description="a second write with this key returns the first one's result")
    write_id: str | None = Field(default=None, description="made by the caller or by the write itself")
    metadata: dict[str, Any] = Field(default_factory=dict, description="kept with the memories of this write")
    strategy: str = Field(default="joint", description="a preset, see `scrubjay strategies`")
    detector: Detector | None = Field(default=None, description="overrides the preset's detector")
    resolver: Resolver | None = Field(default=None, description="overrides the preset's resolver")
    threshold: float | None = Field(
        default=None, ge=-1, le=1, description="cosine below which no memory reaches the judge; overrides the preset's"
    )
    top_k: int | None = Field(default=None, ge=1, le=50, description="candidates a fact; overrides the preset's")
    strictness: Literal["sparse", "balanced", "exhaustive"] = Field(default="balanced", description="of extraction")
    instructions: str = Field(default="", max_length=2000, description="your words for the extraction prompt")
    approve: list[Approvable] = Field(
        default_factory=list, description="actions that wait for a person's approval before they touch a stored memory"
    )
    how: Literal["queue", "interrupt"] = Field(
        default="queue",
        description="queue: they wait in the store, see `scrubjay review`; interrupt: the run stops and asks",
    )


@dataclass(frozen=True)
class Settings:
    """The settings of one write, resolved once by load_context and kept in its state."""

    context: WriteContext
    strategy: Strategy
    recall: float
    """cosine that admits a candidate"""
    near: float
    """surprisal up to which a fact is near-identical"""
    veto: float
    """cosine from which a destructive relation needs neither slot nor stem"""

    @property
    def scope(self) -> Scope:
        return Scope(self.context.user_id or "", self.context.agent_id)

    @property
    def detector(self) -> Detector:
        return self.context.detector or self.strategy.detector

    @property
    def resolver(self) -> Resolver:
        return self.context.resolver or self.strategy.resolver

    @property
    def asks(self) -> bool:
        """The run may stop for a person's answer."""
        return bool(self.context.approve) and self.context.how == "interrupt"

    @property
    def k(self) -> int:
        return self.context.top_k or self.strategy.k

    @property
    def extras(self) -> int:
        """An explicit threshold means what it says: nothing below it reaches the judge."""
        return 0 if self.context.threshold is not None else self.strategy.extras

    def cap(self, facts: int, windows: int) -> int:
        """Hard cap of model calls a write (RULES §2)."""
        return self.strategy.calls_per_fact * facts + 2 * windows

    def plain(self) -> Json:
        """As it stands in the state."""
        return {"context": self.context.model_dump(), "recall": self.recall, "near": self.near, "veto": self.veto}


def choose_strategy(name: str, strategies: Mapping[str, Strategy]) -> Strategy:
    """The preset of that name; raises UnknownName with the names that exist."""
    if name not in strategies:
        raise UnknownName("strategy", name, f"choose one of {', '.join(strategies)}")
    return strategies[name]


def bound_settings(given: Mapping[str, Any], strategies: Mapping[str, Strategy]) -> Json:
    """Settings to bind at build time, without those left open; raises UnknownName or InvalidInput."""
    bound = {k: v for k, v in given.items() if v is not None}
    choose_strategy(str(bound.get("strategy", "joint")), strategies)
    validated(bound)
    return bound


def configured(config: Mapping[str, Any]) -> Json:
    """What stands in `configurable`; LangGraph's server puts a blank user_id there for who is not signed in."""
    found = config.get("configurable") or {}
    return {k: v for k, v in found.items() if (k, v) != ("user_id", "")}


def merge_context(*layers: Mapping[str, Any]) -> WriteContext:
    """Later layers win; keys that are not ours are ignored, values that do not fit raise InvalidInput."""
    merged: Json = {}
    for layer in layers:
        merged |= {k: v for k, v in layer.items() if k in WriteContext.model_fields and v is not None}
    check_scope(merged)
    context = validated(merged)
    for name in ("conversation_id", "run_id", "key", "write_id"):
        check_id(name, getattr(context, name))
    return context


def check_scope(given: Mapping[str, Any]) -> None:
    """Whose memory it is comes first; raises InvalidScope."""
    if given.get("user_id") is None:
        raise InvalidScope(NOBODY)
    check_name("user_id", given["user_id"])
    check_name("agent_id", given.get("agent_id", ""))


def check_id(name: str, value: str | None) -> None:
    """An id is stored as it is: one that cannot be is refused before any model is asked. Raises InvalidInput."""
    if value is not None and (clean(value) != value or not value.strip()):
        raise InvalidInput(f"{name} is {value!r}: it is blank, or holds NUL or half a surrogate pair")


def validated(given: Mapping[str, Any]) -> WriteContext:
    try:
        return WriteContext.model_validate(given)
    except ValidationError as error:
        raise InvalidInput(f"setting {first_fault(error)}") from None


def first_fault(error: ValidationError) -> str:
    """Where it is, what is wrong, and what stands there."""
    first = error.errors()[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}, not {first['input']!r}"
