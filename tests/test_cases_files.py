"""The shipped cases hold together: what they quote is there, what they name exists, what they expect can happen."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.graph.cases import Case, case_names, load_case, parse_case
from scrubjay.graph.cases.format import Text
from scrubjay.graph.embedders import resolve_embedder
from scrubjay.prompts.extraction_loss import extraction_loss
from scrubjay.prompts.merge_check import merge_check
from scrubjay.stores.errors import InvalidInput, UnknownName

REPOSITORY = Path(__file__).parent.parent
TRACES = os.environ.get("SCRUBJAY_TRACES")
PRESETS = ("joint", "neatmem", "signetai")

every_case = pytest.mark.parametrize("name", case_names())


def fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def ended_by(case: Case, fact: str) -> set[str]:
    rows = [*case.verdicts, *(row for override in case.strategies.values() for row in override.verdicts)]
    return {row.target for row in rows if row.fact == fact and row.relation == "supersedes" and row.target}


def clauses_of(case: Case, text: Text) -> list[str]:
    return [c for row in case.verdicts if row.fact in text.facts and row.target in text.targets for c in row.still_true]


@every_case
def test_a_shipped_case_loads_under_its_own_name(name: str) -> None:
    assert load_case(name).id == name


@every_case
def test_what_gold_says_stands_in_the_extracted_text(name: str) -> None:
    case = load_case(name)
    gold = {fact.id: fact for fact in case.facts}
    missing = [
        (key, alternatives)
        for key, item in case.items.items()
        for fact in item.gold
        for alternatives in gold[fact].terms
        if not any(fold(term) in fold(item.text) for term in alternatives)
    ]
    assert missing == []


@every_case
def test_an_extracted_fact_is_about_the_user_and_not_in_the_first_person(name: str) -> None:
    case = load_case(name)
    opening = "用户" if case.lang == "zh" else "User"
    assert {item.text[: len(opening)] for item in case.items.values()} == {opening}


@every_case
def test_no_extracted_fact_loses_what_its_quote_says(name: str) -> None:
    case = load_case(name)
    said_at = {message.id: message.at for message in case.messages}
    losses = {
        key: extraction_loss(
            item.text,
            item.quote,
            subject=item.subject,
            valid_from=item.valid_from,
            valid_to=item.valid_to,
            modality=item.modality,
            observed_at=said_at[key.partition("#")[0]],
        )
        for key, item in case.items.items()
    }
    assert not any(losses.values()), losses


@every_case
def test_a_recorded_text_passes_the_merge_check(name: str) -> None:
    case = load_case(name)
    texts = [*case.texts, *(text for override in case.strategies.values() for text in override.texts)]
    for text in texts:
        ended = {target for fact in text.facts for target in ended_by(case, fact)} & set(text.targets)
        current = [case.items[key].text for key in (*text.facts, *text.targets) if key not in ended]
        report = merge_check(
            text.text,
            current=[*current, *clauses_of(case, text)],
            ended=[case.items[key].text for key in sorted(ended)],
            dates=[case.messages[-1].at],
        )
        assert report.ok, (text.text, report)


@every_case
def test_every_pair_with_a_verdict_is_near_enough_to_be_judged(name: str) -> None:
    case = load_case(name)
    texts = [item.text for item in case.items.values()]
    vectors = dict(zip(case.items, resolve_embedder(None).encode(texts), strict=True))
    far = [
        (row.fact, row.target)
        for row in case.verdicts
        if row.target and float(np.dot(vectors[row.fact], vectors[row.target])) < 0.41
    ]
    assert far == []


@pytest.mark.parametrize("name", ["move", "move-zh"])
def test_the_two_homes_lie_between_the_thresholds(name: str) -> None:
    texts = [item.text for item in load_case(name).items.values()]
    old, new = resolve_embedder(None).encode(texts)
    assert 0.45 < float(np.dot(old, new)) < 0.75


@every_case
def test_expectations_name_what_is_there(name: str) -> None:
    case = load_case(name)
    messages, born = {message.id for message in case.messages}, set(case.items)
    for expected in case.expect:
        assert set(expected.actions) <= messages
        assert {source for memory in expected.active for source in memory.sources} <= messages
        assert {memory.born for memory in expected.active} <= born


@every_case
def test_every_case_says_what_the_main_presets_do_with_it(name: str) -> None:
    assert {expected.strategy for expected in load_case(name).expect} >= set(PRESETS)


def test_at_least_half_of_the_cases_exist_in_chinese() -> None:
    english = [name for name in case_names() if not name.endswith("-zh")]
    chinese = [name for name in case_names() if load_case(name).lang == "zh"]
    assert len(chinese) * 2 >= len(english) and {name.removesuffix("-zh") for name in chinese} <= set(english)


def test_an_unknown_case_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(UnknownName, match="breakfast, breakfast-zh, company"):
        load_case("../move")


def with_quote(case: dict[str, Any]) -> None:
    case["extraction"]["compound"]["m1"][0]["quote"] = "I never said this"


def without_entry(case: dict[str, Any]) -> None:
    del case["extraction"]["compound"]["m2"]


def with_unknown_gold(case: dict[str, Any]) -> None:
    case["extraction"]["compound"]["m1"][0]["gold"] = ["f99"]


def with_unknown_target(case: dict[str, Any]) -> None:
    case["verdicts"][0]["target"] = "m1#7"


def with_younger_target(case: dict[str, Any]) -> None:
    case["verdicts"][0].update(fact="m1#0", target="m2#0")


def without_target(case: dict[str, Any]) -> None:
    del case["verdicts"][0]["target"]


def with_foreign_clause(case: dict[str, Any]) -> None:
    case["verdicts"][0]["still_true"] = ["owns a boat"]


def with_unknown_text_key(case: dict[str, Any]) -> None:
    case["texts"][0]["facts"] = ["m9#0"]


def without_zone(case: dict[str, Any]) -> None:
    case["messages"][0]["at"] = "2026-01-01T10:00:00"


def with_repeated_message(case: dict[str, Any]) -> None:
    case["messages"].append(case["messages"][0])


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (with_quote, "'I never said this' is no span"),
        (without_entry, "m2 has no entry"),
        (with_unknown_gold, "no gold fact f99"),
        (with_unknown_target, "no fact m1#7"),
        (with_younger_target, "m2#0 is not older"),
        (without_target, "supersedes of target None"),
        (with_foreign_clause, "'owns a boat' is no span of m1#0"),
        (with_unknown_text_key, "no fact m9#0"),
        (without_zone, "no ISO time with a zone"),
        (with_repeated_message, "m1 stands there twice"),
    ],
)
def test_a_case_that_does_not_hold_together_is_refused(spoil: Callable[[dict[str, Any]], None], complaint: str) -> None:
    data = load_case("move").model_dump(mode="json", by_alias=True)
    spoil(data)
    with pytest.raises(InvalidInput, match=complaint):
        parse_case(json.dumps(data))


def test_a_misspelt_key_is_refused() -> None:
    data = load_case("move").model_dump(mode="json", by_alias=True)
    data["verdict"] = data.pop("verdicts")
    with pytest.raises(InvalidInput, match="verdict"):
        parse_case(json.dumps(data), "my.json")


@pytest.mark.skipif(TRACES is None, reason="SCRUBJAY_TRACES names no folder with article.json")
def test_no_published_sentence_is_copied_into_the_repository() -> None:
    published = json.loads((Path(TRACES or "") / "article.json").read_text(encoding="utf-8"))
    sentences = {m["text"] for entry in published for m in entry["messages"]}
    sentences |= {i["text"] for e in published for items in e["extraction"]["compound"].values() for i in items}
    sentences |= {text for entry in published for text in entry["published"]["final"]}
    folders = ("graph", "nodes", "prompts", "stores", "studio", "tests", "docs")
    files = [f for folder in folders for f in (REPOSITORY / folder).rglob("*") if f.suffix in {".py", ".json", ".md"}]
    found = [
        (str(file.relative_to(REPOSITORY)), sentence)
        for file in [*files, REPOSITORY / "README.md"]
        for sentence in sentences
        if sentence in file.read_text(encoding="utf-8")
    ]
    assert found == []
