"""scrubjay strategies: the presets side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrubjay.stores.records import Json
from scrubjay.studio.costs import Calls, calls_of, candidates_of, loses
from scrubjay.studio.options import JsonOption
from scrubjay.studio.screen import Screen, emit

if TYPE_CHECKING:
    from scrubjay.nodes.settings import Strategy


def strategies(json: JsonOption = False) -> None:
    """Compare the presets. How relations are judged, how a hit is handled, what a write costs, what is lost.

    Example: scrubjay strategies --json
    """
    from scrubjay.graph.strategies import DEFAULT, STRATEGIES  # noqa: PLC0415  pydantic, not for --help

    rows = [strategy_json(name, preset, default=name == DEFAULT) for name, preset in STRATEGIES.items()]
    if json:
        emit({"strategies": rows})
        return
    screen = Screen()
    screen.table(
        ["name", "detector", "resolver", "candidates", "calls: 1 fact", "4 facts"],
        [(name, *figures(preset)) for name, preset in STRATEGIES.items()],
    )
    for name, preset in STRATEGIES.items():
        screen.blank()
        tell(screen, name, preset, default=name == DEFAULT)


def figures(preset: Strategy) -> list[str]:
    calls = [str(calls_of(preset, facts)) for facts in (1, 4)]
    return [preset.detector, preset.resolver, candidates_of(preset), *calls]


def tell(screen: Screen, name: str, preset: Strategy, *, default: bool) -> None:
    if name != preset.name:
        screen.line((name, "bold"), f"  another name of {preset.name}")
        return
    screen.line((name, "bold"), ("  the default" if default else "", "dim"), f"  {preset.origin}")
    screen.line(("loses    ", "dim"), loses(preset), indent=2, hang=9)
    screen.line(("differs  ", "dim"), preset.differs, indent=2, hang=9)


def strategy_json(name: str, preset: Strategy, *, default: bool) -> Json:
    return {
        "name": name, "same_as": preset.name if preset.name != name else None, "default": default,
        "detector": preset.detector, "resolver": preset.resolver, "k": preset.k, "threshold": preset.threshold,
        "extras": preset.extras,
        "calls": {"one_fact": span(calls_of(preset, 1)), "four_facts": span(calls_of(preset, 4))},
        "loses": loses(preset), "origin": preset.origin, "differs": preset.differs,
    }  # fmt: skip


def span(calls: Calls) -> Json:
    return {"usual": calls.usual, "most": calls.most}
