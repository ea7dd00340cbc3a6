"""The JSON schema of a reply as strict structured output wants it: every key required, no others, no defaults."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


def strict_schema(reply_model: type[BaseModel]) -> dict[str, Any]:
    """The model's schema, titled with its name; descriptions and titles of fields are left out, they cost tokens."""
    schema = reply_model.model_json_schema()
    strict: dict[str, Any] = _strict(schema) | {"title": reply_model.__name__, "description": reply_model.__name__}
    if "$defs" in schema:
        strict["$defs"] = {name: _strict(definition) for name, definition in schema["$defs"].items()}
    return strict


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {
        key: _strict(value) for key, value in node.items() if key not in ("title", "description", "default", "$defs")
    }
    if "properties" in node:
        fields = {name: _strict(field) for name, field in node["properties"].items()}
        kept |= {"properties": fields, "required": list(fields), "additionalProperties": False}
    return kept
