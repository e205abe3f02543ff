"""The README and docs/ say what is there: settings, commands, dependencies, files, frames."""

import configparser
import json
import re
from argparse import ArgumentParser
from dataclasses import Field, fields
from functools import lru_cache
from importlib import import_module
from pathlib import Path

import pytest

from host.__main__ import COMMANDS
from host.settings import ROOT, Settings, variable

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
README = (ROOT / "README.md").read_text("utf-8")
WIRE = (ROOT / "docs" / "wire.md").read_text("utf-8")
# Folders whose files come with a build or a run.
MADE = ("static/dist/", "ssr/dist/", "var/")


def section(title: str) -> str:
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    assert found, f"README.md has no section {title}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """The cells of every table row that begins with code."""
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


@lru_cache(1)
def settings_table() -> dict[str, str]:
    return {cells[0].strip("`"): cells[1] for cells in rows(section("Settings"))}


def shown_default(one: Field) -> str | None:
    """How the table writes a default; None where it says in words what an absent value means."""
    value = one.default
    if value in ("", ()):
        return None
    if isinstance(value, bool):
        return "`on`" if value else "`off`"
    if isinstance(value, Path):
        return f"`{value.relative_to(ROOT)}`"
    return f"`{value}`"


@pytest.mark.parametrize("one", fields(Settings), ids=lambda one: variable(one.name))
def test_every_setting_stands_in_the_table_with_its_default(one):
    default = settings_table().get(variable(one.name))
    expected = shown_default(one)
    assert default == expected if expected is not None else default and not default.startswith("`")


def test_every_documented_setting_exists():
    assert set(settings_table()) == {variable(one.name) for one in fields(Settings)}


def test_every_variable_that_a_document_names_is_read_somewhere():
    sources = [*ROOT.glob("host/**/*.py"), *ROOT.glob("workers/*.py"), *ROOT.glob("ssr/*.ts")]
    text = "".join(path.read_text("utf-8") for path in [*sources, ROOT / "docker-compose.yml", ROOT / ".ci" / "run"])
    known = {variable(one.name) for one in fields(Settings)} | set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", text))
    named = {
        name
        for document in DOCUMENTS
        for name in re.findall(r"`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`", document.read_text("utf-8"))
    }
    assert named - known == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name):
    assert f"python -m host {name}" in section("Commands")


def test_every_helper_of_dev_is_documented():
    parser = ArgumentParser()
    import_module("host.commands.dev").add_arguments(parser)
    helpers = next(action.choices for action in parser._actions if action.choices)
    assert [name for name in helpers if f"python -m host dev {name}" not in section("Commands")] == []


def test_every_documented_command_exists():
    named = {name for text in DOCUMENTS for name in re.findall(r"python -m host (\w[\w-]*)", text.read_text("utf-8"))}
    assert named - set(COMMANDS) == set()


def python_packages() -> set[str]:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    lines = config["options"]["install_requires"] + config["options.extras_require"]["dev"]
    return {re.match(r"[\w.-]+", line)[0] for line in lines.strip().splitlines()}


def node_packages() -> set[str]:
    package = json.loads((ROOT / "package.json").read_text("utf-8"))
    return {*package["dependencies"], *package["devDependencies"]}


def test_every_dependency_is_named_once_with_its_reason():
    table = rows(section("Dependencies"))
    assert sorted(cells[0].strip("`") for cells in table) == sorted(python_packages() | node_packages())
    assert [cells[0] for cells in table if len(cells) < 2 or not cells[1]] == []


def files_named(text: str) -> set[str]:
    """Paths in code and in links, with a folder in them or an ending we use; patterns and made files left out."""
    code = re.findall(r"`([\w@.][\w@./-]*)`", text)
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", text)
    endings = r"\.(?:py|ts|tsx|mjs|cjs|json|md|yml|cfg|css|html|lock)$"
    paths = [one for one in code if one.split("/")[0] in rooms() or re.search(endings, one)]
    return {one for one in {*paths, *links} if not one.startswith(MADE)}


@lru_cache(1)
def rooms() -> set[str]:
    return {path.name for path in ROOT.iterdir() if path.is_dir()}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_document_names_exists(document):
    named = files_named(document.read_text("utf-8"))
    assert sorted(one for one in named if not ((ROOT / one).exists() or (document.parent / one).exists())) == []


def frames(direction: str) -> set[str]:
    return set(re.findall(rf"^\| `(\w)` \| {direction} \|", WIRE, re.MULTILINE))


def test_the_frames_of_the_render_protocol_are_those_of_both_sides():
    node = (ROOT / "ssr" / "server.ts").read_text("utf-8")
    host = (ROOT / "host" / "render.py").read_text("utf-8")
    taken, sent = re.findall(r"type === '(\w)'", node), re.findall(r'frame\(b"(\w)"', host)
    assert frames("host → worker") == set(taken) == set(sent)
    accepted = re.search(r'kind not in b"(\w+)"', host)
    assert frames("worker → host") == set(re.findall(r"send\('(\w)'", node)) == set(accepted[1] if accepted else "")


def test_sections_of_the_promises_that_the_code_names_exist():
    rooms_of_code = ("host", "workers", "ssr", "components")
    sources = [
        path for room in rooms_of_code for path in (ROOT / room).rglob("*") if path.suffix in {".py", ".ts", ".tsx"}
    ]
    cited = {
        name for path in sources for name in re.findall(r'docs/wire\.md[^"\n]{0,3}"(\w+)"', path.read_text("utf-8"))
    }
    assert cited - set(re.findall(r"^## (\w+):", WIRE, re.MULTILINE)) == set()


def test_every_decision_says_what_would_change_our_mind():
    parts = ("## Context", "## Decision", "## Consequences", "## What would change our mind")
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    assert [path.name[:4] for path in decisions] == [f"{number:04}" for number in range(1, len(decisions) + 1)]
    for path in decisions:
        text = path.read_text("utf-8")
        assert text.startswith(f"# {path.name[:4]} "), path.name
        assert [part for part in parts if part not in text] == [], path.name
        assert re.search(r"^\d{4}-\d\d-\d\d · (accepted|superseded by \d{4})", text, re.MULTILINE), path.name


def test_decisions_that_the_code_names_exist():
    sources = [path for room in ("host", "domain", "workers", "tests") for path in (ROOT / room).rglob("*.py")]
    named = {number for path in sources for number in re.findall(r"docs/decisions/(\d{4})", path.read_text("utf-8"))}
    there = {path.name[:4] for path in (ROOT / "docs" / "decisions").glob("*.md")}
    assert named - there == set()
