"""Merge: one text for a memory, made of its facts and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel

from scrubjay.prompts.lines import quoted, section
from scrubjay.prompts.merge_check import MergeReport, merge_check, unusable
from scrubjay.prompts.relations import DATA_NOTE
from scrubjay.prompts.request import Request
from scrubjay.prompts.tolerance import REPLY

_TEMPLATE = f"""\
Write the text of one memory from the facts below, and from nothing else.

- All facts under "Holds now" are said, newest first, each detail kept: names, numbers with units, dates, places, \
reasons, every not, never, only, if and until.
- Facts under "Ended" are not true any more. Say them in one clause at the end, "(previously: …)" or （此前：…）, or \
not at all.
- Add nothing: no guess, no date that is not below, no judgement. Say nothing twice.
- One or two plain sentences in the language of the facts, third person, at most 400 characters.

{DATA_NOTE}
Holds now: "User moved to Ghent in May 2026", "User shares a flat in Ghent with Ida". Ended: "User lives in Lyon".
{{"text":"User moved to Ghent in May 2026 and shares a flat there with Ida (previously: lived in Lyon)."}}

Reply with one JSON object of that form.
"""


class MergedText(BaseModel):
    """The text of the memory."""

    model_config = REPLY

    text: str


@dataclass(frozen=True, kw_only=True)
class MergeRequest(Request[MergedText]):
    """What holds now and what ended; both in the user's language."""

    tag: ClassVar[str] = "merge"
    name: ClassVar[str] = "merge"
    template: ClassVar[str] = _TEMPLATE
    reply_model: ClassVar[type[BaseModel]] = MergedText

    current: tuple[str, ...]
    """facts that hold, newest first"""
    ended: tuple[str, ...] = ()
    """facts that this write ended: at most one clause "previously …" """
    dates: tuple[str, ...] = ()
    """the write's time and the facts' validity: what a date in the text may come from"""
    subject: str = "user"

    def render(self) -> list[tuple[str, str]]:
        """The fixed part; then what holds, what ended, and the dates."""
        data = (
            section("Holds now", map(quoted, self.current))
            + section("Ended", map(quoted, self.ended))
            + section("Dates", [quoted(self.dates)] if self.dates else [])
        )
        return [("system", self.template), ("human", data)]

    def check(self, reply: MergedText) -> Sequence[str]:
        """Unusable (blank, far too long); else what it lost and what it invented."""
        useless = unusable(reply.text, (*self.current, *self.ended))
        return [useless] if useless else self.report(reply.text).problems

    def report(self, text: str) -> MergeReport:
        """What a text keeps of the facts: the same check for any text, whoever wrote it."""
        return merge_check(text, current=self.current, ended=self.ended, dates=self.dates, subject=self.subject)
