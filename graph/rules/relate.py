"""How one new fact stands to one old one. The one law: when unsure, keep both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from scrubjay.graph.rules.chinese import is_chinese, read_chinese
from scrubjay.graph.rules.claim import ENDING, Claim, Mode
from scrubjay.graph.rules.reading import class_of, read
from scrubjay.graph.rules.tables import has, words
from scrubjay.graph.rules.turns import dayparts
from scrubjay.graph.rules.values import fold
from scrubjay.prompts.shown import ShownFact
from scrubjay.stores.text import dates, language, normalise, numbers, richer

Relation = Literal["duplicate", "refines", "supersedes", "retracts", "contradicts", "independent"]
STRENGTH: tuple[Relation, ...] = ("retracts", "supersedes", "contradicts", "refines", "duplicate", "independent")
Kinds = frozenset[str]
_PASSING: dict[str, Mode] = {"past": "past", "temporary": "bounded"}
_DAYS = frozenset({"date", "weekday"})
_SAYING = ("state", "change")


def claims_of(fact: ShownFact) -> tuple[Claim, ...]:
    """What the fact claims of its subject, in either language."""
    subject = fact.subject.strip().casefold() or "user"
    claims = read_chinese(fact.text) if is_chinese(fact.text) else read(fact.text, subject)
    return tuple(_limited(claim, fact) for claim in claims)


def _limited(claim: Claim, fact: ShownFact) -> Claim:
    """A fact that is kept as past or passing claims nothing of the present, whatever its verb."""
    for word, mode in _PASSING.items():
        if f"{word} {claim.slot}" in fact.attributes:
            return replace(claim, mode=mode)
    return replace(claim, mode="bounded") if fact.valid_to and claim.mode == "state" and not claim.kinds else claim


def relate(new: ShownFact, old: ShownFact) -> Relation:
    """The strongest relation that the words bear out."""
    if old.past or not same_subject(new, old) or _two_persons(new, old):
        return "independent"
    if normalise(new.text) == normalise(old.text) and new.modality == old.modality:
        return "duplicate"
    if new.modality != old.modality or new.modality not in ("actual", "planned"):
        return "independent"
    if _one_frame(new.text, old.text) and has("now", new.text) and not has("also", new.text):
        return "supersedes"
    found = [_between(n, o, new, old) for n in claims_of(new) for o in claims_of(old)]
    relation: Relation = min(found, key=STRENGTH.index, default="independent")
    if _introduces(new, old) or _introduces(old, new):
        return "duplicate"
    if relation == "supersedes" and not _one_person(new, old):
        return "contradicts"
    return relation if relation != "independent" else _by_words(new, old)


def _introduces(one: ShownFact, other: ShownFact) -> bool:
    """ "User is Ana" says no more than "User's name is Ana"; alone it may say anything ("User is Dutch")."""
    found = re.fullmatch(r"User is ([A-Z][\w'-]+)", one.text)
    return found is not None and any(c.slot == "name" and c.value == found[1].casefold() for c in claims_of(other))


def same_subject(new: ShownFact, old: ShownFact) -> bool:
    """Equal, whether or not it is written as the user's ("user's sister", "sister")."""
    return _subject(new) == _subject(old)


def _name_of(fact: ShownFact) -> str:
    """ "Anna" of "User's sister Anna moved": who of several it is."""
    found = re.match(r"user's [\w' -]+?(?: ([A-Z][\w-]+))(?= )", fact.text[:1].lower() + fact.text[1:])
    return found[1] if found and _subject(fact) != "user" else ""


def _two_persons(new: ShownFact, old: ShownFact) -> bool:
    """Two friends by two names."""
    return bool(_name_of(new) and _name_of(old) and _name_of(new) != _name_of(old))


def _one_person(new: ShownFact, old: ShownFact) -> bool:
    """Named alike, or one of whom there is one ("wife"): "my friend" need not be "my friend Tom"."""
    return _name_of(new) == _name_of(old) or _subject(new).split(" ")[-1] in words("one_of")


def _subject(fact: ShownFact) -> str:
    return fact.subject.strip().casefold().removeprefix("user's ").removeprefix("用户的") or "user"


def _between(new: Claim, old: Claim, said: ShownFact, known: ShownFact) -> Relation:
    """The relation of two claims."""
    if _other_part_of_day(new, said, known):
        return "independent"
    if _changed_from(new, old):
        return "supersedes"
    if _left_again(new, old):
        return "supersedes"
    if new.slot != old.slot:
        return "supersedes" if _ends_habit(new, old) else "independent"
    if old.mode not in (*_SAYING, *ENDING, "unsure") or new.mode == "bounded":
        return "independent"
    if new.mode == "past":
        return "supersedes" if _used_to(new, old, said) else "independent"
    if new.mode in ENDING:
        return _ending(new, old, said, known)
    if old.mode in ENDING:
        return "supersedes" if new.value == old.value and _same_object(new, old) else "independent"
    return _both_hold(new, old, said, known)


