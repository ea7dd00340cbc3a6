"""What the embedded decider takes from a message, and what it leaves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.graph.rules import RulesDecider
from scrubjay.prompts.extract import ExtractedFact, Extraction, ExtractRequest
from scrubjay.prompts.shown import ShownMessage

AT = "2026-05-12T10:00:00+02:00"


def facts(text: str, role: str = "user", new: bool = True) -> list[ExtractedFact]:
    message = ShownMessage(number=7, role=role, text=text, at=AT, new=new)
    answer = RulesDecider().decide(ExtractRequest(messages=(message,), observed_at=AT, today=AT[:10]), {})
    assert isinstance(answer.value, Extraction)
    return answer.value.facts


def asserted(text: str) -> list[str]:
    return [fact.text for fact in facts(text) if fact.modality in ("actual", "planned")]


@pytest.mark.parametrize(
    ("said", "kept", "slot"),
    [
        ("I live in Seattle", "User lives in Seattle", "home city"),
        ("We've moved to Porto!", "User has moved to Porto", "home city"),
        ("My rent is 1,150", "User's rent is 1,150", "rent"),
        ("I'm called Ana.", "User is called Ana", "name"),
        ("Please call me Annie", "User wants to be called Annie", "preferred name"),
        ("I don't like my job any more", "User does not like user's job any more", "likes job"),
        ("I work as a nurse", "User works as a nurse", "job"),
        ("I drink coffee every morning", "User drinks coffee every morning", "drink preference"),
        ("I'm allergic to peanuts", "User is allergic to peanuts", "allergy"),
        ("My landlord raised my rent to 1,190", "User's rent was raised to 1,190", "rent"),
        ("我住在北京", "用户住在北京", "home city"),
        ("我叫李雷", "用户叫李雷", "name"),
        ("房租是3500", "用户的房租是3500", "rent"),
    ],
)
def test_a_plain_statement_is_kept_in_the_third_person_with_its_slot(said: str, kept: str, slot: str) -> None:
    (fact,) = facts(said)
    assert (fact.text, fact.attributes, fact.subject, fact.modality) == (kept, [slot], "user", "actual")


def test_every_clause_of_a_sentence_is_a_fact_of_its_own() -> None:
    assert asserted("I live in Leeds and work at a bakery, but my sister moved to York.") == [
        "User lives in Leeds",
        "User works at a bakery",
        "User's sister moved to York",
    ]


def test_a_job_and_its_employer_can_end_apart() -> None:
    slots = [fact.attributes for fact in facts("I work as a nurse at Mercy Hospital")]
    assert sorted(slots) == [["employer"], ["job"]]


def test_a_chinese_clause_without_a_subject_belongs_to_the_one_before() -> None:
    assert asserted("我叫李雷，住在北京，在字节跳动工作") == ["用户叫李雷", "用户住在北京", "用户在字节跳动工作"]


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("我养了一只兔子，名叫雪球", "用户的兔子叫雪球"),
        ("我有个女儿，叫朵朵", "用户的女儿叫朵朵"),
        ("我开了一家书店，叫半日闲", ""),
        ("我认识了一个人，住在拉萨", ""),
        ("我爸养了条鱼，叫阿宝", ""),
    ],
)
def test_who_was_just_introduced_keeps_what_is_said_next(said: str, named: str) -> None:
    of_user = [fact.text for fact in facts(said) if {"name", "home city"} & set(fact.attributes)]
    assert [text.replace("名叫", "叫") for text in of_user] == ([named] if named else [])


@pytest.mark.parametrize("said", ["My sister moved to Austin", "我姐姐搬到了上海"])
def test_what_happened_to_somebody_else_is_told_of_them(said: str) -> None:
    (fact,) = facts(said)
    assert fact.subject in ("user's sister", "user's 姐姐")


@pytest.mark.parametrize(
    "said",
    [
        "Thanks, good night!",
        "I might move to Austin",
        "Should I move to Austin?",
        "I'd love to live in Austin",
        "I almost moved to Austin",
        "I wish I lived in Austin",
        "If I get the job, I move to Austin",
        "In my novel I live in Austin. I work on a whaling ship.",
        "My friend says I live in a cave",
        "I live in a cave, my friend says",
        "Translate this: I live in Berlin. My name is Bo.",
        "I moved to Austin, just kidding",
        "I'm pretty used to living here",
        "I'm thinking of moving to Austin",
        "My boss thinks I work at Acme",
        "我可能会搬到上海",
        "我该不该搬到上海？",
        "在我的小说里我住在上海",
        "朋友说我住在山洞里",
    ],
)
def test_what_is_not_said_as_true_is_never_asserted(said: str) -> None:
    assert asserted(said) == []


@pytest.mark.parametrize("role, new", [("assistant", True), ("user", False), ("system", True)])
def test_only_new_words_of_the_user_are_a_source(role: str, new: bool) -> None:
    assert facts("I live in Seattle", role, new) == []


def test_a_stay_has_an_end_and_is_no_home() -> None:
    (fact,) = facts("This week I'm staying in Austin")
    assert (fact.type, fact.valid_from, fact.valid_to) == ("event", "2026-05-11", "2026-05-17")
    assert "home city" not in fact.attributes


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I moved to Austin last month", "User moved to Austin in April 2026"),
        ("Yesterday I adopted a cat", "User adopted a cat on 11 May 2026"),
        ("I sold my car three days ago", "User sold user's car on 9 May 2026"),
        ("我上个月搬到了上海", "用户2026年4月搬到了上海"),
    ],
)
def test_relative_dates_are_put_against_the_message(said: str, told: str) -> None:
    assert [fact.text for fact in facts(said)] == [told]


def test_an_appointment_ends_on_its_day_and_has_no_start() -> None:
    (fact,) = facts("My dentist appointment is tomorrow at 9 am")
    assert (fact.valid_from, fact.valid_to) == (None, "2026-05-13")


def test_a_plan_is_a_plan() -> None:
    (fact,) = facts("I'm moving to Austin next month")
    assert (fact.modality, fact.type, fact.valid_from) == ("planned", "plan", "2026-06")


@pytest.mark.parametrize("said", ["Forget my address", "Please delete my address from your memory.", "忘掉我的地址"])
def test_a_wish_to_forget_is_a_decision_about_the_slot(said: str) -> None:
    (fact,) = facts(said)
    assert (fact.type, fact.attributes) == ("decision", ["address"])


@pytest.mark.parametrize("said", ["Forget it", "Never mind, forget the weather", "Don't forget my birthday"])
def test_a_turn_of_phrase_is_no_wish_to_forget(said: str) -> None:
    assert [fact for fact in facts(said) if fact.type == "decision"] == []


def test_the_same_statement_twice_is_one_fact() -> None:
    assert len(facts("I live in Leeds. I live in Leeds.")) == 1


_SPOKEN = (
    "I",
    "my",
    "we",
    "live in",
    "moved to",
    "Austin",
    "if",
    "says",
    "my sister",
    "rent is 1,150",
    "and but",
    "我",
    "搬到",
)
_WORDS = st.sampled_from((*_SPOKEN, ",", ".", "?", "'", '"', "，", "not"))


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.lists(_WORDS, max_size=40).map(" ".join) | st.text(max_size=200))
def test_a_quote_is_always_a_span_of_its_message(text: str) -> None:
    assert all(fact.quote in text and fact.message == 7 for fact in facts(text))


@pytest.mark.parametrize("unit", ["I live in ", "my ", "and I ", "a", ",", "!", "我住", "I used to "])
def test_a_message_of_200_kb_is_read_to_its_end(unit: str) -> None:
    text = unit * (200_000 // len(unit)) + ". \nI live in Leeds."
    assert "User lives in Leeds" in [fact.text for fact in facts(text)]


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("麻烦你把我的手机号从笔记里清除掉", "用户的手机号"),
        ("帮我删除我的住址", "用户的住址"),
        ("我的生日不用记了", "用户的生日"),
        ("可以忘掉我养的兔子了", "用户养的兔子"),
        ("请从你的记忆中抹去我的电子邮箱", "用户的电子邮箱"),
    ],
)
def test_a_chinese_wish_to_forget_is_heard_in_many_words(said: str, named: str) -> None:
    assert asserted(said) == [f"用户要求忘掉{named}"]


@pytest.mark.parametrize(
    "said", ["你居然忘了我的生日", "忘了我的密码", "我的钥匙忘了", "我忘记我的地址了", "老公忘了我的生日"]
)
def test_what_somebody_forgot_is_no_wish_to_forget(said: str) -> None:
    assert not [fact for fact in facts(said) if fact.type == "decision"]


def test_laughter_after_a_sentence_takes_nothing_back() -> None:
    assert asserted("我住在苏州。哈哈。") == ["用户住在苏州"]
    assert asserted("我住在月亮上，哈哈") == []


@pytest.mark.parametrize(
    ("said", "slot"),
    [
        ("我蛮喜欢逛博物馆的", "likes 逛博物馆"),
        ("我对陶艺很感兴趣", "likes 陶艺"),
        ("我午饭后都喝菊花茶", "drink preference"),
        ("我在洛阳住了八年了", "home city"),
        ("我跟男朋友一起住在绵阳", "home city"),
        ("我家电话是02155667788", "phone"),
        ("我的手机号：18011112222", "phone"),
        ("我是做审计的", "job"),
        ("房东把我的房租降到了2900", "rent"),
        ("我的体检改期了，改到7月9日", "体检"),
        ("别忘了我的生日是6月2号", "birthday"),
    ],
)
def test_chinese_is_read_as_it_is_spoken(said: str, slot: str) -> None:
    assert facts(said)[-1].attributes == [slot]


@pytest.mark.parametrize(
    "said", ["我叫外卖了", "我叫车去机场", "我去了迪士尼乐园", "我在医院做检查", "我换到了靠窗的座位"]
)
def test_an_errand_is_neither_a_name_nor_a_job(said: str) -> None:
    assert not {"name", "employer"} & {slot for fact in facts(said) for slot in fact.attributes}


@pytest.mark.parametrize("said", ["我搬到新办公室了", "我搬到靠窗的工位了", "我搬到二楼了"])
def test_a_desk_or_a_floor_is_no_home(said: str) -> None:
    assert "home city" not in {slot for fact in facts(said) for slot in fact.attributes}
