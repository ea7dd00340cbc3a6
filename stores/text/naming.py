"""Names, and whether a text speaks of somebody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from scrubjay.stores.text.cleaning import CJK_CHARACTERS, blank, fold, plain
from scrubjay.stores.text.days import day_spans
from scrubjay.stores.text.tables import entry, word_set
from scrubjay.stores.text.words import stem, word_spans

_QUOTED = re.compile(r'"([^"\n;()]{1,40})"|[「『《]([^」』》\n;()]{1,40})[」』》]')
_SENTENCE = re.compile(r"[.!?:]\s*$|[;\n(。|\[]\s*$|[!?]\s*\"$|^[\s\"'(*-]*$|[.!?:]\s+[\"'(]$")
_POSSESSIVE = re.compile(r"'s?$")
_QUOTED_WORDS, _QUOTED_CHARACTERS = 4, 12


def _bare(word: str) -> str:
    return _POSSESSIVE.sub("", fold(word))


def _quoted(source: str) -> Iterator[tuple[str, int]]:
    """Quoted titles and names; a quoted sentence is speech and no name."""
    for match in _QUOTED.finditer(source):
        inside = (match.group(1) or match.group(2)).strip()
        words = inside.split()
        short = len(words) <= _QUOTED_WORDS and len(inside) <= (_QUOTED_CHARACTERS if _has_cjk(inside) else 40)
        if re.search(r"[^\W_]", inside) and short and not re.search(r"[.,!?。、，]", inside):
            yield fold(inside), match.start()


def _has_cjk(text: str) -> bool:
    return bool(re.search(f"[{CJK_CHARACTERS}]", text))


def _initial(source: str, start: int) -> bool:
    """The word opens a sentence, so that its capital says nothing; "Mrs. Okafor" does not."""
    before = source[:start]
    if not _SENTENCE.search(before):
        return False
    last = re.search(r"(\w+(?:\.\w)?)\.\s*$", before)
    return not (last and last.group(1).lower() in word_set("abbreviations"))


@cache
def _never() -> frozenset[str]:
    days = entry("en", "weekdays")
    calendar = {*entry("en", "months"), *days, *(f"{day}s" for day in days)} - {"may", "march"}
    return word_set("not_names") | calendar


@lru_cache(maxsize=4096)
def _undated(source: str) -> str:
    """With blanks for dates: "March" in one is no name."""
    return blank(source, ((d.start, d.end) for d in day_spans(source)))


def names(text: str) -> frozenset[str]:
    """Capitalised Latin words that open no sentence, and quoted strings; folded, without the possessive."""
    return frozenset(name for name, _ in name_spans(text))


@lru_cache(maxsize=4096)
def name_spans(text: str) -> tuple[tuple[str, int], ...]:
    """The names and where each starts in `plain(text)`."""
    source = plain(text)
    found = list(_quoted(source))
    source = _undated(source)
    chinese = _has_cjk(source)
    for word, start, _ in word_spans(source):
        if not word[0].isupper() or not _never().isdisjoint((_bare(word), fold(word))):
            continue
        if chinese or not _initial(source, start):  # a Chinese sentence gives its first word no capital
            found.append((_bare(word), start))
    return tuple(found)


def opening_name(text: str) -> str:
    """The capitalised first word, folded: the gate compares it although its capital proves nothing."""
    first = next(iter(word_spans(plain(text))), None)
    if first is None or not first[0][0].isupper() or _bare(first[0]) in word_set("stop"):
        return ""
    return _bare(first[0])


def has_name(text: str, name: str) -> bool:
    """The text says the name, in any case, as a plural or possessive, or inside a longer word of CJK."""
    if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", fold(text)) or (_has_cjk(name) and name in fold(text)):
        return True
    source = plain(text)
    return any(stem(_bare(w)) == stem(name) for part in (source, _undated(source)) for w, _, _ in word_spans(part))


def mentions_subject(text: str, subject: str) -> bool:
    """The text names the subject: "User" or 用户 for "user", "Imogen" for "daughter Imogen", else all its words."""
    if fold(subject) in ("user", "用户"):
        return "用户" in text or has_name(text, "user")
    words = [w for w, _, _ in word_spans(plain(subject))]
    capital = [w for w in words if w[0].isupper()]
    return bool(words) and all(_said(text, w) for w in capital or words)


def _said(text: str, word: str) -> bool:
    return fold(word) in fold(text) if _has_cjk(word) else has_name(text, _bare(word))
