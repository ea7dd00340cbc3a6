"""Find a quoted span: models copy words faithfully, spaces, case and quotation marks less so."""

from __future__ import annotations

import re

_MARKS = {mark: group for group in ("'‘’ʼ＇", '"“”„＂', "-‐‑–—") for mark in group}


def _loosely(word: str) -> str:
    return "".join(f"[{re.escape(_MARKS[c])}]" if c in _MARKS else re.escape(c) for c in word)


def find_quote(quote: str, text: str) -> str | None:
    """The exact span of `text` that the quote means, or None; a blank quote means nothing."""
    words = quote.strip().strip('"“”„…').split()
    if not words:
        return None
    found = re.search(r"\s+".join(map(_loosely, words)), text, re.IGNORECASE)
    return found[0] if found else None
