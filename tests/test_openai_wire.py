"""The whole way to a server that speaks OpenAI's API: langchain-openai, HTTP and back, on this machine alone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from scrubjay.graph.models import resolve_model
from scrubjay.nodes.decider import Answer, Usage
from scrubjay.prompts.extract import Extraction, ExtractRequest
from scrubjay.prompts.shown import ShownMessage
from tests.openai_server import Server, serving

SAID = "I like figs"
FACT = '{"facts":[{"text":"User likes figs","type":"preference","quote":"I like figs","message":1}]}'
ASK = ExtractRequest(
    messages=(ShownMessage(number=1, role="user", text=SAID, at="2026-05-12T10:00:00+02:00"),),
    observed_at="2026-05-12T10:00:00+02:00",
    today="2026-05-12",
)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OPENAI_API_KEY", "local-key-4711")
    return "local-key-4711"


def decide(server: Server) -> Answer:
    return resolve_model("openai:m", base_url=server.url).decide(ASK, {})


def texts(answer: Answer) -> list[str]:
    assert isinstance(answer.value, Extraction), answer.error
    return [fact.text for fact in answer.value.facts]


def test_a_fact_comes_back_over_the_wire() -> None:
    with serving(FACT) as server:
        answer = decide(server)
    assert (texts(answer), answer.problems, answer.usage) == (["User likes figs"], (), Usage(11, 7))


def test_a_fact_comes_back_without_blocking() -> None:
    with serving(FACT) as server:
        answer = asyncio.run(resolve_model("openai:m", base_url=server.url).adecide(ASK, {}))
    assert (texts(answer), answer.model) == (["User likes figs"], "openai:m")


def test_one_model_serves_one_event_loop_after_the_other() -> None:
    with serving(FACT, FACT, FACT) as server:
        decider = resolve_model("openai:m", base_url=server.url)
        answers = [asyncio.run(decider.adecide(ASK, {})) for _ in range(3)]
    assert [texts(answer) for answer in answers] == [["User likes figs"]] * 3 and len(server.requests) == 3


def test_the_schema_on_the_wire_is_strict_and_named_after_the_reply() -> None:
    with serving(FACT) as server:
        decide(server)
    sent = server.requests[0]["response_format"]["json_schema"]
    assert (sent["name"], sent["strict"]) == ("Extraction", True)


def objects(schema: Any) -> list[dict[str, Any]]:
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    found = [schema] if isinstance(schema, dict) and "properties" in schema else []
    return found + [node for value in inner for node in objects(value)]


def test_every_object_of_the_schema_requires_all_its_keys_and_no_others() -> None:
    with serving(FACT) as server:
        decide(server)
    found = objects(server.requests[0]["response_format"])
    assert found and all(o["required"] == list(o["properties"]) and o["additionalProperties"] is False for o in found)


def test_the_fixed_part_is_the_system_message() -> None:
    with serving(FACT) as server:
        decide(server)
    first = server.requests[0]["messages"][0]
    assert first == {"role": "system", "content": ExtractRequest.template}


def test_a_server_that_ignores_the_schema_is_understood() -> None:
    with serving(f"<think>hm</think>Here:\n```json\n{FACT}\n```") as server:
        assert texts(decide(server)) == ["User likes figs"]


def test_an_unusable_reply_is_asked_for_again_over_the_wire() -> None:
    with serving("I see no JSON", FACT) as server:
        answer = decide(server)
    assert (texts(answer), answer.repairs, answer.usage) == (["User likes figs"], 1, Usage(22, 14))


def test_a_server_that_refuses_schemas_is_asked_without_one() -> None:
    refused = (400, {"error": {"message": "response_format: json_schema is unknown here"}})
    with serving(refused, FACT) as server:
        answer = decide(server)
    assert texts(answer) == ["User likes figs"] and "response_format" not in server.requests[1]


def test_a_wrong_key_is_an_error_that_does_not_show_it(key: str) -> None:
    refused = (401, {"error": {"message": f"Incorrect API key provided: {key}"}})
    with serving(refused) as server:
        answer = decide(server)
    assert server.keys == [f"Bearer {key}"]
    assert answer.error is not None and "AuthenticationError: " in answer.error and key not in answer.error


def test_a_reply_that_hits_the_limit_is_an_error_and_not_sent_again() -> None:
    with serving('{"facts":[{"text":"User li', finish_reason="length") as server:
        answer = decide(server)
    assert answer.value is None and answer.error is not None and "length" in answer.error
    assert len(server.requests) == 1


def test_nobody_listening_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrubjay.graph.models.MAX_RETRIES", 0)
    with serving() as server:
        gone = server.url
    answer = resolve_model("openai:m", base_url=gone).decide(ASK, {})
    assert answer.error is not None and "ConnectionError: " in answer.error
