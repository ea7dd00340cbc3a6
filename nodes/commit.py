"""commit: everything in one transaction, or back to retrieve when the store moved under the plan."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from scrubjay.nodes.backfill import embedded
from scrubjay.nodes.changes import Changes, Planner, stored_facts
from scrubjay.nodes.decisions import common, decisions_of, worst
from scrubjay.nodes.events import announce
from scrubjay.nodes.gating import gate
from scrubjay.nodes.nonsense import must_fit, reads_state
from scrubjay.nodes.plan import links_of, only_additions, plan_of, split
from scrubjay.nodes.proposals import pending_change, proposals_of, set_apart
from scrubjay.nodes.reading import embedded_facts, seen, settings_of, timed
from scrubjay.nodes.settings import Settings, WriteContext
from scrubjay.nodes.state import FactState, Json, Resolved, Write
from scrubjay.nodes.tools import Tools
from scrubjay.nodes.verdicts import must_be_as_planned
from scrubjay.nodes.vocabulary import label, passing, problem
from scrubjay.stores.errors import StateError, StoreBusy
from scrubjay.stores.protocol import Reader
from scrubjay.stores.records import Commit, Committed, Conflict, Message, WriteRow

ROUNDS = 3
"""times that a plan is made anew before its facts are only added and linked"""
ATTEMPTS = 20
"""times that this last step is tried against the newest revision before it no longer looks"""


@reads_state
def commit(state: Write, config: RunnableConfig, runtime: Runtime[WriteContext], *, tools: Tools) -> Write:
    """Writes once under the write's key; a second run of this node finds the key and reports the first result."""
    started = tools.timer()
    must_fit("commit", state)
    settings = settings_of(state, tools)
    if state["repeat"]:
        first = tools.store.write_by_key(settings.scope, settings.context.key or "")
        if first is None:  # load_context found it, and writes stay until `forget`
            raise StateError("commit", f"repeat: no write has the key {settings.context.key!r}")
        return reported(first)
    must_be_as_planned(state)
    plan, problems = findable(set_apart(state["plan"] or plan_of(state), state), state, tools)
    state = {**state, "problems": [*state["problems"], *problems]}
    done = carry_out(state, settings, plan, links_of(state, plan), config, tools, started)
    if isinstance(done, Conflict) and state["round"] + 1 < ROUNDS:
        reads = [*state["reads"], tools.store.picture(lambda view: seen("commit", view, settings))]
        moved = list(done.memory_ids) or ["scope"]
        return {"conflicts": moved, "round": state["round"] + 1, "plan": [], "reads": reads}
    if isinstance(done, Conflict):
        done = add_and_link(state, settings, config, tools, started)
    announce(done, config, runtime)
    return reported(done.write)


def add_and_link(state: Write, settings: Settings, config: RunnableConfig, tools: Tools, started: float) -> Committed:
    """At the bound: nothing old is touched, exact repeats are still folded, a wish to forget stays owed."""
    texts = embedded_facts(state, tools)

    def look_again(view: Reader) -> tuple[list[FactState], Json]:
        return gate(state["facts"], texts.vectors, settings, view), seen("commit", view, settings, texts.missing)

    reads = state["reads"]
    for attempt in range(ATTEMPTS):
        facts, read = tools.store.picture(look_again)
        reads = [*reads, read]
        latest: Write = {**state, "facts": facts, "revision": read["revision"], "reads": reads}
        additions, links, problems = only_additions(latest)
        wishes = [label(f["n"]) for f in passing(facts) if f["retraction"]]
        latest = {**latest, "problems": [*state["problems"], *problems], "owed": [*state["owed"], *wishes]}
        look = attempt + 1 < ATTEMPTS
        done = carry_out(latest, settings, additions, links, config, tools, started, look=look)
        if isinstance(done, Committed):
            return done
    raise StoreBusy("the store kept moving under this write: add the same messages again with the same key")


