"""Names of people, products and places go into a sentence through `isolated` of their language: without it a name that
is read from the right draws the digits and signs beside it to its other side. A name that ends its sentence needs none,
nor does a label that is only read aloud."""

import ast
import re
from collections.abc import Iterator

from config.settings import ROOT
from tests.architecture.sources import sources

NAMES = "name|title|author|giver|holder|recipient|organisation|zone|service|lesson|query"
IS_NAME = re.compile(rf"(?:.*_)?(?:{NAMES})")
WORDS_AFTER = re.compile(r"\w{2}|\w \w|\d")
# What only operators and programmers read, and names that programs give.
TECHNICAL = (
    *("adapters/mail_server.py", "adapters/payments/", "domain/database/", "domain/fault_points.py"),
    *("domain/log_import/", "domain/migrations/", "domain/orders/explanation/", "domain/seed/", "domain/visits/"),
    *("host/__main__.py", "host/api/authorization.py", "host/api/body.py", "host/api/openapi.py", "host/cli/"),
    *("host/csv_handler.py", "host/documents/fonts.py", "host/http/", "host/identity/account/our_records.py"),
    *("host/supervisor/", "workers/tracing.py"),
)
# Words of the shop itself, the name that a copy is stored by, keys.
OWN_WORDS = {
    "components/account/parts/AttributeFields.tsx": "${title} is required.",
    "components/admin/imports/ImportForm.tsx": "${name} (required)",
    "components/api/clientErrors.ts": "${error.name}: ${error.message}",
    "components/forms/call/useCallForm.ts": "${name}:${currentAuth().learner?.id ?? 0}",
    "components/orders/OrderDocuments.tsx": "${title} ${number} (${formOf(isStructured)})",
    "components/ui/chart/Chart.tsx": "${chart.title}, ${chart.unitLabel}, ${chart.period}",
    "domain/catalogue_import/parse.py": "name",
    "domain/catalogue_import/times.py": "zone",
    "domain/publishing/editing/publication.py": "source.record.name",
    "host/loaders/areas/area_page.py": "route.title",
}
TEMPLATE = re.compile(r"(?P<attribute>(?:aria-label|label|key|alt|id|className|href)=\{)?`(?P<text>[^`]*)`")
NAME_IN_TEMPLATE = re.compile(rf"\$\{{(?:[\w.?]+\.)?(?:{NAMES}|courseName|productName)\}}(?P<after>[^`]*)")
NAME_IN_MARKUP = re.compile(rf">[^<>={{}}()`$'&|;]*\{{(?:[\w.?]+\.)?(?:{NAMES})\}}(?P<after>[^<>{{}}=;]*(?:\{{\w+\()?)")


def python_names(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.JoinedStr):
            continue
        for place, part in enumerate(node.values):
            if isinstance(part, ast.FormattedValue) and part.conversion == -1 and is_open_name(part.value, text):
                rest = "".join(value_text(value) for value in node.values[place + 1 :])
                if " " in rest and WORDS_AFTER.search(rest):
                    yield ast.unparse(part.value)


def is_open_name(value: ast.expr, text: str) -> bool:
    """A name that is put in as it is, and that was not isolated where it got its name."""
    name = value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""
    if not IS_NAME.fullmatch(name):
        return False
    return not (isinstance(value, ast.Name) and re.search(rf"\b{name}\b[^=\n]*= \(?isolated\(", text))


def value_text(value: ast.expr) -> str:
    return str(value.value) if isinstance(value, ast.Constant) else "00"


def typescript_names(text: str) -> Iterator[str]:
    code = re.sub(r"/\*[\s\S]*?\*/|^\s*//.*$", "", text, flags=re.MULTILINE)
    for template in TEMPLATE.finditer(code):
        found = None if template["attribute"] else NAME_IN_TEMPLATE.search(template["text"])
        if found and " " in found["after"] and WORDS_AFTER.search(found["after"]):
            yield template["text"]
    yield from (found[0] for found in NAME_IN_MARKUP.finditer(code) if WORDS_AFTER.search(found["after"]))


def texts() -> Iterator[tuple[str, str]]:
    """Path and text of each file that writes what visitors, learners and staff read."""
    for path, text in sources().items():
        if path.startswith(("adapters/", "domain/", "host/", "workers/")) and not path.startswith(TECHNICAL):
            yield path, text
    for file in sorted((ROOT / "components").rglob("*.ts*")):
        path = file.relative_to(ROOT).as_posix()
        if not re.match(r"components/(?:fixtures|styleguide)/|.*\.test\.", path):
            yield path, file.read_text("utf-8")


def test_names_in_sentences_are_isolated() -> None:
    found = [
        f"{path}: {name}"
        for path, text in texts()
        for name in (python_names if path.endswith(".py") else typescript_names)(text)
        if OWN_WORDS.get(path) != name
    ]
    assert found == []


def test_a_name_is_found_in_either_language() -> None:
    python = 'f"{line.name} was added on {day}"; f"{isolated(line.name)} was added"; f"Added: {line.name}."'
    template = "`${line.name} was added`; `${isolated(line.name)} was added`; `Added: ${line.name}.`"
    markup = "<p>By {author} on Monday</p>; <p>{name}</p>; <p>{holder}{datesOf(card)}</p>"
    assert list(python_names(python)) == ["line.name"]
    assert list(typescript_names(template + markup)) == [
        "${line.name} was added",
        ">By {author} on Monday",
        ">{holder}{datesOf(",
    ]
