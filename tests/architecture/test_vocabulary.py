"""Public names use the words of the field: the project's former words for the same things are rejected."""

import ast
import re
from collections.abc import Iterator

import pytest

from config.settings import ROOT

# artwork/ is left out: a doorway or a ledger is what it draws.
FOLDERS = ("contracts", "config", "domain", "host", "seo_audit", "workers", "standins", "components", "ssr")
# Each has a standard term now, such as cached, category, session cookie, touchpoint or page generation.
FORMER_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        among apart arrived asked begun dearer doorway doorways drawn ear edition editions farewell found given glance
        glances half halves heard kept ledger led loser losers made marks narrowed narrowing remnant remnants said
        shelf shelves spent standing together told touch touches trail twin twins unstored wanted wish wishes worth
        """,
    )
)
# Names of protocols and libraries, of HTTP, and of what the words mean literally.
ALLOWED = frozenset(
    {
        "DEFAULT_HALF_LIFE_HOURS",
        "attribution_half_life_hours",
        "half_life_hours",
        "NotFound",
        "connection_made",
        "is_kept_as_draft",
        "kept_as_draft",
        "marks",
        "not_found",
    }
)
TYPESCRIPT_NAME = re.compile(
    r"^export (?:async )?(?:abstract )?(?:function|const|class|type|interface) (\w+)", re.MULTILINE
)


DEFINED = re.compile(r"\b(\w+)\s*[(:=\[]")


def words(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def former_words(name: str) -> set[str]:
    return set() if name in ALLOWED else words(name) & FORMER_WORDS


def may_name_former_words(text: str) -> bool:
    """Whether a file may define such a name. It spares parsing the others: what is before `(`, `:`, `=` or `[` may be a
    name that is defined."""
    return any(former_words(name) for name in set(DEFINED.findall(text)) if not name.startswith("_"))


def python_names(text: str) -> Iterator[str]:
    """Public functions, classes, methods, fields and constants."""
    if not may_name_former_words(text):
        return
    tree = ast.parse(text)
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    for body in (tree.body, *(node.body for node in classes)):
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield node.name
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                yield node.target.id
            elif isinstance(node, ast.Assign):
                yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def typescript_names(text: str) -> Iterator[str]:
    yield from TYPESCRIPT_NAME.findall(text)


def offenders() -> Iterator[str]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in {".py", ".ts", ".tsx"} or "dist" in path.parts:
                continue
            names = python_names if path.suffix == ".py" else typescript_names
            for name in names(path.read_text("utf-8")):
                if not name.startswith("_") and former_words(name):
                    yield f"{path.relative_to(ROOT).as_posix()}: {name}"


def test_no_public_name_uses_a_former_word():
    assert list(offenders()) == []


def test_email_has_one_form():
    """The search knows the other one, which people type; it is a heading in files of people, and a medium in links."""
    files = [path for folder in (*FOLDERS, "templates") for path in (ROOT / folder).rglob("*") if path.is_file()]
    texts = [path for path in files if path.suffix in {".py", ".ts", ".tsx", ".html", ".txt", ".md", ".json"}]
    found = {path.relative_to(ROOT).as_posix() for path in texts if "e-mail" in path.read_text("utf-8").lower()}
    assert {name for name in found if "/dist/" not in name} == {
        "contracts/cases/search-tokens.json",
        "domain/organisations/people_file/parse.py",
        "domain/search/tokenizer.py",
        "domain/visits/days/sources.json",
    }


@pytest.mark.parametrize("name", ["KeptPage", "kept_pages", "forgetLosers", "LIVE_EDITION", "pagesMade"])
def test_a_former_word_is_found_inside_a_name(name):
    assert former_words(name)


@pytest.mark.parametrize("name", ["CachedPage", "background", "madeira", "wishlist", "NotFound", "Halfway"])
def test_other_words_pass(name):
    assert former_words(name) == set()


def test_names_of_both_languages_are_read():
    python = "class A:\n    kept: int\n    def made(self): ...\nFOUND = 1\nasync def told(): ...\n"
    assert list(python_names("class A:\n    def worked(self): ...\n")) == []
    assert list(python_names(python)) == ["A", "FOUND", "told", "kept", "made"]
    assert list(typescript_names("export const asked = 1;\nexport type Wish = {};\nconst own = 2;\n")) == [
        "asked",
        "Wish",
    ]
