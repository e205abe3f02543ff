"""Every Python file of the repository, which files it imports, and the layer it belongs to."""

import ast
import json
import re
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
    return frozenset(".".join(pair) if pair[1] else pair[0] for pair in _statements(name))


@cache
def imported_modules(name: str) -> frozenset[str]:
    """The full name of every module that a file imports, anywhere in it."""
    return frozenset(module for module, _ in _statements(name))


def imported_packages(name: str) -> set[str]:
    return {module.split(".")[0] for module in imported_modules(name)}


@cache
def _statements(name: str) -> frozenset[tuple[str, str]]:
    """(module, imported name) of every import. A file is parsed once: that is what these tests spend their time on."""
    return frozenset(_imports_of(ast.parse(sources()[name]), name.split("/")[:-1]))


def _imports_of(tree: ast.Module, parts: list[str]) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = parts[: len(parts) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((module, alias.name) for alias in node.names)


def code(text: str) -> str:
    """A file's text without docstrings and comments."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = ""
    return ast.unparse(tree)


def finds(pattern: re.Pattern[str], text: str) -> bool:
    """Whether the code of a file has the pattern. Only a text that has it somewhere is parsed."""
    return bool(pattern.search(text) and pattern.search(code(text)))


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
