"""The arrows of the README's map, for Python; components/architecture.test.ts is the twin for TypeScript."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from host.settings import ROOT

ROOMS = ("host", "domain", "workers", "standins")
# What each room may take from the others, and which packages it may not know.
MAY_USE = {"host": {"host", "domain"}, "domain": {"domain"}, "workers": {"workers", "domain"}, "standins": {"standins"}}
PACKAGES_OF_DOMAIN = {"sqlalchemy", "alembic"}
FOREIGN_TO_WORKERS = {"aiohttp", "aiohttp_jinja2", "jinja2", "pydantic"}
# Those that Celery and Redis stand behind; everything else speaks to host/dispatch.py.
AT_THE_QUEUE = {"host/broker.py"}
AT_REDIS = {"host/broker.py", "host/health.py", "host/limits.py", "host/replies.py"}
# They speak to a terminal; everything else logs.
AT_THE_TERMINAL = ("host/__main__.py", "host/commands/", "host/supervisor.py", "host/children.py")
# A file that outgrows it becomes a folder of the same name.
LONGEST_FILE = 350
# They translate between the specification's words and ours.
TRANSLATORS = ("host/calls/", "host/commands/dev.py", "host/doorways.py", "host/identity/user_info.py")
WIRE_NAMES = re.compile(r"\b(?:AAUserID|Stunum|SpecialCouponID|LoginEmail|checkflag|DiscountPrice|orderDiscount\w*)\b")


@lru_cache(1)
def sources() -> dict[str, str]:
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    return {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in paths}


def of(room: str) -> list[str]:
    return [name for name in sources() if name.startswith(f"{room}/")]


def imports(name: str) -> Iterator[str]:
    """Every module a file asks for, wherever in it, with its full name."""
    package = name.removesuffix(".py").removesuffix("/__init__").split("/")
    inside = package if name.endswith("__init__.py") else package[:-1]
    for node in ast.walk(ast.parse(sources()[name])):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = inside[: len(inside) - node.level + 1] if node.level else []
            yield ".".join([*above, node.module] if node.module else above)


def packages(name: str) -> set[str]:
    return {module.split(".")[0] for module in imports(name)}


def code(name: str) -> str:
    """Without docstrings and comments: words about a thing are not the thing."""
    tree = ast.parse(sources()[name])
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = ""
    return ast.unparse(tree)


def prints(name: str) -> bool:
    calls = (node.func for node in ast.walk(ast.parse(sources()[name])) if isinstance(node, ast.Call))
    return any(isinstance(called, ast.Name) and called.id == "print" for called in calls)


def test_there_is_something_to_look_at():
    assert all(len(of(room)) > 3 for room in ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_use_only_what_is_below_them(room):
    wrong = {name: packages(name) & (set(ROOMS) | {"standins", "tests", "bench"}) - MAY_USE[room] for name in of(room)}
    assert {name: found for name, found in wrong.items() if found} == {}


def test_the_domain_knows_the_standard_library_the_records_and_itself():
    known = PACKAGES_OF_DOMAIN | {"domain"} | set(sys.stdlib_module_names)
    wrong = {name: packages(name) - known for name in of("domain")}
    assert {name: found for name, found in wrong.items() if found} == {}


def test_the_domain_asks_neither_the_clock_nor_the_environment():
    asks = re.compile(r"datetime\.now|date\.today|utcnow|time\.time\(|os\.environ|getenv|\basyncio\.sleep")
    assert [name for name in of("domain") if asks.search(code(name))] == []


def test_workers_know_no_web():
    assert [name for name in of("workers") if packages(name) & FOREIGN_TO_WORKERS] == []


def test_the_queue_is_behind_one_door():
    assert {name for name in of("host") if packages(name) & {"celery", "kombu"}} == AT_THE_QUEUE
    assert {name for name in of("host") if "redis" in packages(name)} == AT_REDIS


def test_only_the_application_joins_everything():
    users = {name for name in of("host") if "host.app" in imports(name)}
    assert users == {"host/web.py"}


def test_wire_names_stop_at_the_calls():
    outside = [name for name in sources() if not name.startswith(TRANSLATORS)]
    assert [name for name in outside if WIRE_NAMES.search(code(name))] == []


def test_files_are_named_for_what_they_hold():
    assert [name for name in sources() if Path(name).stem in {"utils", "util", "helpers", "common", "misc"}] == []


def test_only_migrations_know_alembic():
    outside = [name for name in of("domain") if not name.startswith("domain/migrations/")]
    assert [name for name in outside if "alembic" in packages(name)] == []


def test_only_commands_and_the_supervisor_print():
    outside = [name for name in sources() if not name.startswith(AT_THE_TERMINAL)]
    assert [name for name in outside if prints(name)] == []


def test_what_the_type_checker_may_overlook_is_named():
    bare = re.compile(r"#\s*type:\s*ignore(?!\[)|#\s*noqa(?!:)")
    assert [name for name, text in sources().items() if bare.search(text)] == []


def test_no_file_outgrows_a_reader():
    lengths = {name: text.count("\n") for name, text in sources().items()}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}
