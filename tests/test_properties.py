"""Whatever a judge says that its schema allows: no old text is lost, no new fact is lost, nobody else is touched."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay import WriteResult
from scrubjay.stores.records import Memory as Record
from tests.fakes import ANA, Fact, Teller, fact, one, teller

OLD: tuple[Fact, ...] = (
    fact("User lives in Seattle", attributes=["home city"], valid_from="2024-05"),
    fact("User drinks tea in Seattle", attributes=["morning drink"]),
    fact("User gave a tea party in Seattle", type="event", valid_from="2026-08-30"),
)
MORE = fact("User's home in Seattle has two rooms", attributes=["home city"])
NEW: tuple[Fact, ...] = (
    fact("User lives in Austin, not in Seattle", attributes=["home city"], valid_from="2026-08"),
    fact("User drinks oolong tea in Austin", attributes=["morning drink"]),
    fact("Ida lives in Seattle", subject="Ida", attributes=["home city"]),
    fact("User asks to forget that they live in Seattle"),
    fact("User lived in Seattle in 2019", attributes=["home city"], valid_from="2019"),
)
TEXTS = [str(f["text"]) for f in (*OLD, MORE, *NEW) if isinstance(f, dict)]

numbers = st.sampled_from(
    ["1", "2", "3", "1.1", "1.2", "2.1", "F1", "F2", "F3", "F9", "12", "0", "-1", "m_x", "", 1, 2]
)
words = st.sampled_from(
    ["duplicate", "refines", "supersedes", "retracts", "contradicts", "independent", "DELETE ", "upsert", ""]
)
texts = st.sampled_from(
    [None, "", "User lives in Austin", "User lives in Austin (previously: Seattle)", "x" * 5000, "\0"]
)
clauses = st.lists(
    st.sampled_from(["Seattle", "drinks tea", "", " ", "User lives in Seattle", "owns a dog"]), max_size=2
)
groups = st.fixed_dictionaries({
    "reason": st.sampled_from(["", "because"]), "facts": st.lists(numbers, max_size=4),
    "memories": st.lists(numbers, max_size=4), "relation": words, "text": texts, "still_true": clauses,
})  # fmt: skip
joint_replies = st.fixed_dictionaries({"groups": st.lists(groups, max_size=5)})
verdicts = st.fixed_dictionaries({"relation": words, "memory": numbers, "still_true": clauses})
many_replies = st.fixed_dictionaries({"verdicts": st.lists(verdicts, max_size=4)})
merges = st.sampled_from([{"text": "User lives in Austin"}, {"text": ""}, {"memry": 1}, {"text": "x" * 9000}])
chosen = st.lists(st.sampled_from(NEW), min_size=1, max_size=3, unique_by=lambda f: str(f))

SMALL = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ana with three memories, one of two facts; Ben with one that says the same."""
    path = tmp_path_factory.mktemp("template") / "memory.db"
    t = teller(path, alike=[(0.6, TEXTS)])
    t.say(OLD[0], user="ben")
    nothing: Any = lambda request: {"groups": []}  # noqa: E731
    for old in OLD:
        t.say(old, judge=None if old is OLD[0] else nothing, repairs=False)
    t.say(MORE, judge=one("refines", "1"), merge=lambda request: {"text": "; ".join(request.current)}, repairs=False)
    assert [len(m.current) for m in t.memory.list(user_id=ANA)] == [2, 1, 1]
    t.memory.close()
    return path


def filled(template: Path, **opened: Any) -> Teller:
    """A copy of the template's store, for one example."""
    path = template.with_name("example.db")
    for left in template.parent.glob("example.db*"):
        left.unlink()
    shutil.copy(template, path)
    t = teller(path, alike=[(0.6, TEXTS)], seed=8, **opened)
    t.clock.now += timedelta(days=1)
    return t


