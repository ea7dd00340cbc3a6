"""What a dialogue left behind, measured against its gold labels.

Works on the words of the memories alone, so that it shares nothing with what it measures. Wrong is never allowed;
stale and duplicate are allowed and counted. A value that was never remembered is neither: the dialogue does not work.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from tests.dialogue_records import Claim, Dialogue


class Remembered(Protocol):
    """A memory, as far as it is scored: scrubjay.stores.records.Memory is one."""

    @property
    def text(self) -> str: ...

    @property
    def subject(self) -> str: ...

    @property
    def status(self) -> str: ...


class Decided(Protocol):
    """A decision, as far as it is scored: scrubjay.stores.records.Decision is one."""

    @property
    def action(self) -> str: ...

    @property
    def outcome(self) -> str: ...


Snapshot = Sequence[Remembered]


@dataclass(frozen=True, slots=True)
class Score:
    """How one dialogue ended."""

    works: bool
    """all that should be current is, all that should have gone was there and is gone, nothing is wrong"""
    wrong_supersession: int = 0
    wrong_deletion: int = 0
    wrong_assertion: int = 0
    stale_left: int = 0
    duplicates_left: int = 0
    unforgotten: int = 0
    """values that the user asked to forget and that stand in some memory still"""
    why: tuple[str, ...] = ()
    """each fault in words"""

    @property
    def wrong(self) -> int:
        return self.wrong_supersession + self.wrong_deletion + self.wrong_assertion


_EARLIER = re.compile(r"\(previously:(.*?)\)|（此前：(.*?)）", re.I | re.S)
_PARTS = re.compile(r"[;；]")
_CLAUSES = re.compile(
    r"(?<=[.!?])\s+|[。！？]|,\s+|，|\s[–—-]\s|\bbut\b|但是?|"
    r"\band\s+(?=(?:I|he|she|they|now|joined|moved|started|works?|lives?|likes?|loves?|drinks?|enjoys?|hates?|dislikes?|"
    r"can'?t|cannot|does|doesn'?t|do|don'?t|no|not|has|have|is)\b)",
    re.I,
)
_LEFT_BEHIND = re.compile(
    r"(\b(?:mov|switch|chang|relocat|rais|increas|reduc|reschedul|postpon|push|went|gone|go|ris|rose|drop|fell|cut)\w*\b"
    r"[^;.]{0,30}?)\bfrom\b.+?(?=\bto\b|$)"
    r"|\b(?:swap|trad|exchang)\w*\b.+?(?=\bfor\b)|\breplac\w*\b.+?(?=\b(?:with|by)\b)"
    r"|\b(?:instead of|rather than)\s+[^;,.]+?(?=\s+(?:now|any ?more|these days)\b|[;,.]|$)"
    r"|从[^，。；]+?(?=搬|换|改|涨|降|调|转|跳|变|升|推迟|提前|到)|把[^，。；]+?(?=换|改)|而?不是[^，。；]+",
    re.I,
)
_DENIED = re.compile(
    r"n't\b|\b(?:not|no|never|nor|cannot|no longer|dislik\w*|hat(?:es?|ed|ing)|loath\w*|detest\w*|quit|left|leaves|"
    r"leaving|stopped|stops|(?:gone|went|goes|going) off|(?:given|gave|gives|giving) up|(?:sick|tired) of|avoids?|"
    r"turned down|refus\w*|declin\w*)\b|[不没别戒腻]|讨厌|受够|离开|辞去|辞了|辞职|放弃",
    re.I,
)
_NOT_DENIED = re.compile(
    r"\bnot only\b|\bno \d+\b|\b(?:don't|do not|never) forget\b|(?:别|不要)忘|"
    r"不错|不过|不久|不但|不仅|差不多|特别|别墅|别名",
    re.I,
)
_PAST = re.compile(
    r"(?<!'m )(?<!am )(?<!is )(?<!are )(?<!got )(?<!getting )\bused to (?!\w+ing\b|it\b|the\b)"
    r"|\b(?:previously|formerly|years ago|back then|in the past|no longer|grew up)\b"
    r"|(?<!\bhas )(?<!\bhave )(?<!'ve )(?<!'s )(?<!\balways )\b(?:lived|worked|weighed|drank|paid)\b"
    r"|\b(?:was|were)\b(?! (?:\w+ed|put|cut|set|brought)\b)"
    r"|以前|曾|之前|过去|原来|小时候|此前",
    re.I,
)
_SET_APART = re.compile(
    r"\b(?:might|could|would|should|may (?:be|move|switch|have|go)|maybe|perhaps|possib\w*|if|whether|unless|"
    r"plan\w*|hop(?:es?|ing)|want\w*|wish\w*|consider\w*|think\w*|thought|talk\w* about|dream\w*|'d|going to|will|"
    r"'ll|moving to|intend\w*|next (?:year|month|week|summer|spring|autumn|winter)|in the (?:spring|summer|autumn|"
    r"winter)|some ?day|one day|eventually|this week|weekend|until|visit\w*|stay\w*|trip|travel\w*|conference|"
    r"holiday|hotel|in \S+(?: \S+)? for work|few days|right now|novel|game|story|stories|film|movie|character|"
    r"pretend\w*|fiction\w*|song|poster|quot\w*|says?|said|tells?|told|asks?|asked|when|as a (?:child|kid)|child\w*|"
    r"back when|years ago|came back|before that|once|almost|nearly|offer|interview\w*|apply|applie[sd]|"
    r"husband|(?<!and )wife|sister|brother|mother|mum|mom|dad|father|parents?|friend|colleague|boss|neighbou?rs?|"
    r"flatmate|ex|landlord's own|"
    r"he|she|they|his|her|their)\b|[?\"“”]|可能|也许|想|打算|计划|考虑|如果|要是|假如|的话|这周|"
    r"这几天|周末|出差|旅游|酒店|去[^，。]*玩|小说|游戏|电影|故事|梦|说|写着|广告|小时候|以前|曾|吗|？|呢|该|怎么样|"
    r"明年|夏天|希望|准备|差点|本来|姐|妹|哥|弟|朋友|同事|爸|妈|老公|(?<!和)老婆|邻居|老板|室友",
    re.I,
)
"""Another person, another time, another world: what stands beside these is no plain fact of the user's."""
_USER = frozenset(("user", "the user", "用户", "我", "i", "me", ""))


