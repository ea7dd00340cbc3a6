"""load_context: resolve the settings once, look the write up by its key, and lay out what extraction may see."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from scrubjay.nodes.given import given_messages, given_settings, layers, must_be_saved
from scrubjay.nodes.messages import plain_messages
from scrubjay.nodes.reading import seen
from scrubjay.nodes.settings import Settings, WriteContext, choose_strategy, merge_context
from scrubjay.nodes.state import Json, Write
from scrubjay.nodes.tools import Tools
from scrubjay.nodes.travelling import made_there, place_of, sent_back
from scrubjay.nodes.turns import ended_turns
from scrubjay.nodes.unread import delivered_before, key_of, unread
from scrubjay.nodes.vocabulary import conversation_time
from scrubjay.stores.errors import InvalidInput
from scrubjay.stores.protocol import Reader
from scrubjay.stores.records import Scope, WriteRow
from scrubjay.stores.text import clean

MESSAGES, FACTS, RELATED = 10, 20, 10
QUERY = 400
"""characters of new text that related memories are looked up by"""


@dataclass(frozen=True)
class Incoming:
    """What a write is given, before anything is read."""

    settings: Settings
    said: list[Json]
    """the messages as plain data, history too"""
    waiting: list[Json]
    """problems of messages that were left to the next write"""
    problems: list[Json]
    today: str
    place: Json
    """where in its conversation this is"""
    back_in: str | None
    """the thread, where LangGraph was sent back to one of its checkpoints"""


def load_context(state: Write, config: RunnableConfig, runtime: Runtime[WriteContext], *, tools: Tools) -> Write:
    """Fresh channels for a new write; reads no clock but the injected one. Raises InvalidScope, InvalidInput."""
    started = tools.timer()
    came = take_in(state, config, runtime, tools)
    fresh = tools.store.picture(partial(look_up, came))
    return {**fresh, "timings": {"load_context": (tools.timer() - started) * 1000}}


def take_in(state: Write, config: RunnableConfig, runtime: Runtime[WriteContext], tools: Tools) -> Incoming:
    """Settings and messages, checked. Raises GraphError where a run that may stop to ask is saved by nobody."""
    now = tools.clock()
    asked = given_settings("memory_write", state.get("memory_write"), WriteContext.model_fields)
    context = in_conversation(merge_context(*layers(tools.bound, config, runtime, (WriteContext,), asked)), config)
    messages, waiting = ended_turns(given_messages(state.get("messages")))
    settings = settle(context, tools, now_id=lambda: tools.new_id(now))
    if settings.asks:
        must_be_saved(config)
    at = conversation_time(settings.context.at, now)
    said, problems = plain_messages(messages, at=at, write_id=settings.context.write_id or "")
    place = place_of(state, len(messages))
    return Incoming(settings, said, waiting, problems, now.date().isoformat(), place, sent_back(config))


def in_conversation(context: WriteContext, config: RunnableConfig) -> WriteContext:
    """Where nobody names the conversation, it is the thread of the run, or of its parent."""
    thread = (config.get("configurable") or {}).get("thread_id")
    if "conversation_id" in context.model_fields_set or not thread:
        return context
    return context.model_copy(update={"conversation_id": str(thread)})


def look_up(came: Incoming, view: Reader) -> Write:
    """Which of the messages are new, and whether the write of their key is there already."""
    batch, reused = unread(came.said, came.settings, view)
    settings, repeat = keyed(came.settings, came.said if batch or not came.waiting else [], batch, view)
    if came.back_in and (batch or not came.said) and not repeat and came.settings.context.key is None:
        settings, repeat = recognised(came, came.back_in, settings, view)
    if came.waiting and not batch and not repeat:  # the key stays free for the write that will read them
        settings = with_key(settings, settings.context.write_id)
    if repeat or not any(m["role"] == "user" for m in batch):
        batch = []
    fresh = begin(settings, batch, came.problems + reused + came.waiting, came.today, view, repeat=repeat)
    return {**fresh, "began": {**fresh["began"], "place": came.place}}


def recognised(came: Incoming, thread: str, settings: Settings, view: Reader) -> tuple[Settings, bool]:
    """(settings with the key of the write that was made here before, whether it is finished)."""
    row = made_there(came.said, came.place, thread, settings.scope, view)
    return (with_key(settings, row.key), finished(row)) if row is not None else (settings, False)


def begin(
    settings: Settings, batch: list[Json], problems: list[Json], today: str, view: Reader, *, repeat: bool = False
) -> Write:
    """Clean channels, and what extraction may see; a replay starts here, since of history only what was new is kept."""
    return {
        "settings": settings.plain(), "batch": batch, "context": context_of(settings, batch, view, today),
        "facts": [], "known": {}, "candidates": {}, "relations": [], "judged": [], "by_hand": [], "groups": [],
        "links": [], "plan": [], "problems": problems, "calls": [], "owed": [], "revision": 0, "round": 0,
        "conflicts": [], "failed": None, "repeat": repeat, "memory_changes": [], "answered": [],
        "began": {"today": today, "problems": problems}, "reads": [seen("load_context", view, settings)],
    }  # fmt: skip


def settle(context: WriteContext, tools: Tools, *, now_id: Any) -> Settings:
    """Strategy, thresholds and the write's id."""
    strategy, limits = choose_strategy(context.strategy, tools.strategies), tools.limits()
    recall = context.threshold
    if recall is None:
        recall = limits.recall if strategy.threshold is None else strategy.threshold
    context = context.model_copy(update={"write_id": context.write_id or f"w_{now_id()}"})
    return Settings(context, strategy, recall, limits.near, limits.veto)


