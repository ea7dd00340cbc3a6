"""How a clause is meant: as a fact, a plan, a wish, a question, a fiction, or somebody else's words."""

from __future__ import annotations

import re

from scrubjay.graph.rules.tables import has
from scrubjay.stores.records import Modality

_QUOTED_ME = re.compile(r"[\"“”«»]|(?:^|\s)'[^']*\b(?:I|my|me|we)\b[^']*'")
_CALLED = re.compile(r"\bwants? to be called\b", re.IGNORECASE)
_FORMER = re.compile(r"^I used to\b")


def quotes_somebody(clause: str) -> bool:
    """Quotation marks make words somebody else's, unless they only name a thing."""
    marks = re.findall(r"[\"“«]([^\"”»]*)[\"”»]", clause)
    if marks:
        return any(re.search(r"\b(?:I|my|me|we|I'm)\b", mark) for mark in marks) or clause.strip()[0] in '"“«'
    return _QUOTED_ME.search(clause) is not None


def reported(plain: str) -> bool:
    """Says, thinks, told: somebody's words about something."""
    return has("reported", plain) and _CALLED.search(plain) is None


def modality(plain: str, question: bool) -> Modality:
    """Of one clause, by its cues; what is unsure counts as hypothetical."""
    if question or has("question", plain):
        return "question"
    if _CALLED.search(plain):
        return "actual"
    if has("hypothetical", plain):
        return "hypothetical"
    return "planned" if has("planned", plain) and not _FORMER.match(plain) else "actual"
