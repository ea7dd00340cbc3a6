"""Chinese dialogues: those that must work, and the near misses."""

from __future__ import annotations

from tests.dialogue_records import Claim, Expect, Kind, Pattern
from tests.dialogue_words import (
    ZH_ADDRESSES,
    ZH_CITIES,
    ZH_DATES,
    ZH_DRINKS,
    ZH_EMAILS,
    ZH_EMPLOYERS,
    ZH_NAMES,
    ZH_PHONES,
    ZH_RENTS,
    ZH_TASTES,
    falling,
    rising,
)  # fmt: skip

HERS = (Claim("{a}"),)
CHANGED = Expect(current=(Claim("{b}"),), ended=HERS)
BOTH = Expect(current=(Claim("{a}"), Claim("{b}")), kept=(Claim("{a}"), Claim("{b}")))
SAME = Expect(current=HERS, kept=HERS, once=HERS)
FOLDED = Expect(current=HERS, kept=HERS, once=HERS, folds=True)
STAYS = Expect(current=HERS, kept=HERS, never=(Claim("{b}"),))
UNTOUCHED = Expect(current=HERS, kept=HERS)

LIVES = (
    "我住在{a}。",
    "我现在住在{a}。",
    "我家在{a}。",
    "我在{a}住了三年了。",
    "我和老婆住在{a}。",
    "我住在{a}，离公司很近。",
)
WORKS = ("我在{a}上班。", "我在{a}工作。", "我在{a}做会计。")
LIKES = ("我喜欢{a}。", "我很喜欢{a}。", "我特别喜欢{a}。", "我挺喜欢{a}的。")
RENT = ("我的房租是每个月{a}元。", "我房租每月{a}块。", "我的房租一个月{a}元。")


def _home(*then: str, expect: Expect = STAYS) -> Pattern:
    return Pattern(LIVES, then, {"a,b": ZH_CITIES}, expect, "home")


MOVE = _home(
    "我搬到{b}了。",
    "我上个月搬到了{b}。",
    "我已经从{a}搬到{b}了。",
    "我现在住在{b}了。",
    "我刚搬家，现在住在{b}。",
    "我搬家到{b}了。",
    "我不住在{a}了，我搬到了{b}。",
    expect=CHANGED,
)
NAME = Pattern(
    ("我叫{a}。", "我的名字叫{a}。", "你好，我叫{a}。"),
    ("我叫{a}。", "对了，我叫{a}。", "我的名字是{a}。", "忘了说，我叫{a}。"),
    {"a": ZH_NAMES},
    SAME,
    "name",
)
FLIP = Pattern(
    LIKES,
    (
        "我不喜欢{a}了。",
        "我现在不喜欢{a}了。",
        "我再也不喜欢{a}了。",
        "我讨厌{a}了。",
        "我已经不喜欢{a}了。",
        "我现在受不了{a}了。",
    ),
    {"a": ZH_TASTES},
    Expect(current=(Claim("{a}", "no"),), ended=HERS),
    "taste",
)
RISE = (
    Pattern(
        RENT,
        (
            "我的房租涨到{b}元了。",
            "我的房租现在是每个月{b}元。",
            "房东把我的房租涨到了{b}元。",
            "我的房租从{a}元涨到{b}元了。",
        ),
        {"a+b": rising(ZH_RENTS)},
        CHANGED,
        "rent",
    ),
    Pattern(RENT, ("我的房租降到{b}元了。",), {"a+b": falling(ZH_RENTS)}, CHANGED, "rent"),
)
JOB = Pattern(
    WORKS,
    (
        "我换工作了，现在在{b}上班。",
        "我跳槽到{b}了。",
        "我从{a}跳槽到了{b}。",
        "我现在在{b}工作。",
        "我离开{a}了，现在在{b}上班。",
    ),
    {"a,b": ZH_EMPLOYERS},
    CHANGED,
    "job",
)
DRINK = Pattern(
    ("我每天早上喝{a}。", "我早上一般喝{a}。", "我早餐喝{a}。"),
    ("我现在改喝{b}了。", "我早上改喝{b}了。", "我不喝{a}了，改喝{b}。", "我把{a}换成{b}了。", "我现在早上喝{b}了。"),
    {"a,b": ZH_DRINKS},
    CHANGED,
    "drink",
)
DENTIST = ("我的牙医预约在{a}。", "我的牙医预约是{a}。")
TEST = ("我的驾照考试是{a}。", "我的驾照考试在{a}。")
LATER = {"a+b": rising(ZH_DATES)}
WHEN = (
    Pattern(DENTIST, ("我的牙医预约改到{b}了。", "我的牙医预约改成{b}了。"), {"a,b": ZH_DATES}, CHANGED, "dentist"),
    Pattern(DENTIST, ("我的牙医预约推迟到{b}了。",), LATER, CHANGED, "dentist"),
    Pattern(TEST, ("我的驾照考试改到{b}了。", "我的驾照考试现在是{b}。"), {"a,b": ZH_DATES}, CHANGED, "exam"),
    Pattern(TEST, ("我的驾照考试推迟到{b}了。",), LATER, CHANGED, "exam"),
)
_ASKS = ("忘掉我的{what}。", "请忘掉我的{what}。", "请忘记我的{what}。", "把我的{what}忘了吧。", "请删掉我的{what}。",
         "请把我的{what}从记忆里删除。")  # fmt: skip


