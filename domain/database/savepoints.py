"""Work within a transaction whose failure must not undo the rest of it."""

from collections.abc import Callable

from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session


def error_in_savepoint(session: Session, work: Callable[[], object]) -> Exception | None:
    """Do the work in a savepoint; return what it raised, after undoing the work alone.

    Raises when the whole transaction is gone, because the connection is lost or the database has ended it, as MariaDB
    does in a deadlock: `with session.begin_nested()` around a caught error would go on in a new transaction.
    """
    savepoint = session.begin_nested()
    try:
        work()
    except Exception as error:
        savepoint.rollback()
        if isinstance(error, DBAPIError) and error.connection_invalidated:
            raise
        return error
    savepoint.commit()
    return None
