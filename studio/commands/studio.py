"""scrubjay studio: the graphs behind LangGraph's server, to be stepped through in LangGraph Studio."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrubjay.studio.opening import How, must_be_reachable, writing
from scrubjay.studio.options import (
    STORE,
    USER,
    BaseUrlOption,
    JsonOption,
    ModelOption,
    StoreOption,
    StrategyOption,
    UserOption,
)
from scrubjay.studio.screen import Screen, emit

HostOption = Annotated[str, typer.Option("--host", metavar="HOST", help="Where the server listens.")]
PortOption = Annotated[int, typer.Option("--port", metavar="N", min=1, max=65535, help="Its port.")]
NetworkOption = Annotated[
    bool, typer.Option("--allow-network", help="With another --host: whoever reaches it reads and changes the store.")
]
NoBrowserOption = Annotated[bool, typer.Option("--no-browser", help="Do not open Studio's page in a browser.")]


def studio(
    store: StoreOption = STORE,
    user: UserOption = USER,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    strategy: StrategyOption = "joint",
    host: HostOption = "127.0.0.1",
    port: PortOption = 2024,
    allow_network: NetworkOption = False,
    no_browser: NoBrowserOption = False,
    json: JsonOption = False,
) -> None:
    """Serve the graphs to LangGraph Studio. Runs `langgraph dev` until Ctrl-C; the server needs no network, Studio's
    page does. Needs the extra: pip install "scrubjay[studio]".

    Example: scrubjay studio --store memory.db --no-browser
    """
    from scrubjay.studio.serving import Served, must_be_installed, serve  # noqa: PLC0415  not for every command

    here = str(store.absolute())
    told = {"STORE": here, "USER": user, "MODEL": model, "BASE_URL": base_url, "STRATEGY": strategy}
    served = Served(host, port, told)
    if not served.local and not allow_network:
        raise typer.BadParameter(f"--host {host}: the server asks nobody for a key; add --allow-network if you mean it")
    must_be_installed()
    served.must_be_free()
    can_be_opened(store, How(model=model, base_url=base_url, strategy=strategy))
    if json:
        emit({"api": served.api, "studio": served.page, "graphs": ["write", "recall", "agent"], "store": here})
    else:
        screen = Screen()
        screen.line("API     ", served.api)
        screen.line("Studio  ", served.page)
        screen.line("graphs  ", "write, recall, agent; Ctrl-C ends the server")
    serve(served, browser=not no_browser)


def can_be_opened(store: Path, how: How) -> None:
    """What would fail inside the server is refused here, in one line: no key, or a file that is no store."""
    must_be_reachable(how)
    with writing(store, how):
        pass
