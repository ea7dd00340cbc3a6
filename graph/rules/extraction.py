"""Extract by rules: the plain first-person statements of the new user messages."""

from __future__ import annotations

from scrubjay.graph.rules import english, mandarin
from scrubjay.graph.rules.chinese import is_chinese
from scrubjay.graph.rules.clauses import sentences
from scrubjay.graph.rules.tables import has
from scrubjay.prompts.extract import ExtractedFact, Extraction, ExtractRequest
from scrubjay.prompts.shown import ShownMessage


def extract(request: ExtractRequest) -> Extraction:
    """Every fact once, in the order said."""
    found: dict[tuple[str, str], ExtractedFact] = {}
    for message in request.messages:
        if message.new and message.role == "user":
            for fact in _of_message(message, request):
                found.setdefault((fact.text, fact.modality), fact)
    return Extraction(facts=list(found.values()))


def _of_message(message: ShownMessage, request: ExtractRequest) -> list[ExtractedFact]:
    if has("message_joke", message.text) or has("message_joke", message.text, "zh"):
        return []
    at = message.at or request.observed_at or request.today
    listening = english.Listening(at=at, number=message.number, strictness=request.strictness)
    facts: list[ExtractedFact] = []
    for sentence in sentences(message.text):
        if is_chinese(sentence.text[:400]):
            facts += mandarin.of_sentence(sentence, at, message.number) if not listening.deaf else []
        else:
            facts += english.of_sentence(sentence, listening)
    return facts
