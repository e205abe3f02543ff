"""Changes of the most frequent transactions, compiled once as `PreparedSelect` is, and for the same reason: what
SQLAlchemy adds to an INSERT or UPDATE of one row costs several times what SQLite needs for it.

They run in the transaction of the session, after what the session has not written yet. Objects in the session are not
updated. On MariaDB they run as ordinary statements.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from sqlalchemy import BindParameter, Delete, Insert, Integer, Update, bindparam, insert
from sqlalchemy.orm import Session

from domain.database.prepared_select import CompiledText


class PreparedChange:
    """An UPDATE, a DELETE, or an INSERT with its values, of a table; `bindparam`s are its parameters. Without IN, which
    SQLAlchemy expands at execution: `ChangeByIds` is for lists of ids. The names of parameters are no columns'."""

    def __init__(self, statement: Insert | Update | Delete):
        self._statement = statement
        self._compiled: CompiledText | None = None

    def run(self, session: Session, **values: Any) -> int:
        """How many rows it found."""
        session.flush()
        connection = session.connection()
        if connection.dialect.name != "sqlite":
            return int(connection.execute(self._statement, values).rowcount)
        if self._compiled is None:
            self._compiled = CompiledText(self._statement.compile(dialect=connection.dialect), connection.dialect)
        return self._compiled.execute(connection.connection.driver_connection, values).rowcount


class ChangeByIds:
    """A change of the rows of some ids, prepared for each power of two, as `SelectByIds`. `statement_of` makes it with
    parameters to stand in an IN."""

    def __init__(self, statement_of: Callable[[list[BindParameter[int]]], Update | Delete]):
        self._statement_of = statement_of
        self._prepared: dict[int, PreparedChange] = {}

    def run(self, session: Session, ids: Collection[int], **values: Any) -> int:
        """How many rows it found."""
        if not ids:
            return 0
        size = 1 << (len(ids) - 1).bit_length()
        prepared = self._prepared.get(size)
        if prepared is None:
            parameters = [bindparam(f"id_{number}", type_=Integer()) for number in range(size)]
            prepared = self._prepared[size] = PreparedChange(self._statement_of(parameters))
        listed = [*ids]
        listed += listed[-1:] * (size - len(listed))
        return prepared.run(session, **{f"id_{number}": id_ for number, id_ in enumerate(listed)}, **values)


class PreparedInsert:
    """An INSERT of one row of a table with the primary key `id`."""

    def __init__(self, model: Any):
        self._table = model.__table__
        columns = [column for column in self._table.c if not column.primary_key]
        # A column that is neither given nor nullable, and has no default in Python, is refused by the database.
        self._defaults = {column.key: _default(column) for column in columns}
        self._compiled: CompiledText | None = None

    def run(self, session: Session, **row: Any) -> int:
        """The id of the new row. Raises TypeError for what is no column, and IntegrityError."""
        if unknown := row.keys() - self._defaults.keys():
            raise TypeError(f"{self._table.name} has no {sorted(unknown)}")
        session.flush()
        connection, values = session.connection(), {**self._defaults, **row}
        if connection.dialect.name != "sqlite":
            key: Any = connection.execute(insert(self._table), values).inserted_primary_key
            return int(key[0])
        if self._compiled is None:
            statement = insert(self._table).inline()
            compiled = statement.compile(dialect=connection.dialect, column_keys=[*self._defaults])
            self._compiled = CompiledText(compiled, connection.dialect)
        cursor = self._compiled.execute(connection.connection.driver_connection, values)
        return int(cursor.lastrowid or 0)

    def run_all(self, session: Session, rows: Sequence[dict[str, Any]]) -> None:
        """Several rows: on MariaDB, where each statement is a round trip, by one. Raises as `run` does, and then some
        of them may be in the transaction."""
        connection = session.connection()
        if connection.dialect.name == "sqlite":
            for row in rows:
                self.run(session, **row)
        elif rows:
            session.flush()
            connection.execute(insert(self._table), [{**self._defaults, **row} for row in rows])


def _default(column: Any) -> Any:
    is_scalar = column.default is not None and column.default.is_scalar
    return column.default.arg if is_scalar else None
