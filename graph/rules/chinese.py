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
_TEXTS = frozenset({"name", "address", "email", "nickname", "english name", "wechat", "qq", "password"})
_SINCE = re.compile("今天|今晚|这周|本周|这个月|本月|周末|这几天|这两天")
_KINDS = {
    "date": re.compile(r"\d{1,2}月\d{1,2}[日号]|\d{1,2}[号日]|[一二三四五六七八九十]+月[一二三四五六七八九十]+[日号]"),
    "time": re.compile(r"\d{1,2}[点:：]|[一二三四五六七八九十]+点"),
    "weekday": re.compile(r"(?:周|星期|礼拜)[一二三四五六日天]"),
}


def _filled(source: str) -> str:
    """The names of the lists in an expression, put by the lists."""
    for name in ("lead", "persons", "jobs"):
        source = source.replace(f"%{name.upper()}%", table("zh")[name])
    return source


@cache
def _patterns() -> tuple[tuple[str, Mode, re.Pattern[str]], ...]:
    lead = table("zh")["lead"]
    return tuple(
        (row["slot"], row["mode"], re.compile(rf"(?P<lead>{lead}){_filled(row['re'])}"))
        for row in table("zh")["predicates"]
    )


@cache
def _rewrites() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(_filled(source)), target) for source, target in table("zh")["rewrites"])


def _plainer(predicate: str) -> str:
    """和老婆住在武汉 → 住在武汉; 在杭州住了三年了 → 住在杭州."""
    for source, target in _rewrites():
        predicate = source.sub(target, predicate)
    return predicate