def _other_part_of_day(new: Claim, said: ShownFact, known: ShownFact) -> bool:
    """What is drunk or taken in the evening changes nothing of the morning."""
    if new.slot != "drink preference" and not new.slot.endswith(" dose"):
        return False
    one, other = dayparts(said.text), dayparts(known.text)
    return bool(one and other and not one & other)


def _left_again(new: Claim, old: Claim) -> bool:
    """ "left Corvane" ends "switched from Tessera to Corvane"."""
    left = new.slot in ("employer", "does:") and new.mode == "end"
    return left and old.slot == "switch" and fold(new.value) == old.value


def _changed_from(new: Claim, old: Claim) -> bool:
    """ "switched from coffee to tea" ends a habit of coffee, in whatever slot it is kept (liking it is no habit)."""
    if new.mode != "change" or not new.origin or old.mode not in _SAYING or old.slot == "likes":
        return False
    if old.slot in ("employer", "does:works") and new.slot in ("switch", "employer"):
        if new.detail.startswith(("for ", "as ")):  # "from Verity to Aetna for my insurance"
            return False
        return fold(re.sub(r"^(?:at|for|with) ", "", old.value)) == fold(new.origin)
    if old.slot == "employer" and new.slot == "home city":  # "moved from Verity Health to Quantive"
        return old.value == new.origin
    habit = old.slot.startswith("does:") or old.slot == class_of(new.origin)
    return habit and old.value == new.origin and not (new.slot == "home city" or new.kinds)


def _ends_habit(new: Claim, old: Claim) -> bool:
    """ "gave up coffee" ends "drinks coffee"; "quit sugar" does not end "likes sugar"."""
    if new.slot != "does:" or new.mode != "end" or old.mode not in _SAYING:
        return False
    habit = old.slot.startswith("does:") or old.slot == class_of(old.value)
    return habit and old.value == new.value and not new.detail


def _used_to(new: Claim, old: Claim, said: ShownFact) -> bool:
    """ "used to like A" ends "likes A" """
    return "used to" in said.text and old.mode in _SAYING and new.value == old.value and _same_object(new, old)


def _same_object(new: Claim, old: Claim) -> bool:
    """The end of a thing ends the thing with all that limits it, not the other way round."""
    return not new.detail or new.detail == old.detail


def _ending(new: Claim, old: Claim, said: ShownFact, known: ShownFact) -> Relation:
    if old.mode in ENDING:
        if new.value != old.value:
            return "independent"
        return _same(new, old, said, known)
    if not new.value and new.slot == "employer":
        return "supersedes"
    if not _covers(old, new.value):
        return "independent"
    if old.detail.startswith(("and ", "or ", "as well")) and old.detail != new.detail:
        return "contradicts"  # "coffee and tea": the tea is still liked
    return "supersedes" if _same_object(new, old) else "contradicts"


def _covers(old: Claim, value: str) -> bool:
    """Is it the value that the old claim names? "seattle" is in "capitol hill, seattle"."""
    if old.slot == "home city":
        return _parts(value) <= _parts(old.value)
    return old.value == value


def _parts(value: str) -> Kinds:
    return frozenset(part.strip() for part in value.split(",") if part.strip())


def _both_hold(new: Claim, old: Claim, said: ShownFact, known: ShownFact) -> Relation:
    if new.slot == "likes" and "unsure" in (new.mode, old.mode):
        return "independent"
    if new.kinds and old.kinds:
        return _things(new, old, said, known)
    if new.slot == "home city" and language(said.text) == "zh" and (new.value in old.value or old.value in new.value):
        return _same(new, old, said, known)
    if new.slot == "home city" and (_parts(new.value) <= _parts(old.value) or _parts(new.value) >= _parts(old.value)):
        return _same(new, old, said, known)
    if _one_name(new, old):
        return _same(new, old, said, known)
    if new.value == old.value:
        if new.slot == "prefers" and new.origin != old.origin:
            return "independent"
        return _same(new, old, said, known)
    if new.slot == "prefers" and new.origin == old.value and old.origin == new.value and new.value:
        return "supersedes"
    return _other_value(new, old)


