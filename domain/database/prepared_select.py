"""Statements of the most frequent pages, compiled once.

For every execution SQLAlchemy looks a statement up, binds it and wraps its rows: about 60 µs, often more than SQLite
needs for the query; to build the statement anew costs as much again. A PreparedSelect stores the SQL text and the
converters of its columns and calls the driver of SQLite. On MariaDB, where the network costs more than that, it runs
as an ordinary statement. Figures: bench/README.md.
"""

import sqlite3
from collections import namedtuple
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Generic, TypeVar

from sqlalchemy import BindParameter, Dialect, Integer, Select, bindparam
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session

# Key in `session.info` of a session that stays on one connection: SQLite's own connection. SQLAlchemy needs as long to
# look it up as an inline read takes.
DRIVER = "driver"
T = TypeVar("T")
Converter = Callable[[Any], Any]


def row_type(model: Any) -> Any:
    """A named tuple of a table's columns, created in a tenth of the time of an ORM object."""
    return namedtuple(f"{model.__name__}Row", model.__table__.c.keys())


def first_number(row: Iterable[Any]) -> int:
    """The only cell of a row, such as an id."""
    (number,) = row
    return int(number)


class PreparedSelect(Generic[T]):
    """A SELECT of table columns; each row becomes `make(row)`. Without IN, which SQLAlchemy expands at execution:
    `SelectByIds` is for lists of ids."""

    def __init__(self, statement: Select[Any], make: Callable[[Iterable[Any]], T]):
        self._statement, self._make = statement, make
        self._compiled: CompiledSelect | None = None

    def all(self, session: Session, **values: Any) -> list[T]:
        driver = session.info.get(DRIVER)
        if driver is None:
            # Objects that the session has not written yet.
            session.flush()
        if driver is None or self._compiled is None:
            connection = session.connection()
            if connection.dialect.name != "sqlite":
                return [self._make(row) for row in connection.execute(self._statement, values)]
            self._compiled = self._compiled or CompiledSelect(self._statement, connection.dialect)
            driver = connection.connection.driver_connection
        return [self._make(row) for row in self._compiled.rows(driver, values)]


class SelectByIds(Generic[T]):
    """A SELECT of the rows of some ids, prepared for each power of two: a shorter list repeats its last id.
    `statement_of` makes it with parameters to stand in an IN."""

    def __init__(
        self, statement_of: Callable[[list[BindParameter[int]]], Select[Any]], make: Callable[[Iterable[Any]], T]
    ):
        self._statement_of, self._make = statement_of, make
        self._prepared: dict[int, PreparedSelect[T]] = {}

    def all(self, session: Session, ids: Collection[int], **values: Any) -> list[T]:
        if not ids:
            return []
        size = 1 << (len(ids) - 1).bit_length()
        prepared = self._prepared.get(size)
        if prepared is None:
            parameters = [bindparam(f"id_{number}", type_=Integer()) for number in range(size)]
            prepared = self._prepared[size] = PreparedSelect(self._statement_of(parameters), self._make)
        listed = [*ids]
        listed += listed[-1:] * (size - len(listed))
        return prepared.all(session, **{f"id_{number}": id_ for number, id_ in enumerate(listed)}, **values)


class CompiledText:
    """A compiled statement as SQL text for SQLite's driver, with converters for its parameters."""

    def __init__(self, compiled: Any, dialect: Dialect):
        self.text = str(compiled)
        binds = [(name, compiled.binds[name]) for name in compiled.positiontup]
        self._names = [(name, bind.value) for name, bind in binds]
        processors = [bind.type.dialect_impl(dialect).bind_processor(dialect) for _, bind in binds]
        self._processors = [(place, process) for place, process in enumerate(processors) if process is not None]

    def execute(self, driver: Any, values: Mapping[str, Any]) -> sqlite3.Cursor:
        """Raises SQLAlchemy's errors, as an ordinary statement does."""
        parameters = self.parameters(values)
        try:
            cursor: sqlite3.Cursor = driver.execute(self.text, parameters)
        except sqlite3.OperationalError as error:
            raise OperationalError(self.text, parameters, error) from error
        except sqlite3.IntegrityError as error:
            raise IntegrityError(self.text, parameters, error) from error
        return cursor

    def parameters(self, values: Mapping[str, Any]) -> list[Any]:
        """What is bound to the text, in its order."""
        parameters = [values.get(name, fixed) for name, fixed in self._names]
        for place, process in self._processors:
            parameters[place] = process(parameters[place])
        return parameters


class CompiledSelect(CompiledText):
    """A SELECT with converters for its columns."""

    def __init__(self, statement: Select[Any], dialect: Dialect):
        super().__init__(statement.compile(dialect=dialect), dialect)
        types = [column.type.dialect_impl(dialect) for column in statement.selected_columns]
        converters = [type_.result_processor(dialect, None) for type_ in types]
        self._converters = [(place, convert) for place, convert in enumerate(converters) if convert is not None]

    def rows(self, driver: Any, values: Mapping[str, Any]) -> list[Any]:
        rows = self.execute(driver, values).fetchall()
        return [self._convert(row) for row in rows] if self._converters else rows

    def _convert(self, row: tuple[Any, ...]) -> list[Any]:
        cells = list(row)
        for place, convert in self._converters:
            if cells[place] is not None:
                cells[place] = convert(cells[place])
        return cells
