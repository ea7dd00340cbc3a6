"""The gate's difference guard, names, subjects, richer texts."""

import pytest

from scrubjay.stores.text import differences, mentions_subject, names, richer


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("The visa appointment is on 14 March", "The visa appointment is on 15 March", ["date: --03-14 ≠ --03-15"]),
        ("dose 5 mg", "dose 50 mg", ["number: 5 mg ≠ 50 mg"]),
        ("User runs on Tuesday", "User runs on Friday", ["date: Tuesday ≠ Friday"]),
        ("the server runs v2.1", "the server runs v2.2", ["number: 2.1 ≠ 2.2"]),
        ("rent is $740", "rent is €740", ["number: $740 ≠ €740"]),
        ("shift at 9 am", "shift at 9 pm", ["number: 09:00 ≠ 21:00"]),
        ("for two weeks", "for two months", ["number: 2 week ≠ 2 month"]),
        ("褪黑素每片3毫克", "褪黑素每片0.3毫克", ["number: 3 mg ≠ 0.3 mg"]),
    ],
)
def test_one_digit_apart_is_a_difference(a: str, b: str, expected: list[str]) -> None:
    """C03."""
    assert differences(a, b) == expected


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("User likes cheese", "User dislikes cheese", "polarity"),
        ("User eats meat", "User does not eat meat", "polarity"),
        ("用户喜欢香菜", "用户不喜欢香菜", "polarity"),
        ("User lives in Austin", "User moved to Austin", "change"),
        ("User is vegan", "User was vegan", "change"),
        ("User is married", "User is unmarried", "polarity"),
        ("Manager is Bronwen Ellis", "Manager is Bronwen Ennis", "name"),
        ("Bruno likes durian", "Ida likes durian", "name"),
        ("User is in Oslo", "User is in Oslo this week", "bound"),
        ("User moves to Oslo", "User might move to Oslo", "bound"),
    ],
)
def test_near_identical_texts_that_say_something_else_differ(a: str, b: str, kind: str) -> None:
    assert [line.split(":")[0] for line in differences(a, b)] == [kind]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("User lives in Oslo.", "user lives in Oslo"),
        ("User doesn't eat meat", "User never eats meat"),
        ("User works 9 am to 5 pm", "User works 09:00 to 17:00"),
        ("User has three dogs", "User has 3 dogs"),
        ("due on 31 March 2026", "due on March 31, 2026"),
        ("User dislikes cheese", "User does not like cheese"),
    ],
)
def test_another_spelling_is_no_difference(a: str, b: str) -> None:
    assert differences(a, b) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("User lives in Fern Hill, Tacoma. Works at Kestrel", {"fern", "hill", "tacoma", "kestrel"}),
        ("The key is with Mrs. Okafor", {"okafor"}),
        ("I'm sure I met Jo's boss in May on a Monday", {"jo"}),
        ('She plays "the elegy" well', {"the elegy"}),
        ("他在练《高山流水》", {"高山流水"}),
        ("名字叫 Piet", {"piet"}),
        ('He said "I never liked it, honestly."', set()),
    ],
)
def test_names_are_capitals_inside_a_sentence_and_quoted_words(text: str, expected: set[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("User's home is Porto", "user"),
        ("用户住在成都", "user"),
        ("Imogen is in third grade", "daughter Imogen"),
        ("User's mother walks with a stick", "mother"),
        ("老段上夜班", "老段"),
    ],
)
def test_a_text_names_its_subject(text: str, subject: str) -> None:
    assert mentions_subject(text, subject)


@pytest.mark.parametrize(
    ("text", "subject"), [("Imogen is six", "user"), ("User likes Jo", "Joanna"), ("User runs", "")]
)
def test_a_text_does_not_name_somebody_else(text: str, subject: str) -> None:
    assert not mentions_subject(text, subject)


def test_a_superset_that_says_more_is_richer() -> None:
    assert richer("User plays cricket with friends on Sundays", "User plays cricket")


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("User plays cricket", "User plays cricket"),
        ("User plays tennis with friends", "User plays cricket"),
        ("User doesn't play cricket with friends", "User plays cricket"),
        ("User takes 5 mg daily", "User takes 50 mg"),
    ],
)
def test_what_drops_turns_or_adds_nothing_is_not_richer(new: str, old: str) -> None:
    assert not richer(new, old)
