"""A gateway with its database: runs each piece of work in one transaction."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from sqlalchemy import Engine, create_engine, event, func, select
from sqlalchemy.orm import Session

from standins.development import require_development_machine
from standins.payments.due import make_due_changes
from standins.payments.money_record import MoneyRecord
from standins.payments.tables import Base, Fault
from standins.payments.work import GatewayConfig, Work

Result = TypeVar("Result")
AnyWork = TypeVar("AnyWork", bound=Work)


@dataclass
class Gateway:
    """`clock` returns seconds since 1970. `has_faults`: a fault is waiting; otherwise no request asks for one."""

    config: GatewayConfig
    engine: Engine
    money: MoneyRecord
    clock: Callable[[], float] = time.time
    has_faults: bool = field(default=False)

    def new_work(self) -> Work:
        """Without a session, which `run` adds."""
        return Work(self.config, Session(), 0.0)

    def run(self, handler: Callable[[AnyWork], Result], work: AnyWork) -> Result:
        """Makes what is due, then runs the handler, in one transaction; then syncs what moved money. In one thread."""
        with Session(self.engine, expire_on_commit=False) as session:
            with session.begin():
                work.session, work.now = session, self.clock()
                make_due_changes(work)
                result = handler(work)
                self.has_faults = bool(session.scalar(select(func.count()).select_from(Fault)))
            if work.entries:
                self.money.append_missing(session)
        return result


def open_gateway(config: GatewayConfig, clock: Callable[[], float] = time.time) -> Gateway:
    """Opens a gateway and its database, and completes ledger.jsonl. Raises StartupError."""
    require_development_machine(urlsplit(config.origin).hostname or "", config.environment)
    engine = _open_database(config.folder)
    money = MoneyRecord(config.folder)
    with Session(engine) as session:
        money.append_missing(session)
        has_faults = bool(session.scalar(select(func.count()).select_from(Fault)))
    return Gateway(config, engine, money, clock, has_faults)


def _open_database(folder: Path) -> Engine:
    """Opens the SQLite file. A payment that was answered must survive a power failure, so each commit is synced."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / "payments.db"
    path.touch(mode=0o600, exist_ok=True)
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 5.0})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")

    Base.metadata.create_all(engine)
    return engine
