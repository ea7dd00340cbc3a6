"""The recorded file: a conversation, what an extractor made of it, and what a judge would say of every pair.

Facts go by key, "m2#0": item 0 of the extraction of message m2. No candidate number and no prompt hash stands in a
file, so one file serves every detector, every resolver and every later wording of the prompts.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from scrubjay.prompts.judge import Relation
from scrubjay.stores.records import Action, FactType, Modality


class Part(BaseModel):
    """Frozen, and strict about names: a misspelt key is an error, not a reply that is silently missing."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class CaseMessage(Part):
    """One message; each user message is one write."""

    id: str
    at: str
    """ISO datetime with zone"""
    role: Literal["user", "assistant"] = "user"
    text: str
    name: str | None = None
    conversation: str = "default"


class GoldFact(Part):
    """What is true, told independently of any extraction; same shape as in the scenario files."""

    id: str
    subject: str
    attribute: str
    terms: tuple[tuple[str, ...], ...]
    """of every inner tuple one alternative stands in a text that says it"""
    kind: Literal["slot", "detail", "unrelated", "never"]
    begins: str = Field(alias="from")
    """message that states it"""
    until: str | None = None
    """message that ends it"""
    sources: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    negated: bool = False
    valid_to: str | None = None


class CaseItem(Part):
    """One extracted fact, as an extractor would have replied."""

    text: str
    type: FactType = "other"
    subject: str = "user"
    quote: str = ""
    """exact span of the message; empty where a published text came without its words"""
    attributes: tuple[str, ...] = ()
    modality: Modality = "actual"
    valid_from: str | None = None
    valid_to: str | None = None
    gold: tuple[str, ...] = ()


class Verdict(Part):
    """How a fact stands to an older one. A fact's rows are all there is to say: what none names is independent."""

    fact: str
    target: str | None = None
    """None with "independent": it concerns nothing that came before"""
    relation: Relation
    reason: str = ""
    still_true: tuple[str, ...] = ()
    """spans of the target that go on being true although it ends"""


class Text(Part):
    """The text of the memory that these facts and these targets end up in."""

    facts: tuple[str, ...]
    targets: tuple[str, ...]
    text: str


class Override(Part):
    """Where one strategy hears something else: rows for a fact replace all common rows for it, texts go first."""

    verdicts: tuple[Verdict, ...] = ()
    texts: tuple[Text, ...] = ()


class ExpectedMemory(Part):
    """An active memory at the end."""

    says: tuple[str, ...] = ()
    """each stands in its text"""
    silent: tuple[str, ...] = ()
    """none stands in its text"""
    sources: tuple[str, ...] = ()
    """ids of all messages that it rests on; empty: not looked at"""
    born: str | None = None
    """the fact that made version 1, so that a kept id can be told"""


class Expected(Part):
    """The outcome of a case under one strategy, with the flags that differ from it."""

    strategy: str
    detector: str | None = None
    resolver: str | None = None
    threshold: float | None = None
    active: tuple[ExpectedMemory, ...]
    """all of them, the oldest first"""
    superseded: int = 0
    deleted: int = 0
    actions: dict[str, tuple[Action, ...]] = Field(default_factory=dict)
    """by message: the actions of its write"""
    judge_calls: int | None = None
    """of the whole case; None: not looked at"""
    lost: tuple[str, ...] = ()
    """each stands in a detail that some decision lists as lost from the text"""


class Case(Part):
    """A recorded case."""

    id: str
    title: str
    lang: Literal["en", "zh"]
    note: str
    """what it shows under the usual strategy; that replies are written, not measured, is said once, over all cases"""
    messages: tuple[CaseMessage, ...]
    facts: tuple[GoldFact, ...] = ()
    extraction: dict[Literal["compound"], dict[str, tuple[CaseItem, ...]]]
    """message id → items, under the stream's name; an entry for every user message, since an empty one is an answer"""
    verdicts: tuple[Verdict, ...] = ()
    texts: tuple[Text, ...] = ()
    strategies: dict[str, Override] = Field(default_factory=dict)
    expect: tuple[Expected, ...] = ()

    @property
    def extracted(self) -> dict[str, tuple[CaseItem, ...]]:
        """Message id → items."""
        return self.extraction.get("compound", {})

    @property
    def items(self) -> dict[str, CaseItem]:
        """Every extracted fact by key, oldest first."""
        return {
            f"{message.id}#{index}": item
            for message in self.messages
            for index, item in enumerate(self.extracted.get(message.id, ()))
        }
