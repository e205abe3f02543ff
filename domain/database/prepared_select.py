"""Statements of the hottest pages, written out once.

For every execution SQLAlchemy looks a statement up, binds it and wraps its rows: about 60 µs, often more than SQLite
needs to answer. A Prepared keeps the text and the converters of its columns and asks SQLite's driver itself. MariaDB,
to which the way outweighs all that, gets an ordinary statement. (bench/README.md has the figures.)
"""

import sqlite3
from collections import namedtuple
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from sqlalchemy import Dialect, Select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

# Where a session that stays on one connection names SQLite's own; SQLAlchemy takes as long to say it as a glance lasts.
DRIVER = "driver"
T = TypeVar("T")
Converter = Callable[[Any], Any]


def row_type(model: Any) -> Any:
    """A tuple with the names of a table's columns, made in a tenth of the time of an object of the ORM."""
    return namedtuple(f"{model.__name__}Row", model.__table__.c.keys())


def first_number(row: Iterable[Any]) -> int:
    """The only cell of a row: an id."""
    (found,) = row
    return int(found)


class Prepared(Generic[T]):
    """A SELECT of table columns, without IN; each row becomes `make(row)`."""

    def __init__(self, statement: Select[Any], make: Callable[[Iterable[Any]], T]):
        self._statement, self._make = statement, make
        self._written: Written | None = None

    def all(self, session: Session, **values: Any) -> list[T]:
        driver = session.info.get(DRIVER)
        if driver is None or self._written is None:
            connection = session.connection()
            if connection.dialect.name != "sqlite":
                return [self._make(row) for row in connection.execute(self._statement, values)]
            self._written = self._written or Written(self._statement, connection.dialect)
            driver = connection.connection.driver_connection
        return [self._make(row) for row in self._written.rows(driver, values)]


class Written:
    """A statement as text for SQLite's driver."""

    def __init__(self, statement: Select[Any], dialect: Dialect):
        compiled: Any = statement.compile(dialect=dialect)
        self.text = str(compiled)
        self._parameters = [
            (name, compiled.binds[name].value, compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect))
            for name in compiled.positiontup
        ]
        types = [column.type.dialect_impl(dialect) for column in statement.selected_columns]
        columns = [one.result_processor(dialect, None) for one in types]
        self._converters = [(at, convert) for at, convert in enumerate(columns) if convert is not None]

    def rows(self, driver: Any, values: dict[str, Any]) -> list[Any]:
        given = [_bound(values.get(name, fixed), bind) for name, fixed, bind in self._parameters]
        try:
            found = driver.execute(self.text, given).fetchall()
        except sqlite3.OperationalError as error:
            raise OperationalError(self.text, given, error) from error
        return [self._converted(row) for row in found] if self._converters else found

    def _converted(self, row: tuple[Any, ...]) -> list[Any]:
        cells = list(row)
        for at, convert in self._converters:
            cells[at] = convert(cells[at])
        return cells


def _bound(value: Any, bind: Converter | None) -> Any:
    return value if bind is None else bind(value)
