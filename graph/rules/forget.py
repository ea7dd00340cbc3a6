"""Wishes to forget, and what they name."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from scrubjay.graph.rules.chinese import whose
from scrubjay.graph.rules.lead import without_talk
from scrubjay.graph.rules.person import third_person
from scrubjay.graph.rules.relate import claims_of
from scrubjay.graph.rules.tables import has, pattern, table, words
from scrubjay.graph.rules.wishes import named as named_plainly
from scrubjay.prompts.shown import ShownFact
from scrubjay.stores.text import content_stems, normalise

_WISH = pattern("forget.wish")
_NEVER = pattern("forget.never")
_MEMORY = pattern("forget.memory")
_ELSEWHERE = re.compile(r"\b(?:from|in|on|off) (?:the|my|this|that|your|a)\b", re.IGNORECASE)
_OURS = pattern("forget.ours")
ASKS = "User asks to forget "
ASKS_ZH = "用户要求忘掉"


_KNOWN = re.compile(r"(?:(?:what|everything|all) you know|that (?:i|my)\b|the fact that\b)", re.IGNORECASE)


def wish(clause: str) -> str | None:
    """What is to be forgotten, in the speaker's words; None for "I forget my keys", "forget it", "don't forget"."""
    plain = without_talk(clause.replace("’", "'").strip(" .!?"))
    found = _imperative(plain)
    if not found:
        return None
    named = _MEMORY.search(found["what"]) is not None or _KNOWN.match(found["what"]) is not None
    what = _MEMORY.sub("", found["what"]).strip(" ,.")
    what = re.sub(r",? (?:please|thanks|thank you|ok|okay|now|for me)$", "", what, flags=re.IGNORECASE)
    if not _OURS.match(what) or (found["verb"].casefold() != "forget" and not named and not _personal(what)):
        return None
    return what


_PREFIX = re.compile(r"^[^,:;–—]{1,40}[,:;–—]+\s*")


def _imperative(plain: str) -> re.Match[str] | None:
    """The wish itself, also after a few words ("One more thing: …") that are nobody else's."""
    found = _WISH.match(plain) or _NEVER.match(plain)
    prefix = None if found else _PREFIX.match(plain)
    if prefix is None or has("reported", prefix[0]):
        return found
    rest = plain[prefix.end() :]
    return _WISH.match(rest) or _NEVER.match(rest)


def _personal(what: str) -> bool:
    noun = re.sub(r"^(?:my|our) ", "", what, flags=re.IGNORECASE).casefold()
    known = noun in table("en")["forget_slots"] or noun.split(" ")[-1] in words("single_slots")
    return known and not _ELSEWHERE.search(what)


def wish_text(what: str) -> tuple[str, list[str]]:
    """(fact text, the slots it names): ("User asks to forget user's address", ["address"])."""
    said = re.sub(r"^(?:that|the fact that) ", "", what, flags=re.IGNORECASE)
    sentence = third_person(said)
    if sentence and re.match(r"(?:i|we|my|our)\b", said, re.IGNORECASE):
        fact = ShownFact(number="", text=sentence.text, subject=sentence.subject)
        return f"{ASKS}that {sentence.text}", list(dict.fromkeys(c.attribute for c in claims_of(fact)))
    slots = [slot for noun in _nouns(what) for slot in table("en")["forget_slots"].get(noun, [noun])]
    return ASKS + _as_users(what), list(dict.fromkeys(slots))


def _as_users(what: str) -> str:
    text = re.sub(r"\b(?:my|our)\b", "user's", what, flags=re.IGNORECASE)
    return re.sub(r"\bI\b", "user", text)


_TOLD = pattern("forget.told")
_ASKED = pattern("forget.asked")


def _nouns(what: str) -> list[str]:
    """ "my address and my phone number" → address, phone number."""
    asked = _TOLD.sub("", re.sub(r"\buser\b(?!')", "i", what.casefold()))
    asked = asked.replace("favorite", "favourite").replace("color", "colour")
    asked = _ASKED.sub(r"my \1", asked)
    plain = re.sub(r"\b(?:my|our|user's|about|please)\s+", "", asked)
    return [part.strip() for part in re.split(r"\s*(?:,|\band\b|\bor\b)\s*", plain) if part.strip()]


