"""extract: facts from the new messages, each checked against its quote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import cast

from scrubjay.nodes.asking import Asking, Step
from scrubjay.nodes.decider import Answer
from scrubjay.nodes.reading import record_step, replies_so_far, settings_of
from scrubjay.nodes.state import FactState, Json, Write
from scrubjay.nodes.tools import Tools
from scrubjay.nodes.vocabulary import id_body, problem
from scrubjay.prompts.extract import ExtractedFact, Extraction, ExtractRequest
from scrubjay.prompts.extraction_loss import extraction_loss
from scrubjay.prompts.quotes import find_quote
from scrubjay.prompts.shown import ShownMessage
from scrubjay.stores.text import asks_to_forget, clean, compare_dates, normalise

WINDOW = 8000
"""characters of new text in one request"""
FACT_LIMIT = 2000
"""characters of one fact"""
BREAK = re.compile(r"\n+|(?<=[.!?;])\s+|(?<=[。！？；])")


def extract(tools: Tools) -> Asking[Write]:
    """The node: a window a request."""
    step = Step[Write](
        name="extract",
        prepare=partial(prepare, tools=tools),
        apply=partial(apply, tools=tools),
        budget=lambda state: 2 * len(windows(state["batch"])),
        known=replies_so_far,
        record=partial(record_step, "extract"),
    )
    return Asking(step, tools.decider, tools.timer)


def prepare(state: Write, *, tools: Tools) -> list[ExtractRequest]:
    """One question a window; only new messages are a source."""
    context, asked = state["context"], settings_of(state, tools).context
    earlier = [
        ShownMessage(number=0, role=m["role"], text=m["text"][:1000], at=m["at"], name=m["name"], new=False)
        for m in context["messages"]
    ]
    return [
        ExtractRequest(
            messages=(*earlier, *window),
            observed_at=context["observed_at"],
            today=context["today"],
            known_facts=tuple(context["facts"]),
            related=tuple(context["related"]),
            strictness=asked.strictness,
            instructions=context["instructions"],
        )
        for window in windows(state["batch"])
    ]


def apply(state: Write, answers: Sequence[Answer], *, tools: Tools) -> Write:
    """Numbered facts; a window without a usable reply is owed, never read as "no facts"."""
    shown = windows(state["batch"])
    facts: list[FactState] = []
    problems, owed = list(state["problems"]), []
    for number, (window, answer) in enumerate(zip(shown, answers, strict=True), 1):
        problems += [problem("extract_reply", p) for p in answer.problems]
        if answer.value is None:
            owed.append(f"window {number} of {len(shown)}")
            problems.append(problem("extraction_failed", answer.error or "no usable reply"))
            continue
        found, refused = usable(cast(Extraction, answer.value).facts)
        problems += refused
        facts += [as_state(item, window, state, len(facts) + i) for i, item in enumerate(found, 1)]
    for fact in facts:
        problems += [problem("extraction_loss", loss, fact["n"]) for loss in fact["loss"]]
    failed = "extraction failed" if owed and not facts else None
    return {"facts": with_keys(facts), "problems": problems, "owed": owed, "failed": failed}


def usable(items: Sequence[ExtractedFact]) -> tuple[list[ExtractedFact], list[Json]]:
    """(statements, problems): a "fact" without a word is none, and one of pages is no statement."""
    found = [item for item in items if any(c.isalnum() for c in item.text) and len(item.text) <= FACT_LIMIT]
    long = [item for item in items if len(item.text) > FACT_LIMIT]
    why = f"more than {FACT_LIMIT} characters, not kept: "
    return found, [problem("fact_too_long", why + item.text[:80]) for item in long]


def as_state(item: ExtractedFact, window: Sequence[ShownMessage], state: Write, n: int) -> FactState:
    """A fact with its source; a quote that is not in the message is a loss, so that such a fact ends nothing."""
    text = " ".join(clean(item.text).split())
    message, quote = source_of(item, state["batch"], window)
    at, valid_from, valid_to = message["at"], readable(item.valid_from), readable(item.valid_to)
    losses = extraction_loss(
        text, quote or message["text"][:WINDOW], subject=item.subject, valid_from=valid_from,
        valid_to=valid_to, modality=item.modality, observed_at=at, speaker=message["name"],
    )  # fmt: skip
    if item.quote and not quote:
        losses = [*losses, "the quote is not in any message"]
    body = id_body(state["settings"]["context"]["write_id"])
    return {
        "n": n, "id": f"f_{body}_{n}", "key": message["id"], "text": text, "type": item.type,
        "subject": clean(item.subject).strip() or "user",
        "attributes": sorted({normalise(clean(a)) for a in item.attributes if a.strip()}),
        "modality": item.modality, "valid_from": valid_from, "valid_to": valid_to,
        "sources": [{"message_id": message["id"], "quote": quote, "at": at}],
        "loss": list(losses), "retraction": asks_to_forget(text),
    }  # fmt: skip


def readable(date: str | None) -> str | None:
    """A date that can be compared; "soon" is none, and a bound that it was to carry then counts as lost."""
    return date if date and compare_dates(date, "0001") else None


def source_of(item: ExtractedFact, batch: Sequence[Json], window: Sequence[ShownMessage]) -> tuple[Json, str]:
    """(message, exact span): the message named if it says so, else the newest that does; else no quote.

    Read as tolerantly as the request's own check: what that lets pass is no loss here.
    """
    numbers = [m.number for m in window if m.role == "user"]
    named = [item.message] if item.message in numbers else []
    for number in [*named, *reversed(numbers)]:
        if quote := find_quote(clean(item.quote), batch[number - 1]["text"]):
            return batch[number - 1], quote
    return batch[(named or numbers)[0] - 1], ""


def with_keys(facts: list[FactState]) -> list[FactState]:
    """message id # place among that message's facts."""
    count: dict[str, int] = {}
    keyed: list[FactState] = []
    for fact in facts:
        place = count.get(fact["key"], 0)
        count[fact["key"]] = place + 1
        keyed.append({**fact, "key": f"{fact['key']}#{place}"})
    return keyed


def windows(batch: Sequence[Json]) -> list[tuple[ShownMessage, ...]]:
    """New messages in portions of at most WINDOW characters; a long message is split between sentences."""
    portions: list[list[ShownMessage]] = [[]]
    size = 0
    for number, message in enumerate(batch, 1):
        for piece in pieces(message["text"]):
            if size and size + len(piece) > WINDOW:
                portions.append([])
                size = 0
            portions[-1].append(shown(number, message, piece))
            size += len(piece)
    return [tuple(p) for p in portions if any(m.role == "user" for m in p)]


def shown(number: int, message: Json, piece: str) -> ShownMessage:
    return ShownMessage(
        number=number, role=message["role"], text=piece, at=message["at"], name=message["name"], id=message["id"]
    )


def pieces(text: str) -> list[str]:
    """Slices of at most WINDOW characters, cut between sentences; put together they are the text."""
    found = [""]
    for sentence in sentences(text) if len(text) > WINDOW else [text]:
        if len(found[-1]) + len(sentence) > WINDOW:
            found.append("")
        found[-1] += sentence
    return [piece for piece in found if piece]


def sentences(text: str) -> list[str]:
    cuts = [0, *(m.end() for m in BREAK.finditer(text)), len(text)]
    spans = [text[a:b] for a, b in pairwise(cuts)]
    return [span[i : i + WINDOW] for span in spans for i in range(0, len(span), WINDOW)]
