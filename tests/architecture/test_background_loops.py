"""A loop that runs as long as its process is a BackgroundLoop: a bare task would end silently with its first error."""

import ast
import re
from collections.abc import Iterator

import pytest

from config.settings import ROOT

STARTERS = {"create_task", "ensure_future"}
HELPER = "host/resilience/background_loop.py"


def name_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_endless(function: ast.AsyncFunctionDef) -> bool:
    """Whether a `while True` or `while not …` in it has neither break nor return."""
    return any(
        isinstance(node, ast.While)
        and isinstance(node.test, ast.Constant | ast.UnaryOp)
        and not any(isinstance(inner, ast.Break | ast.Return) for inner in ast.walk(node))
        for node in ast.walk(function)
    )


def endless_functions(trees: list[ast.Module]) -> set[str]:
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef)]
    return {function.name for function in functions if is_endless(function)}


def started(tree: ast.Module) -> Iterator[str]:
    """Names of the functions whose coroutines become tasks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name_of(node.func) in STARTERS:
            yield from (name_of(argument.func) for argument in node.args if isinstance(argument, ast.Call))


def bare_loops(sources: dict[str, str]) -> list[str]:
    # Only files with a loop or a task are parsed.
    wanted = re.compile("|".join(("while", *STARTERS)))
    trees = {name: ast.parse(text) for name, text in sources.items() if wanted.search(text)}
    endless = endless_functions(list(trees.values()))
    return [f"{name}: {function}" for name, tree in trees.items() for function in started(tree) if function in endless]


def test_no_endless_loop_of_the_host_or_the_supervisor_runs_in_a_bare_task():
    sources = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in (ROOT / "host").rglob("*.py")}
    assert [loop for loop in bare_loops(sources) if not loop.startswith(HELPER)] == []


@pytest.mark.parametrize(
    "loop",
    [
        "while True:\n        await step()",
        "while not self.stopping:\n        await step()",
        "while True:\n        try:\n            await step()\n        except OSError:\n            continue",
    ],
)
@pytest.mark.parametrize("start", ["asyncio.create_task(poll())", "loop.create_task(self.poll())"])
def test_a_bare_loop_is_found(loop, start):
    assert bare_loops({"a.py": f"async def poll():\n    {loop}\n\n{start}\n"}) == ["a.py: poll"]


@pytest.mark.parametrize(
    "loop", ["while True:\n        if await step():\n            return", "while queue:\n        await step()"]
)
def test_a_loop_that_ends_may_be_a_task(loop):
    assert bare_loops({"a.py": f"async def send():\n    {loop}\n\nasyncio.create_task(send())\n"}) == []