@cache
def _possession() -> re.Pattern[str]:
    things = "|".join(sorted(table("zh")["things"], key=len, reverse=True))
    appointments = table("zh")["appointments"]
    changed = table("zh")["changed"]
    now = "现在|目前|如今|已经|从今天起"
    past = "从|最近|刚刚?|上个月|昨天|今天|去年|今年|这个月|下个月|上周"
    return re.compile(
        rf"(?:家里?)?的?(?:每个?月的?)?(?P<new>新的?)?"
        rf"(?P<np>(?:{things})|最喜欢的[^，,是]{{1,6}}?|[^，,的是在]{{0,6}}的?(?:{appointments})(?:的?(?:时间|日期|日子))?)"
        rf"(?P<time>(?:{now})|(?:{past})|[\d年月日号这一周起]+(?=[涨降变改换推提调从]))?(?:也|又|都|就|被[^，,]{{0,4}}?)*"
        rf"(?:从(?P<o>[^，,]{{1,15}}?))?"
        rf"(?P<how>{changed}|是在|定在|约在|定的是|安排在|约的是|是|为|在|：|:|(?=(?:每|一)?个?月?[\d￥¥一二两三四五六七八九]))了?"
        rf"(?P<v>[^，,]{{1,40}})"
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
    plainer = _plainer(predicate)
    for slot, mode, pattern in _patterns():
        found = pattern.match(plainer)
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
    if slot == "home city" and re.match(rf"{table('zh')['places_not']}|.*{table('zh')['places_end']}$", value):
        return None
    limit = ""
    if slot == "likes":
        value, limit = _liked(value)
    if slot == "pet":
        value = re.sub(r"(?:名字?)?叫.+$", "", re.sub(r"^[一两三四\d](?:只|条|匹|个|窝|对)", "", value))
    if slot == "employer" and re.fullmatch(rf"{table('zh')['not_employers']}|.+[市省县]", value):
        return None
    origin = _drink(_value(found.groupdict().get("o") or ""))
    if slot in ("drinks", "switch"):
        value = _drink(value)
        limit = _daypart(text)
    if slot == "drinks":
        slot = class_chinese(value)
    if slot == "switch" and not origin and class_chinese(value) != _DRINK:
        return None
    if slot == "switch" and class_chinese(value) == _DRINK:
        slot = _DRINK
    return Claim(slot, value, _mode(mode, found["lead"], text, slot), detail=limit, origin=origin)


def _drink(value: str) -> str:
    """早上的咖啡, 喝咖啡 → 咖啡."""
    return re.sub(r"^(?:(?:每天|早上|早餐|早饭|平时|下午|晚上)*的)?喝?(?:一?[杯点瓶碗壶罐])?", "", value) or value


def _daypart(text: str) -> str:
    """早, 晚: the coffee of the morning is not the tea of the night."""
    found = [name for name, source in table("zh")["dayparts"] if re.search(source, text)]
    return found[0] if len(found) == 1 else ""


def _liked(value: str) -> tuple[str, str]:
    """和朋友一起喝咖啡 → (咖啡, 和朋友): what is liked, and what limits it."""
    found = re.match(
        r"(?:(?P<limit>(?:和|跟|与).+?)(?:一起)?(?:吃|喝|看|听|玩|去)|吃|喝|看|听|玩|去|打(?![扫扮卡折坐])(?=..)|下(?=.+棋)|踢(?=.)|弹(?=.))?"
        r"(?P<what>.+)$",
        value,
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


_PAST = re.compile("以前|曾|过去|当年|小时候|从前")
_WAS = re.compile("之前|原来|原先|早年|那时|年前|大学时|上学时|读书时|[住作班活欢爱]过|的时候")
_HABITS = frozenset({"likes", _DRINK, "does:喝"})
_HABITUAL = re.compile("周末|放假")


def _mode(mode: Mode, lead: str, text: str, slot: str) -> Mode:
    if _PAST.search(text) or (mode == "state" and slot not in _HABITS and _WAS.search(text)):
        return "past"
    if mode == "state" and slot in _HABITS and re.search("之前|原来|原先|[欢爱喝]过", text):
        return "past"
    passing = _HABITUAL.sub("", text) if slot in _HABITS and not re.search("[这本上下]个?周末", text) else text
    if has("bounded", passing if mode == "state" else _SINCE.sub("", passing), "zh"):
        return "bounded"
    if mode == "neg" and text.endswith("了"):
        return "end"
    if (
        mode == "state"
        and re.search("现在|如今|目前|从今|眼下", lead + _times(text, slot))
        and not has("also", text, "zh")
    ):
        return "change"
    return "unsure" if mode == "change" and has("also", text, "zh") else mode


def _times(text: str, slot: str) -> str:
    """Of a drink, the words of time may stand after others: 早上现在喝."""
    return text if slot in (_DRINK, "does:喝") else ""


def _thing(found: re.Match[str], text: str) -> tuple[Claim, ...]:
    noun = (
        re.sub("的?(?:时间|日期|日子)$|的", "", found["np"]) if not found["np"].startswith("最喜欢的") else found["np"]
    )
    slot = str(table("zh")["things"].get(noun, ""))
    slot = slot or ("favourite " + noun[4:] if noun.startswith("最喜欢的") else noun)
    changed = (
        found["new"]
        or re.match(table("zh")["changed"], found["how"])
        or found["time"]
        in (
            "现在",
            "目前",
            "如今",
            "已经",
            "从今天起",
        )
    )
    value = _amount(_value(found["v"]), slot)
    if re.fullmatch(table("zh")["not_values"], value):
        return ()
    kinds = _kinds(value) if slot not in _TEXTS else frozenset({"text"})
    if kinds == {"text"} and slot in words("single_slots") - words("named_slots") - words("worded_slots") - _WORDED:
        return ()  # "the rent is too high" names no rent
    mode: Mode = "past" if re.search("以前|曾|原来", text) else "change" if changed else "state"
    return (Claim(slot, value, mode, origin=_value(found["o"] or ""), kinds=kinds),)


def _amount(value: str, slot: str) -> str:
    """每月4100块 → 4100; 4月21号 → 4月21日: the same however written."""
    value = re.sub(r"(?<=\d)号(?!楼|院|线)", "日", value) if slot not in _TEXTS else value
    found = re.fullmatch(
        r"(?:每个?月|一个月|每月|月|一年|每年)?[￥¥]?(?P<n>[\d.,]+[千万]?|[一二两三四五六七八九十百千万]{2,})"
        r"(?:多)?(?:块钱?|元钱?|人民币|元人民币)?(?:(?:一个|每个?|/|一)月|左右)?",
        value,
    )
    return found["n"] if found else value


def _kinds(value: str) -> frozenset[str]:
    kinds = {name for name, pattern in _KINDS.items() if pattern.search(value)}
    if not kinds and re.search(r"\d|[一二三四五六七八九十百千万]", value):
        kinds.add("number")
    return frozenset(kinds or {"text"})
