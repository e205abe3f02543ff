"""Rules of Python's text beside those of its imports; components/architecture.test.ts has those of TypeScript."""

import re
from collections import defaultdict
from pathlib import Path

from tests.architecture import sources as python
from tests.architecture.sources import code, finds

LAYERS = ("contracts", "config", "domain", "adapters", "artwork", "host", "workers", "standins", "seo_audit")
# Files that print; all others log.
PRINTING = ("host/__main__.py", "host/cli/", "host/supervisor/supervisor.py", "host/supervisor/child_process.py")
# A longer file becomes a folder of the same name.
MAX_FILE_LINES = 400
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


PRINTS = re.compile(r"(?<![\w.])print\(")


def sources() -> dict[str, str]:
    """Text of every file of the product by its path."""
    return {name: text for name, text in python.sources().items() if name.startswith(tuple(f"{at}/" for at in LAYERS))}


def of_folder(folder: str) -> dict[str, str]:
    return {name: text for name, text in sources().items() if name.startswith(f"{folder}/")}


GENERIC_NAMES = {
    *("utils", "util", "helpers", "common", "misc"),
    # They say what is done with something, not with what.
    *("rows", "reading", "ending", "results", "in_area"),
}
PUBLIC_CLASS = re.compile(r"^class ([A-Z]\w*)", re.MULTILINE)
HANDED_ON = re.compile(r"^(?:from|import) ", re.MULTILINE)


def test_source_files_are_found():
    assert all(len(of_folder(layer)) > 1 for layer in LAYERS)


def test_the_domain_reads_neither_the_clock_nor_the_environment():
    reads = re.compile(r"datetime\.now|date\.today|utcnow|time\.time\(|os\.environ|getenv")
    assert [name for name, text in of_folder("domain").items() if finds(reads, text)] == []


def test_of_the_domain_the_database_alone_waits_on_the_loop_before_a_repeat():
    waits = re.compile(r"\basyncio\.sleep")
    found = [name for name, text in of_folder("domain").items() if finds(waits, text)]
    assert found == ["domain/database/database.py"]


def test_wire_names_are_used_only_by_translators():
    outside = {name: text for name, text in sources().items() if not name.startswith(TRANSLATORS)}
    assert [name for name, text in outside.items() if finds(WIRE_NAMES, text)] == []


def test_only_the_audit_uses_its_tables():
    outside = {name: text for name, text in sources().items() if not name.startswith(AUDIT_USERS)}
    assert [name for name, text in outside.items() if finds(AUDIT_TABLES, text)] == []


def test_no_event_of_the_audit_is_changed_or_deleted():
    statements = [change for text in of_folder("domain/audit").values() for change in CHANGES.findall(code(text))]
    # The end of the chain alone moves.
    assert statements == ["update(CHAIN)"]


def test_no_file_has_a_generic_name():
    assert [name for name in sources() if Path(name).stem in GENERIC_NAMES] == []


def test_a_class_has_a_name_of_its_own_in_its_layer():
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, text in sources().items():
        layer = name.split("/")[0]
        if layer not in {"tests", "bench"}:
            for found in PUBLIC_CLASS.findall(text):
                places[layer, found].append(name)
    assert {key: names for key, names in places.items() if len(names) > 1} == {}


def test_a_package_of_the_domain_hands_no_names_on():
    """A name is imported from the module that defines it. The tables are the one exception: all of them make one
    schema."""
    texts = {name: text for name, text in of_folder("domain").items() if name.endswith("/__init__.py")}
    handed_on = [name for name, text in texts.items() if HANDED_ON.search(text)]
    assert handed_on == ["domain/tables/__init__.py"]


def test_only_commands_and_the_supervisor_print():
    outside = {name: text for name, text in sources().items() if not name.startswith(PRINTING)}
    assert [name for name, text in outside.items() if finds(PRINTS, text)] == []


def test_a_suppressed_check_names_its_rule_and_its_reason():
    allowed = re.compile(r"# (?:type: ignore\[[\w-]+\] #|noqa: [A-Z]+\d+) \w.*")
    suppressed = re.compile(r"#\s*(?:type:\s*ignore|noqa).*")
    assert [
        (name, comment)
        for name, text in python.sources().items()
        for comment in suppressed.findall(text)
        if not allowed.fullmatch(comment)
    ] == []


def test_no_file_exceeds_400_lines():
    lengths = {name: text.count("\n") for name, text in sources().items()}
    assert {name: length for name, length in lengths.items() if length > MAX_FILE_LINES} == {}


# Numbers, percentages and days in a form of Python's own: the shop's locale has another one.
OWN_FORMS = re.compile(r"\{[^{}\n]*:(?:[^{}\s'\"]*,|\.\d+[f%]|%[A-Za-z][^{}\n]*)\}|strftime")
# What programs read: file names, XML, SQL, SVG, ids, values of calls. Commands print for whoever runs them.
FOR_PROGRAMS = {
    "domain/backups/copies.py",
    "domain/cart/coupon_checks.py",
    "domain/database/engines.py",
    "domain/log_import/classes.py",
    "domain/payments/reconciliation.py",
    "domain/reports/organisation_report.py",
    "domain/visits/batches.py",
    "domain/visits/product_visits.py",
    "host/csv_handler.py",
    "host/documents/certificates/credentials.py",
    "host/documents/certificates/status_list.py",
    "host/identity/account/our_records.py",
    "host/images/social_card_svg.py",
    "host/loaders/operations/health_charts.py",
    "host/loaders/support/learner.py",
    "host/seo/sitemap_xml.py",
}


def test_numbers_and_days_of_texts_are_written_by_the_locale():
    layers = tuple(f"{layer}/" for layer in ("domain", "host", "workers", "adapters"))
    plain = ("host/cli/", "domain/migrations/", "domain/seed/")
    shown = {name: text for name, text in sources().items() if name.startswith(layers) and not name.startswith(plain)}
    assert {name for name, text in shown.items() if finds(OWN_FORMS, text)} == FOR_PROGRAMS
