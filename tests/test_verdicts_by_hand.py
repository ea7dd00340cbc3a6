"""A verdict edited in the state of a stopped write has the last word, and the record says whose word it was."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from scrubjay.graph.deciders.scripted import Scripted
from scrubjay.graph.write_graph import build_write_graph
from scrubjay.stores.errors import InvalidInput
from tests.fakes import ANA, Teller, fact, linked, one, teller

OLD, NEW = "User lives in Lisbon", "User lives in Porto"
MOVED = f"{NEW} (previously: {OLD})"
HOME = {"attributes": ["home city"]}
ON: Any = {"configurable": {"thread_id": "t", "user_id": ANA}}
AFTER_JUDGE = ["merge", "replace", "delete", "review"]


class Stopped:
    """A write that was judged and stands still before what follows."""

    def __init__(self, judge: Scripted, before: list[str], text: str, approve: list[str] | None = None) -> None:
        self.told: Teller = teller(alike=[(0.6, (OLD, NEW))])
        self.old = self.told.say(fact(OLD, **HOME)).memories[0]
        self.graph: Any = build_write_graph(self.told.memory.engine.tools).compile(checkpointer=InMemorySaver())
        self.told.expect(fact(NEW, **HOME), judge=judge, merge=[{"text": text}] * 2, text=NEW)
        given = said(NEW) | {"memory_write": {"approve": approve or []}}
        self.graph.invoke(given, ON, interrupt_before=before)

    @property
    def relations(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.graph.get_state(ON).values["relations"]
        return found

    def resume(self, relations: list[dict[str, Any]]) -> list[str]:
        """The active texts after the rest of the write."""
        self.graph.update_state(ON, {"relations": relations})
        self.graph.invoke(None, ON)
        return self.told.texts()

    def decision(self) -> dict[str, Any]:
        return dict(self.told.memory.decisions(write_id=self.graph.get_state(ON).values["memory_write_id"])[0].body)


def said(text: str) -> Any:
    return {"messages": [{"role": "user", "content": text}]}


def stopped(judge: Scripted | None = None, before: list[str] | None = None, text: str = MOVED) -> Stopped:
    return Stopped(judge or one("contradicts", "1"), before or AFTER_JUDGE, text)


def test_one_word_makes_a_contradiction_a_replacement() -> None:
    write = stopped()
    texts = write.resume([{**write.relations[0], "relation": "supersedes"}])
    assert texts == [MOVED] and write.told.memory.get(write.old.id).status == "superseded"


def test_one_word_keeps_what_the_judge_would_have_ended() -> None:
    write = stopped(one("supersedes", "1"))
    assert write.resume([{**write.relations[0], "relation": "contradicts"}]) == [OLD, NEW]
    assert linked(write.told.memory.list(user_id=ANA)[1]) == [("contradicts", write.old.id)]


def test_an_untouched_verdict_is_carried_out_as_judged() -> None:
    write = stopped(one("supersedes", "1"))
    assert write.resume(write.relations) == [MOVED]
    assert [p for p in write.decision()["problems"] if p["code"] == "edited"] == []


def test_a_relation_that_nobody_named_can_be_added() -> None:
    write = stopped({"groups": [{"reason": "-", "facts": ["F1"], "memories": [], "relation": "independent"}]})
    assert write.resume([{"n": 1, "ref": write.old.id, "relation": "update"}]) == [MOVED]


def test_a_relation_that_is_taken_out_holds_no_more() -> None:
    assert stopped(one("supersedes", "1")).resume([]) == [OLD, NEW]


def test_the_record_keeps_the_judges_word_beside_the_edit() -> None:
    write = stopped(one("supersedes", "1"))
    write.resume([{**write.relations[0], "relation": "contradicts"}])
    (relation,) = write.decision()["relations"]
    assert (relation["said"], relation["relation"], relation["because"]) == (
        "supersedes",
        "contradicts",
        "edited by hand",
    )
    assert [p["code"] for p in write.decision()["problems"]] == ["edited"]


def test_an_edit_before_review_takes_effect_with_a_text_made_without_a_model() -> None:
    write = stopped(one("contradicts", "1"), ["review"])
    assert write.resume([{**write.relations[0], "relation": "supersedes"}]) == [MOVED]


def test_touching_the_state_before_review_loses_no_text() -> None:
    write = stopped(one("refines", "1"), ["review"], f"{OLD}, {NEW}")
    write.graph.update_state(ON, {"owed": []})
    write.graph.invoke(None, ON)
    assert write.told.texts() == [f"{OLD}, {NEW}"]


@pytest.mark.parametrize(
    ("change", "told"), [({"relation": "maybe"}, "maybe"), ({"ref": "m_none"}, "m_none"), ({"n": 7}, "7")]
)
def test_an_edit_that_names_nothing_is_refused_and_changes_nothing(change: dict[str, Any], told: str) -> None:
    write = stopped()
    with pytest.raises(InvalidInput, match=told):
        write.resume([{**write.relations[0], **change}])
    assert write.told.texts() == [OLD] and write.graph.get_state(ON).next == ("review",)


def test_an_edit_that_comes_after_the_plan_is_refused_and_can_be_put_back() -> None:
    write = stopped(one("supersedes", "1"), before=["commit"])
    judged = write.relations
    with pytest.raises(InvalidInput, match="after review"):
        write.resume([{**judged[0], "relation": "contradicts"}])
    assert write.told.texts() == [OLD] and write.resume(judged) == [MOVED]


def emptied(state: dict[str, Any]) -> dict[str, Any]:
    (item,) = state["plan"]
    return {"plan": [{**item, "group": {**item["group"], "facts": []}}]}


def blanked(state: dict[str, Any]) -> dict[str, Any]:
    (item,) = state["plan"]
    return {"plan": [{**item, "text": " \u200b"}]}


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda state: {"plan": []}, "no place for F1"),
        (
            lambda state: {"plan": [{**state["plan"][0], "group": {**state["plan"][0]["group"], "facts": []}}]},
            "no place",
        ),
        (blanked, "blank"),
    ],
)
@pytest.mark.parametrize("policy", [[], ["replace"]])
def test_a_plan_that_would_lose_a_fact_or_its_words_is_refused(edit: Any, told: str, policy: list[str]) -> None:
    write = Stopped(one("supersedes", "1"), ["commit"], MOVED, policy)
    kept = write.graph.get_state(ON).values["plan"]
    write.graph.update_state(ON, edit(write.graph.get_state(ON).values))
    with pytest.raises(InvalidInput, match=told):
        write.graph.invoke(None, ON)
    assert write.told.texts() == [OLD]
    write.graph.update_state(ON, {"plan": kept})
    write.graph.invoke(None, ON)
    assert write.told.texts() == ([OLD, NEW] if policy else [MOVED])


@pytest.mark.parametrize("groups", [[], "other"])
def test_groups_are_not_edited_themselves(groups: Any) -> None:
    write = stopped(one("supersedes", "1"))
    before = write.graph.get_state(ON).values["groups"]
    edited = groups or []
    if edited == "other":
        edited = [{**before[0], "action": "merge"}]
    with pytest.raises(InvalidInput, match="groups follow from relations"):
        write.graph.update_state(ON, {"groups": edited})
        write.graph.invoke(None, ON)
    assert write.told.texts() == [OLD]


def test_an_edit_still_holds_when_the_store_moved_meanwhile() -> None:
    write = stopped(one("supersedes", "1"))
    write.graph.update_state(ON, {"relations": [{**write.relations[0], "relation": "contradicts"}]})
    write.graph.invoke(None, ON, interrupt_before=["commit"])
    write.told.say("User owns a boat")
    write.graph.invoke(None, ON)
    state = write.graph.get_state(ON).values
    assert state["round"] == 1 and write.told.texts() == [OLD, "User owns a boat", NEW]


def test_a_second_write_on_the_thread_knows_nothing_of_an_edit() -> None:
    write = stopped(one("supersedes", "1"))
    write.resume([{**write.relations[0], "relation": "contradicts"}])
    write.told.expect("User owns a boat", text="User owns a boat")
    write.graph.invoke(said("User owns a boat"), ON)
    state = write.graph.get_state(ON).values
    assert (state["judged"], state["by_hand"], state["relations"]) == ([], [], [])


def test_a_text_edited_before_commit_is_what_the_store_holds() -> None:
    write = stopped(one("supersedes", "1"), ["commit"])
    (item,) = write.graph.get_state(ON).values["plan"]
    write.graph.update_state(ON, {"plan": [{**item, "text": "User lives in Porto by now"}]})
    write.graph.invoke(None, ON)
    assert write.told.texts() == ["User lives in Porto by now"]
