"""Records for tests of the command line: what a decision looks like when nothing went wrong."""

from __future__ import annotations

from typing import Any

from scrubjay.stores.records import Action, Decision, Json, Memory, Outcome, Scope, Status, WriteRow

FACT: Json = {
    "n": 1, "id": "f_a_1", "text": "User lives in Porto", "type": "profile", "subject": "user",
    "attributes": ["home city"], "modality": "actual", "valid_from": None, "valid_to": None, "loss": [],
    "sources": [{"message_id": "m1", "quote": "I live in Porto", "at": "2026-02-02T09:00:00+00:00"}],
    "retraction": False,
}  # fmt: skip
GATE: Json = {
    "verdict": "pass", "reason": "new", "surprisal": 0.6, "threshold": 0.05, "neighbour": "m_a_1", "differences": [],
    "folded_into": None,
}  # fmt: skip
BODY: Json = {
    "fact": FACT, "gate": GATE, "candidates": [], "relations": [], "links": [], "problems": [],
    "reason": "no candidate", "memory_id": "m_b_1", "targets": [], "before": None, "after": "User lives in Porto",
    "wording": "fact", "details": {}, "text_problems": [], "strategy": "joint", "detector": "joint",
    "resolver": "rewrite", "threshold": 0.4, "round": 0, "model": "rules", "prompts": ["extract@1"], "error": None,
    "tokens_in": 0, "tokens_out": 0,
}  # fmt: skip


def decision(action: Action = "add", outcome: Outcome = "applied", **body: Any) -> Decision:
    """A clean decision but for what is given of its body."""
    return Decision("d_1", "w_b", 1, "f_b_1", action, outcome, (("m_b_1", "result"),), {**BODY, **body}, "2026-02-02")


def relation(relation: str = "supersedes", said: str = "supersedes", because: str = "") -> Json:
    return {"n": 1, "ref": "m_a_1", "relation": relation, "said": said, "because": because, "reason": "it changed"}


def problem(code: str) -> Json:
    return {"code": code, "text": f"what {code} means", "n": 1}


def memory(
    memory_id: str, *, version: int = 1, status: Status = "active", write_id: str = "w_b", text: str = "x"
) -> Memory:
    return Memory(
        id=memory_id, scope=Scope("ana"), version=version, text=text, status=status, type="profile", subject="user",
        attributes=(), valid_from=None, valid_to=None, recorded_from="", recorded_to=None, created_at="",
        write_id=write_id,
    )  # fmt: skip


def write(write_id: str, *changes: tuple[str, tuple[str, ...]]) -> WriteRow:
    """A write that made or retired these memories: (id, ids retired)."""
    told = [{"memory_id": made, "action": "add", "retired": list(gone)} for made, gone in changes]
    return WriteRow(
        write_id, write_id, Scope("ana"), "default", None, "", "applied", (), {}, {}, (), {"changes": told}, 0
    )
