"""Model specs: what each becomes, and what an impossible one says."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig

from scrubjay.graph.deciders.chat import ChatDecider
from scrubjay.graph.models import _openai, name_of, resolve_model
from scrubjay.nodes.decider import Answer
from scrubjay.prompts.request import Request
from scrubjay.stores.errors import ModelError
from tests.fake_models import FakeChat


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(variable, raising=False)


class Silent:
    """A decider that is no chat model."""

    name = "silent"

    def decide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        return Answer(value=None, error="silent")

    async def adecide(self, request: Request[Any], config: RunnableConfig) -> Answer:
        return Answer(value=None, error="silent")


@pytest.mark.parametrize("spec", [None, "rules"])
def test_nothing_configured_means_rules(spec: str | None) -> None:
    assert resolve_model(spec).name == "rules"


def test_a_decider_is_used_as_it_is() -> None:
    silent = Silent()
    assert resolve_model(silent) is silent


def test_a_chat_model_object_is_asked_under_its_class_name() -> None:
    decider = resolve_model(FakeChat())
    assert isinstance(decider, ChatDecider) and decider.name == "FakeChat"


def test_openai_without_a_key_says_which_variable_and_which_model_needs_none() -> None:
    with pytest.raises(ModelError, match='OPENAI_API_KEY.*model="rules" needs none'):
        resolve_model("openai:gpt-4o-mini")


def test_a_server_of_ones_own_needs_no_key() -> None:
    decider = resolve_model("openai:qwen3", base_url="http://127.0.0.1:1/v1")
    assert decider.name == "openai:qwen3"


@pytest.mark.parametrize("variable", ["OPENAI_BASE_URL", "OPENAI_API_BASE"])
def test_the_servers_address_may_come_from_the_environment(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "http://127.0.0.1:1/v1")
    assert resolve_model("openai:qwen3").name == "openai:qwen3"


def test_a_model_name_may_hold_colons() -> None:
    assert resolve_model("openai:qwen3:8b", base_url="http://127.0.0.1:1/v1").name == "openai:qwen3:8b"


def temperature(model: str) -> Any:
    return getattr(_openai(model, "http://127.0.0.1:1/v1"), "temperature", "none at all")


def test_models_run_at_temperature_zero_but_for_those_that_refuse_it() -> None:
    assert [temperature(model) for model in ("gpt-4o-mini", "qwen3", "o3-mini")] == [0, 0, None]


def test_the_name_of_a_model_shows_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    from langchain_openai import ChatOpenAI  # noqa: PLC0415  3 s, for this test alone
    from pydantic import SecretStr  # noqa: PLC0415

    assert name_of(ChatOpenAI(model="gpt-4o-mini", api_key=SecretStr("sk-abc"))) == "ChatOpenAI:gpt-4o-mini"


@pytest.mark.parametrize("spec", ["", "gpt", "openai:", ":x", "openai: "])
def test_a_spec_that_means_nothing_is_told_what_would(spec: str) -> None:
    with pytest.raises(ModelError, match='"rules".*"openai:MODEL".*"PROVIDER:MODEL"'):
        resolve_model(spec)


def test_an_object_that_is_no_model_is_told_what_would_be() -> None:
    nonsense: Any = 7
    with pytest.raises(ModelError, match="int is no model: use"):
        resolve_model(nonsense)


@pytest.mark.skipif(find_spec("langchain") is not None, reason="langchain is installed")
def test_another_provider_names_the_package_that_is_missing() -> None:
    with pytest.raises(ModelError, match="langchain and the one for anthropic"):
        resolve_model("anthropic:claude-sonnet-4-5")
