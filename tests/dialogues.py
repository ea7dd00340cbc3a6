"""Dialogues with gold labels, made from a seed: what people say of themselves, what changes, and what only seems to.

The same seed gives the same stream, and dialogue n of a seed is the same however many are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count as counting
from itertools import islice
from random import Random

from tests.dialogue_chinese import CHINESE
from tests.dialogue_near import NEAR
from tests.dialogue_plain import PLAIN
from tests.dialogue_records import Aside, Claim, Dialogue, Expect, Kind, Language, Pattern, Say
from tests.dialogue_words import (
    ASIDES,
    CHAT,
    CLOSERS,
    OPENERS,
    ZH_ASIDES,
    ZH_CHAT,
    ZH_CLOSERS,
    ZH_OPENERS,
)  # fmt: skip

KINDS: tuple[Kind, ...] = (*PLAIN, *NEAR, *CHINESE)
_ROUND = tuple(kind for kind in KINDS for _ in range(1 if kind.near else 2))

_START = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
_LONG_FORMS = {
    "I'm": "I am",
    "I've": "I have",
    "I'd love": "I would love",
    "don't": "do not",
    "can't": "cannot",
    "isn't": "is not",
    "doesn't": "does not",
    "haven't": "have not",
    "didn't": "did not",
    "name's": "name is",
}
_STAYS_CAPITAL = re.compile(r"I\b")


@dataclass(frozen=True, slots=True)
class _Style:
    """How one language is dressed up."""

    openers: tuple[str, ...]
    closers: tuple[str, ...]
    chat: tuple[str, ...]
    asides: tuple[Aside, ...]
    gap: str


_STYLES: dict[Language, _Style] = {
    "en": _Style(OPENERS, CLOSERS, CHAT, ASIDES, " "),
    "zh": _Style(ZH_OPENERS, ZH_CLOSERS, ZH_CHAT, ZH_ASIDES, ""),
}


def dialogues(seed: int, count: int) -> Iterator[Dialogue]:
    """`count` dialogues; plain kinds come twice as often as near misses."""
    return islice(_stream(seed), count)


def _stream(seed: int) -> Iterator[Dialogue]:
    number = 0
    for turn in counting():
        order = list(_ROUND)
        Random(f"{seed}:{turn}").shuffle(order)
        for kind in order:
            yield build(kind, Random(f"{seed}:{kind.name}:{number}"), number)
            number += 1


def build(kind: Kind, rng: Random, number: int = 0) -> Dialogue:
    """One dialogue of a kind."""
    pattern, style = rng.choice(kind.patterns), _STYLES[kind.language]
    values = _draw(pattern, rng)
    first = rng.choice(pattern.first)
    later = [rng.choice([t for t in ways if t != first]) for ways in (pattern.then, pattern.last) if ways]
    expect = _filled(pattern.expect, values)
    said = [_fill(first, values)]
    where = "between" if kind.aside else rng.choice(("none", "none", "between", "with"))
    taken = "|".join(values.values()).split("|")
    if where != "none":
        text, claim = _aside(style, pattern, taken, rng)
        expect = replace(expect, kept=(*expect.kept, claim))
        said = [f"{said[0]}{style.gap}{text}"] if where == "with" else [said[0], text]
    said += [_fill(template, values) for template in later] or [said[0]]
    lower = pattern.lower and kind.language == "en" and rng.random() < 0.05
    texts = [_dressed(text, style, rng, lower) for text in said]
    if not later:
        texts[-1] = texts[0]
    return Dialogue(kind.name, kind.language, tuple(_dated(texts, rng)), expect, kind.near, number)


def _draw(pattern: Pattern, rng: Random) -> dict[str, str]:
    """A value for every slot; those of one pool differ in every spelling."""
    drawn: dict[str, str] = {}
    for slots, pool in pattern.slots.items():
        if "+" in slots:
            drawn |= zip(slots.split("+"), rng.choice(pool).split(" / "), strict=True)
            continue
        taken: set[str] = set()
        for slot in slots.split(","):
            drawn[slot] = rng.choice([value for value in pool if not taken & set(value.split("|"))])
            taken |= set(drawn[slot].split("|"))
    return drawn


def _fill(template: str, values: dict[str, str]) -> str:
    return template.format(**{slot: value.split("|")[0] for slot, value in values.items()})


def _filled(expect: Expect, values: dict[str, str]) -> Expect:
    def claims(wanted: tuple[Claim, ...]) -> tuple[Claim, ...]:
        return tuple(replace(c, value=c.value.format(**values), about=c.about.format(**values)) for c in wanted)

    return Expect(
        current=claims(expect.current),
        ended=claims(expect.ended),
        kept=claims(expect.kept),
        never=claims(expect.never),
        forgotten=tuple(value.format(**values) for value in expect.forgotten),
        once=claims(expect.once),
        folds=expect.folds,
    )


def _aside(style: _Style, pattern: Pattern, taken: list[str], rng: Random) -> tuple[str, Claim]:
    aside = rng.choice([a for a in style.asides if a.topic != pattern.topic])
    value = rng.choice([v for v in aside.pool if v.casefold() not in {t.casefold() for t in taken}])
    return rng.choice(aside.texts).format(v=value), Claim(value, "any")


def _dressed(text: str, style: _Style, rng: Random, lower: bool) -> str:
    """The way a person would type it: an opener, small talk, a closer, other punctuation, other apostrophes."""
    if rng.random() < 0.3:
        text = _long_forms(text)
    if rng.random() < 0.3:
        text = _opened(rng.choice(style.openers), text)
    elif rng.random() < 0.15:
        text = f"{rng.choice(style.chat)}{style.gap}{text}"
    if rng.random() < 0.2:
        text += rng.choice(style.closers)
    elif rng.random() < 0.2:
        text = re.sub(r"[.。]$", rng.choice(("", "!", "") if style.gap else ("", "！")), text)
    if rng.random() < 0.15:
        text = text.replace("'", "’")
    return text.lower() if lower else text


def _long_forms(text: str) -> str:
    return re.sub("|".join(_LONG_FORMS), lambda found: _LONG_FORMS[found[0]], text)


def _opened(opener: str, text: str) -> str:
    if opener.endswith(("! ", ". ")) or _STAYS_CAPITAL.match(text):
        return opener + text
    return opener + text[0].lower() + text[1:]


def _dated(texts: list[str], rng: Random) -> Iterator[Say]:
    at = _START + timedelta(days=rng.randrange(20), minutes=rng.randrange(600))
    for text in texts:
        yield Say(text, at.isoformat())
        at += timedelta(days=rng.randrange(1, 15), minutes=rng.randrange(600))
