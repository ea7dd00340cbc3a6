"""Whom a Chinese clause without a subject speaks of: 我养了一只狗，叫团子 names the dog, not the speaker."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from scrubjay.graph.rules.chinese import read_chinese, whose
from scrubjay.graph.rules.tables import has, table

USER = "用户"
_SELF = frozenset({"home city", "origin", "age", "job", "employer"})
"""After a plain word about oneself, 叫… is one's own name."""
_NAMING = re.compile(
    r"(?:就|也|都|小名|大名|全名|取名|起名)*(?:名字?)?(?:叫|是(?!一?[名位个]?[^，,]*[师员工生])|姓)|取名|起名"
)
_AGED = re.compile(r"(?:今年|现在|已经|才|刚|快|都)*[\d一二两三四五六七八九十]{1,4}(?:个?多?月|岁)")
_ALONE = re.compile("一个人|独自|自己|只剩")


@dataclass(frozen=True, slots=True)
class Heard:
    """What the clauses before leave to the next one."""

    owner: str = ""
    """用户, 用户的姐姐; "" where nobody is meant for sure"""
    names: bool = False
    """may a bare 叫… be the speaker's own name?"""
    introduced: bool = False
    """the owner was only just introduced: what follows about name and age is theirs, the rest anybody's"""
    topic: str = ""
    """the thing spoken of: 房租, 驾照考试"""
    foreign: bool = False
    """somebody or something else was spoken of: a bare 地址是… need not be the user's"""


@cache
def _met() -> re.Pattern[str]:
    own = table("zh")
    return re.compile(
        rf"^用户(?:{own['lead']})(?:{own['meets']})[了着过到]*(?P<count>(?:[一二两三四五六几\d]*[{own['measures']}]))?"
        rf"(?P<which>[^，,]{{0,6}}?)(?P<who>{own['persons']})(?:(?:名字?)?叫.*|了)?$"
    )


@cache
def _measured() -> re.Pattern[str]:
    own = table("zh")
    kinds = own["measures"] + own["things_measures"]
    return re.compile(rf"(?<![是做当])[一两几某\d][{kinds}]|(?<=[有养买开])了?[{kinds}](?!人)")


@cache
def _topic() -> re.Pattern[str]:
    own = table("zh")
    return re.compile(
        "|".join(sorted(own["things"], key=len, reverse=True))
        + rf"|[^，,的是在我把涨降改换有约]{{0,4}}(?:{own['appointments']})"
    )


def after(said: str, quote: str) -> Heard:
    """What a statement leaves to the clause that follows."""
    owner = whose(said)
    topic = _topic().search(quote)
    about = topic[0] if topic and owner == USER else ""
    if owner != USER:
        return Heard("" if _measured().search(said) else owner, foreign=True)
    if met := _met().match(said):
        return Heard(f"用户的{met['who']}", introduced=True, foreign=True)
    if has("bounded", quote, "zh"):
        return Heard(topic=about)
    if _measured().search(said):
        meets = re.search(rf"(?:{table('zh')['meets']})", said)
        return Heard("" if meets else USER, foreign=True)
    claims = read_chinese(said)
    names = bool(claims) and all(claim.slot in _SELF and claim.mode == "state" for claim in claims)
    return Heard(USER, names=names, topic=about)


def passed(heard: Heard, quote: str) -> Heard:
    """After a clause that tells nothing: who was meant is no longer sure, but a thing may still be spoken of."""
    found = _topic().search(quote)
    if found and not heard.foreign and re.search("涨|降|变|改|换|推迟|提前|延", quote):
        return Heard(topic=found[0])
    return Heard(foreign=heard.foreign or _stranger().match(quote) is not None)


@cache
def _stranger() -> re.Pattern[str]:
    """A clause that begins with somebody or something else: 小王搬走了."""
    return re.compile("他|她|它|你|这|那|有人|大家|别人")


def carried(plain: str, heard: Heard) -> str | None:
    """The clause with the subject that it leaves out; None where that is not sure."""
    naming = _NAMING.match(plain) or _AGED.match(plain)
    if not heard.owner or (heard.owner == USER and not heard.names and _NAMING.match(plain)):
        return None
    if heard.foreign and heard.owner == USER and naming:
        return None
    if heard.introduced and not naming:
        return None
    if heard.owner != USER and _ALONE.search(plain):
        return None
    return f"{heard.owner}{plain}"
