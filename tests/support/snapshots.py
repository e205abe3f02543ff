"""The level that MariaDB has by default, at which negative controls show what a transaction that writes would miss."""

import pytest

from domain.database.database import Database


def keep_first_state(monkeypatch: pytest.MonkeyPatch, database: Database) -> None:
    """Let transactions that write see the state of their first read, as those for reading do. In these MariaDB lets
    them write too."""
    monkeypatch.setattr(database, "engine", database.engine.execution_options(read=True))
