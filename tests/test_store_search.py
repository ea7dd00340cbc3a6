"""What every backend must find, and what it must not: by vector, by words, through filters, within a scope."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scrubjay.stores.errors import EmbedderError, InvalidFilter, InvalidScope
from scrubjay.stores.records import Commit, Filters, Hit, Scope
from tests.store_backends import (
    ANA,
    BEN,
    DIMENSION,
    DumpableStore,
    absorb,
    add,
    change,
    embed,
    fact,
    near,
    rows,
    the,
    vector,
    version,
    write,
)


def found(hits: list[Hit]) -> list[str]:
    return [hit.memory_id for hit in hits]


def retire(store: DumpableStore, number: int, memory_id: str) -> None:
    memory = the(store.get(memory_id))
    store.commit(change(number, memory, memory.text, "deleted"))


# -- by vector


def test_the_nearest_memories_come_best_first(store: DumpableStore) -> None:
    plan = add(1, "b far", "a near", embedded=False)
    far, close = near("q", "z", 2.0).tobytes(), near("q", "z", 0.5).tobytes()
    store.commit(replace(plan, embedded=(("b far", far), ("a near", close))))
    (hits,) = store.nearest(ANA, rows(vector("q")), 5)
    assert found(hits) == ["m1.2", "m1.1"]
    assert hits[0].score == pytest.approx(float(np.dot(vector("q"), near("q", "z", 0.5))), abs=1e-5)


def test_the_same_text_has_cosine_one_and_none_is_above(store: DumpableStore) -> None:
    store.commit(add(1, *(f"statement {n}" for n in range(40))))
    for hits in store.nearest(ANA, rows(*(vector(f"statement {n}") for n in range(40))), 40):
        assert hits[0].score == 1.0
        assert all(-1.0 <= hit.score <= 1.0 for hit in hits)


def test_each_row_of_a_query_gets_its_own_answer(store: DumpableStore) -> None:
    store.commit(add(1, "a", "b"))
    answers = store.nearest(ANA, rows(vector("b"), vector("a")), 1)
    assert [found(hits) for hits in answers] == [["m1.2"], ["m1.1"]]


def test_a_memory_is_as_near_as_the_nearest_of_its_text_and_current_facts(store: DumpableStore) -> None:
    facts = (fact(1, "current fact", 1), fact(1, "past fact", 2))
    made = version("m1", 1, "its text", [("f1.1", "current"), ("f1.2", "past")])
    texts = embed("its text", "current fact", "past fact")
    store.commit(Commit(write(1), None, facts=facts, versions=(made,), embedded=texts))
    answers = store.nearest(ANA, rows(vector("its text"), vector("current fact"), vector("past fact")), 1)
    assert [hits[0].score == 1.0 for hits in answers] == [True, True, False]


def test_k_memories_are_found_though_one_of_them_has_many_rows(store: DumpableStore) -> None:
    facts = tuple(fact(1, f"near fact {n}", n) for n in range(30))
    made = version("m1", 1, "near text", [(each.id, "current") for each in facts])
    near_rows = tuple((each.text, near("q", each.text, 0.1).tobytes()) for each in facts)
    store.commit(Commit(write(1), None, facts=facts, versions=(made,), embedded=near_rows))
    store.commit(add(2, "far a", "far b"))
    assert sorted(found(store.nearest(ANA, rows(vector("q")), 3)[0])) == ["m1", "m2.1", "m2.2"]


def test_equal_scores_are_ordered_by_id_also_where_k_cuts(store: DumpableStore) -> None:
    facts = tuple(fact(n, "the same", 1) for n in range(30))
    order = [(7 * n) % 30 for n in range(30)]
    made = tuple(version(f"m{n:02}", 1, "the same", [(f"f{n}.1", "current")]) for n in order)
    store.commit(Commit(write(1), None, facts=facts, versions=made, embedded=embed("the same")))
    (hits,) = store.nearest(ANA, rows(near("the same", "z", 0.3)), 5)
    assert found(hits) == ["m00", "m01", "m02", "m03", "m04"]


def test_what_was_deleted_takes_no_place_among_the_nearest(store: DumpableStore) -> None:
    texts = [f"near {n}" for n in range(30)]
    near_rows = tuple((text, near("q", text, 0.05).tobytes()) for text in texts)
    store.commit(replace(add(1, *texts, embedded=False), embedded=near_rows))
    assert len(store.nearest(ANA, rows(vector("q")), 30)[0]) == 30
    for n in range(1, 26):
        retire(store, 1 + n, f"m1.{n}")
    (hits,) = store.nearest(ANA, rows(vector("q")), 5)
    assert sorted(found(hits)) == [f"m1.{n}" for n in range(26, 31)]
    assert len(store.nearest(ANA, rows(vector("q")), 99)[0]) == 5


def test_a_changed_memory_is_found_by_its_new_text_alone(store: DumpableStore) -> None:
    store.commit(add(1, "old text"))
    store.nearest(ANA, rows(vector("old text")), 1)
    store.commit(change(2, the(store.get("m1.1")), "new text"))
    new, old = store.nearest(ANA, rows(vector("new text"), vector("old text")), 1)
    assert new[0].score == 1.0 > old[0].score


def test_an_absorbed_fact_makes_a_memory_no_nearer(store: DumpableStore) -> None:
    store.commit(add(1, "text"))
    store.commit(replace(absorb(2, the(store.get("m1.1")), "again"), embedded=embed("again")))
    assert store.nearest(ANA, rows(vector("again")), 1)[0][0].score < 1.0


def test_a_memory_is_found_once_its_vector_arrives_whoever_brought_it(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle", embedded=False))
    store.commit(add(2, "User has a dog"))
    assert found(store.nearest(ANA, rows(vector("User lives in Seattle")), 5)[0]) == ["m2.1"]
    store.commit(Commit(write(3, BEN), None, embedded=embed("User lives in Seattle")))
    assert store.nearest(ANA, rows(vector("User lives in Seattle")), 1) == [[Hit("m1.1", 1.0)]]


def test_a_scope_without_vectors_has_no_nearest(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle", embedded=False))
    assert store.nearest(ANA, rows(vector("a"), vector("b")), 5) == [[], []]
    assert store.nearest(BEN, rows(vector("a")), 5) == [[]]


BAD_ROWS = {
    "nan": np.full(DIMENSION, np.nan),
    "zero": np.zeros(DIMENSION),
    "infinite": np.full(DIMENSION, np.inf),
    "too long": np.full(DIMENSION, 1.0),
    "another dimension": np.array([1.0, 0.0]),
    "empty": np.array([]),
}


@pytest.mark.parametrize("bad", BAD_ROWS.values(), ids=BAD_ROWS.keys())
def test_what_is_no_unit_vector_is_refused_on_the_way_in(store: DumpableStore, bad: np.ndarray) -> None:
    store.commit(add(1, "a"))
    before = store.dump()
    with pytest.raises(EmbedderError):
        store.commit(replace(add(2, "b", embedded=False), embedded=(("b", bad.astype("<f4").tobytes()),)))
    assert store.dump() == before


@pytest.mark.parametrize("bad", BAD_ROWS.values(), ids=BAD_ROWS.keys())
def test_a_query_that_is_no_unit_vector_is_refused(store: DumpableStore, bad: np.ndarray) -> None:
    store.commit(add(1, "a"))
    with pytest.raises(EmbedderError):
        store.nearest(ANA, rows(bad.astype(np.float32)), 5)


# -- by words


def test_words_find_memories_best_first_and_more_is_better(store: DumpableStore) -> None:
    store.commit(
        add(1, "User likes green tea", "User drinks green tea in the green garden", "User has a dog", "x", "y")
    )
    hits = store.lexical(ANA, "green garden", 5)
    assert found(hits) == ["m1.2", "m1.1"]
    assert hits[0].score > hits[1].score > 0


def test_words_of_current_facts_find_their_memory(store: DumpableStore) -> None:
    facts = (fact(1, "User has a terrier", 1), fact(1, "User had a poodle", 2))
    made = version("m1", 1, "User has a dog", [("f1.1", "current"), ("f1.2", "past")])
    store.commit(Commit(write(1), None, facts=facts, versions=(made,)))
    assert (found(store.lexical(ANA, "terrier", 5)), found(store.lexical(ANA, "poodle", 5))) == (["m1"], [])


def test_words_find_a_memory_that_waits_for_its_vector(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle", embedded=False))
    assert found(store.lexical(ANA, "Seattle", 5)) == ["m1.1"]


def test_a_changed_or_retired_memory_is_not_found_by_its_old_words(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle", "User has a dog"))
    store.commit(change(2, the(store.get("m1.1")), "User lives in Austin"))
    retire(store, 3, "m1.2")
    answers = [found(store.lexical(ANA, word, 5)) for word in ("Seattle", "Austin", "dog")]
    assert answers == [[], ["m1.1"], []]


def test_equal_bm25_is_ordered_by_id(store: DumpableStore) -> None:
    made = tuple(version(f"m{(7 * n) % 10}", 1, "green tea", []) for n in range(10))
    store.commit(Commit(write(1), None, versions=made))
    assert found(store.lexical(ANA, "tea", 3)) == ["m0", "m1", "m2"]


WORDS = ["node-js", "a:b", "C++", "don't", "50%", "@x", "NEAR", "AND", "user*", "^x", "-x", "naïve", "body:x", "x{2}"]


@pytest.mark.parametrize("word", WORDS)
def test_a_word_that_looks_like_query_syntax_is_only_a_word(store: DumpableStore, word: str) -> None:
    store.commit(add(1, f"it says {word} here", "nothing of the kind", "more of the other sort"))
    assert found(store.lexical(ANA, word, 5))[:1] == ["m1.1"]
    assert found(store.lexical(ANA, f"what about {word}", 5))[:1] == ["m1.1"]


@pytest.mark.parametrize(
    "text", ["", " ", "(", '"', '""', "*", "?!", "AND", "NOT", "\x00", "a\x00b", 'x" OR body:"y', "' OR 1=1 --"]
)
def test_any_text_is_only_text(store: DumpableStore, text: str) -> None:
    store.commit(add(1, "User lives in Seattle"))
    assert store.lexical(ANA, text, 5) == []


@pytest.mark.parametrize("query", ["乌龙茶", "饮料", "喜欢"])
def test_chinese_words_are_found_inside_a_sentence(store: DumpableStore, query: str) -> None:
    store.commit(add(1, "用户最喜欢的饮料是乌龙茶", "用户住在西雅图"))
    assert found(store.lexical(ANA, query, 5)) == ["m1.1"]


def test_a_latin_word_inside_chinese_is_found(store: DumpableStore) -> None:
    store.commit(add(1, "重跑build后"))
    assert found(store.lexical(ANA, "build", 5)) == ["m1.1"]


def test_a_query_of_thousands_of_words_is_answered(store: DumpableStore) -> None:
    store.commit(add(1, "User lives in Seattle", "User has a dog"))
    assert "m1.1" in found(store.lexical(ANA, " ".join(f"word{n}" for n in range(5000)) + " Seattle", 5))


# -- filters


def test_a_filter_narrows_the_search_and_not_its_result(store: DumpableStore) -> None:
    near_rows = tuple((f"tea {n}", near("q", f"tea {n}", 0.05).tobytes()) for n in range(30))
    store.commit(replace(add(1, *(text for text, _ in near_rows), embedded=False), embedded=near_rows))
    store.commit(add(2, "tea is far and long to read", subject="Oona"))
    wanted = Filters(subject="Oona")
    assert found(store.nearest(ANA, rows(vector("q")), 3, filters=wanted)[0]) == ["m2.1"]
    assert found(store.lexical(ANA, "tea", 3, filters=wanted)) == ["m2.1"]
    assert [memory.id for memory in store.active(ANA, filters=wanted)] == ["m2.1"]


@pytest.mark.parametrize(
    "wanted",
    [
        Filters(types=("plan", "event")),
        Filters(subject="Oona"),
        Filters(conversation_id="other"),
        Filters(run_id="run"),
        Filters(conversation_id="other", run_id="run", types=("plan",), metadata=(("tag", "x"),)),
    ],
)
def test_each_filter_lets_through_what_fits(store: DumpableStore, wanted: Filters) -> None:
    store.commit(add(1, "a", metadata={"tag": "y"}))
    store.commit(add(2, "b", type="plan", subject="Oona", metadata={"tag": "x"}, conversation_id="other", run_id="run"))
    assert [memory.id for memory in store.active(ANA, filters=wanted)] == ["m2.1"]
    assert found(store.nearest(ANA, rows(vector("a")), 5, filters=wanted)[0]) == ["m2.1"]


def test_conversation_and_run_must_be_of_one_source(store: DumpableStore) -> None:
    store.commit(add(1, "a", conversation_id="talk", run_id="run 1"))
    assert store.active(ANA, filters=Filters(conversation_id="talk", run_id="run 2")) == []


def test_a_filter_that_lets_nothing_through_finds_nothing(store: DumpableStore) -> None:
    store.commit(add(1, "tea"))
    nobody = Filters(subject="nobody")
    assert store.nearest(ANA, rows(vector("tea")), 5, filters=nobody) == [[]]
    assert store.lexical(ANA, "tea", 5, filters=nobody) == []


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        ("1", ["m2.1"]), (1, ["m1.1"]), (1.0, ["m1.1"]), (True, ["m3.1"]), (False, []), (None, ["m4.1"]), ("' OR", []),
    ],
)  # fmt: skip
def test_metadata_is_compared_as_the_json_that_it_is(
    store: DumpableStore, value: str | float | bool | None, fits: list[str]
) -> None:
    for number, kept in enumerate((1, "1", True, None), 1):
        store.commit(add(number, f"statement {number}", metadata={"k-1": kept}))
    store.commit(add(5, "statement 5"))
    hits = store.active(ANA, filters=Filters(metadata=(("k-1", value),)))
    assert [memory.id for memory in hits] == fits


BAD_KEYS = [
    "", "a.b", "$.a", "a'", 'a"', "x') OR '1'='1", "a;--", "a b", "a\x00", "a\n", "é", "钥匙", "a[0]", "a" * 65, "%",
]  # fmt: skip


@pytest.mark.parametrize("key", BAD_KEYS)
def test_a_metadata_key_outside_the_allowed_letters_is_refused(store: DumpableStore, key: str) -> None:
    store.commit(add(1, "tea"))
    wanted = Filters(metadata=((key, "d"),))
    with pytest.raises(InvalidFilter):
        store.active(ANA, filters=wanted)
    with pytest.raises(InvalidFilter):
        store.lexical(ANA, "tea", 5, filters=wanted)
    with pytest.raises(InvalidFilter):
        store.nearest(ANA, rows(vector("tea")), 5, filters=wanted)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**63, ["a"], {"a": 1}, b"a"])
def test_a_metadata_value_that_is_not_plain_is_refused(store: DumpableStore, value: object) -> None:
    with pytest.raises(InvalidFilter):
        store.active(ANA, filters=Filters(metadata=(("k", value),)))  # type: ignore[arg-type]


# -- scopes

STRANGERS = [
    "user_1",
    "user_10",
    "Ann",
    "ann",
    "ann/x",
    "an",
    "' OR 1=1 --",
    "%",
    "*",
    "_",
    "ann ",
    "乌龙茶",
    "user_1_",
]


def test_no_user_sees_another_whatever_the_ids_look_like(store: DumpableStore) -> None:
    for number, user_id in enumerate(STRANGERS, 1):
        store.commit(add(number, "User likes tea", scope=Scope(user_id)))
    for number, user_id in enumerate(STRANGERS, 1):
        scope, own = Scope(user_id), [f"m{number}.1"]
        assert [memory.id for memory in store.active(scope)] == own
        assert found(store.nearest(scope, rows(vector("User likes tea")), 5)[0]) == own
        assert found(store.lexical(scope, "tea", 5)) == own


def test_agents_of_one_user_are_scopes_of_their_own(store: DumpableStore) -> None:
    for number, agent_id in enumerate(("", "coach", "user", "Coach"), 1):
        store.commit(add(number, "User likes tea", scope=Scope("ana", agent_id)))
    assert found(store.lexical(Scope("ana", "coach"), "tea", 5)) == ["m2.1"]
    assert found(store.nearest(Scope("ana"), rows(vector("User likes tea")), 5)[0]) == ["m1.1"]


def test_fifty_near_rows_of_another_user_do_not_push_out_the_own_one(store: DumpableStore) -> None:
    near_rows = tuple((f"tea {n}", near("q", f"tea {n}", 0.05).tobytes()) for n in range(50))
    store.commit(replace(add(1, *(text for text, _ in near_rows), embedded=False), embedded=near_rows))
    store.commit(add(2, "tea at last", scope=BEN))
    assert found(store.nearest(BEN, rows(vector("q")), 5)[0]) == ["m2.1"]
    assert found(store.lexical(BEN, "tea", 5)) == ["m2.1"]


def test_what_others_remember_shifts_no_score(store: DumpableStore) -> None:
    store.commit(add(1, "User likes green tea", "User drinks tea in the garden", "User has a dog"))
    before = store.lexical(ANA, "green tea in the garden", 5)
    store.commit(add(2, *(f"User reads about tea and green gardens {n}" for n in range(30)), scope=BEN))
    assert store.lexical(ANA, "green tea in the garden", 5) == before


@pytest.mark.parametrize("user_id", ["", " ", None])
def test_a_search_without_a_user_is_refused(store: DumpableStore, user_id: object) -> None:
    nobody = Scope(user_id)  # type: ignore[arg-type]
    with pytest.raises(InvalidScope):
        store.lexical(nobody, "tea", 5)
    with pytest.raises(InvalidScope):
        store.nearest(nobody, rows(vector("tea")), 5)


def test_stop_words_of_a_query_find_nothing_when_it_says_more(store: DumpableStore) -> None:
    store.commit(add(1, "User is Tom", "User works as a nurse"))
    assert found(store.lexical(ANA, "what is his work", 5)) == ["m1.2"]
    assert found(store.lexical(ANA, "is", 5)) == ["m1.1"]