def write(t: Teller, facts: list[Fact], judge: Any, merge: Any) -> WriteResult:
    """A write whose judge and merges say what hypothesis makes up, however often they are asked."""
    t.expect(*facts, judge=[judge] * 9, merge=[merge] * 9, repairs=False)
    return t.memory.add(". ".join(str(f["text"]) for f in facts if isinstance(f, dict)), user_id=ANA)


def every_version(t: Teller, user: str) -> list[Record]:
    """Of all memories that any decision of the user's ever named."""
    ids = {i for w in t.memory.store.writes() if w.scope.user_id == user
           for d in t.memory.store.decisions(write_id=w.id) for i, _ in d.memory_ids}  # fmt: skip
    return [version for i in sorted(ids) for version in t.memory.history(i)]


def check(t: Teller, facts: list[Fact], judge: Any, merge: Any) -> None:
    before, bens = every_version(t, ANA), t.memory.list(user_id="ben")
    result = write(t, facts, judge, merge)
    after = every_version(t, ANA)
    assert {(m.id, m.version, m.text) for m in before} <= {(m.id, m.version, m.text) for m in after}
    assert {f.fact.id for m in before for f in m.facts} <= {f.fact.id for m in after for f in m.facts}
    assert t.memory.list(user_id="ben") == bens
    kept_or_told(t, result, after)
    whole(t)


def kept_or_told(t: Teller, result: WriteResult, after: list[Record]) -> None:
    """Each new fact stands in a memory, but for drops, wishes to forget, and what such a wish took back at once."""
    standing = {f.fact.id for m in after for f in m.facts}
    wishes = {d.fact_number for d in result.decisions if d.body["fact"]["retraction"]}
    for decision in result.decisions:
        told = decision.outcome == "dropped" or decision.fact_number in wishes
        taken_back = decision.action == "none" and wishes
        assert decision.fact_id in standing or told or taken_back, decision
        assert decision.fact_id is not None and t.memory.store.fact(decision.fact_id) is not None


def whole(t: Teller) -> None:
    """Every active memory says something and rests on at most four facts that hold."""
    for memory in t.memory.list(user_id=ANA):
        assert memory.text.strip() and 1 <= len(memory.current) <= 4, memory
        dated = [f for f in memory.current if f.type == "event" and f.valid_from]
        assert not dated or len(memory.current) == 1, memory


@SMALL
@given(chosen, joint_replies, merges)
def test_no_joint_reply_loses_anything(template: Path, facts: list[Fact], judge: Any, merge: Any) -> None:
    t = filled(template)
    check(t, facts, judge, merge)
    t.memory.close()


@settings(SMALL, max_examples=25)
@given(chosen, many_replies, merges)
def test_no_list_of_verdicts_loses_anything(template: Path, facts: list[Fact], judge: Any, merge: Any) -> None:
    t = filled(template, detector="listwise_multitarget")
    check(t, facts, judge, merge)
    t.memory.close()


@settings(SMALL, max_examples=25)
@given(chosen, joint_replies, merges)
def test_a_write_repeated_under_its_key_changes_nothing(
    template: Path, facts: list[Fact], judge: Any, merge: Any
) -> None:
    t = filled(template)
    t.expect(*facts, judge=[judge] * 9, merge=[merge] * 9, repairs=False)
    first = t.memory.add(". ".join(TEXTS), user_id=ANA, key="k")
    before = t.memory.store.dump()
    again = t.memory.add(". ".join(TEXTS), user_id=ANA, key="k")
    assert (again.write_id, again.first) == (first.write_id, False) and t.memory.store.dump() == before
    t.memory.close()


@pytest.mark.parametrize("reply", [{"groups": []}, {"groups": [{"facts": [], "memories": [], "relation": ""}]}])
def test_a_reply_that_says_nothing_adds_every_fact(template: Path, reply: Any) -> None:
    t = filled(template)
    check(t, list(NEW[:2]), reply, {"text": ""})
    assert len(t.texts()) == len(OLD) + 2
