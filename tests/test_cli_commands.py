"""Commands on a small store that `rules` filled: what they print, what they promise to programs, how they refuse."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from scrubjay.graph.deciders.scripted import ScriptedDecider
from scrubjay.graph.memory import Memory
from scrubjay.studio.cli import app

SAID = ("I live in Porto.", "I love rye bread.", "I live in Porto.", "I moved to Bergen.")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ana has moved; her old home is superseded."""
    path = tmp_path_factory.mktemp("cli") / "memory.db"
    with Memory.open(path, checkpoints=False) as memory:
        for sentence in SAID:
            memory.add(sentence, user_id="ana", metadata={"from": "chat"})
    return path


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def run(store: Path, *args: str) -> Result:
    env = {"SCRUBJAY_STORE": str(store), "SCRUBJAY_USER": "ana", "SCRUBJAY_MODEL": "", "COLUMNS": "300"}
    return CliRunner().invoke(app, list(args), env=env)


def document(store: Path, *args: str) -> Any:
    return json.loads(run(store, *args, "--json").stdout)


def ids(store: Path) -> dict[str, str]:
    """What a memory is about → its id; the superseded one by the link to it."""
    found = {m["text"].split()[1]: m for m in document(store, "list")["memories"]}
    old = next(link["memory_id"] for link in found["moved"]["links"] if link["kind"] == "supersedes")
    return {"home": found["moved"]["id"], "bread": found["loves"]["id"], "old home": old}


# -- list, search, show
@pytest.mark.parametrize("command", [["list"], ["search", "home"], ["show", "m_1"], ["why", "m_1"], ["doctor"]])
def test_who_reads_does_not_turn_an_empty_file_into_a_store(command: list[str], empty: Path) -> None:
    empty.touch()
    result = run(empty, *command)
    assert "is empty" in result.output and empty.stat().st_size == 0 and len(list(empty.parent.iterdir())) == 1


def test_list_shows_active_memories_only(store: Path) -> None:
    texts = [m["text"] for m in document(store, "list")["memories"]]
    assert texts == ["User loves rye bread", "User moved to Bergen (previously: User lives in Porto)"]


def test_list_pages_and_says_how_many_there_are(store: Path) -> None:
    page = document(store, "list", "--limit", "1", "--offset", "1")
    assert (len(page["memories"]), page["total"], page["memories"][0]["type"]) == (1, 2, "profile")


def test_list_of_somebody_else_is_empty(store: Path) -> None:
    assert run(store, "list", "--user", "ben").output == "no memories of user ben\n"


def test_list_of_another_agent_is_empty(store: Path) -> None:
    assert document(store, "list", "--agent", "coach")["memories"] == []


def test_search_puts_the_nearest_first(store: Path) -> None:
    hits = document(store, "search", "which bread does she like")["hits"]
    assert hits[0]["memory"]["text"] == "User loves rye bread"


def test_search_keeps_to_the_limit(store: Path) -> None:
    assert len(document(store, "search", "user", "--limit", "1")["hits"]) == 1


def test_show_quotes_where_each_fact_was_said(store: Path) -> None:
    assert '"I moved to Bergen"' in run(store, "show", ids(store)["home"]).output


def test_show_tells_how_a_memory_rests_on_its_facts(store: Path) -> None:
    facts = document(store, "show", ids(store)["home"])["facts"]
    assert [(f["standing"], f["text"]) for f in facts] == [
        ("current", "User moved to Bergen"),
        ("past", "User lives in Porto"),
    ]


def test_an_id_may_be_shortened(store: Path) -> None:
    whole = ids(store)["bread"]
    assert document(store, "show", whole[6:])["id"] == whole


def test_an_id_of_somebody_else_is_refused_for_a_user(store: Path) -> None:
    result = run(store, "show", ids(store)["home"], "--user", "ben")
    assert (result.exit_code, result.stderr.startswith("error: no memory")) == (1, True)


# -- history and why
def test_history_tells_which_facts_ended(store: Path) -> None:
    versions = document(store, "history", ids(store)["old home"])["versions"]
    assert [(v["version"], v["status"], v["standings"]) for v in versions] == [
        (1, "active", [{"text": "User lives in Porto", "before": None, "standing": "current"}]),
        (2, "superseded", [{"text": "User lives in Porto", "before": "current", "standing": "past"}]),
    ]


