"""Which text a memory gets: the judge's, a merge's, the facts' own words, or the new fact's alone."""

from __future__ import annotations

from typing import Any

import pytest

from scrubjay.stores.text import LIMIT
from tests.fakes import Teller, fact, one, teller

HILL = "User lives in Capitol Hill, Seattle, for over three years"
ZILKER = "User moved to Zilker, Austin"
HOME = {"attributes": ["home city"]}
GONE = {"text": "User is 3"}
"""a text that no check lets through"""


def hill(**opened: Any) -> Teller:
    t = teller(alike=[(0.65, (HILL, ZILKER))], **opened)
    t.say(fact(HILL, **HOME))
    return t


def test_the_judges_text_is_taken_where_it_passes_the_check() -> None:
    t = hill()
    text = f"{ZILKER} (previously: Capitol Hill, Seattle, over three years)"
    result = t.say(fact(ZILKER, **HOME), judge=one("supersedes", "1.1", text=text))
    assert t.only().text == text and result.decisions[0].body["wording"] == "judge"
    assert result.calls == {"extract": 1, "judge": 1}


def test_a_text_for_other_members_than_the_groups_is_not_taken() -> None:
    t = hill()
    t.embedder.table["Ida paints kilns"] = ("topic 0", 0.8)
    t.say(fact("Ida paints kilns", subject="Ida"), judge=one("independent"))
    both = f"{ZILKER} (previously: {HILL}; Ida paints kilns)"
    judge = one("supersedes", "1", "2", text=both)  # the second is another's: a veto takes it out of the group
    result = t.say(fact(ZILKER, **HOME), judge=judge, merge={"text": ZILKER})
    assert t.texts() == ["Ida paints kilns", ZILKER] and result.calls["merge"] == 1


def test_the_deterministic_text_says_the_new_and_what_was() -> None:
    t = hill()
    t.say(fact(ZILKER, **HOME), judge=one("supersedes", "1"), merge=[GONE] * 2)
    assert t.only().text == f"{ZILKER} (previously: {HILL})"


def test_the_deterministic_text_of_a_refinement_is_new_and_old() -> None:
    t = teller(alike=[(0.6, ("User drinks tea", "User likes it with lemon"))])
    t.say("User drinks tea")
    t.say("User likes it with lemon", judge=one("refines", "1"), merge=[GONE] * 2)
    assert t.only().text == "User likes it with lemon; User drinks tea"


def test_the_deterministic_text_is_chinese_where_the_facts_are() -> None:
    old, new = "用户住在北京朝阳区", "用户搬到了上海徐汇区"
    t = teller(alike=[(0.7, (old, new))])
    t.say(fact(old, **HOME))
    t.say(fact(new, **HOME), judge=one("supersedes", "1"), merge=[GONE] * 2)
    assert t.only().text == f"{new}（此前：{old}）"


def test_what_does_not_fit_into_the_text_is_listed_and_its_fact_kept() -> None:
    old = f"User lives in Seattle {'and writes letters about it ' * 12}".strip()
    new = f"User lives in Austin {'and sends cards about it ' * 6}".strip()
    t = teller(alike=[(0.7, (old, new))])
    t.say(fact(old, **HOME))
    result = t.say(fact(new, **HOME), judge=one("supersedes", "1"), merge=[GONE] * 2)
    assert t.only().text == new and len(t.only().text) <= LIMIT
    assert old in result.decisions[0].body["details"]["lost"] and t.only().past[0].text == old


def test_previously_clauses_do_not_nest() -> None:
    t = hill()
    boston = "User lives in Boston"
    t.embedder.table |= {boston: ("topic 0", 0.9)}
    t.say(fact(ZILKER, **HOME), judge=one("supersedes", "1"), merge=[GONE] * 2)
    t.say(fact(boston, **HOME), judge=one("supersedes", "1"), merge=[GONE] * 2)
    assert t.only().text == f"{boston} (previously: {ZILKER})" and HILL not in t.only().text


@pytest.mark.parametrize("relation", ["refines", "supersedes"])
def test_the_resolver_replace_takes_the_new_text_alone_and_lists_what_it_drops(relation: str) -> None:
    t = hill(resolver="replace")
    result = t.say(fact(ZILKER, **HOME), judge=one(relation, "1"))
    assert t.only().text == ZILKER and result.calls == {"extract": 1, "judge": 1}
    assert "three" in " ".join(result.decisions[0].body["details"]["lost"])
    assert HILL in {f.fact.text for f in t.only().facts}


def test_all_of_a_fact_that_says_more_stands_for_both() -> None:
    t = teller(alike=[(0.6, ("User drinks tea", "User drinks tea with Ida"))])
    t.say("User drinks tea")
    result = t.say("User drinks tea with Ida", judge=one("refines", "1"))
    assert t.only().text == "User drinks tea with Ida" and result.calls == {"extract": 1, "judge": 1}


def test_the_usual_write_costs_one_extraction_and_at_most_one_judgement() -> None:
    t = hill()
    assert t.results[0].calls == {"extract": 1}
    text = f"{ZILKER} (previously: {HILL})"
    assert t.say(fact(ZILKER, **HOME), judge=one("supersedes", "1", text=text)).calls == {"extract": 1, "judge": 1}