def _straight(text: str) -> str:
    return text.replace("’", "'").replace("‘", "'")


def mentions(text: str, value: str) -> bool:
    """Whether any spelling of the value stands in the text: whole words in Latin script, anywhere in Chinese."""
    return bool(_spellings(value).search(_straight(text)))


@cache
def _spellings(value: str) -> re.Pattern[str]:
    return re.compile("|".join(_bounded(spelling) for spelling in _straight(value).split("|")), re.I)


def _bounded(term: str) -> str:
    """Numbers do not match inside longer ones ("150" in "1,150"), words not inside words."""
    before = r"(?<!\d)(?<!\d[.,])" if term[0].isdigit() else ""
    after = r"(?!\d)(?![.,]\d)" if term[-1].isdigit() else ""
    letter = r"[A-Za-z\u00c0-\u024f_]"
    if re.match(letter, term[0]):
        before = rf"(?<!{letter})(?<!\d)"
    if re.match(letter, term[-1]):
        after = rf"(?!{letter})(?!\d)"
    elif term[-1].isdigit() and not re.search(r"[\u3400-\u9fff]", term):
        after += rf"(?!{letter})"
    return before + re.escape(term) + after


def _now(text: str) -> str:
    """The text without its previously-clauses."""
    return _EARLIER.sub(" ", _straight(text))


def _earlier(text: str) -> str:
    return " ".join("".join(found) for found in _EARLIER.findall(_straight(text)))


def _polarity(clause: str, value: str) -> str | None:
    """yes, no, or None when the clause does not speak of it."""
    rest = _LEFT_BEHIND.sub(r"\1 ", clause)
    if not mentions(rest, value):
        return "no" if mentions(clause, value) else None
    return "no" if _DENIED.search(_NOT_DENIED.sub(" ", rest)) or _PAST.search(rest) else "yes"


def asserts(memory: Remembered, claim: Claim, *, of_user: bool = False) -> bool:
    """Whether the memory says so as of now; `of_user`: and says it of the user, as a plain fact."""
    if memory.status != "active" or (of_user and memory.subject.casefold() not in _USER):
        return False
    now = _now(memory.text)
    if claim.about and not mentions(now, claim.about):
        return False
    parts = [part for part in _PARTS.split(now) if not (of_user and _SET_APART.search(part))]
    said = {_polarity(clause, claim.value) for part in parts for clause in _CLAUSES.split(part)} - {None}
    return bool(said) if claim.says == "any" else claim.says in said


