"""The cases that come with the package: short conversations whose replies are recorded, so that they run anywhere."""

from __future__ import annotations

from importlib.resources import files

from pydantic import ValidationError

from scrubjay.graph.cases.faults import faults
from scrubjay.graph.cases.format import Case
from scrubjay.stores.errors import InvalidInput, UnknownName

__all__ = ["Case", "case_names", "load_case", "parse_case"]


def case_names() -> list[str]:
    """Names of the shipped cases, sorted; a Chinese version has the name of the English one with "-zh"."""
    names = (entry.name for entry in files(__name__).iterdir())
    return sorted(name.removesuffix(".json") for name in names if name.endswith(".json"))


def load_case(name: str) -> Case:
    """A shipped case; UnknownName lists those that exist."""
    known = case_names()
    if name not in known:
        raise UnknownName("case", name, f"there are {', '.join(known)}")
    return parse_case((files(__name__) / f"{name}.json").read_text(encoding="utf-8"), name)


def parse_case(text: str, source: str = "case") -> Case:
    """A case from the JSON text of a recorded file; InvalidInput names `source` and everything that does not hold."""
    try:
        case = Case.model_validate_json(text)
    except ValidationError as error:
        raise InvalidInput(f"{source} is no recorded case: {error}") from error
    if found := faults(case):
        raise InvalidInput(f"{source} is no consistent case: {'; '.join(found)}")
    return case
