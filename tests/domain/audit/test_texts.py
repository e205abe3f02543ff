"""The texts of events: one for every action that the code records, and none besides."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.audit.recording import Subject
from domain.audit.texts import TEXTS, event_text

ROOT = Path(__file__).parents[3]
_ACTION = re.compile(r"[a-z][a-z_-]*\.[a-z_]+")
_RECORDS = re.compile(r"\brecording\.(record|append)\b|\brecord_refusal\(|\bRecordedEvent\(|^\s*record\(", re.MULTILINE)
# Texts of this form that are no action.
_OTHERS = {"coursefront.db", "coursefront.pages", "{}-{}.csv"}
# What stands in an action that is put together, such as f"{kind.noun}.create" -> what it may be.
_VALUES = {
    "kind.noun": ["category", "instructor"],
    "subject.kind": ["course", "item"],
    "product.kind": ["course", "item"],
    "new.kind": [
        "bank_statement",
        "bulk_change",
        "coupon_batch",
        "coupon_forecast",
        "image",
        "import",
        "import-check",
        "members_file",
    ],
    "'refuse' if missing else 'publish'": ["refuse", "publish"],
    "_ACTIONS[state.status]": ["withdraw", "schedule", "publish", "retire"],
    "_ACTIONS[row['status']]": ["withdraw", "schedule", "publish", "retire"],
    "action": ["pause", "resume", "end"],
}
# Whatever edits categories and instructors, subject.kind is that of an entry.
_ENTRIES = {"subject.kind": ["category", "instructor"]}


def _sources() -> Iterator[tuple[Path, ast.Module]]:
    for layer in ("domain", "host", "workers", "adapters"):
        for file in sorted((ROOT / layer).rglob("*.py")):
            text = file.read_text("utf-8")
            if _RECORDS.search(text) and file.name != "texts.py":
                yield file, ast.parse(text)


def _actions_of(node: ast.AST, values: dict[str, list[str]]) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value] if _ACTION.fullmatch(node.value) else []
    if isinstance(node, ast.JoinedStr):
        parts = [
            [str(part.value)] if isinstance(part, ast.Constant) else values.get(ast.unparse(part.value), ["{}"])
            for part in node.values
            if isinstance(part, ast.Constant | ast.FormattedValue)
        ]
        texts = [""]
        for choices in parts:
            texts = [text + choice for text in texts for choice in choices]
        return [text for text in texts if re.fullmatch(r"[a-z{][a-z_{}-]*\.[a-z_{}]+", text)]
    return []


def recorded_actions() -> set[str]:
    """Every action in the modules that record events; "{}" in it: a part that this test does not know."""
    found: set[str] = set()
    for file, tree in _sources():
        values = _VALUES | (_ENTRIES if file.parent.name == "entries" else {})
        # The parts of a composed text are no texts of their own.
        parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            if id(node) not in parts:
                found.update(_actions_of(node, values))
    return found - _OTHERS


def test_every_recorded_action_has_a_text_and_every_text_an_action():
    assert recorded_actions() == {*TEXTS}


def test_every_text_is_a_sentence_without_a_code():
    wrong = {action: text for action, text in TEXTS.items() if not re.fullmatch(r"[A-Z][A-Za-z ,{}]+[a-z}]", text)}
    assert wrong == {}


@pytest.mark.parametrize(
    ("action", "name", "text"),
    [
        ("course.edit", "Payroll Basics", "Edited course “Payroll Basics”"),
        ("course.edit", None, "Edited course 12"),
        ("staff.sign_in", None, "Signed in as staff"),
        ("course.paint", None, "course.paint 12"),
    ],
)
def test_an_event_is_told_by_name_else_by_number(action, name, text):
    assert event_text(action, Subject("course", 12), name) == text
