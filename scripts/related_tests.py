"""Prints the pytest arguments of `scripts/test --quick`: architecture, contracts, docs, and tests of changed files.

Usage: related_tests.py BASE; changes since the commit BASE count, committed or not.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
# Fast, and relevant to every change.
ALWAYS = ("tests/architecture", "tests/contracts", "tests/docs")


def changed_files(base: str) -> list[Path]:
    """Files that differ from `base`, also untracked ones, without deleted ones."""
    commands = (["git", "diff", "--name-only", base], ["git", "ls-files", "--others", "--exclude-standard"])
    names = [
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout for command in commands
    ]
    return [Path(name) for name in "".join(names).splitlines() if (ROOT / name).exists()]


def related_tests(changed: Path) -> list[Path]:
    """A changed test itself; for product code the tests of all layers that import it, and the mirrored folder, or where
    that is a whole layer's the files named after the module."""
    if changed.parts[0] == "tests":
        return [ROOT / changed] if changed.name.startswith("test_") else []
    if changed.suffix not in (".py", ".json", ".html", ".md") or len(changed.parts) == 1:
        return []
    folders = [TESTS / folder for folder in changed.parents if (TESTS / folder).is_dir()]
    is_mirrored = folders and folders[0] not in (TESTS, TESTS / changed.parts[0])
    named = folders[:1] if is_mirrored else (TESTS / changed.parts[0]).rglob(f"test_{changed.stem}.py")
    return [*named, *tests_that_import(changed)]


def tests_that_import(changed: Path) -> list[Path]:
    module = ".".join(changed.with_suffix("").parts)
    package, _, name = module.rpartition(".")
    whole, part = re.escape(module), rf"{re.escape(package)} import (?:\([^)]*|.*)\b{name}\b"
    imports = re.compile(rf"^from (?:{whole} import|{part})", re.MULTILINE)
    return [path for path in TESTS.rglob("test_*.py") if imports.search(path.read_text("utf-8"))]


def main(base: str) -> None:
    paths = {ROOT / name for name in ALWAYS} | {path for file in changed_files(base) for path in related_tests(file)}
    arguments = [path for path in paths if path.exists() and not paths & set(path.parents)]
    print(*sorted(str(path.relative_to(ROOT)) for path in arguments))


if __name__ == "__main__":
    main(*sys.argv[1:])