def _forget(topic: str, what: str, pool: tuple[str, ...], *first: str) -> Pattern:
    asks = tuple(ask.replace("{what}", what) for ask in _ASKS)
    return Pattern(first, asks, {"a": pool}, Expect(forgotten=("{a}",)), topic)


FORGET = (
    _forget("phone", "电话号码", ZH_PHONES, "我的电话号码是{a}。", "我的电话号码：{a}。"),
    _forget("address", "地址", ZH_ADDRESSES, "我的地址是{a}。", "我家地址是{a}。"),
    _forget("email", "邮箱", ZH_EMAILS, "我的邮箱是{a}。"),
    _forget("birthday", "生日", ZH_DATES, "我的生日是{a}。"),
)
EXACT = (
    Pattern(LIVES, (), {"a": ZH_CITIES}, FOLDED, "home"),
    Pattern(LIKES, (), {"a": ZH_TASTES}, FOLDED, "taste"),
    Pattern(WORKS, (), {"a": ZH_EMPLOYERS}, FOLDED, "job"),
)
REWORDED = (
    Pattern(("我住在{a}。", "我家在{a}。"), ("我住在{a}。", "我家在{a}。"), {"a": ZH_CITIES}, SAME, "home"),
    Pattern(("我喜欢{a}。", "我很喜欢{a}。"), ("我喜欢{a}。", "我很喜欢{a}。"), {"a": ZH_TASTES}, SAME, "taste"),
)
ADDED = Pattern(LIKES, ("我也喜欢{b}。", "我还喜欢{b}。", "我喜欢{b}。"), {"a,b": ZH_TASTES}, BOTH, "taste")


def _near(name: str, *patterns: Pattern) -> Kind:
    return Kind(f"zh near: {name}", patterns, near=True, language="zh")


def _plain(name: str, *patterns: Pattern, aside: bool = False) -> Kind:
    return Kind(f"zh {name}", patterns, language="zh", aside=aside)


CHINESE = (
    _plain("move", MOVE),
    _plain("name twice", NAME),
    _plain("opinion flip", FLIP),
    _plain("rent change", *RISE),
    _plain("job change", JOB),
    _plain("drink switch", DRINK),
    _plain("date change", *WHEN),
    _plain("forget", *FORGET, aside=True),
    _plain("said twice", *EXACT),
    _plain("reworded", *REWORDED),
    _plain("addition", ADDED),
    _near(
        "somebody else moved",
        _home("我姐姐搬到{b}了。", "我朋友搬到了{b}。", "我同事上周搬去{b}了。", "我爸妈现在住在{b}。"),
    ),
    _near("might move", _home("我可能会搬到{b}。", "我在考虑搬到{b}。", "我也许会搬去{b}。", "我想搬到{b}。")),
    _near("away", _home("这周我在{b}出差。", "我这几天在{b}旅游。", "我这周住在{b}的酒店。", "我周末去{b}玩。")),
    _near(
        "conditional", _home("如果我搬到{b}，我就得买车。", "要是我住在{b}就好了。", "假如我搬到{b}，房租会便宜一些。")
    ),
    _near("question", _home("我该不该搬到{b}？", "我应该搬到{b}吗？", "住在{b}怎么样？")),
    _near("fiction", _home("在我的小说里，我住在{b}。", "游戏里我搬到了{b}。", "我昨晚梦见我住在{b}。")),
    _near("long ago", _home("我小时候住在{b}。", "我以前住在{b}。", "我曾经在{b}住过。")),
    _near("plan", _home("我打算明年搬到{b}。", "我计划明年搬去{b}。", "我准备夏天搬到{b}。")),
    _near("quoted speech", _home("我朋友说：“我搬到{b}了。”", "广告上写着“我住在{b}”。")),
    _near("no change", _home("我没有搬到{b}。", "我不想搬到{b}。", "我还是住在{a}。", "我差点搬到{b}。")),
    _near(
        "somebody else's taste",
        Pattern(
            LIKES,
            ("我老公不喜欢{a}。", "我妹妹不喜欢{a}了。", "我同事讨厌{a}。", "我室友受不了{a}。"),
            {"a": ZH_TASTES},
            Expect(current=HERS, kept=HERS, never=(Claim("{a}", "no"),)),
            "taste",
        ),
    ),
    _near(
        "don't forget",
        Pattern(
            ("我家地址是{a}。",),
            ("别忘了我的生日是{b}。", "不要忘记我的生日是{b}。"),
            {"a": ZH_ADDRESSES, "b": ZH_DATES},
            BOTH,
            "birthday",
        ),
        Pattern(
            ("我的生日是{a}。",), ("别忘了我的生日。", "我老公忘了我的生日。"), {"a": ZH_DATES}, UNTOUCHED, "birthday"
        ),
        Pattern(
            ("我的电话号码是{a}。",),
            ("我忘了带雨伞。", "我老是忘记自己的电话号码。", "忘了天气吧，聊点别的。"),
            {"a": ZH_PHONES},
            UNTOUCHED,
            "phone",
        ),
    ),
    _near(
        "somebody else's number",
        Pattern(
            RENT,
            ("我弟弟的房租涨到{b}元了。", "我的房租可能会涨到{b}元。", "如果房租涨到{b}元，我就搬走。"),
            {"a,b": ZH_RENTS},
            STAYS,
            "rent",
        ),
    ),
)