def is_wish(fact: ShownFact) -> bool:
    """A request to forget, as our extractor writes it or as others do."""
    return fact.text.startswith((ASKS, ASKS_ZH)) or _FOREIGN.search(fact.text) is not None


_FOREIGN = pattern("forget.foreign")


def retracts(asked: ShownFact, old: ShownFact) -> bool:
    """Does the wish name this fact? Only what it names for sure."""
    target = _target(asked.text)
    if not target or is_wish(old):
        return False
    if target.startswith("用户"):
        return _same_statement(target, old) or _named_chinese(target, old)
    if target.startswith(("that ", "User ")) and not _TOLD.match(target.casefold()):
        return _same_statement(target.removeprefix("that "), old)
    return any(_named(noun, old) for noun in _nouns(target))


def _target(text: str) -> str:
    for start in (ASKS, ASKS_ZH):
        if text.startswith(start):
            return text.removeprefix(start)
    passive = re.search(
        r"\bthat (.+?)(?:,.*?)? (?:be|is|are) (?:forgotten|removed|erased|deleted|dropped|wiped)\b", text
    )
    if passive:
        return passive[1]
    found = re.search(r"\b(?:forget|forgotten|remove|erase|delete|drop|wipe)\b(?: about)? (.+)$", text)
    return _MEMORY.sub("", found[1]).strip(" .") if found else ""


def _same_statement(said: str, old: ShownFact) -> bool:
    """ "that User is allergic to peanuts": the same claim, or the same words."""
    asked = ShownFact(number="", text=said, subject=old.subject)
    if normalise(said) == normalise(old.text):
        return True
    claims = {(c.slot, c.value) for c in claims_of(asked)}
    return any((c.slot, c.value) in claims for c in claims_of(old))


@lru_cache(maxsize=1024)
def _persons(text: str) -> frozenset[str]:
    found = re.findall(r"[\w-]+", text.casefold().replace("'s", ""))
    known = words("persons") | words("plural_persons")
    return frozenset(word for word in found if word in known)


def _named(noun: str, old: ShownFact) -> bool:
    """One noun of the wish: a slot of ours, or words that all stand in the fact."""
    if re.match(r"(?:old|previous|former)\b", noun) and not old.past:
        return False
    persons = _persons(noun)
    if persons != (
        _persons(old.subject) or (persons & _persons(old.text) if old.subject == "user" else persons - persons)
    ):
        return False
    slots = table("en")["forget_slots"].get(_without_persons(noun))
    if slots is not None:
        return bool({c.slot for c in claims_of(old)} & set(slots) or set(old.attributes) & set(slots))
    return _by_stems(noun, old)


def _without_persons(noun: str) -> str:
    known = words("persons") | words("plural_persons")
    return " ".join(w for w in noun.split() if w.removesuffix("'s") not in known)


def _by_stems(noun: str, old: ShownFact) -> bool:
    asked = content_stems(noun) - content_stems(
        "everything anything fact thing things said told mentioned information info detail details data"
    )
    return bool(asked) and asked <= content_stems(" ".join([old.text, *old.attributes]), "")


def _named_chinese(about: str, old: ShownFact) -> bool:
    """用户的地址: a slot that we know, of the same person; else words that all stand in the fact."""
    found = named_plainly(about, old)
    if found is not None:
        return found
    whose_it_is = whose(about)
    if whose_it_is != (whose(old.text) or "用户"):
        return False
    if any(claim.value.startswith(("哪", "什么", "谁")) for claim in claims_of(replace(old, text=about))):
        asked = {claim.slot for claim in claims_of(replace(old, text=about))}
        return bool(asked & {claim.slot for claim in claims_of(old)})
    noun = re.sub(
        r"的?(?:事情|事儿|这件事|那件事|事|信息|记录)$", "", about.removeprefix(whose_it_is).removeprefix("的").strip()
    )
    slot = table("zh")["things"].get(noun)
    named = table("zh")["forget_slots"].get(noun, [])
    if {claim.slot for claim in claims_of(old)} & set(named):
        return True
    if slot is None:
        return len(noun) > 1 and noun in old.text.removeprefix(whose_it_is)
    slots = set(table("en")["forget_slots"].get(slot, [slot]))
    return bool(slots & ({claim.slot for claim in claims_of(old)} | set(old.attributes)))