def _holds(memories: Snapshot, claim: Claim) -> bool:
    return any(asserts(memory, claim) for memory in memories)


def _contains(memories: Snapshot, value: str) -> bool:
    return any(memory.status == "active" and mentions(memory.text, value) for memory in memories)


def _ended_here(memories: Snapshot, claim: Claim) -> bool:
    """Whether a previously-clause speaks of it: something took it for replaced."""
    return any(memory.status == "active" and mentions(_earlier(memory.text), claim.value) for memory in memories)


def score(
    dialogue: Dialogue,
    memories: Snapshot,
    decisions: Sequence[Decided] = (),
    earlier: Sequence[Snapshot] | None = None,
) -> Score:
    """Score the memories at the dialogue's end; those that are not active do not count.

    `earlier`, the memories after each message, tells what was lost from what was never remembered; without it all
    that should be kept and is missing counts as lost. `decisions` tell a supersession from a deletion, and show one
    that no word betrays.
    """
    expect = dialogue.expect
    superseded, deleted = _lost(dialogue, memories, decisions, earlier)
    asserted = [c for c in expect.never if any(asserts(memory, c, of_user=True) for memory in memories)]
    stale = [c for c in expect.ended if _holds(memories, c)]
    unforgotten = [value for value in expect.forgotten if _contains(memories, value)]
    missing = [c for c in expect.current if not _holds(memories, c)]
    unseen = _unseen(dialogue, earlier)
    duplicates = _duplicates(memories, expect.once)
    why = (
        *(f"wrong supersession: {what}" for what in superseded),
        *(f"wrong deletion: {what}" for what in deleted),
        *(f"wrong assertion: {c.value}" for c in asserted),
        *(f"stale: {c.value}" for c in stale),
        *(f"not forgotten: {value}" for value in unforgotten),
        *(f"not current: {c.value} ({c.says})" for c in missing),
        *(f"never remembered: {value}" for value in unseen),
        *([f"duplicates: {duplicates}"] if duplicates else []),
    )
    failed = superseded or deleted or asserted or stale or unforgotten or missing or unseen
    return Score(
        works=not failed and not (expect.folds and duplicates),
        wrong_supersession=len(superseded),
        wrong_deletion=len(deleted),
        wrong_assertion=len(asserted),
        stale_left=len(stale),
        duplicates_left=duplicates,
        unforgotten=len(unforgotten),
        why=why,
    )


def _lost(
    dialogue: Dialogue, memories: Snapshot, decisions: Sequence[Decided], earlier: Sequence[Snapshot] | None
) -> tuple[list[str], list[str]]:
    """What was wrongly superseded, and what was wrongly deleted."""
    actions = Counter(d.action for d in decisions if d.outcome == "applied")
    superseded: list[str] = []
    deleted: list[str] = []
    for claim in dialogue.expect.kept:
        if _ended_here(memories, claim):
            superseded.append(claim.value)
        elif not _holds(memories, claim) and (earlier is None or any(_holds(then, claim) for then in earlier)):
            gone = actions["delete"] if decisions else not _contains(memories, claim.value)
            (deleted if gone else superseded).append(claim.value)
    if actions["replace"] and not dialogue.expect.ended and not superseded:
        superseded.append("a decision replaced something")
    if actions["delete"] and not dialogue.expect.forgotten and not deleted:
        deleted.append("a decision deleted something")
    return superseded, deleted


def _unseen(dialogue: Dialogue, earlier: Sequence[Snapshot] | None) -> list[str]:
    """What should have gone and never was there: an empty store must not pass for a good memory."""
    if earlier is None:
        return []
    ended = [c.value for c in dialogue.expect.ended if not any(_holds(then, c) for then in earlier)]
    return ended + [v for v in dialogue.expect.forgotten if not any(_contains(then, v) for then in earlier)]


def _duplicates(memories: Snapshot, once: Sequence[Claim]) -> int:
    """Memories that another one makes superfluous: equal texts, or several for a claim that needs one."""
    active = [memory for memory in memories if memory.status == "active"]
    texts = Counter(re.sub(r"\W+", " ", memory.text.casefold()).strip() for memory in active)
    equal = sum(n - 1 for n in texts.values())
    claimed = sum(max(0, sum(asserts(memory, c) for memory in active) - 1) for c in once)
    return max(equal, claimed)
