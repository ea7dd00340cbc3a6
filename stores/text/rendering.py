"""The deterministic text of a memory: its facts, newest first, and what ended in one clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.stores.text.cleaning import language, normalise

LIMIT = 400
"""characters of a rendered text"""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text and the facts that did not fit into it."""

    text: str
    left_out: tuple[str, ...]


def render(current: Sequence[str], past: Sequence[str]) -> Rendered:
    """ "NEW; OLD (previously: ENDED)", Chinese "NEW；OLD（此前：ENDED）", nothing twice, at most LIMIT characters.

    Both sequences newest first. Past facts give way before current ones, older before newer; a fact is written whole
    or left out, and the newest current one is always written, however long.
    """
    now, before = _distinct(current, ()), _distinct(past, current)
    kept: list[str] = []
    gone: list[str] = []
    left_out: list[str] = []
    for fact in now:
        _place(fact, kept, left_out, fits=not kept or len(_joined([*kept, fact], [])) <= LIMIT)
    for fact in before:
        fits = (not kept and not gone) or len(_joined(kept, [*gone, fact])) <= LIMIT
        _place(fact, gone, left_out, fits=fits)
    return Rendered(_joined(kept, gone), tuple(left_out))


def _place(fact: str, kept: list[str], left_out: list[str], *, fits: bool) -> None:
    (kept if fits else left_out).append(fact)


def _distinct(facts: Sequence[str], said: Sequence[str]) -> list[str]:
    """Non-blank facts, each once, without those in `said`."""
    seen = {normalise(text) for text in said}
    found: list[str] = []
    for fact in facts:
        key = normalise(fact)
        if fact.strip() and key not in seen:
            seen.add(key)
            found.append(fact.strip())
    return found


def _bare(part: str) -> str:
    """Without its final point, but for an abbreviation's ("9 a.m.")."""
    return part[:-1].rstrip() if part[-1:] in (".", "。") and len(part) > 1 else part


def _joined(current: list[str], past: list[str]) -> str:
    if len(current) + len(past) == 1 and current:
        return current[0]
    chinese = language(" ".join([*current, *past])) == "zh"
    between, opening, closing = ("；", "（此前：", "）") if chinese else ("; ", " (previously: ", ")")
    text = between.join(map(_bare, current))
    if not past:
        return text
    clause = between.join(map(_bare, past))
    if not text:
        return f"此前：{clause}" if chinese else f"Previously: {clause}"
    return f"{text}{opening}{clause}{closing}"
