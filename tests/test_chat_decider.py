"""The chat decider, against a fake model: repair, faults, tags, keys, and both ways of being called."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from pydantic import BaseModel, SecretStr
from typing_extensions import TypedDict

from scrubjay.graph.deciders.chat import ChatDecider
from scrubjay.nodes.decider import Answer, Usage
from scrubjay.prompts.request import Request
from tests.fake_models import FakeChat


class Colour(BaseModel):
    """What the tests ask for."""

    colour: str


@dataclass(frozen=True, kw_only=True)
class Ask(Request[Colour]):
    """Any colour but grey."""

    tag: ClassVar[str] = "judge"
    name: ClassVar[str] = "ask"
    template: ClassVar[str] = "Name a colour."
    reply_model: ClassVar[type[BaseModel]] = Colour

    def render(self) -> list[tuple[str, str]]:
        return [("system", self.template), ("human", "Which?")]

    def check(self, reply: Colour) -> Sequence[str]:
        faults = {"grey": ["grey is no colour"], "dark grey": ["grey is no colour", "dark is no colour"]}
        return faults.get(reply.colour, [])


class Seen(TypedDict):
    """A parent graph's state."""

    seen: str


GREY, RED, BLUE = {"colour": "grey"}, {"colour": "red"}, {"colour": "blue"}


def ask(*replies: Any, schemas: bool = False) -> tuple[Answer, FakeChat]:
    model = FakeChat(replies={"judge": list(replies)}, schemas=schemas)
    return ChatDecider(model, "fake").decide(Ask(), {}), model


class Refused(Exception):
    """What a provider raises for a request that it cannot read."""

    status_code = 400


def test_a_good_reply_is_one_request_and_no_problem() -> None:
    answer, model = ask(RED)
    assert (answer.value, answer.problems, answer.repairs, len(model.prompts)) == (Colour(colour="red"), (), 0, 1)


def test_a_request_is_tagged_with_its_name() -> None:
    _, model = ask(RED)
    assert [tag for tag, _ in model.prompts] == ["judge"]


def test_tags_of_the_caller_stay() -> None:
    model = FakeChat(replies={"judge": [RED]})
    assert ChatDecider(model, "fake").decide(Ask(), {"tags": ["mine"]}).value == Colour(colour="red")


def test_no_reply_shows_in_the_message_stream_of_a_parent_graph() -> None:
    def remember(state: Seen, config: RunnableConfig) -> Seen:
        answer = ChatDecider(FakeChat(replies={"judge": [RED]}), "fake").decide(Ask(), config)
        return {"seen": answer.raw}

    graph = StateGraph(Seen).add_node("remember", remember).add_edge(START, "remember").compile()
    assert list(graph.stream({"seen": ""}, stream_mode=["messages", "updates"])) == [
        ("updates", {"remember": {"seen": '{"colour": "red"}'}})
    ]


def test_the_schema_sent_is_named_after_the_reply() -> None:
    _, model = ask(RED, schemas=True)
    assert model.asked_for == ["Colour"]


def test_a_model_without_schemas_is_told_the_schema_in_words() -> None:
    _, model = ask(RED)
    assert '"required":["colour"]' in model.prompts[0][1][0].text


def test_the_fixed_part_comes_first_without_schemas_too() -> None:
    _, model = ask(RED)
    assert model.prompts[0][1][0].text.startswith("Name a colour.")


def test_what_check_finds_is_told_to_the_model_with_its_own_reply() -> None:
    _, model = ask(GREY, RED)
    *_, own, told = model.prompts[1][1]
    assert own.text == '{"colour": "grey"}' and "grey is no colour" in told.text


def test_a_repaired_reply_counts_one_repair_and_says_what_was_wrong() -> None:
    answer, _ = ask(GREY, RED)
    assert (answer.value, answer.repairs, answer.problems) == (
        Colour(colour="red"), 1, ("repaired: grey is no colour",),
    )  # fmt: skip


def test_a_problem_that_stays_is_reported_beside_the_value() -> None:
    answer, _ = ask(GREY, GREY)
    assert (answer.value, answer.problems) == (Colour(colour="grey"), ("grey is no colour",))


def test_an_unusable_reply_is_asked_for_again() -> None:
    answer, _ = ask("I like red best.", RED)
    assert (answer.value, answer.repairs) == (Colour(colour="red"), 1)


def test_two_unusable_replies_are_no_value_and_an_error() -> None:
    answer, _ = ask("red", "blue")
    assert answer.value is None and answer.error is not None and "no JSON object" in answer.error


def test_an_unusable_repair_leaves_the_first_reply_and_its_problem() -> None:
    answer, _ = ask(GREY, "sorry")
    assert answer.value == Colour(colour="grey") and "grey is no colour" in answer.problems


def test_a_repair_that_makes_it_worse_is_not_taken() -> None:
    answer, _ = ask(GREY, {"colour": "dark grey"})
    assert answer.value == Colour(colour="grey") and "the repair made it worse" in answer.problems


def test_there_is_never_a_third_turn() -> None:
    _, model = ask("red", "blue", RED)
    assert len(model.prompts) == 2


def test_the_last_reply_is_kept_as_it_came() -> None:
    answer, _ = ask(GREY, "```json\n" + '{"colour":"red"}' + "\n```")
    assert answer.raw == '```json\n{"colour":"red"}\n```'


