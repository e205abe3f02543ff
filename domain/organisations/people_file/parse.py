"""Reads the rows of a CSV file of people: email, name, team, role, courses."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from domain.display_text import count_text
from domain.errors import Refused

MAX_ROWS = 5_000
FIELDS = ("email", "name", "team", "role", "courses")
# What spreadsheets call them.
NAMES = {
    **{name: name for name in FIELDS},
    **{"e-mail": "email", "mail": "email", "email address": "email", "group": "team", "department": "team"},
    **{"course": "courses", "full name": "name"},
}
NOT_UTF8 = "This file is not UTF-8. Save it as “CSV UTF-8”."


@dataclass(frozen=True)
class PersonRow:
    """`line`: of the file, from 1. `repeats`: the line of an earlier row with the same address; None without one."""

    line: int
    email: str
    name: str = ""
    team: str = ""
    role: str = "member"
    courses: tuple[str, ...] = ()
    repeats: int | None = None


def read_rows(path: Path) -> list[PersonRow]:
    """The rows that are not empty. With a heading its columns may have any order, without one they are FIELDS in this
    order. Raises Refused for a file that is no list of people, or has more than MAX_ROWS."""
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(NOT_UTF8) from None
    except FileNotFoundError:
        raise Refused("This file has expired. Send it again.") from None
    first = text.partition("\n")[0]
    delimiter = max((";", "\t", ","), key=first.count)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        lines = [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except csv.Error as error:
        raise Refused(f"This is no CSV file: {error}.") from None
    columns, lines = _columns(lines)
    if not lines:
        raise Refused("This file has no rows.")
    if len(lines) > MAX_ROWS:
        raise Refused(f"This file has {count_text(len(lines))} rows. Send at most {count_text(MAX_ROWS)} at once.")
    return _with_repeats([_row(line, columns, cells) for line, cells in lines])


def _columns(lines: list[tuple[int, list[str]]]) -> tuple[Sequence[str | None], list[tuple[int, list[str]]]]:
    """The field of each column, None for one that is not read, and the rows below the heading. Raises Refused."""
    if not lines:
        return FIELDS, lines
    heading = [NAMES.get(cell.strip().casefold()) for cell in lines[0][1]]
    if "email" in heading:
        return heading, lines[1:]
    if "@" not in "".join(lines[0][1]):
        raise Refused("This file has no column “email”. The columns are email, name, team, role and courses.")
    return FIELDS, lines


def _row(line: int, columns: Sequence[str | None], cells: list[str]) -> PersonRow:
    values = {name: cell.strip() for name, cell in zip(columns, cells, strict=False) if name is not None}
    courses = values.pop("courses", "").replace(",", " ").replace(";", " ").replace("|", " ").split()
    role = values.pop("role", "").casefold() or "member"
    name, team = values.get("name", ""), values.get("team", "")
    return PersonRow(line, values.get("email", ""), name, team, role, tuple(courses))


def _with_repeats(rows: list[PersonRow]) -> list[PersonRow]:
    first: dict[str, int] = {}
    found = []
    for row in rows:
        key = row.email.casefold()
        repeats = first.get(key) if key else None
        first.setdefault(key, row.line)
        found.append(PersonRow(row.line, row.email, row.name, row.team, row.role, row.courses, repeats))
    return found
