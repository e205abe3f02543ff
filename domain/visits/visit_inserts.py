"""Inserts of many visits by column: a known event id changes nothing.

A column that is blank in all of them is a constant of the statement: no driver handles its values.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy.exc import StatementError
from sqlalchemy.orm import Session

from domain.database.parts import parts_of

# A statement on MariaDB has at most so many. In letters: UTF-8 has at most four bytes for each, and the server takes
# 16 MiB.
MAX_STATEMENT_ROWS, MAX_STATEMENT_LETTERS = 1000, 1_000_000
_SQLITE_END, _MARIADB_END = "ON CONFLICT DO NOTHING", "ON DUPLICATE KEY UPDATE id = id"


def insert_visits(session: Session, values: Mapping[str, Sequence[Any]], blank: Mapping[str, Any]) -> None:
    """`values`: by column, checked, as the database takes them (`visited_at`: text). `blank`: the columns in which all
    visits have the same value, which is one of ours: None, a number or a text without quotes."""
    if session.get_bind().dialect.name == "sqlite":
        # The driver takes the tuples as they are: SQLAlchemy's handling of each value would cost twice the insert.
        rows = list(zip(*values.values(), strict=True))
        session.connection().exec_driver_sql(sqlite_statement(list(values), blank), rows)
    else:
        _insert_texts(session, values, blank)


def sqlite_statement(names: Sequence[str], blank: Mapping[str, Any]) -> str:
    """Takes the values of these columns as parameters, in this order."""
    return f"{_head(names, blank)} ({', '.join('?' * len(names))}{_constants(blank)}) {_SQLITE_END}"


def _head(names: Sequence[str], blank: Mapping[str, Any]) -> str:
    return f"INSERT INTO visits ({', '.join((*names, *blank))}) VALUES"


def _constants(blank: Mapping[str, Any]) -> str:
    """How each row ends."""
    return "".join(f", {_constant(value)}" for value in blank.values())


def _constant(value: Any) -> str:
    if value is None:
        return "NULL"
    return f"'{value}'" if isinstance(value, str) else str(value)


def _insert_texts(session: Session, values: Mapping[str, Sequence[Any]], blank: Mapping[str, Any]) -> None:
    """Statements with the values in them. The driver itself escapes each value of a column, once for all rows that have
    it: row by row this took most of the time, as visits share pages, agents and networks."""
    connection = session.connection()
    driver: Any = connection.connection.driver_connection
    head, end = _head(list(values), blank), _constants(blank)
    for part in _parts(_row_texts(values, driver.escape)):
        text = f"{head} ({f'{end}),('.join(part)}{end}) {_MARIADB_END}"
        try:
            # Without parameters the driver leaves percent signs as they are.
            connection.exec_driver_sql(text, execution_options={"no_parameters": True})
        except StatementError as error:
            # Whoever logs the error shows its statement: a megabyte of what visitors sent.
            error.statement = head
            raise


def _row_texts(values: Mapping[str, Sequence[Any]], escape: Callable[[Any], str]) -> list[str]:
    columns = []
    for column in values.values():
        texts = {value: escape(value) for value in set(column)}
        columns.append([texts[value] for value in column])
    return list(map(",".join, zip(*columns, strict=True)))


def _parts(rows: Sequence[str]) -> Iterator[Sequence[str]]:
    for part in parts_of(rows, MAX_STATEMENT_ROWS):
        yield from _split_in_two(part)


def _split_in_two(rows: Sequence[str]) -> Iterator[Sequence[str]]:
    if len(rows) == 1 or sum(map(len, rows)) <= MAX_STATEMENT_LETTERS:
        yield rows
    else:
        yield from _split_in_two(rows[: len(rows) // 2])
        yield from _split_in_two(rows[len(rows) // 2 :])
