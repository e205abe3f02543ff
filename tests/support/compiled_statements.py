"""Statements are compiled once in a test process, as in a process of the product: there one engine lives as long as
its process, while hundreds of tests make an engine of their own and would compile every statement anew."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from domain.database import database, engines
from standins import database as standin_database

_first: dict[tuple[str, str | None, bool], Engine] = {}
_compiled: dict[Any, Any] = {}


def share(patch: pytest.MonkeyPatch) -> None:
    """Lets engines share a dialect, which is part of the key of a compiled statement: all engines of SQLite, and those
    of one schema of MariaDB, whose dialect holds the schema's name and whether transactions end by themselves."""
    for module in (engines, standin_database):
        patch.setattr(module, "create_engine", _sharing(module.create_engine))
    patch.setattr(database, "create_async_engine", _sharing(database.create_async_engine))


def _sharing(create: Callable[..., Any]) -> Callable[..., Any]:
    def create_shared(*args: Any, **options: Any) -> Any:
        created = create(*args, **options)
        _use_shared(created.sync_engine if isinstance(created, AsyncEngine) else created)
        return created

    return create_shared


def _use_shared(engine: Engine) -> None:
    schema = None if engine.dialect.name == "sqlite" else engine.url.database
    ends_itself = engine.dialect.skip_autocommit_rollback
    first = _first.setdefault((engine.url.drivername, schema, ends_itself), engine)
    # Its first connection tells a dialect the version of the server; until then the engine keeps its own.
    if first.dialect.server_version_info is None:
        return
    engine.dialect = first.dialect
    engine.update_execution_options(compiled_cache=_compiled)
