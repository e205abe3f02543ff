"""The SQLite file of a stand-in."""

from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Engine, MetaData, create_engine, event


def open_database(path: Path, metadata: MetaData, synchronous: Literal["NORMAL", "FULL"]) -> Engine:
    """Opens the file, with its tables. Only its owner may read it. `synchronous` FULL: each commit is synced."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.touch(mode=0o600, exist_ok=True)
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 5.0})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={synchronous}")

    metadata.create_all(engine)
    return engine
