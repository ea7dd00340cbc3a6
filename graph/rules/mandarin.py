"""Facts of a Chinese message: plain statements that begin with 我, and what follows them without a subject."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from scrubjay.graph.rules.chinese import read_chinese, whose
from scrubjay.graph.rules.claim import Claim
from scrubjay.graph.rules.clauses import Clause
from scrubjay.graph.rules.forget import ASKS_ZH
from scrubjay.graph.rules.heard import Heard, after, carried, passed
from scrubjay.graph.rules.tables import has, pattern, table
from scrubjay.graph.rules.validity import dated
from scrubjay.graph.rules.wishes import wish
from scrubjay.graph.rules.worth import of_claims
from scrubjay.prompts.extract import ExtractedFact
from scrubjay.stores.records import Modality

_LEAD = pattern("mandarin.lead")
_TIME = pattern("mandarin.time").pattern
_ASIDE = pattern("mandarin.aside")
_MINE = pattern("mandarin.mine")


@cache
def _parts() -> re.Pattern[str]:
    """The clauses of a sentence; a colon after a thing that has a value, and in 9:30, cuts nothing."""
    things = "|".join(sorted(table("zh")["things"], key=len, reverse=True))
    word = r"(?:[^，,、：:；;（）()]|(?<=\d)[：:](?=\d))"
    thing = rf"[^，,、：:；;（）()]{{0,8}}?(?:{things})[：:]{word}+"
    return re.compile(rf"{thing}|{word}+(?:、[^，,；;]+)*")


def of_sentence(sentence: Clause, at: str, number: int) -> list[ExtractedFact]:
    """The facts of one sentence."""
    text = sentence.text
    if len(text) > 400:
        return []
    said = _ASIDE.sub("", text)
    if has("rest_is_not_said", text, "zh") or has("joke", text, "zh") or has("reported", said, "zh"):
        return []
    mood = _mood(text, sentence.question)
    return list(_of_parts(sentence, at, number, mood))


def _mood(text: str, question: bool) -> Modality | None:
    """Of the whole sentence; None where each part must tell."""
    if question:
        return "question"
    return "fiction" if has("fiction", text, "zh") else None


def _of_parts(sentence: Clause, at: str, number: int, mood: Modality | None) -> Iterator[ExtractedFact]:
    heard, unsure = Heard(), False
    for found in _parts().finditer(sentence.text):
        quote = found[0].strip()
        asked = wish(quote)
        if asked and not re.search(r"吗|[?？]|是不是|有没有", quote):
            yield _wish(asked, quote, number)
            continue
        said = _statement(quote, heard)
        unsure = unsure or has("hypothetical", quote, "zh")
        heard = after(said, quote) if said is not None else passed(heard, quote)
        if said is None:
            continue
        yield from _fact(said, quote, at, number, mood or _of_part(quote, unsure))


def _of_part(quote: str, unsure: bool) -> Modality:
    if has("question", quote, "zh"):
        return "question"
    if unsure:
        return "hypothetical"
    return "planned" if has("planned", quote, "zh") else "actual"


def _statement(quote: str, heard: Heard) -> str | None:
    """我住在北京 → 用户住在北京; 房租是3500 → 用户的房租是3500; after 我…, a bare verb is mine too."""
    plain = _turned(_REMEMBER.sub("", _LEAD.sub("", _ASIDE.sub("", _LEAD.sub("", quote)))))
    if found := _MINE.match(plain):
        rest = _person(found["rest"])
        return f"用户{rest}" if not found["time"] else f"用户{_after_owner(found['time'], rest)}"
    found = _bare_thing().match(plain)
    if found and not heard.foreign and not has("vague", plain, "zh"):
        return f"用户的{found['noun']}{found['time']}{found['rest']}"
    if has("bounded", quote, "zh"):
        return None
    if heard.topic and _changes().match(plain):
        return f"用户的{heard.topic}{plain}"
    said = carried(plain, heard)
    return said if said is not None and _reads(said) else None


@cache
def _bare_thing() -> re.Pattern[str]:
    own = table("zh")
    nouns = "|".join(sorted(own["things"], key=len, reverse=True)) + f"|[^，,的是在我]{{0,4}}(?:{own['appointments']})"
    starts = r"\d|每|一个月|是|为|在|从|涨|降|改|变|换|推|提前|调|定|约|延|挪|移|安排|被|[：:]"
    return re.compile(rf"(?P<time>(?:{_TIME})?)(?P<noun>新?的?(?:{nouns}))(?P<rest>(?:现在|目前)?(?:{starts}).*)$")


@cache
def _changes() -> re.Pattern[str]:
    """What can follow a thing that was just spoken of: 驾照考试改期了，改到6月19日."""
    return re.compile(rf"(?:现在|目前|已经|一下子|又|直接)*(?:{table('zh')['changed']}|(?:是|定在|每个?月|一个月)\d)")


_REMEMBER = re.compile(r"^(?:请|千万|可|你|您)*(?:别|不要|不能|不可以)(?:再)?(?:忘了|忘记了?|忘)[:：]?(?=我)")
"""不要忘记我的生日是… tells the birthday"""
_TOPIC = pattern("mandarin.topic")
_NAMED = re.compile(
    r"(?:请|可以|就|你|您|以后|直接|(?:大家|朋友们?|同事们?|同学们?|家人|别人)(?:都|一般|通常|平时)*)*叫我(?P<name>[^，。]{1,8}?)(?:吧|就好|就行|好了)?$"
)


def _turned(plain: str) -> str:
    """榴莲我不喜欢了 → 我不喜欢榴莲了; 叫我小王 → 我希望被叫作小王; 房东把我的房租涨到5000 → 我的房租涨到5000."""
    if found := _TOPIC.match(plain):
        return f"我{found['rest']}{found['topic']}了"
    if found := _made().match(plain):
        return f"我的{found['noun'] or found['what']}{found['verb'] or ''}{found['rest']}"
    found = _NAMED.match(plain)
    return f"我希望被叫作{found['name']}" if found else plain


@cache
def _made() -> re.Pattern[str]:
    """Somebody who has the power changes a thing of mine: the landlord, the employer, the hospital."""
    own = table("zh")
    things = "|".join(sorted(own["things"], key=len, reverse=True))
    nouns = rf"(?:{things})|[^，,的是在我]{{0,4}}(?:{own['appointments']})"
    return re.compile(
        rf"(?:{own['powers']})(?:{_TIME}|已经|刚刚?|又|决定|通知我|打电话)*"
        rf"(?:(?:把|将|给)我(?:们)?家?的?(?P<noun>{nouns})|给我(?:们)?(?=[涨降])(?P<verb>[涨降])了?(?P<what>房租|工资|薪水))"
        rf"(?P<rest>(?:从[^，,]{{1,15}}?)?{own['changed']}.+|到了?.+)$"
    )


def _reads(text: str) -> bool:
    return bool(read_chinese(text))


def _person(rest: str) -> str:
    """我姐姐 → 用户的姐姐, and every later 我 is the user."""
    persons = table("zh")["persons"]
    rest = re.sub(rf"^(?!的)(?:家里?的?(?!人))?({persons})", r"的\1", rest)
    things = "|".join(table("zh")["things"])
    rest = re.sub(rf"^(?!的)({things})", r"的\1", rest)
    return rest.replace("我", "用户")


def _after_owner(time: str, rest: str) -> str:
    """上个月我姐姐搬到… → 用户的姐姐上个月搬到…"""
    found = re.match(rf"的(?:{table('zh')['persons']})", rest)
    return f"{found[0]}{time}{rest[found.end() :]}" if found else f"{time}{rest}"


def _fact(said: str, quote: str, at: str, number: int, mood: Modality) -> Iterator[ExtractedFact]:
    claims = read_chinese(said)
    if has("vague", said, "zh") or not (claims or _generic().search(said)):
        return
    if mood == "question":
        yield ExtractedFact(text=f"用户问：“{quote}”", quote=quote, message=number, modality=mood)
        return
    subject = whose(said) or "用户"
    fact = ExtractedFact(
        text=said if mood != "fiction" else f"虚构：{said}",
        type="plan" if mood == "planned" else of_claims(claims, subject == "用户"),
        subject="user" if subject == "用户" else subject.replace("用户的", "user's "),
        attributes=list(dict.fromkeys(claim.attribute for claim in claims if claim.attribute)),
        quote=quote,
        message=number,
        modality=mood,
    )
    yield fact if mood in ("fiction", "hypothetical") else dated(fact, claims, at, chinese=True)


@cache
def _generic() -> re.Pattern[str]:
    return re.compile(
        rf"^用户(?:的(?:{table('zh')['persons']}))?(?:{table('zh')['lead']})(?:{table('zh')['generic']}).."
    )


def _wish(asked: str, quote: str, number: int) -> ExtractedFact:
    about = f"用户{_person(asked.removeprefix('我'))}"
    claims = claims_of_wish(about)
    slots = [claim.attribute for claim in claims] or slots_of_noun(about)
    return ExtractedFact(text=f"{ASKS_ZH}{about}", type="decision", attributes=slots, quote=quote, message=number)


def claims_of_wish(about: str) -> tuple[Claim, ...]:
    """忘掉我住在北京: the statement itself is named."""
    return read_chinese(about)


def slots_of_noun(about: str) -> list[str]:
    """用户的地址 → ["address"]."""
    noun = re.sub(r"^用户的?", "", about)
    slot = table("zh")["things"].get(noun)
    slots: list[str] = table("en")["forget_slots"].get(slot, [slot]) if slot else []
    return slots
