"""What is wrong with a recorded case that has the right shape: references and spans, all of them at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from scrubjay.graph.cases.format import Case, Text, Verdict


def faults(case: Case) -> list[str]:
    """In words, [] for a sound case; pure. A reference that names nothing would else be a reply nobody hears."""
    return [*_message_faults(case), *_item_faults(case), *_verdict_faults(case), *_text_faults(case)]


def _message_faults(case: Case) -> Iterator[str]:
    seen: set[str] = set()
    for message in case.messages:
        if message.id in seen:
            yield f"message {message.id} stands there twice"
        seen.add(message.id)
        if not _has_zone(message.at):
            yield f"message {message.id}: at {message.at!r} is no ISO time with a zone"


def _has_zone(at: str) -> bool:
    try:
        return datetime.fromisoformat(at).tzinfo is not None
    except ValueError:
        return False


def _item_faults(case: Case) -> Iterator[str]:
    texts = {m.id: m.text for m in case.messages}
    gold = {f.id for f in case.facts}
    users = {m.id for m in case.messages if m.role == "user"}
    for message in sorted(users ^ set(case.extracted)):
        yield f"extraction: {message} " + ("has no entry" if message in users else "is no user message")
    for key, item in case.items.items():
        if item.quote not in texts[key.partition("#")[0]]:
            yield f"{key}: quote {item.quote!r} is no span of the message"
        yield from (f"{key}: no gold fact {name}" for name in item.gold if name not in gold)


def _verdict_faults(case: Case) -> Iterator[str]:
    for verdict in _verdicts(case):
        where = f"verdict on {verdict.fact}"
        unknown = [key for key in (verdict.fact, verdict.target) if key is not None and key not in case.items]
        yield from (f"{where}: no fact {key}" for key in unknown)
        if (verdict.target is None) != (verdict.relation == "independent"):
            yield f"{where}: {verdict.relation} of target {verdict.target}"
        if not unknown and verdict.target is not None:
            yield from (f"{where}: {fault}" for fault in _target_faults(case, verdict.fact, verdict.target, verdict))


def _target_faults(case: Case, fact: str, target: str, verdict: Verdict) -> Iterator[str]:
    order = list(case.items)
    if order.index(target) >= order.index(fact):
        yield f"target {target} is not older"
    for clause in verdict.still_true:
        if clause not in case.items[target].text:
            yield f"{clause!r} is no span of {target}"


def _text_faults(case: Case) -> Iterator[str]:
    for text in _texts(case):
        for key in (*text.facts, *text.targets):
            if key not in case.items:
                yield f"text of {', '.join(text.facts)}: no fact {key}"


def _verdicts(case: Case) -> Iterator[Verdict]:
    yield from case.verdicts
    for override in case.strategies.values():
        yield from override.verdicts


def _texts(case: Case) -> Iterator[Text]:
    yield from case.texts
    for override in case.strategies.values():
        yield from override.texts
