"""Every Python file of the repository, which files it imports, and the layer it belongs to."""

import ast
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).with_name("layers.json")
FOLDERS = [
    "contracts",
    "config",
    "domain",
    "artwork",
    "host",
    "seo_audit",
    "workers",
    "adapters",
    "standins",
    "bench",
    "tests",
]


@cache
def table() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(TABLE.read_text("utf-8"))["python"]
    return loaded


@cache
def sources() -> dict[str, str]:
    """Text of every Python file by its path from the root."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


@cache
def _modules() -> dict[str, str]:
    return {name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): name for name in sources()}


@cache
def imported_names(name: str) -> frozenset[str]:
    """Every module, or name in a module, that a file imports: at the top, inside functions, under TYPE_CHECKING."""
    return frozenset(_imported_names(name))


def _imported_names(name: str) -> Iterator[str]:
    parts = name.removesuffix(".py").split("/")[:-1]
    for node in ast.walk(ast.parse(sources()[name])):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = parts[: len(parts) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


@cache
def imports() -> dict[str, frozenset[str]]:
    """The files of the repository that each file imports."""
    return {name: frozenset(_files_of(name)) - {name} for name in sources()}


def _files_of(name: str) -> Iterator[str]:
    for wanted in imported_names(name):
        file = _modules().get(wanted) or _modules().get(wanted.rpartition(".")[0])
        if file is not None:
            yield file


@cache
def place(name: str) -> str:
    """The path that decides about a file's layer: its own, or for a file that still moves the one it moves to."""
    moves: dict[str, str] = table().get("moves", {})
    if name in moves:
        return moves[name]
    for folder in (f"{parent}/" for parent in PurePosixPath(name).parents):
        if folder in moves:
            return moves[folder] + name.removeprefix(folder)
    return name


def find_cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Groups of nodes that reach each other, sorted (Tarjan's strongly connected components)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            groups.append(sorted(stack[at:]))
            del stack[at:]

    for node in graph:
        if node not in index:
            visit(node)
    return sorted(group for group in groups if len(group) > 1)
