"""Alembic's entry point. domain.migrations.runner passes the connection in `config.attributes`."""

from typing import Any, Literal

from alembic import context
from sqlalchemy import Connection

from domain.tables import Base
from domain.tables.base import Money, UTCTime

config = context.config


def render_item(kind: str, item: Any, autogen: Any) -> str | Literal[False]:
    """Writes our column types by their own names into generated migrations."""
    if kind == "type" and isinstance(item, Money | UTCTime):
        autogen.imports.add("from domain.tables.base import Money, UTCTime")
        return f"{type(item).__name__}()"
    return False


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=True,
        render_item=render_item,
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()


run(config.attributes["connection"])
