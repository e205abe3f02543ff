"""A database whose reads and writes are spans: one for each function, without statements and their values."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy.orm import Session

from adapters.telemetry import span
from domain.database.database import Database

P = ParamSpec("P")
T = TypeVar("T")


class TracedDatabase(Database):
    """For a process that traces; the others use `Database` itself, so that a read costs them nothing more."""

    async def read(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self._span("read", fn):
            return await super().read(fn, *args, **kwargs)

    async def write(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self._span("write", fn):
            return await super().write(fn, *args, **kwargs)

    def _read_on_loop(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self._span("read", fn):
            return super()._read_on_loop(fn, *args, **kwargs)

    def write_sync(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self._span("write", fn):
            return super().write_sync(fn, *args, **kwargs)

    def write_before(
        self, left_s: Callable[[], float], fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        with self._span("write", fn):
            return super().write_before(left_s, fn, *args, **kwargs)

    @contextmanager
    def read_session(self) -> Iterator[Session]:
        with self._span("read"), super().read_session() as session:
            yield session

    @contextmanager
    def write_session(self) -> Iterator[Session]:
        with self._span("write"), super().write_session() as session:
            yield session

    def _span(self, way: str, fn: Callable[..., Any] | None = None) -> Any:
        name = getattr(fn, "__name__", "") if fn is not None else ""
        return span(f"{way} {name}".strip(), "client", db_system_name=self.url.get_backend_name())