def _other_value(new: Claim, old: Claim) -> Relation:
    """Two values of one slot."""
    if new.many:
        return "refines" if new.slot == "likes" and _limits(new.value, old.value) else "independent"
    if new.single:
        return "independent" if new.mode == "unsure" else "supersedes"
    if new.mode == "change":
        if new.slot == "drink preference" and _other_occasion(new.detail, old.detail):
            return "contradicts"  # the tea of the night is not the coffee of the morning
        told = not new.origin or new.origin == old.value or new.origin in _parts(old.value)
        return "supersedes" if told else "contradicts"
    return "contradicts" if new.slot in ("home city", "employer", "relationship status", "children") else "independent"


def _other_occasion(new: str, old: str) -> bool:
    """Both are said to be limited, and not to the same part of the day ("at breakfast", "in the morning")."""
    return bool(new and old) and new != old and not dayparts(new) & dayparts(old)


def _shared_names(new: str, old: str) -> bool:
    """ "Ana" and "Ana Silva" are one person's name."""
    return set(new.split()) <= set(old.split()) or set(new.split()) >= set(old.split())


def _one_name(new: Claim, old: Claim) -> bool:
    return new.slot in words("named_slots") and _shared_names(new.value, old.value)


def _limits(new: str, old: str) -> bool:
    """加糖的咖啡 is coffee, told with more."""
    return re.fullmatch(rf"(?:(?:和|跟|与|在|配).+|.+[的吃喝看听玩]){re.escape(old)}", new) is not None


def _things(new: Claim, old: Claim, said: ShownFact, known: ShownFact) -> Relation:
    """Two values of a thing: rents, dates of an appointment, favourites."""
    if new.value == old.value or _begins(new.value, old.value) or _one_name(new, old):
        return _same(new, old, said, known)
    if new.mode == "change" and new.kinds & _DAYS and old.kinds & _DAYS:
        return "supersedes" if not new.origin or _told(new, old) else "contradicts"
    if not _comparable(new.kinds, old.kinds, new.single):
        return "independent"
    if new.mode == "change":
        return "supersedes" if not new.origin or _told(new, old) else "contradicts"
    if new.indefinite:
        return "independent"
    if old.indefinite or (new.kinds == {"text"} and not new.single):
        return "contradicts"
    return "supersedes"


def _begins(one: str, other: str) -> bool:
    return f"{one} ".startswith(f"{other} ") or f"{other} ".startswith(f"{one} ")


def _told(new: Claim, old: Claim) -> bool:
    """The value that it is said to come from is the old one."""
    return (
        bool(numbers(new.origin) & numbers(old.value) or dates(new.origin) & dates(old.value))
        or new.origin in old.value
    )


def _comparable(new: Kinds, old: Kinds, single: bool) -> bool:
    amounts = frozenset({"number", "money"})
    if new == {"text"} or old == {"text"}:
        return new == old
    return bool(new & old) or bool(new & amounts and old & amounts) or (single and new == old)


def _same(new: Claim, old: Claim, said: ShownFact, known: ShownFact) -> Relation:
    """The same value said again: refines when it tells more, which stays beside the old."""
    if said.type == "event" and said.valid_from:
        return "duplicate" if said.valid_from == known.valid_from else "independent"
    more = richer(said.text, known.text, said.subject) or bool(new.detail and not old.detail)
    longer = len(new.value) > len(old.value)
    new_amounts, old_amounts = numbers(said.text) | dates(said.text), numbers(known.text) | dates(known.text)
    if new_amounts - old_amounts and old_amounts - new_amounts:
        return "contradicts"
    told = bool(new_amounts - old_amounts)
    if more or longer or told:
        return "refines"
    return "duplicate" if not new.detail or new.detail == old.detail else "independent"


def _by_words(new: ShownFact, old: ShownFact) -> Relation:
    """Facts without a claim that we can read: one frame with another number, or more of the same."""
    if new.modality == "actual" and new.type != "event" and richer(new.text, old.text, new.subject):
        return "refines" if set(new.attributes) & set(old.attributes) else "independent"
    return "independent"


def _one_frame(new: str, old: str) -> bool:
    """The same words but for one number, and words like "now": "takes 5 mg" / "now takes 10 mg"."""
    left, right = _frame(new), _frame(old)
    return left[0] == right[0] and left[1] != right[1] and len(left[1]) == len(right[1]) == 1


def _frame(text: str) -> tuple[Sequence[str], Sequence[str]]:
    plain = [word for word in normalise(text).replace("from now on", "").split() if word not in ("now", "currently")]
    digits = [word for word in plain if any(char.isdigit() for char in word)]
    return ["#" if word in digits else word for word in plain], digits
