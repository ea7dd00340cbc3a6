"""One write, told in a few lines: each decision, then what the store gained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from scrubjay.stores.records import Decision, Json, Memory
from scrubjay.studio.gains import Gain
from scrubjay.studio.screen import Screen, harmless

SIGNS = {"added": ("+", "green"), "changed": ("~", "yellow"), "retired": ("-", "red"), "past": (".", "dim")}


def tell_write(screen: Screen, decisions: Sequence[Decision], gains: Sequence[Gain], indent: int = 2) -> None:
    for decision in decisions:
        screen.line(*decision_line(decision), indent=indent)
    lost = lost_details(decisions)
    for gain in gains:
        tell_gain(screen, gain, indent)
        if gone := lost.get(gain.memory.id):
            screen.line(("lost: ", "red"), "; ".join(gone), (" (kept by the facts)", "dim"), indent=indent + 2)


def lost_details(decisions: Sequence[Decision]) -> dict[str, list[str]]:
    """Memory → details of the old text that its new one no longer says; facts that share a text share its losses."""
    found: dict[str, list[str]] = {}
    for decision in decisions:
        if decision.outcome == "applied" and decision.action in ("merge", "replace"):
            gone = found.setdefault(decision.body["memory_id"], [])
            gone += [detail for detail in decision.body["details"].get("lost", ()) if detail not in gone]
    return found


def decision_line(decision: Decision) -> list[str | tuple[str, str]]:
    """Action, fact, why."""
    fact = decision.body["fact"]
    if fact is None:
        return [(headline(decision), "bold"), f": {reason(decision)}"]
    said = f' F{decision.fact_number} "{fact["text"]}"'
    line: list[str | tuple[str, str]] = [(headline(decision), "bold"), said, (f" because {why(decision)}", "dim")]
    waiting = waits_for(decision)
    return [*line, (f"; {waiting}", "yellow")] if waiting else line


def reason(decision: Decision) -> str:
    """As recorded; but where rules found nothing it was no judgement of worth: they read plain sentences only."""
    if decision.outcome == "empty" and decision.body["model"] == "rules":
        return "nothing in it that rules can read"
    return str(decision.body["reason"])


def headline(decision: Decision) -> str:
    """What was done: the action, or the outcome where nothing was."""
    return decision.action if decision.outcome == "applied" else decision.outcome.replace("_", " ")


def waits_for(decision: Decision) -> str | None:
    """What is to be done about a change that waits; None for one that does not."""
    if decision.outcome != "pending_review":
        return None
    return f"{decision.action} waits for approval: scrubjay review {decision.body['review']['proposal']}"


def settles_proposal(decision: Decision) -> bool:
    """A person's word on what an earlier write proposed."""
    review = decision.body.get("review")
    return bool(review and review["proposal"] and decision.outcome != "pending_review")


def why(decision: Decision) -> str:
    """The gate's reason for a drop, else the relation and the judge's reason."""
    body = decision.body
    if body["gate"]["verdict"] == "drop":
        return gate_line(body["gate"])
    strongest = body["relations"][0] if body["relations"] else None
    relation = f"{strongest['relation']}: " if strongest else ""
    troubles = "; ".join(p["text"] for p in body["problems"] if p["code"] in ("judge_failed", "call_cap"))
    return f"{relation}{troubles or reason(decision)}"


def gate_line(gate: Mapping[str, Json]) -> str:
    """ "near-identical (surprisal 0.03, nearest m_…)" """
    parts = []
    if gate["surprisal"] is not None:
        parts.append(f"surprisal {gate['surprisal']:.2f}")
    if gate["neighbour"]:
        parts.append(f"nearest {gate['neighbour']}")
    return f"{gate['reason']} ({', '.join(parts)})" if parts else str(gate["reason"])


def tell_gain(screen: Screen, gain: Gain, indent: int) -> None:
    sign, style = SIGNS[gain.kind]
    screen.line((f"{sign} ", style), gain_text(screen, gain), indent=indent)


def gain_text(screen: Screen, gain: Gain) -> Text:
    """A word diff where a text came from another one; the id and what happened stand behind it."""
    memory = gain.memory
    if gain.kind == "changed" and gain.before is not None:
        text = screen.changed(gain.before, memory.text)
    elif gain.replaced:
        text = screen.changed("; ".join(gain.replaced), memory.text)
    else:
        text = Text(harmless(memory.text))
    return text + Text(f"  [{gain.kind}: {harmless(memory.id)} v{memory.version}{_status(gain)}]", "dim")


def _status(gain: Gain) -> str:
    return f", {gain.memory.status}" if gain.kind in ("retired", "past") else ""


def tell_memories(screen: Screen, memories: Sequence[Memory], indent: int = 2) -> None:
    """Numbered, oldest first."""
    if not memories:
        screen.line(("no memories", "dim"), indent=indent)
    for number, memory in enumerate(memories, 1):
        screen.line((f"{number}. ", "bold"), memory.text, (f"  [{memory.id} v{memory.version}]", "dim"), indent=indent)
