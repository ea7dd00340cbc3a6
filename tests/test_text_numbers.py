"""Numbers with units, clock times, and dates."""

import pytest

from scrubjay.stores.text import compare_dates, dates, numbers, weekdays


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,150 sheets", {"1150"}),
        ("three dogs", {"3"}),
        ("twenty-five years", {"25 year"}),
        ("at 9 am", {"09:00"}),
        ("at 9 a.m.", {"09:00"}),
        ("at 09:00", {"09:00"}),
        ("9:30 pm", {"21:30"}),
        ("nine o'clock", {"09:00"}),
        ("half past nine", {"09:30"}),
        ("5 mg", {"5 mg"}),
        ("5mg", {"5 mg"}),
        ("five milligrams", {"5 mg"}),
        ("$64", {"$64"}),
        ("64 dollars", {"$64"}),
        ("740 euros", {"€740"}),
        ("₹11,500 a month", {"₹11500"}),
        ("10k", {"10000"}),
        ("two hundred and five", {"205"}),
        ("1.5 million people", {"1500000"}),
        ("version 3.11.2", {"3.11.2"}),
        ("v2.1", {"2.1"}),
        ("a Pixel 7a", {"7a"}),
        ("seven to three", {"7", "3"}),
        ("the 70th", {"70"}),
        ("third grade", {"3"}),
        ("two and a half years", {"2.5 year"}),
        ("-5 °C", {"-5 °c"}),
        ("twice a day", {"2"}),
        ("code 007", {"007"}),
        ("20 percent", {"20%"}),
        ("3.2kg", {"3.2 kg"}),
        ("half an hour", {"0.5 hour"}),
    ],
)
def test_a_number_has_one_canonical_form(text: str, expected: set[str]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("两万二", {"22000"}),
        ("三百零五块", {"¥305"}),
        ("十点半", {"10:30"}),
        ("晚上十点半", {"22:30"}),
        ("下午三点", {"15:00"}),
        ("3毫克", {"3 mg"}),
        ("两年半", {"2.5 year"}),
        ("三岁", {"3 old"}),
        ("每月129元", {"¥129"}),
        ("1.5万", {"15000"}),
        ("163厘米", {"163 cm"}),
        ("十一年", {"11 year"}),
        ("48小时内", {"48 hour"}),
        ("九点一刻", {"09:15"}),
    ],
)
def test_chinese_numerals_are_numbers(text: str, expected: set[str]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "no one knows",
        "the one with the hat",
        "at first",
        "一般一直一起",
        "有一点累",
        "三明治",
        "周三",
        "万一",
        "第一次",
    ],
)
def test_a_numeral_in_a_word_is_no_number(text: str) -> None:
    assert numbers(text) == frozenset()


def test_a_date_is_no_number() -> None:
    assert numbers("on 14 March 2026, in 2021 and on 2026-09-17") == frozenset()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("17 September 2026", {"2026-09-17"}),
        ("September 17, 2026", {"2026-09-17"}),
        ("17th of Sept. 2026", {"2026-09-17"}),
        ("September 16-17, 2026", {"2026-09-16", "2026-09-17"}),
        ("2026-09-17T10:00+02:00", {"2026-09-17"}),
        ("2026-09", {"2026-09"}),
        ("since before June 2023", {"2023-06"}),
        ("mid-September 2026", {"2026-09"}),
        ("in 2021", {"2021"}),
        ("14 March", {"--03-14"}),
        ("March 31", {"--03-31"}),
        ("in November", {"--11"}),
        ("in May", {"--05"}),
        ("2026年9月17日", {"2026-09-17"}),
        ("9月17号", {"--09-17"}),
        ("2026年9月", {"2026-09"}),
        ("六月", {"--06"}),
        ("2018年", {"2018"}),
        ("17.09.2026", {"2026-09-17"}),
        ("十月五号", {"--10-05"}),
    ],
)
def test_a_date_is_read_at_its_own_precision(text: str, expected: set[str]) -> None:
    assert dates(text) == expected


@pytest.mark.parametrize(
    "text", ["it may rain", "they march on", "$2021", "2021 mg", "room 12", "3个月", "May I come in"]
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert dates(text) == frozenset()


def test_weekdays_are_read_in_both_languages() -> None:
    assert weekdays("on Wednesdays, 周五, 礼拜天") == {3, 5, 7}


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("2026-08", "2026-08-15", 0),
        ("2026", "2025-12-31", 1),
        ("2026-08-15", "2026-08-16", -1),
        ("soon", "2026", 0),
        ("2026-08-15T10:00+02:00", "2026-08-15T09:30+00:00", -1),
        ("2026-08-15T10:00+02:00", "2026-08-15", 0),
        ("2026-13", "2026", 0),
        ("0001-01-01T00:00+10:00", "2026", -1),
    ],
)
def test_dates_compare_at_the_coarser_precision(a: str, b: str, expected: int) -> None:
    assert compare_dates(a, b) == expected