def test_history_names_what_was_done(store: Path) -> None:
    versions = document(store, "history", ids(store)["old home"])["versions"]
    assert [(v["action"], v["event"]) for v in versions] == [("add", "ADD"), ("replace", "UPDATE")]


def test_why_tells_every_decision_that_considered_a_memory(store: Path) -> None:
    told = document(store, "why", ids(store)["old home"])["decisions"]
    assert [d["fact"]["text"] for d in told] == [
        "User lives in Porto",
        "User loves rye bread",
        "User lives in Porto",
        "User moved to Bergen",
    ]


def test_why_tells_what_the_memory_was_in_each_decision(store: Path) -> None:
    told = document(store, "why", ids(store)["old home"])["decisions"]
    assert [d["parts"][0] for d in told] == ["result", "neighbour", "result", "target"]


def test_why_tells_the_story_from_the_quote_to_the_calls(store: Path) -> None:
    told = run(store, "why", ids(store)["home"]).output
    stages = ["said ", "fact ", "gate ", "candidates", "judge ", "action ", "text ", "calls "]
    places = [told.index(f"   {stage}") for stage in stages]
    assert places == sorted(places)


def test_why_shows_the_text_before_and_after(store: Path) -> None:
    assert (
        "{+User moved to Bergen (previously: +}User lives in Porto{+)+}" in run(store, "why", ids(store)["home"]).output
    )


def test_why_explains_a_write_too(store: Path) -> None:
    write = document(store, "show", ids(store)["bread"])["write_id"]
    told = document(store, "why", write)
    assert (told["kind"], [d["fact"]["text"] for d in told["decisions"]]) == ("write", ["User loves rye bread"])


def test_why_names_no_stage_where_nothing_went_wrong(store: Path) -> None:
    assert "first stage that went wrong" not in run(store, "why", ids(store)["home"]).output


# -- add
def test_add_prints_what_the_store_gained(empty: Path) -> None:
    assert "+ User plays the cello" in run(empty, "add", "I play the cello.").stdout


def test_add_joins_words_that_the_shell_took_apart(empty: Path) -> None:
    assert document(empty, "add", "I", "play", "the", "cello.")["memories"][0]["text"] == "User plays the cello"


def test_add_reads_standard_input(empty: Path) -> None:
    result = CliRunner().invoke(app, ["add", "-", "--store", str(empty), "--json"], input="I play the cello.\n")
    assert [m["text"] for m in json.loads(result.stdout)["memories"]] == ["User plays the cello"]


@pytest.mark.parametrize("command", [["add"], ["demo", "--say"]])
def test_what_rules_cannot_read_is_not_called_worthless(command: list[str], empty: Path) -> None:
    assert "empty: nothing in it that rules can read" in run(empty, *command, "Colourless ideas sleep.").stdout


def test_why_says_so_too(empty: Path) -> None:
    made = document(empty, "add", "Colourless ideas sleep.")
    assert "none (empty): nothing in it that rules can read" in run(empty, "why", made["write_id"]).stdout


def test_add_keeps_metadata_and_conversation(empty: Path) -> None:
    made = document(empty, "add", "I play the cello.", "--metadata", "mood=glad", "--conversation", "c7")
    shown = document(empty, "show", made["memories"][0]["id"])
    assert (shown["metadata"], shown["sources"][0]["conversation_id"]) == ({"mood": "glad"}, "c7")


def test_add_under_the_same_key_gives_the_first_result(empty: Path) -> None:
    first, second = (document(empty, "add", "I play the cello.", "--key", "k1") for _ in range(2))
    assert (first["first"], second["first"], second["write_id"]) == (True, False, first["write_id"])


def test_rules_announces_itself_once_and_beside_the_output(empty: Path) -> None:
    result = run(empty, "add", "I play the cello.", "--json")
    assert (result.stderr.count("rules: a small deterministic model"), "rules:" in result.stdout) == (1, False)


