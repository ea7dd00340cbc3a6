"""What stands over a session and under it: who answers, which settings differ, what is real, where it is kept."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from scrubjay.studio.documents import added_up, calls_line
from scrubjay.studio.opening import How
from scrubjay.studio.options import STORE
from scrubjay.studio.screen import Screen
from scrubjay.studio.sessions import Session
from scrubjay.studio.telling import headline, tell_memories

USUAL = "joint"
"""the strategy that the text of a case speaks of"""
REAL = "gate, search, checks and store are real"
WRITTEN = f"Recorded cases: the replies are written by us, as a good model would give them, none was measured; {REAL}."
INVITE = (
    ('demo --say "I live in Porto." --say "I moved to Bergen."', "your own sentences, nothing is kept"),
    ("demo --case move --strategy signetai", "a case under another strategy"),
    ('add "I moved to Bergen."', "remember it, in {store}"),
    ("why ID", "the whole story of a memory in {store}"),
)
"""(arguments, what they do); what speaks of a store takes --store"""


def overrides(how: How) -> list[str]:
    """What was set beside the strategy, by the names that it has in the options."""
    threshold = None if how.threshold is None else f"{how.threshold:g}"
    settings = {"detector": how.detector, "resolver": how.resolver, "threshold": threshold, "top-k": how.top_k}
    return [f"{name} {value}" for name, value in settings.items() if value is not None]


def as_usual(session: Session, how: How) -> bool:
    """Whether a case ends as its own text says: any other setting, or another model, may end it otherwise."""
    return session.recorded and how.strategy == USUAL and not overrides(how)


def model_name(how: How) -> str:
    if how.by_rules:
        return "rules"
    return how.model if isinstance(how.model, str) else str(how.model.name)


def introduce(screen: Screen, session: Session, how: How) -> None:
    settings = ", ".join([f"strategy {how.strategy}", *overrides(how)])
    answers = "recorded replies" if session.recorded else f"model {model_name(how)}; {REAL}"
    screen.line((f"{session.name}: {session.title}", "bold"))
    screen.line((f"{settings}; {answers}", "dim"))
    if session.note and as_usual(session, how):
        screen.line((session.note, "dim"))


def conclude(screen: Screen, session: Session, store: Path | None) -> None:
    screen.line(("memories", "bold"))
    tell_memories(screen, session.memories)
    screen.line(("model calls ", "bold"), calls_line(session.calls))
    if store is not None:
        screen.line(("kept ", "bold"), f"in {store}: {list_command(session, store)}")
    screen.blank()


def list_command(session: Session, store: Path) -> str:
    """The one that finds what this session left: a case has an agent of its own."""
    scope = session.scope
    agent = ["--agent", scope.agent_id] if scope.agent_id else []
    return shlex.join([program(), "list", "--store", str(store), "--user", scope.user_id, *agent])


def invite(screen: Screen, sessions: Sequence[Session], store: Path | None) -> None:
    """The last words of the whole show."""
    writes = [told for session in sessions for told in session.told]
    done = counted(headline(d) for told in writes for d in told.result.decisions)
    screen.line(("in all: ", "bold"), f"{len(sessions)} sessions, {len(writes)} writes; {done}")
    screen.line(("model calls ", "bold"), calls_line(added_up(session.calls for session in sessions)))
    screen.line(("your turn", "bold"))
    where = f" --store {shlex.quote(str(store))}" if store else ""
    commands = [f"{program()} {arguments}{where if '{store}' in does else ''}" for arguments, does in INVITE]
    width = max(map(len, commands)) + 2
    for command, (_, does) in zip(commands, INVITE, strict=True):
        screen.line(f"{command:<{width}}", (does.replace("{store}", str(store or STORE)), "dim"), indent=2)


def counted(names: Iterable[str]) -> str:
    """ "add 3, replace 1", the most frequent first"""
    found = added_up({name: 1} for name in names)
    return ", ".join(f"{name} {count}" for name, count in sorted(found.items(), key=lambda item: -item[1]))


def program() -> str:
    """As the shell of the reader finds it: `make demo` runs one that stands on no PATH."""
    here = sys.argv[0]
    return here if Path(here).name == "scrubjay" and shutil.which("scrubjay") is None else "scrubjay"
