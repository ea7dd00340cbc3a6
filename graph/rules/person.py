"""From the first person to the third: "I don't like my job" → "User does not like user's job"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scrubjay.graph.rules.possession import kinds_of
from scrubjay.graph.rules.tables import pattern, table, verbs, words

_SUBJECT = pattern("person.subject")
_WORD = re.compile(r"\S+")
_POSSESSIVE = re.compile(r"^(?:[Mm]y|[Oo]ur)\s+(?=\S)")
_PRONOUNS = {
    "my": "user's", "our": "user's", "me": "user", "us": "user", "myself": "themselves", "ourselves": "themselves",
    "mine": "user's own", "ours": "user's own",
}  # fmt: skip
_PRONOUN = re.compile(r"\b(my|our|me|us|myself|ourselves|mine|ours)\b", re.IGNORECASE)
_EMBEDDED = re.compile(r"\b(?:I|we)('\w+)?\s+(\w+(?:'\w+)?)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A clause in the third person."""

    text: str
    subject: str
    """user | user's sister"""
    predicate: str
    """what is said of the subject: "lives in Seattle"; of a thing of the user: "rent is 1,150" """
    thing: str = ""
    """"rent", "dentist appointment": set when the subject is a thing or a quality of `subject`"""


def third_person(clause: str) -> Sentence | None:
    """The clause as a statement about the user or somebody of theirs; None when it is no plain one."""
    plain = _expand(clause)
    if found := _SUBJECT.match(plain):
        return _of_user(plain[found.end() :].strip(), found)
    if found := _POSSESSIVE.match(plain):
        return _of_theirs(plain[found.end() :].strip())
    return None


def _expand(clause: str) -> str:
    """Contractions written out, so that a verb is a word."""
    spelled = table("en")["contractions"]
    out = [spelled.get(word.casefold(), word) for word in clause.replace("’", "'").split()]
    return " ".join(out)


def _of_user(rest: str, found: re.Match[str]) -> Sentence | None:
    if found["short"]:  # an unknown contraction
        return None
    predicate = conjugate(rest)
    if predicate is None:
        return None
    predicate = _map_pronouns(predicate)
    if not found["with"]:
        return Sentence(f"User {predicate}", "user", predicate)
    predicate = _map_pronouns(rest)  # two people: "live", "have"
    return Sentence(f"User and {_map_pronouns(found['with'][:-5])} {predicate}", "user", predicate)


def conjugate(rest: str) -> str | None:
    """The words after "I" with their first verb (and one joined to it) in the third person; None without a verb."""
    tokens = rest.split(" ")
    at = _verb_at(tokens)
    if at is None:
        return None
    verb = tokens[at].casefold()
    auxiliary = table("en")["auxiliaries"].get(verb)
    tokens[at] = auxiliary or third(tokens[at])
    if auxiliary is None and at + 2 < len(tokens) and tokens[at + 1] == "and" and verb in verbs().third:
        tokens[at + 2] = third(tokens[at + 2])
    return " ".join(tokens)


def third(word: str) -> str:
    """live → lives; every other form stays."""
    return verbs().third.get(word.casefold(), word)


def _verb_at(tokens: list[str]) -> int | None:
    known = verbs()
    for at, token in enumerate(tokens[:5]):
        word = token.casefold().strip(",")
        if word in table("en")["auxiliaries"] or word == "cannot" or word in known.third or word in known.past:
            return at
        if word not in words("adverbs"):
            return None
    return None


def _map_pronouns(text: str) -> str:
    def embedded(found: re.Match[str]) -> str:
        tokens = [table("en")["auxiliaries"].get(found[2].casefold(), third(found[2]))]
        return " ".join(["user", *tokens])

    text = _EMBEDDED.sub(embedded, text)
    return _PRONOUN.sub(lambda m: _PRONOUNS[m[1].casefold()], text)


