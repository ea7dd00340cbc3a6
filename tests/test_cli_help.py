"""Every command explains itself with an example, and can speak to programs."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

from scrubjay import __version__
from scrubjay.nodes.settings import DETECTORS, RESOLVERS
from scrubjay.studio import options
from scrubjay.studio.cli import COMMANDS, app, name_of

NAMES = [name_of(command) for command in COMMANDS]


def shown(*args: str) -> str:
    return CliRunner().invoke(app, list(args), env={"COLUMNS": "120"}).output


@pytest.mark.parametrize("name", NAMES)
def test_a_command_says_what_it_does_and_gives_an_example(name: str) -> None:
    assert re.search(rf"Usage: .* {name} .*\n\n  \w.*\n(?:.*\n)*  Example: scrubjay {name}\b", shown(name, "--help"))


@pytest.mark.parametrize("name", NAMES)
def test_a_command_speaks_json(name: str) -> None:
    assert re.search(r"--json +One JSON document on standard output", shown(name, "--help"))


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_a_command_that_parses(name: str) -> None:
    example = re.search(rf"Example: scrubjay {name}((?:.*\n)+?)\n", shown(name, "--help"))
    assert example
    given = set(re.findall(r"--[a-z-]+", example[1]))
    assert given <= set(re.findall(r"^  (--[a-z-]+)", shown(name, "--help"), re.MULTILINE))


def test_the_overview_lists_every_command() -> None:
    listed = re.findall(r"^  ([a-z-]+)  ", shown("--help").partition("Commands:")[2], re.MULTILINE)
    assert listed == NAMES


def test_the_help_names_the_detectors_and_resolvers_that_exist() -> None:
    named = re.split(r", | or ", options.DETECTORS), re.split(r" or ", options.RESOLVERS)
    assert named == (list(DETECTORS), list(RESOLVERS))


def test_the_overview_promises_no_command_that_does_not_exist() -> None:
    assert not re.search(r"\b(forget|forgotten)\b", shown("--help"))


def test_the_version_is_the_packages() -> None:
    assert shown("--version") == f"scrubjay {__version__}\n"
