"""The command line: registers the commands, and turns errors into one line and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from scrubjay import __version__
from scrubjay.stores.errors import ScrubjayError
from scrubjay.studio.commands.add import add
from scrubjay.studio.commands.as_of import as_of
from scrubjay.studio.commands.demo import demo
from scrubjay.studio.commands.doctor import doctor
from scrubjay.studio.commands.history import history
from scrubjay.studio.commands.list import list_
from scrubjay.studio.commands.redo import redo
from scrubjay.studio.commands.replay import replay
from scrubjay.studio.commands.review import review
from scrubjay.studio.commands.search import search
from scrubjay.studio.commands.show import show
from scrubjay.studio.commands.strategies import strategies
from scrubjay.studio.commands.studio import studio
from scrubjay.studio.commands.undo import undo
from scrubjay.studio.commands.what_if import what_if
from scrubjay.studio.commands.why import why
from scrubjay.studio.screen import note

COMMANDS = (
    demo, add, search, list_, show, history, why, undo, redo, as_of, replay, what_if, review,
    strategies, doctor, studio,
)  # fmt: skip


def name_of(command: Callable[..., None]) -> str:
    """As it is typed: `list_` is list, `as_of` is as-of."""
    return command.__name__.rstrip("_").replace("_", "-")


class Commands(TyperGroup):
    """A group whose expected errors are one line on standard error."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except ScrubjayError as error:
            note(f"error: {error}")
            raise typer.Exit(1) from None


app = typer.Typer(
    name="scrubjay",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Memory whose every write is a graph run that can be read and explained.",
)
for _command in COMMANDS:
    app.command(name=name_of(_command))(_command)
app.command(name="fork", hidden=True)(what_if)  # what LangGraph calls it


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"scrubjay {__version__}")
        raise typer.Exit()


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Memory whose every write is a graph run that can be read and explained.

    Exit codes: 0 fine, 1 the command failed, 2 misuse, 130 stopped by Ctrl-C.
    """


def main() -> None:
    """The entry point; a reader that goes away early ends the command quietly."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that cannot show a character must not end the command
            stream.reconfigure(errors="backslashreplace")
    code = 0
    try:
        app()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(bool(end.code))
    except BrokenPipeError:
        code = 1
    sys.exit(_flushed(code))


def _flushed(code: int) -> int:
    """What is still buffered must not fail at the interpreter's end, where it would be reported."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return code or 1
    return code


if __name__ == "__main__":
    main()