@pytest.fixture
def down(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A model that fails at the first call."""
    broken = ScriptedDecider({"extract": [RuntimeError("connection refused")]})
    monkeypatch.setattr("scrubjay.graph.engine.resolve_model", lambda spec, base_url=None: broken)
    yield


@pytest.mark.usefixtures("down")
def test_a_failed_write_ends_with_one_and_says_where_the_input_is(empty: Path) -> None:
    result = run(empty, "add", "I play the cello.", "--key", "k1", "--model", "openai:down")
    assert (result.exit_code, "connection refused" in result.stderr) == (1, True)
    assert f"the input is kept in {empty}" in result.stderr and "--key k1 finishes it" in result.stderr


@pytest.mark.usefixtures("down")
def test_a_failed_write_is_a_whole_document_too(empty: Path) -> None:
    assert document(empty, "add", "I play the cello.", "--model", "openai:down")["outcome"] == "failed"


def test_the_same_key_finishes_a_failed_write(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as while_down:
        broken = ScriptedDecider({"extract": [RuntimeError("connection refused")]})
        while_down.setattr("scrubjay.graph.engine.resolve_model", lambda spec, base_url=None: broken)
        key = document(empty, "add", "I play the cello.", "--model", "openai:down")["key"]
    finished = document(empty, "add", "I play the cello.", "--key", key)
    assert (finished["outcome"], finished["memories"][0]["text"]) == ("applied", "User plays the cello")


# -- refusals
def test_reading_makes_no_store(empty: Path) -> None:
    result = run(empty, "list")
    assert (result.exit_code, result.stdout, empty.exists()) == (1, "", False)
    assert result.stderr.startswith(f"error: no store at {empty}: `scrubjay add` makes one")


def test_a_file_of_another_program_is_one_line_of_error(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("shopping list, long enough to be looked at\n" * 5)
    result = run(tmp_path / "notes.txt", "list")
    assert (result.exit_code, result.stderr.count("\n"), "is not a Scrubjay store" in result.stderr) == (1, 1, True)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["add", "x", "--strategy", "best"], "choose one of joint, neatmem, signetai, add-only"),
        (["demo", "--dedup-detector", "all"], "choose one of none, pointwise, listwise, listwise_multitarget, joint"),
        (["demo", "--dedup-resolver", "edit"], "choose one of rewrite, replace"),
        (["demo", "--rerank", "cohere"], "the one allowed value is off"),
        (["demo", "--case", "nix"], "choose one of all, breakfast"),
        (["demo", "--no-dedup", "--dedup-detector", "joint"], "leave out --dedup-detector joint"),
        (["add", "x", "--at", "yesterday"], "such as 2026-05-12T10:00+02:00"),
        (["add", "x", "--at", "2026-05-12T10:00"], "append one, such as +00:00"),
        (["add", "x", "--metadata", "mood"], "is not of the form k=v"),
        (["list", "--user", " "], "whose memory this is"),
        (["list", "--user", "ana\ud800"], "half a surrogate pair"),
        (["list", "--agent", "coach\ud800"], "half a surrogate pair"),
        (["show"], "Missing argument 'ID'"),
        (["forgive"], "No such command 'forgive'"),
    ],
)
def test_misuse_ends_with_two_and_says_what_is_allowed(empty: Path, args: list[str], told: str) -> None:
    result = run(empty, *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


def test_an_unknown_model_is_an_error_with_the_possible_ones(empty: Path) -> None:
    result = run(empty, "add", "x", "--model", "openai:any")
    assert (result.exit_code, result.stderr.startswith("error: openai:any needs OPENAI_API_KEY")) == (1, True)


# -- what is printed is harmless
HOSTILE = "I love [bold]rye[/bold] \x1b[31mbread\u202e."


def test_markup_in_a_memory_is_shown_as_it_is(empty: Path) -> None:
    run(empty, "add", HOSTILE)
    assert "[bold]rye[/bold]" in run(empty, "list").output


def test_control_characters_are_shown_not_sent(empty: Path) -> None:
    printed = run(empty, "add", HOSTILE).output + run(empty, "list").output
    assert not set(printed) & set("\x1b\u202e")


def test_a_document_holds_no_bare_control_characters(empty: Path) -> None:
    run(empty, "add", HOSTILE)
    assert not set(run(empty, "list", "--json").stdout) & set("\x1b\u202e")
