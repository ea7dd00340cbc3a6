"""Facts of an English message: plain statements in the first person, and nothing that is not one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from scrubjay.graph.rules import forget
from scrubjay.graph.rules.claim import Claim
from scrubjay.graph.rules.clauses import LONGEST, Clause, clauses
from scrubjay.graph.rules.lead import plain
from scrubjay.graph.rules.moods import modality, quotes_somebody, reported
from scrubjay.graph.rules.person import Sentence, third_person
from scrubjay.graph.rules.reading import read
from scrubjay.graph.rules.tables import has, pattern
from scrubjay.graph.rules.validity import dated
from scrubjay.graph.rules.worth import kind_of, worth_keeping
from scrubjay.prompts.extract import ExtractedFact
from scrubjay.stores.records import Modality


@dataclass
class Listening:
    """What earlier sentences of one message do to the later ones."""

    at: str
    number: int
    strictness: str = "balanced"
    fiction: bool = False
    """a story was begun: what follows belongs to it"""
    deaf: bool = False
    """a text to work on was begun: what follows is not said by the user"""
    said_if: bool = field(default=False)
    """the sentence has a condition: what follows it hangs on it"""


def of_sentence(sentence: Clause, listening: Listening) -> list[ExtractedFact]:
    """The facts of one sentence; `listening` is carried on to the next."""
    text = sentence.text.replace("’", "'")[: LONGEST * 4]
    if has("rest_is_not_said", text):
        listening.deaf = True
    if listening.deaf:
        return []
    if has("real_again", text):
        listening.fiction = False
    elif has("fiction", text):
        listening.fiction = True
    if not _OURS.search(text):
        return []
    listening.said_if = False
    return list(_of_clauses(list(clauses(sentence)), listening))


_OURS = re.compile(
    r"\b(?:i|i'?m|i'?ve|we|we'?re|we'?ve|my|our|me|us|mine|ours|forget|rent|dentist|doctor|gp|vet|optician|hairdresser"
    r"|physio|therapist|haircut|landlord|appointment|flight|interview|exam|wedding|meeting|surgery|check-?up|deadline"
    r"|trip|party|class|lesson|viewing|hearing|delivery|session|test|consultation|mortgage|salary)\b",
    re.IGNORECASE,
)
"""A sentence without one of these says nothing that we read: asked first, for long texts of others"""


def _of_clauses(parts: list[Clause], listening: Listening) -> Iterator[ExtractedFact]:
    if parts and reported(parts[-1].text) and len(parts[-1].text.split()) <= 6 and len(parts) > 1:
        return  # "…, my friend says": all of it is theirs
    mine = False
    for part in parts:
        text = part.text.replace("’", "'")
        asked = forget.wish(text)
        if asked:
            yield _wish(asked, part, listening)
            continue
        if _RECALLED.fullmatch(text):  # "as I said," is the user's own word for what follows
            continue
        if len(text) > LONGEST or quotes_somebody(text) or reported(plain(text, part.implied)):
            return
        if part.implied and not mine:
            continue
        found = _statement(part, listening)
        mine = part.implied or re.match(r"(?:i|we)\b", plain(text), re.IGNORECASE) is not None
        yield from found


def _wish(asked: str, part: Clause, listening: Listening) -> ExtractedFact:
    text, slots = forget.wish_text(asked)
    return ExtractedFact(text=text, type="decision", attributes=slots, quote=part.text, message=listening.number)


def _statement(part: Clause, listening: Listening) -> list[ExtractedFact]:
    said = plain(part.text, part.implied)
    mood = modality(said, part.question)
    listening.said_if = listening.said_if or re.search(r"\b(?:if|unless|whether)\b", said, re.IGNORECASE) is not None
    if listening.fiction:
        mood = "fiction"
    elif listening.said_if and mood in ("actual", "planned"):
        mood = "hypothetical"
    sentence = third_person(_spoken(said)) if mood == "question" else third_person(said)
    if sentence is None:
        return []
    claims = read(sentence.text, sentence.subject)
    if not worth_keeping(sentence, claims, mood, listening.strictness):
        return []
    return _facts(sentence, claims, mood, part, listening)


_RECALLED = pattern("english.recalled")
_ASKED = re.compile(r"^(?:should|do|did|can|could|would|will|must|am|have|may|might|shall)\s+(I|we)\s+", re.IGNORECASE)


def _spoken(question: str) -> str:
    """ "Should I move to Austin" → "I should move to Austin": only to see what it is about."""
    found = _ASKED.match(question)
    return f"I {found[0].split()[0].lower()} {question[found.end() :]}" if found else question


def _facts(
    sentence: Sentence, claims: tuple[Claim, ...], mood: Modality, part: Clause, listening: Listening
) -> list[ExtractedFact]:
    if mood == "question":
        text = f'User asks: "{part.text}?"'
        return [ExtractedFact(text=text, quote=part.text, message=listening.number, modality=mood)]
    text = f"In fiction: {sentence.text}" if mood == "fiction" else sentence.text
    fact = ExtractedFact(
        text=text,
        type=kind_of(sentence, claims, mood),
        subject=sentence.subject,
        attributes=list(
            dict.fromkeys(c.attribute for c in claims if mood == "actual" or not c.slot.startswith("does:"))
        ),
        quote=part.text,
        message=listening.number,
        modality=mood,
    )
    if mood in ("fiction", "hypothetical"):
        return [fact]
    return [dated(each, claims, listening.at) for each in _halves(fact, claims)]


_AS_AT = pattern("english.as_at")
_AT_AS = pattern("english.at_as")


def _halves(fact: ExtractedFact, claims: tuple[Claim, ...]) -> list[ExtractedFact]:
    """ "works as a nurse at Mercy" is two facts: the one can end without the other."""
    if fact.modality != "actual":
        return [fact]
    if found := _IS_AT.match(fact.text):
        return _job_and_employer(fact, found)
    found = _AS_AT.match(fact.text) or _AT_AS.match(fact.text)
    if not found:
        return [fact]
    spans = (found["at"], f"as {found['job']}")
    if any(fact.quote.find(span) < 0 for span in spans):
        return [fact]
    texts = [f"{found['start']} {span}" for span in spans]
    quotes = [_span(fact.quote, span, spans) for span in spans]
    both = [
        fact.model_copy(update={"text": text, "quote": quote, "attributes": _slots(text)})
        for text, quote in zip(texts, quotes, strict=True)
    ]
    return both if all(each.attributes for each in both) else [fact]


_IS_AT = pattern("english.is_at")


def _job_and_employer(fact: ExtractedFact, found: re.Match[str]) -> list[ExtractedFact]:
    """ "is a nurse at Mercy": a nurse, and works at Mercy."""
    now = " now" if found["at"].endswith(" now") else ""
    texts = (f"{found['start']} {found['job']}{now}", f"User{found['when']} works {found['at']}")
    at = fact.quote.casefold().find(found["at"].casefold())
    if at < 0 or [_slots(text) for text in texts] != [["job"], ["employer"]]:
        return [fact]
    quotes = (fact.quote[:at].rstrip(), fact.quote[at:])
    return [
        fact.model_copy(update={"text": text, "quote": quote, "attributes": _slots(text)})
        for text, quote in zip(texts, quotes, strict=True)
    ]


def _span(quote: str, span: str, spans: tuple[str, str]) -> str:
    """The first half is quoted with its beginning, the second alone."""
    first = min(spans, key=quote.find)
    return quote[: quote.find(span) + len(span)] if span == first else span


def _slots(text: str) -> list[str]:
    return list(dict.fromkeys(claim.attribute for claim in read(text)))
