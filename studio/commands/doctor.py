"""scrubjay doctor: what works here, what is missing, what is broken."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from scrubjay.studio.options import STORE, BaseUrlOption, JsonOption, ModelOption, StoreOption
from scrubjay.studio.screen import Screen, emit

if TYPE_CHECKING:
    from scrubjay.studio.checks import Finding

STYLES = {"ok": "green", "missing": "yellow", "problem": "bold red"}


def doctor(
    store: StoreOption = STORE, model: ModelOption = None, base_url: BaseUrlOption = None, json: JsonOption = False
) -> None:
    """Check what works here. Python, packages, SQLite, the store and its checkpoints, the embedder, the model; nothing
    is sent anywhere. Ends with 1 when something is broken; missing is not broken.

    Example: scrubjay doctor --store memory.db --model openai:gpt-4o-mini
    """
    screen, found = Screen(), []
    for finding in findings(store, model, base_url):
        found.append(finding)
        if not json:
            screen.line(f"{finding.name:<34}", (f"{finding.state:<9}", STYLES[finding.state]), finding.text, hang=43)
    broken = any(f.state == "problem" for f in found)
    if json:
        rows = [{"name": f.name, "state": f.state, "text": f.text} for f in found]
        emit({"ok": not broken, "findings": rows})
    if broken:
        raise typer.Exit(1)


def findings(store: Path, model: str | None, base_url: str | None) -> Iterator[Finding]:
    from scrubjay.studio import checks  # noqa: PLC0415  package metadata, not for every command

    return chain(
        checks.python(), checks.packages(), checks.full_text(), checks.store(store), checks.checkpoints(store),
        checks.embedder(), checks.model(model, base_url),
    )  # fmt: skip
