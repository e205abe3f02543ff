"""Counts the SQL statements of a session."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event
from sqlalchemy.orm import Session


@contextmanager
def counted(session: Session) -> Iterator[list[str]]:
    """The statements that are executed inside."""
    executed: list[str] = []

    def listen(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        executed.append(statement)

    connection = session.connection()
    event.listen(connection, "before_cursor_execute", listen)
    try:
        yield executed
    finally:
        event.remove(connection, "before_cursor_execute", listen)
