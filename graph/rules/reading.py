"""What a statement in the third person claims: which slot, which value, and whether it changes or ends it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from scrubjay.graph.rules.claim import ENDING, Claim, Mode
from scrubjay.graph.rules.person import split_thing
from scrubjay.graph.rules.possession import appointment, kinds_of, read_possession
from scrubjay.graph.rules.tables import cue, has, pattern, table, verbs, words
from scrubjay.graph.rules.values import READERS, detail, fold, strip_tail, thing

_GOT_USED = pattern("reading.got_used")
_UNSURE_DRINK = re.compile(r"(?:lots?|plenty|enough|lit(?:er|re)|glass|bottle|more|less|too|\d)\b")
_DRINKING = "drink preference"
_OF_ORIGIN = ("object", "place", "org", "company")
_THIS = pattern("reading.this")


@dataclass(frozen=True, slots=True)
class _Pattern:
    slot: str
    mode: Mode
    kind: str
    expression: re.Pattern[str]


@cache
def _patterns() -> tuple[_Pattern, ...]:
    rows = table("slots")["predicates"]
    return tuple(_Pattern(row["slot"], row["mode"], row["kind"], re.compile(row["re"])) for row in rows)


def _leads(predicate: str) -> list[int]:
    """Where a cue may begin: at the start, and after each auxiliary or adverb of the first five."""
    starts, at = [0], 0
    while len(starts) <= 5:
        word, space, _ = predicate[at:].partition(" ")
        if predicate.startswith("used to ", at):
            word = "used to"
        elif not space or (word not in words("adverbs") and word not in words("leads")):
            break
        at += len(word) + 1
        starts.append(at)
    return starts


@lru_cache(maxsize=4096)
def read(text: str, subject: str = "user") -> tuple[Claim, ...]:
    """Every claim of the text about its subject; empty where no cue fits."""
    predicate, what = split(text, subject)
    if predicate is None:
        return ()
    if what:
        return read_possession(what, predicate)
    starts = _leads(predicate)
    found = [claim for pattern in _patterns() for claim in _match(pattern, predicate, starts)]
    claims = _first_of_each_slot(found) or list(appointment(predicate))
    claims = [claim for claim in claims if claim.slot != "switch"] or claims
    return tuple(claims) or _by_verb(predicate)


def split(text: str, subject: str) -> tuple[str | None, str]:
    """(predicate, thing): ("lives in Seattle", ""), ("is 1,150", "rent"); (None, "") for another subject."""
    text = text.strip().rstrip(".!")
    start = next(
        (s for s in (subject.casefold(), f"user's {subject.casefold()}") if text.casefold().startswith(s)), None
    )
    if start is None:
        return None, ""
    rest = text[len(start) :]
    if rest.startswith("'s "):
        return split_thing(rest[3:])
    rest = re.sub(r"^(?:,? [A-Z][\w-]+,?)* ", " ", rest) if start != "user" else rest
    rest = re.sub(r"^ and user's [\w-]+(?: [A-Z][\w-]+)? ", " ", rest)
    return (rest.strip(), "") if rest.startswith(" ") else (None, "")


def _match(pattern: _Pattern, predicate: str, starts: list[int]) -> list[Claim]:
    found = next((m for at in starts if (m := pattern.expression.match(predicate, at))), None)
    if not found:
        return []
    value = READERS[pattern.kind](found["v"]) if found["v"] else "" if pattern.mode == "end" else None
    if value is None:
        return []
    groups = found.groupdict()
    origin = READERS[pattern.kind if pattern.kind in _OF_ORIGIN else "raw"](groups.get("o") or "") or ""
    mode = _mode(pattern, predicate[: found.start()].casefold(), predicate)
    if mode is None:
        return []
    kinds = kinds_of(value) if pattern.kind == "amount" else frozenset[str]()
    claim = Claim(pattern.slot, value, mode, detail(found["v"] or ""), origin, kinds)
    placed = _placed(claim, predicate)
    return [] if placed.slot == "switch" and not placed.origin else [placed]


def _placed(claim: Claim, predicate: str) -> Claim:
    """A drink is a preference of drinks; "prefers window seats" is about seats."""
    if claim.slot == "dose":  # of one medicine: "takes 10 mg of metformin", one of several takings perhaps
        return replace(claim, slot=f"{claim.origin} dose", origin="", indefinite=claim.mode == "state")
    if claim.slot == "job+employer":
        return replace(claim, slot="job")
    if claim.slot == "switch":
        return replace(claim, slot=_DRINKING if "drinking " in predicate else class_of(claim.value) or "switch")
    if claim.slot == "prefers" and claim.detail == "" and " " in claim.value and not claim.origin:
        return replace(claim, slot=f"preferred {claim.value.split()[-1]}", kinds=frozenset({"text"}))
    return claim


@lru_cache(maxsize=4096)
def class_of(value: str) -> str:
    """ "tea" → "drink preference"; "" for what is in no class."""
    for name, members in table("en")["classes"].items():
        if value in members or any(fold(member) == value for member in members):
            return str(name)
    return _DRINKING if value.split(" ")[-1] in words("drink_ends") else ""


def _mode(pattern: _Pattern, lead: str, predicate: str) -> Mode | None:
    """None: the statement denies what its cue says ("never moved to", "has not moved to")."""
    mode = pattern.mode
    denied = re.search(r"\b(?:not|no longer)\b", lead) is not None or has("ended", predicate)
    if _GOT_USED.search(lead):  # "is used to living here"
        return None
    if re.search(r"\b(?:never|did not)\b", lead) or (denied and mode == "change"):
        return None
    if re.search(r"\b(?:did|was|had|used to)\b", lead) or (has("past", predicate) and mode != "end"):
        return "past"
    if denied and mode == "neg":  # "no longer hates" is not yet "likes"
        return "unsure" if re.search(r"\b(?:not|no longer)\b", lead) else "end"
    if denied:
        return "end" if mode == "state" else None
    if mode in ENDING:
        return mode
    bounds = _THIS.sub("", predicate) if mode == "change" else predicate
    if has("bounded", bounds):
        return "bounded"
    if mode == "state" and has("now", predicate) and not has("also", predicate) and not has("still", predicate):
        return "change"
    return "unsure" if mode == "change" and has("also", predicate) else mode


def _first_of_each_slot(claims: list[Claim]) -> list[Claim]:
    kept: dict[str, Claim] = {}
    for claim in claims:
        kept.setdefault(claim.slot, claim)
    return list(kept.values())


_VERB = pattern("reading.verb")
_ENDERS = {"stopped", "quit", "stop", "stops", "quits"}


def _by_verb(predicate: str) -> tuple[Claim, ...]:
    """ "plays tennis" → does:plays tennis; "stopped playing tennis" ends it; "uses Firefox" is a browser."""
    found = _VERB.match(predicate)
    base = verbs().base.get(found["verb"]) if found else None
    if not found or base is None or base in ("be", "do") or found["verb"].endswith("ing"):
        return ()  # "is moving" is no habit
    lead, rest = found["lead"], found["rest"] or ""
    if base == "have" and rest.split(" ")[0] in verbs().past | words("adverbs"):
        return ()
    mode = _mode(_PLAIN, lead, predicate)
    if mode is None:
        return ()
    if found["verb"] in _ENDERS or (base == "give" and rest.startswith("up ")):
        return _ended(rest.removeprefix("up "))
    if found["verb"] in verbs().past and not re.search(r"\b(?:does|do|not|used to)\b", lead):
        return ()
    return _of_verb(base, rest, mode)


_PLAIN = _Pattern("", "state", "object", re.compile(""))


_AT_BREAKFAST = re.compile(r"(?:with|for|at|in|every|each|first)(?: user's| the| a)? ?(?:breakfast|morning|thing)")
_DRINKABLE = (" milk", " juice", " tea", " coffee", " water", " latte", "chocolate", "coffee", "tea")


def _ended(rest: str) -> tuple[Claim, ...]:
    first, _, after = rest.partition(" ")
    base = verbs().base.get(first.casefold())
    if base is None or not first.endswith("ing"):
        value = thing(rest)
        return (Claim("does:", value, "end", detail(rest)),) if value else ()
    return tuple(replace(claim, mode="end") for claim in _of_verb(base, after, "end"))


def _of_verb(base: str, rest: str, mode: Mode) -> tuple[Claim, ...]:
    rest = strip_tail(f" {rest}").strip()
    value = fold(_particle(rest)) if rest else ""
    limit = detail(rest)
    kind = class_of(value)
    if base == "drink" and value and not _UNSURE_DRINK.match(value) and value.split(" ")[-1] not in words("alcohol"):
        kind = _DRINKING
    if base in ("have", "take") and _AT_BREAKFAST.match(limit) and value.endswith(_DRINKABLE):
        kind = _DRINKING
    if kind and base in ("drink", "use", "have", "take", "order", "get", "own"):
        return (Claim(kind, value, mode, limit),)
    if mode == "change":
        mode = "state"
    return (Claim(f"does:{verbs().third.get(base, base)}", value, mode, limit),)


def _particle(rest: str) -> str:
    """ "to the gym on Mondays" → "to the gym"; "tennis with Bo" → "tennis"."""
    first, _, after = rest.partition(" ")
    if first in ("to", "in", "on", "for", "at", "with", "as", "about", "from", "of"):
        return f"{first} {thing(after) or ''}"
    return thing(rest) or ""


def negated(claim: Claim) -> bool:
    """Does the claim say that something is not so?"""
    return claim.mode in ENDING


__all__ = ["Claim", "class_of", "cue", "negated", "read", "split"]
