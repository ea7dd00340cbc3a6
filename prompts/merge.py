"""Merge: one text for a memory, made of its facts and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from scrubjay.prompts.request import Request


class MergedText(BaseModel):
    """The text of the memory."""

    model_config = ConfigDict(extra="ignore")

    text: str


@dataclass(frozen=True, kw_only=True)
class MergeRequest(Request[MergedText]):
    """What holds now and what ended; both in the user's language."""

    tag: ClassVar[str] = "merge"
    name: ClassVar[str] = "merge"
    template: ClassVar[str] = ""
    reply_model: ClassVar[type[BaseModel]] = MergedText

    current: tuple[str, ...]
    """facts that hold, newest first"""
    ended: tuple[str, ...] = ()
    """facts that this write ended: at most one clause "previously …" """
    dates: tuple[str, ...] = ()
    """the write's time and the facts' validity: what a date in the text may come from"""
    subject: str = "user"

    def render(self) -> list[tuple[str, str]]:
        raise NotImplementedError

    def check(self, reply: MergedText) -> Sequence[str]:
        raise NotImplementedError
