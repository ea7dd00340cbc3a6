"""A message cut into sentences and clauses, each an exact span; time is linear in the message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from scrubjay.graph.rules.lead import is_time
from scrubjay.graph.rules.tables import pattern, verbs, words

LONGEST = 400
"""A clause beyond this many characters is no plain statement and is not read"""

_END = re.compile(r"[.!?]+(?=[\s\"”')\]]|$)|[。！？；\n]+|;(?=\s)")
_JOINT = re.compile(r"[,;:–—-]|\s(?:and|but|so|yet|plus|although|though|however|because|whereas)\s", re.IGNORECASE)
"""Without one of these a sentence is one clause: asked first, since the whole cut costs more"""
_WORD_BEFORE = re.compile(r"(\S{1,12})$")


@dataclass(frozen=True, slots=True)
class Clause:
    """A span of a message."""

    text: str
    start: int
    question: bool = False
    implied: bool = False
    """True: the subject stands in the clause before ("I live in Bergen and *work at a bakery*")"""


def sentences(message: str) -> Iterator[Clause]:
    """Sentences in order; a question mark marks its sentence."""
    start = 0
    for end in _END.finditer(message):
        if end[0] == "." and _abbreviation(message, end.start()):
            continue
        yield from _trimmed(message, start, end.start(), "?" in end[0] or "？" in end[0])
        start = end.end()
    yield from _trimmed(message, start, len(message), False)


def _abbreviation(message: str, at: int) -> bool:
    found = _WORD_BEFORE.search(message, max(0, at - 12), at)
    word = found[1].casefold().lstrip("(\"'") if found else ""
    if "." in word and len(word.replace(".", "")) == word.count(".") + 1:  # D.C. ends a sentence before a capital
        return not message[at + 1 : at + 3].strip()[:1].isupper()
    return word in words("abbreviations") or (len(word) == 1 and word.isalpha() and word != "i")


def _trimmed(message: str, start: int, end: int, question: bool) -> Iterator[Clause]:
    text = message[start:end]
    stripped = text.strip(" \t\r\n\"“”'()[]*•-–—>#")
    if stripped:
        yield Clause(stripped, start + text.index(stripped), question)


@cache
def _cuts() -> re.Pattern[str]:
    finite = "|".join(sorted((re.escape(form) for form in verbs().finite), key=len, reverse=True))
    source = pattern("clauses.cuts").pattern.replace("%FINITE%", finite)
    return re.compile(source, re.IGNORECASE)


def clauses(sentence: Clause) -> Iterator[Clause]:
    """The statements that a sentence joins with "and", "but", a comma and a new subject."""
    if len(sentence.text) > LONGEST * 4:
        return
    if not _JOINT.search(sentence.text):
        yield sentence
        return
    start, implied, asked = 0, False, sentence.question
    for cut in _cuts().finditer(sentence.text):
        if (
            cut.start() == 0
            or _joins_subjects(sentence.text[start : cut.start()])
            or (cut["asks"] and not asked)
            or is_time(sentence.text[start : cut.start()])
        ):
            continue
        yield from _piece(sentence, start, cut.start(), implied, question=False)
        start = cut.start() + len(cut[0]) - len(_kept_adverbs(cut[0]))
        implied = cut["implied"] is not None
    yield from _piece(sentence, start, len(sentence.text), implied, question=asked)


def _kept_adverbs(joint: str) -> str:
    """Words of time that stand before the new subject belong to it: "and now I …"."""
    found = re.search(
        r"(?:now|currently|recently|these days|since then|last \w+|yesterday|today|tomorrow|also)[\s,]*$",
        joint,
        re.IGNORECASE,
    )
    return found[0] if found else ""


def _joins_subjects(left: str) -> bool:
    """ "My wife" of "My wife and I" is no clause."""
    return re.fullmatch(r"\s*(?:both\s+)?(?:my|our)\s+[\w'-]+(?:\s+[A-Z][\w-]+)?\s*", left, re.IGNORECASE) is not None


def _piece(sentence: Clause, start: int, end: int, implied: bool, question: bool) -> Iterator[Clause]:
    for piece in _trimmed(sentence.text, start, end, question):
        text = piece.text.rstrip(" ,;:")
        if text:
            yield replace(piece, text=text, start=sentence.start + piece.start, implied=implied)
