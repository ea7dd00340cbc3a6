"""Negation, change, past, bounds, wishes to forget."""

import pytest

from scrubjay.stores.text import asks_to_forget, bounds, denials, has_change_cue, has_past_cue, negated


@pytest.mark.parametrize(
    ("text", "denied", "stated"),
    [
        ("User does not like cheese", "chees", None),
        ("User dislikes cheese", "chees", None),
        ("I don't eat meat, but I love tofu", "meat", "tofu"),
        ("User no longer visits the shop", "shop", None),
        ("User quit smoking", "smoke", None),
        ("User doesn't eat meat, fish or eggs", "egg", None),
        ("The wine's done, tea now", "wine", "tea"),
        ("No cashews for me, my throat closes", "cashew", "throat"),
        ("用户不喜欢芝士", "芝士", None),
        ("我爸把烟断了", "把烟", None),
        ("不吃葱, 吃蒜", "吃葱", "吃蒜"),
        ("I can't stand durian any more", "durian", None),
        ("Sugar isn't for me; honey is", None, "honey"),
    ],
)
def test_only_words_under_a_negation_are_denied(text: str, denied: str | None, stated: str | None) -> None:
    found = denials(text)
    assert negated(text) and (denied is None or denied in found) and stated not in found


@pytest.mark.parametrize(
    "text",
    [
        "User likes cheese",
        "not only tea but coffee",
        "does not dislike cheese",
        "never quit smoking",
        "No. 5 is the dog's",
        "no doubt about tea",
        "特别喜欢",
        "他不得不去",
        "差不多三年",
        "别人的狗",
        "can't wait for spring",
    ],
)
def test_what_only_looks_like_a_negation_denies_nothing(text: str) -> None:
    assert denials(text) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Austin",
        "switched to tea",
        "she is vegan now",
        "no longer works there",
        "tea instead of wine",
        "搬到长沙",
        "换成茶",
        "早餐改吃粉",
        "现在住杭州",
        "不再抽烟",
        "back to oat milk",
    ],
)
def test_a_change_is_noticed(text: str) -> None:
    assert has_change_cue(text)


@pytest.mark.parametrize("text", ["User likes tea", "用户喜欢茶", "User works at a clinic", "User knows Nowak"])
def test_a_plain_statement_is_no_change(text: str) -> None:
    assert not has_change_cue(text)


@pytest.mark.parametrize(
    "text", ["previously in Oslo", "used to smoke", "no longer there", "此前住北京", "曾住北京", "以前养狗"]
)
def test_the_past_is_noticed(text: str) -> None:
    assert has_past_cue(text)


@pytest.mark.parametrize("text", ["User is used to noise", "User lives in Oslo", "用户住在北京"])
def test_the_present_is_no_past(text: str) -> None:
    assert not has_past_cue(text)


@pytest.mark.parametrize(
    "text",
    [
        "forget my address",
        "Please forget what I said about my diet",
        "Forget everything about Kim",
        "forget about my ex",
        "Please drop the alarm code from your notes",
        "Delete my birthday from your memory",
        "remove that from memory",
        "User asks that the alarm code be removed from memory",
        "User asks that Corin's birthday be forgotten",
        "User asks to erase everything about the man from the choir",
        "Could you lose Corin's birthday?",
        "User wants the assistant to forget the diagnosis",
        "please don't remember that",
        "I want you to forget my salary",
        "忘掉我的地址",
        "把我的体重忘掉",
        "请忘了我的生日",
        "别记这个",
        "从你那儿抹掉",
        "把那条记录删掉",
        "用户要求忘掉体重",
        "体重这条别留",
        "Please delete what you know about my health",
        "Remove my address from your records",
        "Erase that from your memory please",
        "Can you forget that I smoke?",
        "I'd like you to forget my old job",
        "forget that I said that",
        "Forget my address, please",
        "please forget the thing about Kim",
        "You can forget about my old phone number",
        "Delete everything you know about me",
        "wipe your memory of my diagnosis",
        "Take my birthday out of your notes",
        "scratch my salary from your notes",
        "Don't keep my address",
        "User requests deletion of the alarm code from memory",
        "User asked for the birthday to be forgotten",
        "User wants their weight removed from memory",
        "User asks to have the address deleted from memory",
        "Get rid of what you have on my ex",
        "Stop remembering my food preferences",
        "User wants everything about Jonas erased",
        "strike my surname from your records",
        "请把我的电话删除",
        "请删除关于我前任的一切",
        "我的工资你别记",
        "不要记录我的位置",
        "把刚才说的忘了吧",
        "用户希望忘掉前任的生日",
        "清除我的健康信息",
        "用户要求删除地址",
        "帮我忘记这件事",
        "把这个从记忆里删掉",
        "忘了我说的体重吧",
    ],
)
def test_a_wish_to_forget_is_heard(text: str) -> None:
    assert asks_to_forget(text)


