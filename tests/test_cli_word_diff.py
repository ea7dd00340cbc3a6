"""The word diff tells both texts, and marks no more than what changed."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.studio.word_diff import LONGEST, Piece, word_diff

WORDS = st.lists(
    st.sampled_from(["User", "likes", "tea", "茶", "用户", " ", ", ", ".", "3.5", "\n", "it's"]), max_size=25
)
TEXTS = WORDS.map("".join) | st.text(max_size=40)


def marked(old: str, new: str) -> str:
    marks = {"same": "{}", "old": "[-{}-]", "new": "[+{}+]"}
    return "".join(marks[piece.kind].format(piece.text) for piece in word_diff(old, new))


@settings(derandomize=True, deadline=None)
@given(TEXTS, TEXTS)
def test_what_is_left_out_of_neither_text_is_the_old_and_the_new_one(old: str, new: str) -> None:
    pieces = word_diff(old, new)
    told = ["".join(p.text for p in pieces if p.kind != other) for other in ("new", "old")]
    assert told == [old, new]


@settings(derandomize=True, deadline=None)
@given(TEXTS)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert word_diff(text, text) == ([Piece("same", text)] if text else [])


def test_a_word_that_was_added_is_the_only_mark() -> None:
    assert marked("User enjoys bouldering", "User enjoys bouldering with Ines") == (
        "User enjoys bouldering[+ with Ines+]"
    )


def test_chinese_is_compared_by_characters() -> None:
    assert marked("用户喜欢喝绿茶", "用户喜欢喝红茶") == "用户喜欢喝[-绿-][+红+]茶"


def test_a_blank_between_two_changed_words_is_part_of_the_change() -> None:
    assert marked("User sings old songs on Mondays", "User sings new tunes on Mondays") == (
        "User sings [-old songs-][+new tunes+] on Mondays"
    )


def test_a_number_with_a_point_is_one_word() -> None:
    assert marked("It costs 3.5 euros", "It costs 4.5 euros") == "It costs [-3.5-][+4.5+] euros"


def test_texts_without_much_in_common_are_shown_whole() -> None:
    assert marked("User lives in Porto", "Der Hund bellt laut") == "[-User lives in Porto-][+Der Hund bellt laut+]"


def test_very_long_texts_are_shown_whole() -> None:
    old = "a " * LONGEST
    assert word_diff(old, old + "b") == [Piece("old", old), Piece("new", old + "b")]