def test_a_provider_that_fails_is_an_answer_that_names_the_fault() -> None:
    answer, _ = ask(ConnectionError("no route"))
    assert (answer.value, answer.error) == (None, "ConnectionError: no route")


def test_a_repair_that_fails_keeps_the_first_reply() -> None:
    answer, _ = ask(GREY, TimeoutError("60 s"))
    assert answer.value == Colour(colour="grey") and "the repair failed: TimeoutError: 60 s" in answer.problems


@pytest.mark.parametrize("secret", ["sk-abc123def456", "Bearer abc.def.ghi", "api_key=abc123def"])
def test_an_error_never_shows_what_looks_like_a_key(secret: str) -> None:
    answer, _ = ask(PermissionError(f"401: wrong key {secret} given"))
    assert answer.error is not None and "abc" not in answer.error and "given" in answer.error


class KeyedChat(FakeChat):
    """Holds a key, as provider models do."""

    api_key: SecretStr = SecretStr("hunter-two-77")


def test_an_error_never_shows_the_models_own_key() -> None:
    model = KeyedChat(replies={"judge": [PermissionError("hunter-two-77 is not valid")]})
    answer = ChatDecider(model, "keyed").decide(Ask(), {})
    assert answer.error == "PermissionError: *** is not valid"


def test_a_reply_cut_off_at_the_limit_is_a_failure_and_not_asked_again() -> None:
    cut = AIMessage('{"colour": "re', response_metadata={"finish_reason": "length"})
    answer, model = ask(cut)
    assert answer.error is not None and answer.error.startswith("CutOff:") and len(model.prompts) == 1


def test_a_refusal_is_a_failure_and_not_asked_again() -> None:
    answer, model = ask(AIMessage("", additional_kwargs={"refusal": "not this one"}))
    assert (answer.error, len(model.prompts)) == ("Refusal: not this one", 1)


def test_a_refused_schema_is_left_out() -> None:
    answer, _ = ask(Refused("response_format"), RED, schemas=True)
    assert answer.value == Colour(colour="red") and "asked without a schema" in answer.problems[0]


def test_a_refused_schema_is_remembered() -> None:
    model = FakeChat(replies={"judge": [Refused("response_format"), RED, BLUE]}, schemas=True)
    decider = ChatDecider(model, "fake")
    decider.decide(Ask(), {})
    assert decider.decide(Ask(), {}).value == Colour(colour="blue")


def test_a_request_that_is_wrong_in_itself_is_a_failure() -> None:
    answer, _ = ask(Refused("too long"), Refused("too long"), schemas=True)
    assert answer.error == "Refused: too long"


def test_a_tool_call_is_read_as_the_reply() -> None:
    call = {"name": "Colour", "args": {"colour": "red"}, "id": "1"}
    answer, _ = ask(AIMessage("", tool_calls=[call]), schemas=True)
    assert answer.value == Colour(colour="red")


def test_tokens_add_up_over_both_turns() -> None:
    def spent(colour: str) -> AIMessage:
        usage: Any = {"input_tokens": 10, "output_tokens": 3, "total_tokens": 13}
        return AIMessage(f'{{"colour": "{colour}"}}', usage_metadata=usage)

    answer, _ = ask(spent("grey"), spent("red"))
    assert answer.usage == Usage(20, 6)


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), asyncio.CancelledError()])
def test_an_interrupt_passes_through(stop: BaseException) -> None:
    with pytest.raises(type(stop)):
        ask(stop)


def test_asked_without_blocking_the_answer_is_the_same() -> None:
    def answer(asynchronous: bool) -> tuple[Any, ...]:
        decider = ChatDecider(FakeChat(replies={"judge": ["nothing", RED]}), "fake")
        given = asyncio.run(decider.adecide(Ask(), {})) if asynchronous else decider.decide(Ask(), {})
        return given.value, given.problems, given.raw, given.repairs

    assert answer(True) == answer(False)


def test_a_connection_of_an_event_loop_that_has_ended_is_passed_over() -> None:
    stale = RuntimeError("Event loop is closed")
    decider = ChatDecider(FakeChat(replies={"judge": [stale, stale, RED]}), "fake")
    assert asyncio.run(decider.adecide(Ask(), {})).value == Colour(colour="red")


def test_a_fault_is_an_answer_without_blocking_too() -> None:
    decider = ChatDecider(FakeChat(replies={"judge": [ConnectionError("gone")]}), "fake")
    assert asyncio.run(decider.adecide(Ask(), {})).error == "ConnectionError: gone"


@pytest.mark.parametrize("digits", [30, 5000])
def test_a_reply_with_a_number_without_end_is_unusable_and_mended(digits: int) -> None:
    answer, _ = ask('{"colour": ' + "9" * digits + "}", RED)
    assert (answer.value, answer.repairs) == (Colour(colour="red"), 1) and "unusable reply" in answer.problems[0]


class Fussy(Ask):
    """Its check cannot read every reply."""

    def check(self, reply: Colour) -> Sequence[str]:
        return [str(int(reply.colour))]


def test_a_reply_that_its_own_check_cannot_read_is_unusable() -> None:
    model = FakeChat(replies={"judge": [RED, RED]})
    answer = ChatDecider(model, "fake").decide(Fussy(), {})
    assert answer.value is None and "unusable reply: invalid literal" in str(answer.error)