def findable(plan: Sequence[Resolved], state: Write, tools: Tools) -> tuple[list[Resolved], list[Json]]:
    """A text that could not be embedded takes no other's place: the targets stay as they are (mem0#5245)."""
    takes = {item["group"]["id"]: item["text"] for item in plan if item["group"]["action"] in ("merge", "replace")}
    texts = [text for text in takes.values() if text]
    vectors, _ = tools.vectors.of(texts) if texts else ({}, [])
    facts = {f["n"]: f for f in state["facts"]}
    found: list[Resolved] = []
    problems: list[Json] = []
    for item in plan:
        text = takes.get(item["group"]["id"])
        if text and text not in vectors and any(item["group"]["targets"]):
            found += split(item, facts)
            why = "the new text could not be embedded: its targets stay, the fact is added and linked"
            problems += [problem("not_embedded", why, n) for n in item["group"]["facts"]]
        else:
            found.append(item)
    return found, problems


def reported(row: WriteRow) -> Write:
    """What the caller gets back."""
    return {"memory_changes": row.result["changes"], "memory_write_id": row.id, "conflicts": []}


def carry_out(
    state: Write, settings: Settings, plan: Sequence[Resolved], links: list[Json], config: RunnableConfig,
    tools: Tools, started: float, *, look: bool = True,
) -> Committed | Conflict:  # fmt: skip
    """One transaction; with `look`, only if the scope is as it was read."""
    now = tools.clock().isoformat(timespec="milliseconds")
    changes = Planner(state, settings, now).changes(plan, links)
    facts, sources = stored_facts(state, now)
    decisions = decisions_of(state, settings, plan, changes, links, now)
    waiting = proposals_of(plan, state, settings, changes.home, common(state, settings), now)
    changes.reports += [pending_change(proposal) for proposal in waiting]
    texts = changes.texts + [f["text"] for f in state["facts"]]  # a dropped one's too: a replay embeds nothing
    texts += [f.text for f in changes.derived]
    vectors, failures = embedded(texts, settings.scope, tools)
    row = write_row(state, settings, changes, [d.outcome for d in decisions], now)
    row.result.update({
        "timings": {k: round(v, 2) for k, v in timed("commit", state, started, tools).items()},
        "where": where(config), "embedding": failures, "reads": state["reads"], **by_people(state),
    })  # fmt: skip
    return tools.store.commit(Commit(
        write=row,
        expected_revision=state["revision"] if look and state["facts"] else None,
        messages=tuple(messages_of(state, settings)),
        facts=(*facts, *changes.derived), sources=tuple(sources), versions=tuple(changes.versions),
        absorptions=tuple(changes.absorptions), decisions=tuple(decisions), embedded=tuple(vectors.items()),
        proposals=tuple(waiting),
    ))  # fmt: skip


def write_row(state: Write, settings: Settings, changes: Changes, outcomes: list[str], now: str) -> WriteRow:
    """The row of the write; its result is what the caller gets back, now or on any later delivery."""
    context = settings.context
    return WriteRow(
        id=context.write_id or "", key=context.key or "", scope=settings.scope,
        conversation_id=context.conversation_id, run_id=context.run_id, at=now,
        outcome=worst(outcomes),  # type: ignore[arg-type]
        incomplete=tuple(state["owed"]), settings=state["settings"],
        input={"messages": state["batch"], **state["began"]},
        calls=tuple(state["calls"]), result={"changes": changes.reports, "problems": state["problems"]},
        revision_read=state["revision"],
    )  # fmt: skip


def by_people(state: Write) -> Json:
    """What was edited or answered while the run stood still: nothing else on record would say it again."""
    said = {"by_hand": state.get("by_hand"), "answered": state.get("answered")}
    return {name: value for name, value in said.items() if value}


def messages_of(state: Write, settings: Settings) -> list[Message]:
    """What counts as read from now on; a failed or incomplete write has its messages read again."""
    context = settings.context
    if state["failed"] or state["owed"]:
        return []
    return [
        Message(m["id"], context.conversation_id, m["role"], m["text"], m["at"], m["name"], context.run_id)
        for m in state["batch"]
    ]


def where(config: RunnableConfig) -> Json:
    """Thread of this run, and its namespace there when it runs inside a parent: enough to find its steps again."""
    found = config.get("configurable") or {}
    if not found.get("thread_id"):
        return {}  # nobody saves: there are no steps to find
    parent = str(found.get("checkpoint_ns") or "").rpartition("|")[0]  # the last part names this node
    return {"thread_id": str(found["thread_id"])} | ({"checkpoint_ns": parent} if parent else {})
