"""Search tokens and content stems."""

import sqlite3

import pytest

from scrubjay.stores.text import content_stems, search_tokens, shares_stem


@pytest.mark.parametrize(
    "word", ["node-js", "a:b", "C++", "don't", "50%", "@x", "AND", "NEAR", "user*", "^x", "-x", "C#", "café"]
)
def test_an_odd_word_is_found_by_itself(word: str) -> None:
    """C25: every spelling that upsets FTS5 is a plain word."""
    row = search_tokens(f"note about {word} and more")
    assert set(search_tokens(word)) and set(search_tokens(word)) <= set(row)


@pytest.mark.parametrize("text", ["(", '"', "", "???", "* ^ -"])
def test_punctuation_alone_has_no_terms(text: str) -> None:
    assert search_tokens(text) == []


def test_tokens_survive_the_tokeniser_of_fts5() -> None:
    text = "C++ / C# and node.js don't cost 50% – 用户喝乌龙茶 @home"
    tokens = search_tokens(text)
    with sqlite3.connect(":memory:") as db:
        db.execute("CREATE VIRTUAL TABLE t USING fts5(body)")
        db.execute("INSERT INTO t VALUES (?)", (" ".join(tokens),))
        found = [db.execute("SELECT count(*) FROM t WHERE t MATCH ?", (f'"{t}"',)).fetchone()[0] for t in tokens]
    db.close()
    assert found == [1] * len(tokens)


@pytest.mark.parametrize("query", ["乌龙茶", "饮料", "喜欢"])
def test_a_chinese_word_is_found_inside_a_sentence(query: str) -> None:
    assert set(search_tokens(query)) <= set(search_tokens("用户最喜欢的饮料是乌龙茶"))


def test_a_latin_word_is_found_between_chinese_characters() -> None:
    assert set(search_tokens("build")) <= set(search_tokens("重跑build后"))


def test_plus_plus_is_more_than_its_letter() -> None:
    assert "cplusplus" in search_tokens("C++") and "cplusplus" not in search_tokens("C")


def test_a_hyphen_a_point_and_nothing_meet() -> None:
    shared = set(search_tokens("node-js")) & set(search_tokens("node.js")) & set(search_tokens("nodejs"))
    assert shared


def test_plurals_and_possessives_meet() -> None:
    assert search_tokens("User's dogs") == search_tokens("user dog")


def test_a_lone_character_stands_for_itself() -> None:
    assert search_tokens("茶") == ["茶"]


def test_marks_of_indic_words_stay_with_their_letters() -> None:
    assert search_tokens("हिन्दी") == search_tokens("हिन्दी ")


def test_content_leaves_out_the_user_the_subject_and_small_words() -> None:
    assert content_stems("User's sister Jo is living in Tulsa", "sister Jo") == {"live", "tulsa"}


def test_content_of_chinese_is_bigrams_without_the_user() -> None:
    assert content_stems("用户喜欢乌龙茶") == {"喜欢", "欢乌", "乌龙", "龙茶"}


def test_dates_and_numbers_are_no_content() -> None:
    assert content_stems("User takes 5 mg for three weeks since 14 March 2026") == {"take"}


def test_two_facts_about_one_thing_share_a_stem() -> None:
    assert shares_stem("User lives in Seattle", "User is moving out of Seattle")


def test_two_facts_of_one_person_share_nothing_by_that() -> None:
    assert not shares_stem("User likes cheese", "User works at night")
