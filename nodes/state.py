"""The state of one write: plain JSON, so that it can be checkpointed, shown in Studio and edited there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.channels import EphemeralValue, Topic
from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

Json = dict[str, Any]
if TYPE_CHECKING:
    Given = Any
    Look = Json
    Problem = Json
else:
    Given = AnyMessage

    class Look(TypedDict):
        """One look at the store."""

        node: str
        moment: int
        revision: int

    class Problem(TypedDict):
        """Something that went wrong and is on record."""

        code: str
        text: str


"""a message as it comes: Studio's schema names LangChain's, type checkers must let dicts and tuples pass"""
described = with_config(ConfigDict(use_attribute_docstrings=True))
"""what stands under a field is its description in the schemas that Studio shows"""


@described
class GateState(TypedDict, total=False):
    """What the surprisal gate decided about one fact."""

    verdict: str
    """pass | drop"""
    reason: str
    """new | near | exact repeat | near-identical | modality | bypass | not embedded"""
    surprisal: float | None
    """1 − highest cosine to an active memory of the scope, in [0, 1]; None without a vector or a neighbour"""
    threshold: float
    neighbour: str | None
    """memory id, or "F1" for an earlier fact of the same write"""
    differences: list[str]
    """why a near-identical fact was let through all the same"""
    folded_into: str | None
    """fact id that takes the source of a dropped repeat"""


@described
class FactState(TypedDict, total=False):
    """One fact on its way through the graph."""

    n: int
    """number in this write, from 1; "F1" in prompts"""
    id: str
    key: str
    """message id # item, what recorded and oracle deciders know it by"""
    text: str
    type: str
    subject: str
    attributes: list[str]
    modality: str
    valid_from: str | None
    valid_to: str | None
    sources: list[Json]
    """message_id, quote, at"""
    loss: list[str]
    """what the extraction check found missing: such a fact may be added but ends nothing"""
    retraction: bool
    """a wish to forget"""
    gate: GateState


@described
class CandidateState(TypedDict, total=False):
    """A memory, or an earlier fact of the same write, that may be concerned by a fact."""

    ref: str
    """memory id, or "F1" """
    version: int
    cosine: float | None
    bm25: float | None
    fused: float
    channel: str
    """vector | both | lexical | slot | write"""


@described
class RelationState(TypedDict, total=False):
    """What the judge said of one fact and one target, and what the checks made of it."""

    n: int
    """number of the new fact"""
    ref: str
    """memory id, or "F1" for an earlier fact of the same write"""
    ends: list[str]
    """ids of the target's facts that end (supersedes, retracts)"""
    relation: str
    """duplicate | refines | supersedes | retracts | contradicts | independent: edited by hand, it has the last word"""
    said: str
    """the judge's own word where a check changed it"""
    because: str
    """why a check changed it"""
    reason: str
    """the judge's reason"""
    still_true: list[str]
    """clauses of what ends that hold all the same"""
    text: str | None
    """the text that came with the joint reply"""
    members: list[str]
    """"F1" and memory ids of the reply's group: its text counts only for exactly these"""


@described
class GroupState(TypedDict, total=False):
    """Facts and targets that are resolved together."""

    id: str
    action: str
    """add | merge | replace | delete | none"""
    facts: list[int]
    """new facts that will be current in the memory"""
    absorbed: list[int]
    """new facts that only repeat it"""
    past: list[int]
    """new facts that ended within the same write"""
    retractions: list[int]
    targets: list[Json]
    """ref, ends: [fact ids], absorbed: [fact ids]"""
    derived: list[Json]
    """clauses of ended facts that still hold: text, derived_from"""
    text: str | None
    """proposed by the judge for exactly these members"""
    may_call: bool
    forgets: bool
    """what ended leaves no wording: the new fact was told along with a wish to forget it"""
    born_past: bool
    """older than what it would supersede: history, not the present"""


@described
class Resolved(TypedDict, total=False):
    """A group with its text."""

    group: GroupState
    text: str | None
    """of the resulting memory"""
    wording: str
    """fact | judge | merge | deterministic: who worded it"""
    kept: list[str]
    lost: list[str]
    """details that the text no longer says; the facts keep them"""
    invented: list[str]
    """what a refused text had said and no fact does"""
    problems: list[str]
    calls: list[Json]
    milliseconds: float
    left: dict[str, str | None]
    """target → text of what still stands in it, None for nothing"""
    review: Json
    """what a person says of it, where the policy asks: verdict (queue | approve | edit | reject), and the text"""
    whole: Json
    """of a part that is added by itself: the item that waits or was rejected"""


@described
class WriteInput(TypedDict, total=False):
    """What a write is given: the conversation's new messages, and whose memory they belong to."""

    messages: Annotated[list[Given], EphemeralValue]
    """the conversation, or what is new of it; what was read before is context"""
    memory_write: Annotated[Json, EphemeralValue]
    """user_id, agent_id, conversation_id, run_id, at, key, metadata, strategy …: see WriteContext"""


@described
class WriteOutput(TypedDict, total=False):
    """What a parent graph gets back."""

    memory_changes: list[Json]
    """memory_id, action, before, after, retired, write_id, outcome"""
    memory_write_id: str
    """this write's id, or the first one's where its key was written before"""


@described
class Write(TypedDict, total=False):
    """All channels of the write graph."""

    messages: Annotated[list[Given], EphemeralValue]
    """the conversation, or what is new of it; what was read before is context"""
    memory_write: Annotated[Json, EphemeralValue]
    """settings of this write alone, see WriteContext"""
    settings: Json
    """as load_context resolved them; a run that is resumed or forked sees the same ones"""
    batch: list[Json]
    """the new messages as plain data: id, role, text, at, name"""
    context: Json
    """earlier messages, facts, related memories, summary, dates"""
    facts: list[FactState]
    """what extraction found, with the gate's verdict on each"""
    known: dict[str, Json]
    """memory id → the version that the decision is made against"""
    candidates: dict[str, list[CandidateState]]
    """fact number → its candidates, best first"""
    relations: list[RelationState]
    """the judge's verdicts after the checks: what is edited here takes effect on resuming"""
    judged: list[Json]
    """the same in short, as judge left them: an edit is what differs from it"""
    by_hand: list[RelationState]
    """verdicts that were edited: they hold when the plan is made anew"""
    groups: list[GroupState]
    """what is done: follows from the relations"""
    links: list[Json]
    """n, kind, ref"""
    resolved: Annotated[list[Resolved], Topic]
    """groups whose text was just made"""
    plan: list[Resolved]
    """every group with its text, as commit carries it out"""
    answered: list[Json]
    """answers of a person in review: they hold when the plan is made anew, for what is still the same"""
    problems: list[Problem]
    """code, text, and n where one fact is concerned"""
    calls: list[Json]
    """model requests and their replies"""
    owed: list[str]
    """facts or windows that got no answer: the write is incomplete"""
    reads: list[Look]
    """node, moment and revision of every look at the store, in order"""
    began: Json
    """today, and the problems of the messages as they came: what the record cannot derive from the batch"""
    timings: dict[str, float]
    """milliseconds a node"""
    revision: int
    """of the scope, as it was read"""
    round: int
    """how often the plan was made anew because the store moved"""
    conflicts: list[str]
    """memories that moved"""
    failed: str | None
    """why nothing could be extracted"""
    repeat: bool
    """the write's key is in the store already"""
    memory_changes: list[Json]
    """memory_id, action, before, after, retired, write_id, outcome"""
    memory_write_id: str
    """this write's id, or the first one's where its key was written before"""
