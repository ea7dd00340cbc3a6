"""The beginning of a clause: greetings are dropped, words of time go to the end, a few turns are reshaped."""

from __future__ import annotations

import re
from functools import lru_cache

from scrubjay.graph.rules.tables import pattern
from scrubjay.graph.rules.turns import turned

_TALK = pattern("lead.talk")
_TIME = pattern("lead.time")
_DONE = pattern("lead.done")
_I_MOVED = pattern("lead.i_moved")
_RENTS = re.compile(r"^((?:the )?rent)'s\b", re.IGNORECASE)
_TAIL = pattern("lead.tail")
_THE = pattern("lead.the")
_CALL = pattern("lead.call")
_FRAGMENT = pattern("lead.fragment")
_SUBJECT_INSIDE = re.compile(
    r"\W*(?:after|before|during|until) (?!i\b|we\b|my\b|our\b)(?:[\w-]+ ){1,4}(?:i|we) \w", re.IGNORECASE
)
_AT_WHOM = re.compile(r"^(?:the|my) (dentist|doctor|vet|optician|hairdresser|physio|therapist|gp)\b", re.IGNORECASE)
_LOWER = re.compile(r"^i(?=[\s'])")


def is_time(text: str) -> bool:
    """Is the whole text a word of time that may stand before a subject ("Last week")?"""
    return _TIME.match(text.strip(" ,") + " I") is not None and not _SUBJECT_INSIDE.match(text)


@lru_cache(maxsize=256)
def plain(clause: str, implied: bool = False) -> str:
    """The clause as "I …" or "My …", where it is one."""
    text = _TAIL.sub("", clause.replace("’", "'").strip())
    if implied:
        return f"I {text}"
    text = _reshaped(turned(without_talk(text)))
    if found := _TIME.match(text):
        time = found["time"]
        rest = turned(without_talk(text[found.end() :]))
        return f"{_LOWER.sub('I', rest)} {time[0].lower()}{time[1:]}"
    return _LOWER.sub("I", text)


def without_talk(text: str) -> str:
    """Without greetings and asides before the statement."""
    for _ in range(4):
        found = _TALK.match(text)
        if not found or (
            found[0].strip(" ,").casefold() == "still" and not text[found.end() :].casefold().startswith(("i ", "my "))
        ):
            return text
        text = text[found.end() :]
    return text


def _reshaped(text: str) -> str:
    """ "My landlord raised the rent to 990" says of the rent that it was raised to 990."""
    if found := _DONE.match(text) or _I_MOVED.match(text):
        verb = found["verb"].casefold()
        np = found["np"]
        if np.casefold() == "appointment" and (who := _AT_WHOM.match(text)):
            np = f"{who[1].casefold()} appointment"
        if np.casefold() == "membership" and re.match(r"the (?:gym|club|pool)\b", text, re.IGNORECASE):
            np = f"{text.split()[1].casefold()} membership"
        return f"My {np} was {verb if verb.endswith(('ed', 'cut', 'put', 'ought')) else verb + 'd'}{found['rest']}"
    if found := _CALL.match(text):
        return f"I want to be called {found['name']}"
    if found := _FRAGMENT.match(text):
        return f"I have a {found['who'].casefold()} appointment {found['when']}"
    return _THE.sub(lambda m: f"My {m['np']}", _RENTS.sub(r"\1 is", text))
