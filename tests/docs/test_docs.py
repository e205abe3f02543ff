"""README.md and docs/ agree with the code: settings, commands, dependencies, files, functions, frames."""

import ast
import configparser
import json
import re
from argparse import ArgumentParser
from dataclasses import fields
from functools import lru_cache
from importlib import import_module
from pathlib import Path

import pytest

from config import settings_page
from config.settings import ROOT, Settings, variable
from domain.account.export import EXPORTED
from host.__main__ import COMMANDS, EPILOG, GROUPS, list_commands

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
README = (ROOT / "README.md").read_text("utf-8")
SETTINGS = (ROOT / "docs" / "settings.md").read_text("utf-8")
# Files of the tests that read variables.
OF_TESTS = (ROOT / "tests" / "journeys" / "conftest.py", ROOT / "tests" / "support" / "servers.py")
COMMANDS_PAGE = (ROOT / "docs" / "commands.md").read_text("utf-8")
CONTRACTS = (ROOT / "docs" / "contracts.md").read_text("utf-8")
# Folders whose files come with a build or a run.
GENERATED = ("static/dist/", "ssr/dist/", "var/")
MAX_README_LINES = 180


def section(title: str) -> str:
    match = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    assert match, f"README.md has no section {title}"
    return match[1]


def rows(text: str) -> list[list[str]]:
    """The cells of every table row that begins with code."""
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_the_readme_is_short():
    assert len(README.splitlines()) <= MAX_README_LINES


def test_the_page_of_settings_says_what_they_declare():
    assert settings_page.rewrite(SETTINGS) == SETTINGS, "run scripts/schema"


def test_a_new_setting_gets_its_row_and_a_changed_or_deleted_one_loses_its_own():
    port, host = (settings_page.rows()[name] for name in ("PORT", "HOST"))
    assert f"\n{port}\n{host}\n" in SETTINGS
    for page in (
        SETTINGS.replace(f"{host}\n", ""),
        SETTINGS.replace(host, "| `HOST` | `0.0.0.0` | address |"),
        SETTINGS.replace(port, f"{port}\n| `GONE` | none | nothing |"),
        SETTINGS.replace("`DATABASE_URL`, `REDIS_URL`, ", "`REDIS_URL`, "),
    ):
        assert page != SETTINGS
        assert settings_page.rewrite(page) == SETTINGS


def test_every_variable_that_a_document_names_is_read_somewhere():
    sources = [
        path
        for layer in ("config", "adapters", "host", "workers", "ssr")
        for path in (ROOT / layer).rglob("*.[pt][ys]")
    ]
    text = "".join(
        path.read_text("utf-8") for path in [*sources, ROOT / "docker-compose.yml", ROOT / ".ci" / "run", *OF_TESTS]
    )
    known = {variable(setting.name) for setting in fields(Settings)} | set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", text))
    named = {
        name
        for document in DOCUMENTS
        for name in re.findall(r"`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`", document.read_text("utf-8"))
    }
    assert named - known == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name):
    assert f"python -m host {name}" in COMMANDS_PAGE


def test_the_help_lists_every_command_in_a_group_within_80_columns():
    lines = list_commands().splitlines()
    assert [line.removesuffix(":") for line in lines if line and line[0] != " "] == list(GROUPS)
    assert [line.split()[0] for line in lines if line.startswith("  ")] == list(COMMANDS)
    assert max(map(len, [*lines, *EPILOG.splitlines()])) <= 80
    assert "/metrics" in EPILOG


def test_every_helper_of_dev_is_documented():
    parser = ArgumentParser()
    import_module("host.cli.dev").add_arguments(parser)
    helpers = next(action.choices for action in parser._actions if action.choices)
    assert [name for name in helpers if f"python -m host dev {name}" not in COMMANDS_PAGE] == []


def test_every_documented_command_exists():
    named = {name for text in DOCUMENTS for name in re.findall(r"python -m host (\w[\w-]*)", text.read_text("utf-8"))}
    assert named - set(COMMANDS) == set()


def python_packages() -> set[str]:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    extras = config["options.extras_require"]
    lines = config["options"]["install_requires"] + extras["otel"] + extras["dev"]
    return {re.match(r"[\w.-]+", line)[0] for line in lines.strip().splitlines()}


def node_packages() -> set[str]:
    package = json.loads((ROOT / "package.json").read_text("utf-8"))
    return {*package["dependencies"], *package["devDependencies"]}


def test_every_dependency_is_named_once_with_its_reason():
    table = rows(section("Dependencies"))
    named = [name.strip("`") for cells in table for name in cells[0].split(", ")]
    assert sorted(named) == sorted(python_packages() | node_packages())
    assert [cells[0] for cells in table if len(cells) < 2 or not cells[1]] == []


def files_named(text: str) -> set[str]:
    """Paths in code and in links, with a folder in them or an ending we use; patterns and generated files left out."""
    code = re.findall(r"`([\w@.][\w@./-]*)`", text)
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", text)
    endings = r"\.(?:py|ts|tsx|mjs|cjs|json|md|yml|cfg|css|html|lock)$"
    paths = [name for name in code if name.split("/")[0] in top_folders() or re.search(endings, name)]
    return {name for name in {*paths, *links} if not name.startswith(GENERATED)}


