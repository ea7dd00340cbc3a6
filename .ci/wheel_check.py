"""Build the wheel, compare its files with the tree, install it into an empty environment, run the demo from there."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = {".py", ".json", ".typed", ".html", ".css", ".js"}


def expected() -> set[str]:
    """Every file of every folder that the package map names, by its name in the wheel."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    folders = {package: ROOT / folder for package, folder in tool["package-dir"].items()}
    named = set(tool["packages"])
    found: set[str] = set()
    for package, folder in folders.items():
        for path in folder.rglob("*"):
            if path.suffix in SHIPPED and "_root" not in path.relative_to(folder).parts:
                found.add("/".join([*package.split("."), *path.relative_to(folder).parts]))
        missing = {
            ".".join([package, *path.parent.relative_to(folder).parts])
            for path in folder.rglob("__init__.py")
            if "_root" not in path.relative_to(folder).parts
        } - named
        if missing:
            raise SystemExit(f"pyproject.toml does not list {', '.join(sorted(missing))}")
    return found


def run(*command: str, cwd: str) -> None:
    print("$", " ".join(command), flush=True)
    subprocess.run(command, check=True, cwd=cwd)


def compare(wheel: Path) -> None:
    """Raises SystemExit when a file is missing from the wheel, or stands in it without being in the tree."""
    inside = {n for n in zipfile.ZipFile(wheel).namelist() if not n.split("/")[0].endswith(".dist-info")}
    wanted = expected()
    if inside != wanted:
        missing, extra = sorted(wanted - inside), sorted(inside - wanted)
        raise SystemExit(f"the wheel differs from the tree: missing {missing}, extra {extra}")
    print(f"{len(inside)} files in the wheel, as in the tree")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "build", "--wheel", "--outdir", f"{folder}/dist", str(ROOT), cwd=folder)
        (wheel,) = Path(folder, "dist").glob("*.whl")
        compare(wheel)
        run(sys.executable, "-m", "venv", f"{folder}/empty", cwd=folder)
        run(f"{folder}/empty/bin/python", "-m", "pip", "install", "--quiet", str(wheel), cwd=folder)
        said = ["--say", "I live in Utrecht.", "--say", "I moved to Ghent last month."]
        run(f"{folder}/empty/bin/scrubjay", "demo", *said, cwd=folder)


if __name__ == "__main__":
    main()