@pytest.mark.parametrize(
    "text",
    [
        "forget the weather",
        "I forget my keys",
        "I always forget my keys",
        "don't forget my birthday",
        "Don't forget to call",
        "never forget that summer",
        "I want to forget my ex",
        "delete the old files on my laptop",
        "Forget it",
        "I forgot",
        "I removed sugar from my diet",
        "User erased the whiteboard",
        "I lost my notes",
        "remove the rust from the car",
        "别忘了带伞",
        "我忘了带钥匙",
        "不要忘记吃药",
        "他忘了我的生日",
        "我把文件删了",
        "难忘的旅行",
        "User asks to be reminded on Friday",
        "I drop my daughter at school",
        "Help me delete a branch in git",
        "I can't forget her",
        "forget-me-nots are my favourite flowers",
        "Don't let me forget the meeting",
        "Remind me not to forget my pills",
        "I keep forgetting names",
        "User is forgetful",
        "He deleted the app from his phone",
        "delete line 4 in the list",
        "drop me a note",
        "Remove sugar from the recipe",
        "I cleared my records collection",
        "She removed the stain from the memory foam",
        "I'm trying to forget about work",
        "I will never forget my trip to Rome",
        "Did you forget my birthday?",
        "You forgot my birthday",
        "I want to erase my debt",
        "wipe the table",
        "lose weight",
        "I want to lose weight",
        "I lost my memory",
        "My grandmother is losing her memory",
        "drop the class from my schedule",
        "clear my calendar",
        "The bank removed a fee from my records",
        "How do I delete my account?",
        "take notes for me",
        "remember my birthday",
        "User wants to delete a Facebook account",
        "I asked my boss to forget the deadline",
        "我忘记带伞了",
        "他总是忘事",
        "我想忘掉过去",
        "别忘记提醒我",
        "忘了关灯",
        "我差点忘了",
        "不要忘了我",
        "怎么删除微信聊天记录",
        "我删了照片",
        "这道题我忘了",
        "帮我记一下",
        "难以忘记",
        "我妈忘掉了密码",
        "把垃圾扔掉",
    ],
)
def test_other_forgetting_and_deleting_is_no_such_wish(text: str) -> None:
    assert not asks_to_forget(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I'm in Turku this week", "bound:week"),
        ("until Friday", "bound:until"),
        ("till 9", "bound:until"),
        ("if it rains", "condition:if"),
        ("I might move", "modal:might"),
        ("for now I cycle", "bound:now"),
        ("temporarily in Oslo", "bound:now"),
        ("while my kitchen is being redone", "bound:while"),
        ("这周在贵阳", "bound:week"),
        ("住到月底为止", "bound:until"),
        ("如果下雨", "condition:if"),
        ("可能搬家", "modal:might"),
        ("暂时住酒店", "bound:now"),
    ],
)
def test_bounds_and_conditions_have_a_kind(text: str, kind: str) -> None:
    assert kind in bounds(text)


@pytest.mark.parametrize(
    "text", ["As of this week we sit at Eagle Farm", "User lives in Oslo", "since this month", "本周起上夜班"]
)
def test_a_beginning_is_no_bound(text: str) -> None:
    assert bounds(text) == frozenset()