def _of_theirs(rest: str) -> Sentence | None:
    """ "sister Anna moved to Austin", "rent is 1,150"."""
    tokens = _spelled(rest.split(" "))
    cut = _finite_at(tokens)
    if cut is None or cut == 0:
        return None
    phrase, predicate = tokens[:cut], " ".join(tokens[cut:])
    while phrase and phrase[-1].casefold() in words("adverbs"):
        predicate = f"{phrase.pop()} {predicate}"
    if not phrase or any(word.casefold() in ("and", "or", "of", "who", "that") for word in phrase):
        return None
    return _owned(phrase, predicate)


def _spelled(tokens: list[str]) -> list[str]:
    """ "name's Ana" → "name is Ana", "sister's moved" → "sister has moved"; "sister's rent is" stays."""
    for at, word in enumerate(tokens[:5]):
        following = tokens[at + 1].casefold() if at + 1 < len(tokens) else ""
        if not word.endswith("'s") or not following:
            continue
        told = following in words("adverbs") and at + 2 < len(tokens) and tokens[at + 2].casefold() in verbs().past
        if following in verbs().past or told:
            return [*tokens[:at], word[:-2], "has", *tokens[at + 1 :]]
        if _finite_at(tokens) is None or not following.isalpha() or following in words("after_is"):
            return [*tokens[:at], word[:-2], "is", *tokens[at + 1 :]]
    return tokens


def _finite_at(tokens: list[str]) -> int | None:
    plural = False
    for at, token in enumerate(tokens[:7]):
        word = token.casefold()
        if at and (word in verbs().finite or (plural and word in verbs().third)):
            return at
        plural = word in words("plural_persons")
    return None


def _owned(phrase: list[str], predicate: str) -> Sentence | None:
    head = _head(phrase)
    noun = " ".join(phrase)
    if head in words("persons") or head in words("plural_persons") or head in words("pets"):
        if re.search(r"\b(?:I|me|my|we|us|our|mine|myself)\b", predicate, re.IGNORECASE):
            return None  # what somebody does to the user says little of either alone
        return Sentence(f"User's {noun} {predicate}", f"user's {_unnamed(phrase)}", predicate)
    owner, thing = _owner(phrase)
    if owner == "user" and not _is_slot(thing) and kinds_of(predicate) == {"text"}:
        return Sentence(f"User's {noun} {_map_pronouns(predicate)}", f"user's {_unnamed(phrase)}", predicate)
    text = f"User's {noun} {_map_pronouns(predicate)}"
    return Sentence(text, owner, predicate, thing)


_IS_AT = re.compile(r"^(?:doctor|dentist|vet|optician|hairdresser|therapist|gp)'s (?:appointment|visit|check-?up)$")


def _is_slot(thing: str) -> bool:
    """Is it a quality of the user ("rent", "dentist appointment"), not a thing that does something?"""
    known = words("own_slots")
    return thing in known or thing.split()[-1] in known or thing.startswith(("favourite ", "favorite "))


def _head(phrase: list[str]) -> str:
    return (_unnamed(phrase).split(" ") or [""])[-1]


def _unnamed(phrase: list[str]) -> str:
    """ "Best friend Tom" → "best friend": names say which, not who."""
    kept = [word.strip(",") for at, word in enumerate(phrase) if at == 0 or not word[0].isupper()]
    return " ".join(kept).casefold()


def _owner(phrase: list[str]) -> tuple[str, str]:
    """ "sister's rent" → (user's sister, rent); "rent" → (user, rent)."""
    lowered = [word.casefold() for word in phrase]
    for at, word in enumerate(lowered[:-1]):
        if (word.endswith("'s") or word.endswith("s'")) and not _IS_AT.search(f"{word} {lowered[-1]}"):
            owner = " ".join([*lowered[:at], word.removesuffix("'s").removesuffix("'")])
            return f"user's {owner}", " ".join(lowered[at + 1 :])
    return "user", " ".join(lowered)


def split_thing(rest: str) -> tuple[str | None, str]:
    """What follows "User's ": ("is 1,150", "rent"); (None, "") without a verb."""
    tokens = rest.split(" ")
    cut = _finite_at(tokens)
    while cut and tokens[cut - 1].casefold() in words("adverbs"):
        cut -= 1
    return (" ".join(tokens[cut:]), " ".join(tokens[:cut]).casefold()) if cut else (None, "")
