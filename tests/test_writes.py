"""What one write takes in and gives back: keys, messages, scopes, odd texts, and the four ways to run it."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from scrubjay import Memory, WriteResult
from scrubjay.graph.deciders.scripted import ScriptedDecider
from scrubjay.stores.errors import InvalidInput, InvalidScope
from scrubjay.stores.text import clean
from tests.fakes import ANA, Teller, fact, group, kinds, one, teller, verdict

FIGS, SEATTLE, AUSTIN = "User loves figs", "User lives in Seattle", "User lives in Austin"
HOME = {"attributes": ["home city"]}


def message(text: Any, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **more}


def send(t: Teller, *messages: Any, facts: list[Any], judge: Any = None, **asked: Any) -> WriteResult:
    """A write of these messages, of which these facts are taken."""
    t.expect(*facts, judge=judge)
    return t.memory.add(list(messages), user_id=asked.pop("user_id", ANA), **asked)


# -- keys


def test_messages_delivered_twice_are_one_write(told: Teller) -> None:
    first = send(told, message(FIGS, id="m1"), facts=[FIGS])
    before = told.memory.store.dump()
    again = send(told, message(FIGS, id="m1"), facts=[])
    assert (again.write_id, again.first, first.first) == (first.write_id, False, True)
    assert told.memory.store.dump() == before and told.memory.list(user_id=ANA)[0].sources[0].quote == FIGS


def test_a_replayed_write_asks_no_model(told: Teller) -> None:
    send(told, message(FIGS, id="m1"), facts=[FIGS])
    send(told, message(FIGS, id="m1"), facts=[])
    assert len(told.cast.seen) == 1


def test_a_key_of_the_callers_own_makes_it_one_write(told: Teller) -> None:
    first = told.say(FIGS, key="k")
    told.expect()
    sent = told.memory.write(first.write_id).input["messages"][0]["text"]
    assert not told.memory.add(sent, user_id=ANA, key="k").first


def test_a_key_belongs_to_its_user(told: Teller) -> None:
    told.say(FIGS, key="k")
    assert told.say(FIGS, key="k", user="ben").first


def test_the_same_message_ids_in_another_conversation_are_another_write(told: Teller) -> None:
    send(told, message(FIGS, id="m1"), facts=[FIGS], conversation_id="a")
    assert send(told, message(FIGS, id="m1"), facts=[FIGS], conversation_id="b").first


def test_the_same_text_under_new_ids_is_a_new_write_that_adds_its_source(told: Teller) -> None:
    send(told, message(FIGS, id="m1"), facts=[FIGS])
    again = send(told, message(FIGS, id="m2"), facts=[FIGS])
    assert again.first and again.outcome == "dropped" and told.texts() == [FIGS]
    assert [s.message_id for s in told.only().sources] == ["m1", "m2"]


def test_seattle_austin_seattle_ends_in_seattle() -> None:
    t = teller(alike=[(0.6, (SEATTLE, AUSTIN))])
    t.say(fact(SEATTLE, **HOME))
    t.say(fact(AUSTIN, **HOME), judge=one("supersedes", "1", text=AUSTIN))
    t.say(fact(SEATTLE, **HOME), judge=one("supersedes", "1", text=SEATTLE))
    assert [f.text for f in t.only().current] == [SEATTLE] and len(
        {m.write_id for m in t.memory.list(user_id=ANA)}
    ) == 1


# -- nothing to read


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [message("")],
        [message(" \n\t")],
        [message("👍")],
        [message(None)],
        [message([{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}])],
        [{"role": "system", "content": "The user lives in Gent"}],
        [ToolMessage("72 degrees", tool_call_id="c1")],
        [AIMessage("I like figs")],
        [message("<recalled_memories>\n- User lives in Gent\n</recalled_memories>")],
    ],
)
def test_a_write_without_words_of_the_user_is_empty_and_asks_no_model(told: Teller, messages: list[Any]) -> None:
    result = send(told, *messages, facts=[])
    assert (result.outcome, told.cast.seen, told.texts()) == ("empty", [], [])
    assert [d.outcome for d in result.decisions] == ["empty"]


def test_a_message_of_which_nothing_is_worth_keeping_is_empty(told: Teller) -> None:
    result = told.say()
    assert (result.outcome, result.calls) == ("empty", {"extract": 1})


def test_parts_that_are_no_text_are_left_out_on_record(told: Teller) -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    result = send(told, message([{"type": "text", "text": FIGS}, image]), facts=[FIGS])
    assert told.texts() == [FIGS] and result.problems[0]["code"] == "not_text"


# -- whose memory


@pytest.mark.parametrize("user", ["", None, " ", "\t\n", "a\0b", "\ud800", 7, "x" * 513])
def test_a_user_without_a_name_is_refused_everywhere(told: Teller, user: Any) -> None:
    for call in (
        lambda: told.memory.add(FIGS, user_id=user),
        lambda: told.memory.search("figs", user_id=user),
        lambda: told.memory.list(user_id=user),
        lambda: told.memory.write_graph.invoke({"messages": [message(FIGS)], "memory_write": {"user_id": user}}),
    ):
        with pytest.raises(InvalidInput):
            call()
    assert told.memory.store.meta()["counts"]["writes"] == 0


def test_the_write_graph_refuses_a_run_without_user(told: Teller) -> None:
    with pytest.raises(InvalidScope):
        told.memory.write_graph.invoke({"messages": [message(FIGS)]})


@pytest.mark.parametrize("user", ["' OR 1=1 --", "%", "*", "_", "user_1", "user_10", "Ann", "ann", "ann/x", "ann "])
def test_a_users_name_is_never_anything_but_a_name(told: Teller, user: str) -> None:
    told.say("User owns plums", user="ann")
    if user != "ann":
        assert told.texts(user) == [] and list(told.memory.search("plums", user_id=user)) == []
    told.say(FIGS, user=user)
    assert FIGS in told.texts(user)


def test_agents_of_one_user_have_memories_of_their_own(told: Teller) -> None:
    told.say(FIGS, agent_id="cook")
    assert told.texts() == [] and len(told.memory.list(user_id=ANA, agent_id="cook")) == 1


def test_another_users_memory_is_no_candidate() -> None:
    t = teller(alike=[(0.97, (SEATTLE, "User lives in Seattle now"))])
    t.say(SEATTLE, user="ben")
    result = t.say("User lives in Seattle now")
    assert result.decisions[0].body["candidates"] == [] and result.decisions[0].body["gate"]["neighbour"] is None


# -- odd input


@pytest.mark.parametrize(
    "text", ["User loves figs \ud83d and nuts", "User loves\0 figs", "User loves figs 🫐\u200d\ufe0f"]
)
def test_odd_characters_are_cleaned_at_the_entrance(told: Teller, text: str) -> None:
    result = told.say(fact(clean(text), quote=clean(text)), said=text)
    assert result.outcome == "applied" and "\0" not in told.only().text
    told.only().text.encode("utf-8")


@pytest.mark.parametrize("name", ["conversation_id", "run_id", "key"])
@pytest.mark.parametrize("value", ["a\0b", "\udfff", " "])
def test_an_id_that_cannot_be_stored_is_refused_before_any_model_is_asked(told: Teller, name: str, value: str) -> None:
    with pytest.raises(InvalidInput, match=name):
        told.memory.add(FIGS, user_id=ANA, **{name: value})  # type: ignore[arg-type]
    assert told.cast.seen == []


def test_metadata_with_half_a_character_is_refused(told: Teller) -> None:
    with pytest.raises(InvalidInput):
        told.memory.add(FIGS, user_id=ANA, metadata={"tag": "\ud800"})
    assert told.texts() == []


@pytest.mark.parametrize("metadata", [{"a": {1, 2}}, {"a": float("nan")}, {"a": object()}])
def test_metadata_that_is_no_json_is_refused(told: Teller, metadata: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="metadata"):
        told.memory.add(FIGS, user_id=ANA, metadata=metadata)


def test_metadata_survives_a_replacement() -> None:
    t = teller(alike=[(0.6, (SEATTLE, AUSTIN))])
    t.say(fact(SEATTLE, **HOME), metadata={"source": "chat", "tag": "old"})
    t.say(fact(AUSTIN, **HOME), judge=one("supersedes", "1", text=AUSTIN), metadata={"tag": "new"})
    assert t.only().metadata == {"source": "chat", "tag": "new"}


@pytest.mark.parametrize("at", [datetime(2026, 5, 12, 10), "2026-05-12T10:00", "yesterday"])
def test_a_time_without_zone_is_refused(told: Teller, at: Any) -> None:
    with pytest.raises(InvalidInput, match="zone|ISO"):
        told.memory.add(FIGS, user_id=ANA, at=at)
    with pytest.raises(InvalidInput, match="zone|ISO"):
        told.memory.add([message(FIGS, at=at)], user_id=ANA)


def test_a_messages_own_time_and_name_win(told: Teller) -> None:
    said = message(FIGS, at="2026-05-12T10:00:00+02:00", name="Ida")
    send(told, said, facts=[FIGS], at="2026-01-01T00:00:00+00:00")
    shown = told.asked("extract")[0].inputs["messages"][0]
    assert (shown["at"], shown["name"]) == ("2026-05-12T10:00:00+02:00", "Ida")
    assert told.only().sources[0].at == "2026-05-12T10:00:00+02:00"


@pytest.mark.parametrize(
    "messages", [[7], [{"content": "x"}], 7, [{"role": "user", "content": 7}], [message(FIGS)] * 501]
)
def test_messages_that_are_none_are_refused(told: Teller, messages: Any) -> None:
    with pytest.raises(InvalidInput):
        told.memory.add(messages, user_id=ANA)


def test_langchain_messages_are_read_as_dicts_are(told: Teller) -> None:
    send(told, SystemMessage("be kind"), HumanMessage(FIGS, id="h1", name="Ida"), AIMessage("Noted"), facts=[FIGS])
    shown = told.asked("extract")[0].inputs["messages"]
    assert [(m["role"], m["text"]) for m in shown] == [("user", FIGS), ("assistant", "Noted")]
    assert told.only().sources[0].message_id == "h1"


def test_recalled_memories_in_a_message_are_never_read_again(told: Teller) -> None:
    block = "<recalled_memories>\n- User lives in Gent\n</recalled_memories>"
    send(told, message(f"{block} {FIGS}"), facts=[FIGS])
    assert "Gent" not in str(told.asked("extract")[0].render())


def test_of_a_very_long_message_nothing_is_cut(told: Teller) -> None:
    """C23 b: 200 kB in windows; each part of it is read once."""
    sentences = [f"Sentence number {i} says nothing at all." for i in range(5000)]
    said = f"{' '.join(sentences)} {FIGS}."
    told.cast.script = ScriptedDecider({"extract": [reply_if_figs] * 60}, repairs=False)
    result = told.memory.add(said, user_id=ANA)
    read = "".join(m["text"] for request in told.asked("extract") for m in request.inputs["messages"])
    assert len(said) > 200_000 and read == said and result.calls["extract"] == len(told.asked("extract")) < 40
    assert told.texts() == [FIGS]


def reply_if_figs(request: Any) -> dict[str, Any]:
    text = request.messages[-1].text
    return {"facts": [fact(FIGS, quote=FIGS)] if FIGS in text else []}


def test_a_quote_that_is_copied_with_small_slips_is_the_span_of_the_message(told: Teller) -> None:
    said = "Well — I really  love “Black Mission” figs"
    told.say(fact("User really loves Black Mission figs", quote='i really love "Black Mission" figs'), said=said)
    assert told.only().sources[0].quote == "I really  love “Black Mission” figs"
    assert told.results[0].decisions[0].body["fact"]["loss"] == []


def test_a_speakers_own_name_in_the_quote_is_no_loss(told: Teller) -> None:
    said = message("I, Oskar, love figs", name="Oskar")
    send(told, said, facts=[fact("User loves figs", quote="I, Oskar, love figs")])
    assert told.memory.decisions(memory_id=told.only().id)[0].body["fact"]["loss"] == []


def test_a_fact_is_said_by_the_newest_message_that_has_its_quote(told: Teller) -> None:
    send(told, message(FIGS, id="1"), message(f"Yes, {FIGS}", id="2"), facts=[fact(FIGS, quote=FIGS)])
    assert [s.message_id for s in told.only().sources] == ["2"]


# -- the four ways to run it


WAYS = ("invoke", "ainvoke", "stream", "astream")
TWO = (fact(SEATTLE, **HOME), fact(FIGS, attributes=["fruit"]))


def run_all(way: str, t: Teller) -> None:
    """Two writes through the write graph itself: an addition, then a replacement beside a merge."""
    t.expect(*TWO)
    run(way, t, f"{SEATTLE}. {FIGS}")
    new = (fact(AUSTIN, **HOME), fact("User loves figs with honey", attributes=["fruit"]))
    judge = verdict(
        group("supersedes", "1", text=f"{AUSTIN} (previously: Seattle)"), group("refines", "2", facts=["F2"])
    )
    t.expect(*new, judge=judge)
    run(way, t, f"{AUSTIN}. User loves figs with honey")


def run(way: str, t: Teller, text: str) -> None:
    given: Any = {"messages": [message(text)]}
    config: Any = {"configurable": {"user_id": ANA}}
    graph = t.memory.write_graph
    if way == "invoke":
        graph.invoke(given, config)
    elif way == "ainvoke":
        asyncio.run(graph.ainvoke(given, config))
    elif way == "stream":
        assert list(graph.stream(given, config))
    else:
        asyncio.run(drain(graph.astream(given, config)))


async def drain(steps: Any) -> None:
    assert [step async for step in steps]


def fresh(path: Path | str = ":memory:") -> Teller:
    made = teller(path, alike=[(0.6, (SEATTLE, AUSTIN)), (0.6, (FIGS, "User loves figs with honey"))])
    made.memory.engine.timer = lambda: 0.0
    return made


@pytest.fixture(scope="module")
def invoked() -> list[tuple[Any, ...]]:
    t = fresh()
    run_all("invoke", t)
    assert t.texts() == ["User loves figs with honey", f"{AUSTIN} (previously: Seattle)"]
    return t.memory.store.dump()


@pytest.mark.parametrize("way", WAYS)
def test_however_it_is_run_a_write_leaves_the_same_rows(way: str, invoked: list[tuple[Any, ...]]) -> None:
    t = fresh()
    run_all(way, t)
    assert t.memory.store.dump() == invoked


def test_the_same_inputs_leave_the_same_rows_in_a_file_as_in_memory(
    tmp_path: Path, invoked: list[tuple[Any, ...]]
) -> None:
    t = fresh(tmp_path / "memory.db")
    run_all("invoke", t)
    assert t.memory.store.dump() == invoked


def test_aadd_returns_what_add_returns() -> None:
    a, b = fresh(), fresh()
    a.expect(*TWO)
    b.expect(*TWO)
    assert a.memory.add(FIGS, user_id=ANA) == asyncio.run(b.memory.aadd(FIGS, user_id=ANA))


async def many(memory: Memory, count: int) -> list[WriteResult]:
    return list(await asyncio.gather(*(memory.aadd(FIGS, user_id=ANA) for _ in range(count))))


def test_writes_of_one_user_at_once_leave_one_row(told: Teller) -> None:
    told.cast.script = ScriptedDecider({"extract": [{"facts": [fact(FIGS, quote=FIGS)]}] * 5}, repairs=False)
    results = asyncio.run(many(told.memory, 5))
    assert told.texts() == [FIGS] and sorted(r.outcome for r in results) == ["applied", *["dropped"] * 4]


def test_a_parent_graph_gets_the_changes_and_the_write_id(told: Teller) -> None:
    told.expect(FIGS)
    out = told.memory.write_graph.invoke({"messages": [message(FIGS)]}, {"configurable": {"user_id": ANA}})
    assert out["memory_changes"][0]["after"] == FIGS and told.memory.write(out["memory_write_id"]).outcome == "applied"


def test_a_setting_in_the_input_wins_over_the_context_and_that_over_configurable(told: Teller) -> None:
    told.expect(FIGS)
    told.memory.write_graph.invoke(
        {"messages": [message(FIGS)], "memory_write": {"run_id": "input"}},
        {"configurable": {"user_id": ANA, "run_id": "configurable", "conversation_id": "configurable"}},
    )
    source = told.only().sources[0]
    assert (source.run_id, source.conversation_id) == ("input", "configurable")


def test_links_are_kept_with_the_memory(told: Teller) -> None:
    told.embedder.alike(0.6, SEATTLE, AUSTIN)
    told.say(SEATTLE)
    told.say(AUSTIN, judge=one("contradicts", "1"))
    assert [kinds(m) for m in told.memory.list(user_id=ANA)] == [["contradicts"], ["contradicts"]]