@lru_cache(1)
def top_folders() -> set[str]:
    return {path.name for path in ROOT.iterdir() if path.is_dir()}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_document_names_exists(document):
    named = files_named(document.read_text("utf-8"))
    assert sorted(name for name in named if not ((ROOT / name).exists() or (document.parent / name).exists())) == []


def definitions(path: Path) -> set[str]:
    """Functions, classes and methods (as Class.method) of a module; exported names of a TypeScript file."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        return set(re.findall(r"^export (?:async )?(?:function|const|class) (\w+)", text, re.MULTILINE))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found = [node for node in ast.parse(text).body if isinstance(node, kinds)]
    methods = {
        f"{node.name}.{child.name}"
        for node in found
        for child in ast.iter_child_nodes(node)
        if isinstance(child, kinds)
    }
    return {node.name for node in found} | methods


def test_the_import_order_is_that_of_the_table():
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    order = json.loads((ROOT / "tests" / "architecture" / "layers.json").read_text("utf-8"))["python"]["order"]["host"]
    lines = re.findall(r"^\d+\. ((?:`\w+`(?:, )?)+)$", text, re.MULTILINE)
    documented = [set(re.findall(r"`(\w+)`", line)) for line in lines]
    assert documented == [{name for name in line if name != "__main__"} for line in order]


def test_every_function_of_the_call_paths_exists():
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    named = re.findall(r"`([\w/.]+\.(?:py|tsx?)):([\w.]+)`", text)
    assert len(named) > 30
    assert [f"{path}:{name}" for path, name in named if name not in definitions(ROOT / path)] == []


def frames(direction: str) -> set[str]:
    return set(re.findall(rf"^\| `(\w)` \| {direction} \|", CONTRACTS, re.MULTILINE))


def test_the_frames_of_the_render_protocol_are_those_of_both_sides():
    node = (ROOT / "ssr" / "server.ts").read_text("utf-8")
    files = ("ssr_client.py", "render_job.py")
    host = "".join((ROOT / "host" / "rendering" / file).read_text("utf-8") for file in files)
    received, sent = re.findall(r"type === '(\w)'", node), re.findall(r'frame\(b"(\w)"', host)
    assert frames("host → worker") == set(received) == set(sent)
    accepted = re.search(r'kind not in b"(\w+)"', host)
    assert frames("worker → host") == set(re.findall(r"send\('(\w)'", node)) == set(accepted[1] if accepted else "")


def test_sections_of_the_contracts_that_the_code_names_exist():
    layers = ("contracts", "adapters", "host", "workers", "ssr", "components")
    sources = [path for layer in layers for path in (ROOT / layer).rglob("*") if path.suffix in {".py", ".ts", ".tsx"}]
    cited = {
        name
        for path in sources
        for name in re.findall(r'docs/contracts\.md[^"\n]{0,3}"(\w+)"', path.read_text("utf-8"))
    }
    assert cited - set(re.findall(r"^## (\w+):", CONTRACTS, re.MULTILINE)) == set()


def test_documents_that_the_code_names_exist():
    layers = (
        "contracts",
        "config",
        "domain",
        "adapters",
        "host",
        "workers",
        "ssr",
        "components",
        "bench",
        "standins",
        "scripts",
    )
    sources = [
        path
        for layer in (*layers, "bench", "standins", "scripts")
        for path in (ROOT / layer).rglob("*")
        if path.suffix in {"", ".py", ".ts", ".tsx"}
    ]
    text = "".join(path.read_text("utf-8") for path in sources if path.is_file())
    assert [name for name in set(re.findall(r"docs/[\w/-]+\.md", text)) if not (ROOT / name).exists()] == []


def test_every_decision_says_what_would_change_our_mind():
    parts = ("## Context", "## Decision", "## Consequences", "## What would change our mind")
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    # Numbers are given out before the work begins: one may be merged before its predecessor.
    numbers = [path.name[:4] for path in decisions]
    assert len(set(numbers)) == len(numbers)
    for path in decisions:
        text = path.read_text("utf-8")
        assert text.startswith(f"# {path.name[:4]} "), path.name
        assert [part for part in parts if part not in text] == [], path.name
        assert re.search(r"^\d{4}-\d\d-\d\d · (accepted|superseded by \d{4})", text, re.MULTILINE), path.name


def test_decisions_that_the_code_names_exist():
    layers = ("host", "domain", "adapters", "workers", "tests")
    sources = [path for layer in layers for path in (ROOT / layer).rglob("*.py")]
    named = {number for path in sources for number in re.findall(r"docs/decisions/(\d{4})", path.read_text("utf-8"))}
    existing = {path.name[:4] for path in (ROOT / "docs" / "decisions").glob("*.md")}
    assert named - existing == set()


def test_the_export_of_an_account_is_described_with_all_of_its_tables() -> None:
    [names] = re.findall(r"`GET /api/account/export`: `\{exportedAt, (.+?), visits\}`", CONTRACTS, re.DOTALL)
    assert set(EXPORTED) - set(re.findall(r"\w+", names)) == set()
