"""The SQL statements that are executed meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event
from sqlalchemy.orm import Session

from domain.database.prepared_select import CompiledSelect


@contextmanager
def counted(session: Session) -> Iterator[list[str]]:
    """The statements of a session, without those of a PreparedSelect on SQLite."""
    with _ordinary(session.connection()) as executed:
        texts: list[str] = []
        yield texts
        texts.extend(statement for statement, _ in executed)


@contextmanager
def recorded(session: Session) -> Iterator[list[tuple[str, Any]]]:
    """The statements of a session with their values, also those that go to SQLite's driver directly."""
    with _all(session.connection()) as executed:
        yield executed


@contextmanager
def recorded_everywhere() -> Iterator[list[tuple[str, Any]]]:
    """The statements of all connections of this process with their values."""
    with _all(Engine) as executed:
        yield executed


@contextmanager
def _ordinary(target: Connection | type[Engine]) -> Iterator[list[tuple[str, Any]]]:
    executed: list[tuple[str, Any]] = []

    def listen(_connection: object, _cursor: object, statement: str, values: object, *_rest: object) -> None:
        executed.append((statement, values))

    event.listen(target, "before_cursor_execute", listen)
    try:
        yield executed
    finally:
        event.remove(target, "before_cursor_execute", listen)


@contextmanager
def _all(target: Connection | type[Engine]) -> Iterator[list[tuple[str, Any]]]:
    rows_of = CompiledSelect.rows

    with _ordinary(target) as executed, pytest.MonkeyPatch.context() as patch:

        def rows(compiled: CompiledSelect, driver: Any, values: dict[str, Any]) -> list[Any]:
            executed.append((compiled.text, compiled.parameters(values)))
            return rows_of(compiled, driver, values)

        patch.setattr(CompiledSelect, "rows", rows)
        yield executed
