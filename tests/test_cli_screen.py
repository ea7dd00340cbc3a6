"""What is printed: colour only where it is seen, whole lines for pipes, nothing that commands a terminal."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.studio.screen import Screen, emit, harmless

OLD, NEW = "User likes green tea", "User likes black tea"


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """No terminal, no wish for colour; tests set what they are about."""
    for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    return monkeypatch


def printed(capsys: pytest.CaptureFixture[str], text: str = "", indent: int = 0, hang: int = 0) -> str:
    shown = Screen()
    shown.line(text or shown.changed(OLD, NEW), indent=indent, hang=hang)
    return capsys.readouterr().out


def test_a_pipe_gets_marks_and_no_colour(screen: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys) == "User likes [-green-]{+black+} tea\n"


def test_a_terminal_gets_colours_and_no_marks(screen: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    screen.setenv("FORCE_COLOR", "1")
    assert printed(capsys) == "User likes \x1b[9;31mgreen\x1b[0m\x1b[32mblack\x1b[0m tea\n"


def test_no_color_means_marks_in_a_terminal_too(screen: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    screen.setenv("FORCE_COLOR", "1")
    screen.setenv("NO_COLOR", "1")
    assert printed(capsys) == "User likes [-green-]{+black+} tea\n"


def test_a_pipe_gets_long_lines_whole(screen: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "word " * 500).count("\n") == 1


def test_a_narrow_screen_hangs_what_goes_on(screen: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    screen.setenv("COLUMNS", "30")
    assert printed(capsys, "said  one two three four five six seven", indent=2, hang=6) == (
        "  said  one two three four\n        five six seven\n"
    )


@settings(derandomize=True, deadline=None)
@given(st.text())
def test_no_text_commands_a_terminal(text: str) -> None:
    assert not set(harmless(text)) & set("\x00\x07\x08\x1b\x7f\x9b\r\n\u2028\u202e\ud800")


def test_harmless_keeps_what_can_be_read() -> None:
    assert harmless("用户 likes «tea» [b]") == "用户 likes «tea» [b]"


def test_a_document_is_read_back_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    told = {"text": "a\x1b[31m\u202e\x9b\n用户\ud800"}
    emit(told)
    shown = capsys.readouterr().out
    assert (json.loads(shown), set(shown) & set("\x1b\u202e\x9b")) == (told, set())
