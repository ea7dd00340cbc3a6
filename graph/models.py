"""Models by spec: "rules", "openai:MODEL", any other "provider:model", a chat model object, or a decider."""

from __future__ import annotations

import os
import re
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

from langchain_core.language_models import BaseChatModel

from scrubjay.graph.deciders.chat import ChatDecider
from scrubjay.nodes.decider import Decider
from scrubjay.stores.errors import ModelError

TIMEOUT = 60.0
"""seconds a request may take on the wire"""
MAX_RETRIES = 2
"""of the provider's own client, for connection errors, 429 and 5xx; it honours Retry-After"""
NO_KEY = "no-key"
"""what a local server is sent where no key is set"""

_ALWAYS_WARM = re.compile(r"o\d")
"""OpenAI's o-series refuses a temperature"""

POSSIBLE = (
    'model="rules" (needs no key), "openai:MODEL" (also with base_url for a server that speaks OpenAI\'s API), '
    '"PROVIDER:MODEL" with the package langchain installed, a LangChain chat model, or a decider'
)


def resolve_model(spec: str | BaseChatModel | Decider | None = None, *, base_url: str | None = None) -> Decider:
    """Whoever answers the requests; None is `rules`. Raises ModelError that names what is missing."""
    if spec is None or spec == "rules":
        return _rules()
    if isinstance(spec, BaseChatModel):
        return ChatDecider(spec, name_of(spec))
    if isinstance(spec, str):
        return ChatDecider(chat_model(spec, base_url=base_url), spec.strip())
    if callable(getattr(spec, "decide", None)) and callable(getattr(spec, "adecide", None)):
        return spec
    raise ModelError(f"{type(spec).__name__} is no model: use {POSSIBLE}")


def name_of(model: BaseChatModel) -> str:
    """ "class:model", the model where the object says which; never its settings, which may hold a key."""
    known = (getattr(model, key, None) for key in ("model_name", "model", "model_id"))
    named = next((m for m in known if isinstance(m, str) and m), "")
    return f"{type(model).__name__}:{named}" if named else type(model).__name__


def _rules() -> Decider:
    from scrubjay.graph.rules import RulesDecider  # noqa: PLC0415  its tables, only for who uses it

    return RulesDecider()


def chat_model(spec: str, *, base_url: str | None = None) -> BaseChatModel:
    """A chat model by spec; raises ModelError that names what is missing."""
    spec = spec.strip()
    provider, _, model = spec.partition(":")
    if not provider or not model.strip():
        raise ModelError(f"no model {spec!r}: use {POSSIBLE}")
    if provider == "openai":
        return _openai(model.strip(), base_url)
    return _other(spec, base_url)


def _openai(model: str, base_url: str | None) -> BaseChatModel:
    """A connection a request: kept open, it would outlive its event loop, and the next loop's reply would be lost."""
    url = base_url or os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_BASE") or None
    key = os.environ.get("OPENAI_API_KEY") or (NO_KEY if url else "")
    if not key:
        raise ModelError(
            f"openai:{model} needs OPENAI_API_KEY, or base_url (OPENAI_BASE_URL) for a server of your own; "
            'model="rules" needs none'
        )
    from langchain_openai import ChatOpenAI  # noqa: PLC0415  takes 3 s to import
    from pydantic import SecretStr  # noqa: PLC0415  used here alone

    return ChatOpenAI(
        model=model,
        base_url=url,
        api_key=SecretStr(key),
        temperature=None if _ALWAYS_WARM.match(model) else 0,
        timeout=TIMEOUT,
        max_retries=MAX_RETRIES,
        default_headers={"Connection": "close"},
    )


def _other(spec: str, base_url: str | None) -> BaseChatModel:
    """Through langchain's init_chat_model, which knows the other providers and says which package they need."""
    provider = spec.partition(":")[0]
    if find_spec("langchain") is None:
        raise ModelError(f"{spec!r} needs the packages langchain and the one for {provider}; else use {POSSIBLE}")
    init_chat_model = import_module("langchain.chat_models").init_chat_model
    settings: dict[str, Any] = {"temperature": 0, "timeout": TIMEOUT, "max_retries": MAX_RETRIES}
    try:
        made = init_chat_model(spec, **settings, **({"base_url": base_url} if base_url else {}))
    except Exception as error:
        raise ModelError(f"{spec!r} cannot be set up: {type(error).__name__}: {error}") from error
    return cast(BaseChatModel, made)