def keyed(settings: Settings, said: list[Json], batch: list[Json], view: Reader) -> tuple[Settings, bool]:
    """(settings with the write's key, whether the write of that key is what the caller gets back).

    Raises InvalidInput where the caller's own key was used for other messages.
    """
    key = key_of(batch, settings)
    row = view.write_by_key(settings.scope, key)
    if row is None and settings.context.key is None and not batch:
        row = delivered_before(said, settings, view)
        key = row.key if row else key
    if row is not None and finished(row) and batch and not same_words(row, said):
        raise InvalidInput(f"key {key!r} was used for other messages in write {row.id}: give every write its own")
    repeat = row is not None and (finished(row) or not batch)
    return with_key(settings, key), repeat


def with_key(settings: Settings, key: str | None) -> Settings:
    return replace(settings, context=settings.context.model_copy(update={"key": key}))


def same_words(row: WriteRow, said: list[Json]) -> bool:
    """The messages are those of the write, perhaps with older history before them."""
    words = [m["text"] for m in row.input["messages"]]
    return not words or [m["text"] for m in said][-len(words) :] == words


def finished(row: WriteRow) -> bool:
    """A failed or incomplete write is resumed by the same key, never returned as a first result."""
    return row.outcome != "failed" and not row.incomplete


def context_of(settings: Settings, batch: list[Json], view: Reader, today: str) -> Json:
    """Earlier messages and facts of the conversation, and memories that share words with the new messages."""
    said = " ".join(m["text"] for m in batch)[:QUERY]
    if not said:
        return {}
    scope, conversation = settings.scope, settings.context.conversation_id
    new = {m["id"] for m in batch}
    earlier = view.recent_messages(scope, conversation, MESSAGES)
    hits = view.lexical(scope, said, RELATED)
    return {
        "messages": [{"role": m.role, "text": m.text, "at": m.at, "name": m.name} for m in earlier if m.id not in new],
        "facts": still_said(scope, [f.text for f in view.recent_facts(scope, conversation, FACTS)], view),
        "related": view.texts([h.memory_id for h in hits]),
        "observed_at": max(m["at"] for m in batch),
        "today": today,
        "instructions": clean(settings.context.instructions),
    }


def still_said(scope: Scope, texts: list[str], view: Reader) -> list[str]:
    """Those that a memory still rests on: what ended, and above all what is to be forgotten, is no context."""
    unique = list(dict.fromkeys(texts))
    return [text for text, stated in zip(unique, view.stating(scope, unique), strict=True) if stated]
