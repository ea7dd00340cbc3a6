"""Two texts side by side: what differs between near-identical ones, and which says more."""

from __future__ import annotations

from collections.abc import Iterable

from scrubjay.stores.text.cleaning import plain
from scrubjay.stores.text.cues import bounds, change_cues, has_past_cue
from scrubjay.stores.text.days import dates, weekdays
from scrubjay.stores.text.naming import names, opening_name
from scrubjay.stores.text.polarity import polarity
from scrubjay.stores.text.quantities import numbers
from scrubjay.stores.text.tables import entry, phrases
from scrubjay.stores.text.words import content_stems

NONE = "–"
_UN = ("un", "non", "dis", "in", "im", "ir")


def differences(a: str, b: str) -> list[str]:
    """What differs in numbers, dates, polarity, change words, names or bounds, each as "number: 5 mg ≠ 50 mg".

    [] says that they agree in these; the gate drops a near-identical fact only then.
    """
    if plain(a) == plain(b):
        return []
    return [
        *_apart("number", numbers(a), numbers(b)),
        *_apart("date", [*dates(a), *_named(a)], [*dates(b), *_named(b)]),
        *_polarity(a, b),
        *_apart("change", change_cues(a) | _past(a), change_cues(b) | _past(b)),
        *_names(a, b),
        *_apart("bound", bounds(a), bounds(b)),
    ]


def _past(text: str) -> set[str]:
    past = has_past_cue(text) or phrases("past_tense").search(plain(text))
    return {"past"} if past else set()


def _named(text: str) -> list[str]:
    days = {n: name.capitalize() for name, n in entry("en", "weekdays").items()}
    return [days[n] for n in weekdays(text)]


def _apart(what: str, a: Iterable[str], b: Iterable[str]) -> list[str]:
    left, right = set(a), set(b)
    if left == right:
        return []
    return [f"{what}: {_shown(left - right)} ≠ {_shown(right - left)}"]


def _shown(items: set[str]) -> str:
    return ", ".join(sorted(items)) or NONE


def _polarity(a: str, b: str) -> list[str]:
    """Stems that one denies and the other only states, or a denial in one alone."""
    x, y = polarity(a), polarity(b)
    only_a = {s for s in x.denied - y.denied if s in y.affirmed} - x.affirmed
    only_b = {s for s in y.denied - x.denied if s in x.affirmed} - y.affirmed
    only_a |= _turned(x.affirmed, y.affirmed)
    only_b |= _turned(y.affirmed, x.affirmed)
    if not only_a and not only_b and bool(x.denied) == bool(y.denied):
        return []
    left = only_a or (x.denied if not y.denied else set())
    right = only_b or (y.denied if not x.denied else set())
    return [f"polarity: {_no(set(left))} ≠ {_no(set(right))}"]


def _turned(stems: frozenset[str], others: frozenset[str]) -> set[str]:
    """ "unmarried" beside "married"."""
    return {rest for s in stems for un in _UN if (rest := s.removeprefix(un)) != s and rest in others}


def _no(stems: set[str]) -> str:
    return f"not {_shown(stems)}" if stems else NONE


def _names(a: str, b: str) -> list[str]:
    """Names, and the opening words where both are capitalised and differ: "Bruno likes …" is not "Ida likes …"."""
    first = {opening_name(a)}, {opening_name(b)}
    left, right = names(a) - names(b) - first[1], names(b) - names(a) - first[0]
    if first[0] != first[1] and "" not in first[0] | first[1]:
        left, right = left | first[0] - names(b), right | first[1] - names(a)
    return _apart("name", left, right)


def richer(new: str, old: str, subject: str = "user") -> bool:
    """A superset of stems, numbers and dates, of the same polarity, and really more."""
    more_stems, stems = content_stems(new, subject), content_stems(old, subject)
    more_numbers, old_numbers = numbers(new) | dates(new), numbers(old) | dates(old)
    if not (stems <= more_stems and old_numbers <= more_numbers):
        return False
    return not _polarity(new, old) and (stems, old_numbers) != (more_stems, more_numbers)
