"""Which embedder the store's vectors are of, kept at first use."""

from __future__ import annotations

import json

from sqlite_utils import Database

from scrubjay.stores.errors import WrongEmbedder
from scrubjay.stores.records import Json
from scrubjay.stores.sqlite.rows import insert, select, to_json


def bound(db: Database) -> Json | None:
    """name, dimension and thresholds; None before the first use."""
    rows = select(db, "SELECT value FROM meta WHERE key = 'embedder'")
    found: Json | None = json.loads(rows[0]["value"]) if rows else None
    return found


def bind(db: Database, name: str, dimension: int, thresholds: Json) -> Json:
    """Keep the embedder, or compare with the one kept, and return the stored thresholds; raises WrongEmbedder."""
    known = bound(db)
    if known is None:
        known = {"name": name, "dimension": dimension, "thresholds": thresholds}
        insert(db, "meta", [{"key": "embedder", "value": to_json(known)}])
    elif (known["name"], known["dimension"]) != (name, dimension):
        raise WrongEmbedder(_label(known["name"], known["dimension"]), _label(name, dimension))
    stored: Json = json.loads(to_json(known["thresholds"]))
    return stored


def _label(name: str, dimension: int) -> str:
    return f"{name} ({dimension} dimensions)"
