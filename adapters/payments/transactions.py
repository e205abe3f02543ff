"""The database as the flows of payments use it: in the host the asynchronous Database itself, elsewhere this."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy.orm import Session

from domain.database.database import Database

P = ParamSpec("P")
T = TypeVar("T")


class Transactions(Protocol):
    """`read` sees one state; `write` commits when `fn` returns."""

    async def read(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T: ...

    async def write(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T: ...


class BlockingTransactions:
    """For an event loop that does nothing else: that of one outbox row or one poll."""

    def __init__(self, database: Database):
        self._database = database

    async def read(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self._database.read_session() as session:
            return fn(session, *args, **kwargs)

    async def write(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return self._database.write_sync(fn, *args, **kwargs)
