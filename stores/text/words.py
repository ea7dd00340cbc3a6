"""Words: the terms that BM25 searches and the stems that two texts are compared by."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import snowballstemmer

from scrubjay.stores.text.cleaning import CJK_CHARACTERS, blank, fold, plain
from scrubjay.stores.text.days import day_spans
from scrubjay.stores.text.quantities import quantities
from scrubjay.stores.text.tables import entry, word_set

_CJK_RUN = re.compile(f"[{CJK_CHARACTERS}]+")
# the marks of Hebrew, Arabic and the Indic scripts belong to the letters before them
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u0670\u0900-\u0963\u0966-\u0dff"
_LETTER = rf"(?:(?![{CJK_CHARACTERS}])[^\W_])"
_WORD = re.compile(rf"{_LETTER}(?:{_LETTER}|[{_MARKS}])*(?:'(?:(?![{CJK_CHARACTERS}])[^\W\d_])+)?")
_SYMBOLS = re.compile(r"(?<![\w+#])([A-Za-z]\w?)(\+\+|#)(?![\w+#])")
_JOINED = re.compile(r"(?<![\w])([A-Za-z]+[A-Za-z0-9]*)[-.]([A-Za-z0-9]*[A-Za-z]+)(?![\w.-]?\w)")
_POSSESSIVE = re.compile(r"'s?$")
_SYMBOL_NAMES = {"++": "plusplus", "#": "sharp"}
_local = threading.local()


@lru_cache(maxsize=32768)
def stem(word: str) -> str:
    """English snowball stem of a folded word; other languages' words get the same treatment on both sides."""
    stemmer = getattr(_local, "stemmer", None)
    if stemmer is None:  # a stemmer keeps its word in itself: one a thread
        stemmer = _local.stemmer = snowballstemmer.stemmer("english")
    return str(stemmer.stemWord(word))


def _without_accents(word: str) -> str:
    marks = (c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    return "".join(marks)


def bigrams(run: str) -> list[str]:
    """Neighbouring pairs; a lone character stands for itself."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def search_tokens(text: str) -> list[str]:
    """Terms for BM25, each of letters and digits alone, so that no tokeniser splits them and no query syntax is left.

    "C++" gives `c cplusplus`, "node-js" and "node.js" give `node js nodejs`, "don't" gives `dont`, "50%" gives `50`.
    """
    source = plain(text)
    tokens: list[str] = []
    for match in re.finditer(f"{_CJK_RUN.pattern}|{_WORD.pattern}", source):
        tokens += _terms(match.group())
    tokens += [stem(fold(a)) + _SYMBOL_NAMES[b] for a, b in _SYMBOLS.findall(source)]
    tokens += [stem(_without_accents(fold(a + b))) for a, b in _JOINED.findall(source)]
    return tokens


def query_tokens(text: str) -> list[str]:
    """`search_tokens` without stop words, which tell no memory from another."""
    return [token for token in search_tokens(text) if token not in _stop_stems()]


@cache
def _stop_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in word_set("stop") | {w.replace("'", "") for w in word_set("stop")})


@lru_cache(maxsize=32768)
def _terms(piece: str) -> tuple[str, ...]:
    if _CJK_RUN.match(piece):
        return tuple(bigrams(fold(piece)))
    word = _without_accents(_POSSESSIVE.sub("", fold(piece))).replace("'", "")
    parts = re.findall(rf"[^\W_](?:[^\W_]|[{_MARKS}])*", word)
    return tuple(stem(part) for part in parts)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One content stem where it stands: offsets count in `plain(text)`."""

    stem: str
    start: int
    end: int


def word_spans(source: str) -> Iterator[tuple[str, int, int]]:
    """Latin words and CJK runs of a plain text, in order."""
    for match in re.finditer(f"{_CJK_RUN.pattern}|{_WORD.pattern}", source):
        yield match.group(), match.start(), match.end()


@cache
def _stop_words() -> frozenset[str]:
    english = word_set("stop")
    return english | {w.replace("'", "") for w in english} | frozenset(entry("en", "numbers"))


@lru_cache(maxsize=4096)
def occurrences(text: str, subject: str = "user") -> tuple[Occurrence, ...]:
    """Every content stem of the text with its place; dates and numbers have functions of their own."""
    source = plain(text)
    hidden = subject_stems(subject)
    source = blank(source, counted(source))
    found: list[Occurrence] = []
    for word, start, end in word_spans(source):
        found += _cjk(word, start, subject) if _CJK_RUN.match(word) else _latin(word, start, end)
    return tuple(o for o in found if o.stem not in hidden)


def counted(source: str) -> Iterator[tuple[int, int]]:
    """Spans of dates and numbers; "7a" in "Pixel 7a" is a word as well and not among them."""
    yield from ((d.start, d.end) for d in day_spans(source))
    yield from ((q.start, q.end) for q in quantities(source) if q.unit or q.clock or not re.search("[a-z]", q.value))


def subject_stems(subject: str) -> frozenset[str]:
    """What names the subject is no content."""
    words = [w for w, _, _ in word_spans(plain(subject)) if not _CJK_RUN.match(w)]
    return frozenset(stem(_POSSESSIVE.sub("", fold(w))) for w in [*words, "user"])


def _latin(word: str, start: int, end: int) -> list[Occurrence]:
    folded = fold(word)
    bare = _POSSESSIVE.sub("", folded)
    if folded in _stop_words() or bare in _stop_words() or bare.isdigit():
        return []
    return [Occurrence(stem(bare), start, end)]


@cache
def _cjk_breaks(subject: str) -> re.Pattern[str]:
    whole = [*entry("zh", "subject"), *entry("zh", "stop")]
    whole += [run for run in _CJK_RUN.findall(plain(subject))]
    characters = entry("zh", "stop_characters")
    return re.compile("|".join(sorted(map(re.escape, whole), key=len, reverse=True)) + f"|[{characters}]")


def _cjk(run: str, start: int, subject: str) -> list[Occurrence]:
    found: list[Occurrence] = []
    position = 0
    for part in _cjk_breaks(subject).split(run):
        position = run.index(part, position)
        if part:
            width = min(2, len(part))
            pairs = bigrams(part)
            found += [
                Occurrence(pair, start + position + i, start + position + i + width) for i, pair in enumerate(pairs)
            ]
        position += len(part)
    return found


def content_stems(text: str, subject: str = "user") -> frozenset[str]:
    """Snowball stems outside the stop list, less "user" and the subject; of CJK the character bigrams, less 用户."""
    return frozenset(o.stem for o in occurrences(text, subject))


def shares_stem(a: str, b: str, subject: str = "user") -> bool:
    """The two texts have a content stem in common."""
    return not content_stems(a, subject).isdisjoint(content_stems(b, subject))
