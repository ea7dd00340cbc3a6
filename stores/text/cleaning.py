"""What is done to a text before anything is read from it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

CJK_CHARACTERS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0eff\U00020000-\U0003ffff"
"""Scripts written without blanks between words, and Hangul: searched by character bigrams."""

_SURROGATES = re.compile("[\ud800-\udfff]")
_CJK = re.compile(f"[{CJK_CHARACTERS}]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+")
# the dotted and dotless i of Turkish match "i" where case is ignored, and are in no table
_QUOTES = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u02bc": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u2212": "-",
        "\u0130": "I",
        "\u0131": "i",
    }
)


def clean(text: str) -> str:
    """Lone surrogates become U+FFFD and NUL goes: SQLite refuses the one, C strings end at the other."""
    return _SURROGATES.sub("\ufffd", text).replace("\0", "")


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """NFKC with straight quotes, case kept: the form in which offsets of this package count."""
    return unicodedata.normalize("NFKC", text).translate(_QUOTES)


def fold(text: str) -> str:
    """`plain` without case; folding may undo NFKC, hence the second pass."""
    return unicodedata.normalize("NFKC", plain(text).casefold())


def blank(source: str, spans: Iterable[tuple[int, int]], mark: str = " ") -> str:
    """The text with these spans overwritten, so that every other offset stays."""
    characters = list(source)
    for start, end in spans:
        characters[start:end] = mark * (end - start)
    return "".join(characters)


def normalise(text: str) -> str:
    """Two texts with equal results are the same text: a point at the end, case and spacing do not count."""
    folded, previous = fold(text), None
    while folded != previous:
        previous, folded = folded, " ".join(fold(folded).split()).rstrip(".。! ")
    return folded


def language(text: str) -> Literal["en", "zh"]:
    """zh as soon as CJK carries the sentence: more CJK characters than other words."""
    cjk = len(_CJK.findall(text))
    return "zh" if cjk and cjk >= 2 * len(_LATIN_WORD.findall(text)) else "en"
