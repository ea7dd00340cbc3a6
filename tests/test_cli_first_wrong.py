"""The first stage that went wrong: sentence before gate, gate before judge, judge before text."""

from __future__ import annotations

import pytest

from scrubjay.stores.records import Action, Json
from scrubjay.studio.first_wrong import first_wrong
from tests.cli_records import BODY, FACT, GATE, decision, problem, relation

DROPPED: Json = {**GATE, "verdict": "drop", "reason": "near-identical", "folded_into": "f_a_1", "surprisal": 0.04}


def stage(found: object) -> str | None:
    return getattr(found, "stage", None)


def test_a_clean_decision_has_none() -> None:
    assert first_wrong(decision("replace", relations=[relation()])) is None


def test_a_fact_that_lost_words_of_its_quote_is_wrong_from_the_start() -> None:
    fact = {**FACT, "loss": ["the bound 'this week'"]}
    found = first_wrong(decision(fact=fact, relations=[relation("contradicts", because="extraction lost something")]))
    assert str(found) == "extract: the fact lost what its quote says: the bound 'this week'"


def test_a_failed_extraction_is_told_with_what_the_model_said() -> None:
    failed = {**BODY, "fact": None, "gate": None, "problems": [problem("extraction_failed")]}
    found = first_wrong(decision("none", "failed", **failed))
    assert str(found) == "extract: a part of the input got no usable reply: what extraction_failed means"


def test_a_gate_that_drops_what_only_the_new_fact_says_is_wrong() -> None:
    fact = {**FACT, "text": "User lives in Porto with a parrot"}
    found = first_wrong(decision("none", "dropped", fact=fact, gate=DROPPED), "User lives in Porto")
    assert str(found) == "surprisal_gate: dropped as near-identical, but only this fact says 'parrot'"


def test_a_gate_that_drops_what_was_said_before_is_right() -> None:
    assert first_wrong(decision("none", "dropped", gate=DROPPED), "In Porto the user lives") is None


def test_a_gate_without_vectors_compared_too_little() -> None:
    assert stage(first_wrong(decision(gate={**GATE, "reason": "not embedded"}))) == "surprisal_gate"


@pytest.mark.parametrize("code", ["judge_failed", "call_cap", "invalid_target", "fact_without_verdict", "cut"])
def test_a_reply_of_the_judge_that_could_not_be_used_is_the_judges(code: str) -> None:
    assert str(first_wrong(decision(problems=[problem(code)]))) == f"judge: {code}: what {code} means"


def test_a_relation_that_a_check_changed_is_the_judges() -> None:
    found = first_wrong(decision(relations=[relation("contradicts", because="veto: another subject")]))
    assert str(found) == "judge: said supersedes of m_a_1, a check made it contradicts: veto: another subject"


@pytest.mark.parametrize(("action", "node"), [("merge", "merge"), ("replace", "replace"), ("add", "merge")])
def test_a_refused_text_is_wrong_where_it_was_worded(action: Action, node: str) -> None:
    found = first_wrong(decision(action, relations=[relation()], text_problems=["merge_text: lost: Porto"]))
    assert str(found) == f"{node}: the proposed text was refused: lost: Porto"


def test_a_store_that_kept_moving_is_wrong_at_the_end() -> None:
    assert str(first_wrong(decision(problems=[problem("conflict_bound")]))) == "commit: what conflict_bound means"


def test_the_earlier_stage_is_the_one_that_is_told() -> None:
    troubles = [problem("conflict_bound"), problem("invalid_target")]
    assert stage(first_wrong(decision(problems=troubles, text_problems=["merge_text: lost: Porto"]))) == "judge"


def test_a_text_that_came_with_the_judges_reply_is_the_judges() -> None:
    found = first_wrong(decision("merge", text_problems=["judge_text: lost: Porto"]))
    assert str(found) == "judge: its text was refused: lost: Porto"


def test_no_text_at_all_is_told_as_such() -> None:
    found = first_wrong(decision(text_problems=["merge_failed: no usable reply (reply 12ab)"]))
    assert str(found) == "merge: no text could be used: no usable reply (reply 12ab)"


def test_a_repaired_reply_is_no_fault() -> None:
    repaired = [problem("judge_reply"), problem("extract_reply")]
    assert first_wrong(decision("merge", problems=repaired, text_problems=["merge_reply: too long"])) is None
