"""`python -m config.settings_page`: writes the tables of docs/settings.md from the declared settings; with --check it
writes nothing and fails while the page differs."""

import re
import sys
from collections.abc import Iterator
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from config.environment import SECRETS
from config.settings import ROOT, Settings, variable

PAGE = ROOT / "docs" / "settings.md"
# Above it every row is of a setting.
END = "\n## Outside `Settings`\n"
_ROW = re.compile(r"\| `([A-Z0-9_]+)` \|")
_SECRETS = re.compile(r"(?<=\*\*Secrets from files\.\*\* ).*(?= can also be read)")


def rows() -> dict[str, str]:
    """Variable -> its row, in the order of the declarations."""
    return {variable(field.name): _row(field) for field in fields(Settings)}


def _row(field: Field[Any]) -> str:
    return f"| `{variable(field.name)}` | {_default(field)} | {field.metadata['about']} |"


def _default(field: Field[Any]) -> str:
    value = field.default
    if value in ("", ()):
        return str(field.metadata["absent"])
    if isinstance(value, bool):
        return "`on`" if value else "`off`"
    return f"`{value.relative_to(ROOT)}`" if isinstance(value, Path) else f"`{value}`"


def rewrite(page: str) -> str:
    """The page with a row for each setting: where it has one, and a new one below the setting declared before it."""
    declared = rows()
    tables, end, rest = page.partition(END)
    lines = [declared.get(name, "") if (name := _name(line)) else line for line in tables.split("\n")]
    written = [line for line, before in zip(lines, tables.split("\n"), strict=True) if line or not before]
    for name, above in _new(declared, {_name(line) for line in written}):
        at = next(number for number, line in enumerate(written) if _name(line) == above)
        written.insert(at + 1, declared[name])
    secrets = [name for line in written if (name := _name(line)) in SECRETS]
    named = ", ".join(f"`{name}`" for name in secrets[:-1]) + f" and `{secrets[-1]}`"
    return _SECRETS.sub(named, "\n".join(written)) + end + rest


def _name(line: str) -> str:
    found = _ROW.match(line)
    return found[1] if found else ""


def _new(declared: dict[str, str], written: set[str]) -> Iterator[tuple[str, str]]:
    """Settings without a row, each with the one declared before it."""
    names = list(declared)
    yield from ((name, names[number - 1]) for number, name in enumerate(names) if name not in written)


def main(arguments: list[str]) -> int:
    page = PAGE.read_text("utf-8")
    written = rewrite(page)
    if "--check" not in arguments:
        PAGE.write_text(written, "utf-8")
    elif page != written:
        sys.stderr.write("docs/settings.md differs from config/: run scripts/schema.\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
