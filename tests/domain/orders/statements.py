"""Counts the SQL statements of a session."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from domain.database.prepared_select import CompiledSelect


@contextmanager
def counted(session: Session) -> Iterator[list[str]]:
    """The statements that are executed inside, without those of a PreparedSelect on SQLite."""
    executed: list[str] = []

    def listen(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        executed.append(statement)

    connection = session.connection()
    event.listen(connection, "before_cursor_execute", listen)
    try:
        yield executed
    finally:
        event.remove(connection, "before_cursor_execute", listen)


@contextmanager
def recorded(session: Session) -> Iterator[list[tuple[str, Any]]]:
    """The statements that are executed inside with their values, also those that go to SQLite's driver directly."""
    executed: list[tuple[str, Any]] = []
    rows_of = CompiledSelect.rows

    def listen(_connection: object, _cursor: object, statement: str, values: object, *_rest: object) -> None:
        executed.append((statement, values))

    def rows(compiled: CompiledSelect, driver: Any, values: dict[str, Any]) -> list[Any]:
        executed.append((compiled.text, compiled.parameters(values)))
        return rows_of(compiled, driver, values)

    connection = session.connection()
    event.listen(connection, "before_cursor_execute", listen)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CompiledSelect, "rows", rows)
        try:
            yield executed
        finally:
            event.remove(connection, "before_cursor_execute", listen)
