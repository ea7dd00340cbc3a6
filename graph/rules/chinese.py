"""Claims of Chinese statements: 用户住在北京, 用户的房租涨到了3800."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from scrubjay.graph.rules.claim import Claim, Mode
from scrubjay.graph.rules.reading import class_of
from scrubjay.graph.rules.tables import has, table, words
from scrubjay.stores.text import language

_DRINK = "drink preference"
_WORDED = {"address", "email"}
_SINCE = re.compile("今天|今晚|这周|本周|这个月|本月|周末|这几天|这两天")
_KINDS = {
    "date": re.compile(r"\d{1,2}月\d{1,2}[日号]|\d{1,2}[号日]|[一二三四五六七八九十]+月[一二三四五六七八九十]+[日号]"),
    "time": re.compile(r"\d{1,2}[点:：]|[一二三四五六七八九十]+点"),
    "weekday": re.compile(r"(?:周|星期|礼拜)[一二三四五六日天]"),
}


@cache
def _patterns() -> tuple[tuple[str, Mode, re.Pattern[str]], ...]:
    lead = table("zh")["lead"]
    return tuple(
        (row["slot"], row["mode"], re.compile(rf"(?P<lead>{lead}){row['re']}")) for row in table("zh")["predicates"]
    )


@cache
def _possession() -> re.Pattern[str]:
    things = "|".join(sorted(table("zh")["things"], key=len, reverse=True))
    appointments = table("zh")["appointments"]
    return re.compile(
        rf"的?(?:每个?月的?)?(?P<np>(?:{things})|最喜欢的[^，,是]{{1,6}}|[^，,的是在]{{0,6}}(?:{appointments}))(?P<time>(?:现在|目前|如今|已经|从今天起)|(?:从|最近|刚刚?|上个月|昨天|今天|去年|今年|这个月|下个月|上周)|[\d年月日号这一周起]+(?=[涨降变改换推提调从]))?(?:从(?P<o>[^，,]{{1,15}}?))?"
        rf"(?P<how>{table('zh')['changed']}|是在|定在|约在|安排在|约的是|是|为|在|：|:|(?=每?个?月?[\d￥¥一二两三四五六七八九]))了?(?P<v>[^，,]{{1,40}})"
    )


@lru_cache(maxsize=4096)
def read_chinese(text: str) -> tuple[Claim, ...]:
    """Every claim of the text about whom it begins with."""
    start = whose(text)
    if not start:
        return ()
    predicate = text[len(start) :].rstrip("。！!.")
    if found := _possession().match(predicate):
        return _thing(found, text)
    for slot, mode, pattern in _patterns():
        found = pattern.match(predicate)
        if found and (claim := _claim(slot, mode, found, text)):
            return (claim,)
    return ()


def is_chinese(text: str) -> bool:
    """Also where most letters are Latin: 我的邮箱是lin@…"""
    return re.search("我|用户", text) is not None or language(text) == "zh"


def whose(text: str) -> str:
    """The words of the subject at the beginning: 用户, 用户的姐姐; "" for none."""
    found = re.match(rf"用户(?:的(?:{table('zh')['persons']}))?", text)
    return found[0] if found else ""


def _claim(slot: str, mode: Mode, found: re.Match[str], text: str) -> Claim | None:
    value = _value(found["v"] or found.groupdict().get("w") or "")
    if slot == "home city":
        value = re.sub(r"(?:去|来|居住|生活|定居|住|工作|上班)+$", "", value)
    if slot == "home city" and re.match(table("zh")["places_not"], value):
        return None
    limit = ""
    if slot == "likes":
        value, limit = _liked(value)
    if slot == "pet":
        value = re.sub(r"^[一两三四\d](?:只|条|匹|个)", "", value)
    if slot == "employer" and re.fullmatch(rf"{table('zh')['not_employers']}|.+[市省县]", value):
        return None
    if slot == "drinks":
        slot = class_chinese(value)
    if slot == "switch" and not found.groupdict().get("o") and class_chinese(value) != _DRINK:
        return None
    if slot == "switch":
        slot = class_chinese(value) if "咖啡" in text or "茶" in text else "switch"
    origin = _value(found.groupdict().get("o") or "")
    return Claim(slot, value, _mode(mode, found["lead"], text), detail=limit, origin=origin)


def _liked(value: str) -> tuple[str, str]:
    """和朋友一起喝咖啡 → (咖啡, 和朋友): what is liked, and what limits it."""
    found = re.match(
        r"(?:(?P<limit>(?:和|跟|与).+?)(?:一起)?(?:吃|喝|看|听|玩|去)|吃|喝|看|听|玩|去)?(?P<what>.+)$", value
    )
    if not found:
        return value, ""
    company = (
        rf"(?P<limit>(?:和|跟|与)(?:{table('zh')['persons']}|家人|们)+)(?:一起)?(?:吃|喝|看|听|玩|去)?(?P<what>.+)$"
    )
    found = re.match(company, value) or found
    return found["what"], found["limit"] or ""


def class_chinese(value: str) -> str:
    """Teas and coffees are one class; other drinks are each their own habit."""
    return _DRINK if value.endswith(tuple(table("zh")["drinks"])) or class_of(value) else "does:喝"


def _value(value: str) -> str:
    plain = re.sub(r"(?:了|的|吧|啊|呢|啦|哦)+$", "", value.strip(" 。！!.“”\"'"))
    return re.sub(r"^(?:了|的)", "", plain).casefold()


def _mode(mode: Mode, lead: str, text: str) -> Mode:
    if re.search("以前|曾|过去|当年|小时候|从前", text):
        return "past"
    if has("bounded", text if mode == "state" else _SINCE.sub("", text), "zh"):
        return "bounded"
    if mode == "neg" and text.endswith("了"):
        return "end"
    if mode == "state" and re.search("现在|如今|目前|从今", lead) and not has("also", text, "zh"):
        return "change"
    return "unsure" if mode == "change" and has("also", text, "zh") else mode


def _thing(found: re.Match[str], text: str) -> tuple[Claim, ...]:
    noun = found["np"]
    slot = str(table("zh")["things"].get(noun, ""))
    slot = slot or ("favourite " + noun[4:] if noun.startswith("最喜欢的") else noun)
    changed = re.match(table("zh")["changed"], found["how"]) or found["time"] in (
        "现在",
        "目前",
        "如今",
        "已经",
        "从今天起",
    )
    value = _value(found["v"])
    kinds = _kinds(value) if slot not in ("name", "address") else frozenset({"text"})
    if kinds == {"text"} and slot in words("single_slots") - words("named_slots") - words("worded_slots") - _WORDED:
        return ()  # "the rent is too high" names no rent
    mode: Mode = "past" if re.search("以前|曾|原来", text) else "change" if changed else "state"
    return (Claim(slot, value, mode, origin=_value(found["o"] or ""), kinds=kinds),)


def _kinds(value: str) -> frozenset[str]:
    kinds = {name for name, pattern in _KINDS.items() if pattern.search(value)}
    if not kinds and re.search(r"\d|[一二三四五六七八九十百千万]", value):
        kinds.add("number")
    return frozenset(kinds or {"text"})
