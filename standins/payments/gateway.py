"""A gateway with its database: runs each piece of work in one transaction."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlsplit

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from standins.database import open_database
from standins.development import require_development_machine
from standins.payments.due import make_due_changes
from standins.payments.money_record import MoneyRecord
from standins.payments.tables import Fault, PaymentBase
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
    # A payment that was answered must survive a power failure.
    engine = open_database(config.folder / "payments.db", PaymentBase.metadata, "FULL")
    money = MoneyRecord(config.folder)
    with Session(engine) as session:
        money.append_missing(session)
        has_faults = bool(session.scalar(select(func.count()).select_from(Fault)))
    return Gateway(config, engine, money, clock, has_faults)
