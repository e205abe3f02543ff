"""Every docstring and comment can be read alone: none begins with words that only mean something after another one."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

import pytest

from tests.architecture.sources import ROOT, sources

BEGINNINGS = ("The same", "As above", "Likewise", "Ditto", "Of ")
# A docstring that begins so lacks its subject.
FRAGMENTS = ("Those ",)
# Its comments are docstrings of Python.
GENERATED = "components/contracts/schema.ts"
FOLDERS = ("components", "ssr", "scripts", "static/css", "templates", "tests")
SUFFIXES = {".ts", ".tsx", ".mjs", ".js", ".cjs", ".css", ".html"}
WITH_DOCSTRING = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
MAYBE_DOCSTRING = re.compile(rf"[\"']\s*(?:{'|'.join(BEGINNINGS + FRAGMENTS)})")
MAYBE_COMMENT = re.compile(rf"#[: ]*(?:{'|'.join(BEGINNINGS)})")
COMMENT = re.compile(rf"(?:/\*[\s*]*|//[ \t]*|\{{#-?\s*|<!--\s*)(?:{'|'.join(BEGINNINGS)})\b.*")


def incomplete_comments(text: str) -> Iterator[str]:
    """Docstrings, and lines of comments, that begin so. Only a text that may have one is parsed."""
    if MAYBE_DOCSTRING.search(text):
        nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, WITH_DOCSTRING))
        docstrings = (ast.get_docstring(node) or "" for node in nodes)
        yield from (docstring for docstring in docstrings if docstring.startswith(BEGINNINGS + FRAGMENTS))
    if MAYBE_COMMENT.search(text):
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        comments = (token.string.lstrip("#: ") for token in tokens if token.type == tokenize.COMMENT)
        yield from (comment for comment in comments if comment.startswith(BEGINNINGS))


def test_no_docstring_or_comment_of_python_lacks_its_subject():
    scripts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in (ROOT / "scripts").glob("*.py")}
    texts = sources() | scripts
    assert {name: found for name, text in texts.items() if (found := list(incomplete_comments(text)))} == {}


def test_no_other_comment_lacks_its_subject():
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths if "dist" not in path.parts}
    texts.pop(GENERATED)
    assert {name: found for name, text in texts.items() if (found := COMMENT.findall(text))} == {}


@pytest.mark.parametrize(
    "text",
    [
        'def a():\n    """The same of all."""\n',
        "class A:\n    '''\n    The same of all.\n    '''\n",
        "a = 1  # As above.\n",
        "# Of nothing.\na = 0\n",
        "def a():\n    'Of a course.'\n",
    ],
)
def test_a_comment_of_python_that_needs_another_one_is_found(text):
    assert list(incomplete_comments(text))


@pytest.mark.parametrize(
    "text",
    [
        "/** The same of all. */",
        "/**\n * The same of all.\n */",
        "a; // Likewise.",
        "{# The same #}",
        "/** Of its course. */",
    ],
)
def test_another_comment_that_needs_one_is_found(text):
    assert COMMENT.search(text)


@pytest.mark.parametrize("text", ['"""Two of the same kind."""\n', 'a = "# The same"\n', "# They are the same.\n"])
def test_other_words_pass(text):
    assert list(incomplete_comments(text)) == []
