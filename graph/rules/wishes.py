"""Wishes to forget in Chinese, and what they name: 请把我的邮箱从记忆里删除 → 我的邮箱."""

from __future__ import annotations

import re
from functools import cache

from scrubjay.graph.rules.chinese import read_chinese, whose
from scrubjay.graph.rules.tables import table
from scrubjay.prompts.shown import ShownFact

_TAIL = re.compile(
    r"(?:的?(?:这件|那件|这回)?事(?:情|儿)?|的?这一?[点条个](?:信息|记录)?|的(?:相关)?(?:信息|记录|内容|资料|数据))?"
    r"(?:吧|了|谢谢|好吗|可以吗|哦|啦)*$"
)
_COMPLAINS = re.compile(r"[你您]?(?:又|都|也|已经|怎么|是不是|居然|竟然)*(?:忘|删)(?!掉)[^，,]*了$")
_ASKING = re.compile("请|麻烦|帮|可以|把|希望|能")
_LOST = re.compile(r"忘(?:了|记了?)我?的?(?:密码|钥匙|账号|用户名)")


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(form) for form in _filled(table("zh")["wishes"]))


def _filled(wishes: dict[str, str | list[str]]) -> list[str]:
    forms = list(wishes["forms"])
    for name in ("please", "memory", "verb", "keep"):
        forms = [form.replace(f"%{name.upper()}%", str(wishes[name])) for form in forms]
    return forms


def wish(quote: str) -> str | None:
    """What is to be forgotten, in the speaker's words; None for 你忘了我的生日, 忘了我的密码, 别忘了…"""
    plain = quote.strip(" 。！!.~")
    if _COMPLAINS.match(plain) and not _ASKING.search(plain) or _LOST.match(plain):
        return None
    for form in _forms():
        if found := form.fullmatch(plain):
            what = re.sub(r"^(?:关于|有关|所有|全部)*", "", found["v"])
            return _TAIL.sub("", what) if what.startswith("我") else None
    return None


def named(about: str, old: ShownFact) -> bool | None:
    """Does 用户的猫, 用户养的猫, 用户住的地方 name the old fact? None where it is none of these forms."""
    owner = whose(about)
    if owner not in ("", "用户") and owner == about:  # 用户的姐姐, 用户的猫: all that is known of them
        animal = owner.removeprefix("用户的")
        mine = whose(old.text) == "用户" and any(c.slot == "pet" and animal in c.value for c in read_chinese(old.text))
        return mine or whose(old.text) == owner
    found = re.fullmatch(r"用户(?:养|有)的?(?:那|一)?[只条匹个]?(?P<pet>[^，,的]{1,4})", about)
    if found:
        return (
            named(f"用户的{found['pet']}", old) if whose(f"用户的{found['pet']}") != "用户" else _pet(found["pet"], old)
        )
    for form, slots in table("zh")["asked_slots"].items():
        if re.fullmatch(form, about):
            return whose(old.text) == "用户" and any(claim.slot in slots for claim in read_chinese(old.text))
    return None


def _pet(kind: str, old: ShownFact) -> bool:
    return any(claim.slot == "pet" and kind in claim.value for claim in read_chinese(old.text))
