"""What `scrubjay doctor` looks at. Each check is a function that gives findings and raises nothing."""

from __future__ import annotations

import platform
import re
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal

from scrubjay.stores.errors import ScrubjayError
from scrubjay.stores.records import Json

State = Literal["ok", "missing", "problem"]

OLDEST = (3, 11)
RELATED = ("User moved from Lyon to Ghent", "User lives in Lyon")
UNRELATED = ("User plays the cello on Sundays", "The invoice is due in March")


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. `missing` may be meant so, `problem` is broken."""

    name: str
    state: State
    text: str


def python() -> Iterator[Finding]:
    fine = sys.version_info[:2] >= OLDEST
    wanted = "" if fine else f", {'.'.join(map(str, OLDEST))} or later is needed"
    yield Finding("python", "ok" if fine else "problem", platform.python_version() + wanted)


def packages() -> Iterator[Finding]:
    """Every package that Scrubjay itself asks for, against the version that it asks for."""
    from packaging.requirements import Requirement  # noqa: PLC0415  only here

    try:
        wanted = [Requirement(line) for line in requires("scrubjay") or []]
    except PackageNotFoundError:
        yield Finding("scrubjay", "problem", "runs from a folder, not installed: pip install scrubjay")
        return
    yield Finding("scrubjay", "ok", version("scrubjay"))
    for requirement in wanted:
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield _package(requirement.name, str(requirement.specifier))


def _package(name: str, wanted: str) -> Finding:
    from packaging.specifiers import SpecifierSet  # noqa: PLC0415  as above

    try:
        found = version(name)
    except PackageNotFoundError:
        return Finding(name, "problem", f"not installed: pip install '{name}{wanted}'")
    if not SpecifierSet(wanted).contains(found, prereleases=True):
        return Finding(name, "problem", f"{found}, but {wanted} is needed: pip install '{name}{wanted}'")
    return Finding(name, "ok", found)


def full_text() -> Iterator[Finding]:
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
        yield Finding("sqlite", "ok", f"{sqlite3.sqlite_version} with FTS5")
    except sqlite3.OperationalError as error:
        yield Finding("sqlite", "problem", f"{sqlite3.sqlite_version} without FTS5 ({error}): use another Python build")
    finally:
        connection.close()


def store(path: Path) -> Iterator[Finding]:
    """Opened as any command opens it; a file that is not ours is left untouched."""
    if not path.exists():
        yield Finding("store", "missing", f"{path} does not exist: the first `scrubjay add` makes it")
        return
    if path.is_file() and not path.stat().st_size:
        yield Finding("store", "missing", f"{path} is empty: the first `scrubjay add` makes it a store")
        return
    from scrubjay.stores.sqlite import SqliteStore  # noqa: PLC0415  numpy

    try:
        opened = SqliteStore.open(path)
    except ScrubjayError as error:
        yield Finding("store", "problem", str(error))
        return
    try:
        yield from _contents(path, opened.meta())
    finally:
        opened.close()


def _contents(path: Path, meta: Json) -> Iterator[Finding]:
    yield Finding("store", "ok", f"{path}, {size(path)}, schema version {meta['schema_version']}")
    yield Finding("counts", "ok", ", ".join(f"{name} {count}" for name, count in meta["counts"].items()))
    if meta["embedder"] is None:
        yield Finding("vectors", "missing", "no embedder yet: the first write or search binds one")
        return
    limits = ", ".join(f"{name} {value:g}" for name, value in meta["thresholds"].items())
    yield Finding("vectors", "ok", f"of {meta['embedder']}, {meta['dimension']} dimensions; thresholds: {limits}")


def checkpoints(path: Path) -> Iterator[Finding]:
    beside = Path(f"{path}.checkpoints")
    if beside.exists():
        yield Finding("checkpoints", "ok", f"{beside}, {size(beside)}")
    else:
        yield Finding("checkpoints", "missing", f"{beside} does not exist: the first write makes it")


def size(path: Path) -> str:
    """With the write-ahead log, which may be the larger part."""
    beside = Path(f"{path}-wal")
    total = path.stat().st_size + (beside.stat().st_size if beside.exists() else 0)
    return f"{total / 1000:,.0f} kB" if total < 1_000_000 else f"{total / 1_000_000:,.1f} MB"


def embedder() -> Iterator[Finding]:
    """Loads it and measures: a related pair must lie nearer than an unrelated one."""
    from scrubjay.graph.embedders import resolve_embedder  # noqa: PLC0415  numpy and the weights

    try:
        bound = resolve_embedder()
        a, b, c, d = bound.encode([*RELATED, *UNRELATED])
    except (ScrubjayError, ImportError) as error:
        yield Finding("embedder", "problem", str(error))
        return
    near, far = float(a @ b), float(c @ d)
    told = f"cosine {near:.2f} of a related pair, {far:.2f} of an unrelated one"
    state: State = "ok" if near > far + 0.1 else "problem"
    yield Finding("embedder", state, f"{bound.name}, {bound.dimension} dimensions; {told}")


def model(spec: str | None, base_url: str | None) -> Iterator[Finding]:
    """Set up as a write would set it up; nothing is sent."""
    from scrubjay.graph.models import resolve_model  # noqa: PLC0415  LangChain

    try:
        decider = resolve_model(spec, base_url=base_url)
    except (ScrubjayError, ImportError) as error:
        yield Finding("model", "problem", str(error))
        return
    told = decider.name + ("" if spec not in (None, "rules") else ", needs no key; --model openai:MODEL for a real one")
    yield Finding("model", "ok", told + (f", at {without_login(base_url)}" if base_url else ""))


def without_login(url: str) -> str:
    """A password that stands in an address is nobody's to see."""
    return re.sub(r"//[^/@]*@", "//", url)
