"""A child process that stores batches of visits singly until it comes to one with the address POISON, which kills it
(tests/support/children.py)."""

import os
import signal
from datetime import datetime

from sqlalchemy.orm import Session

from contracts.payloads import VisitBatch
from domain.visits import storing
from workers import visits

POISON = "/poison"
_store_batch = storing.store_batch


def fail(*_arguments: object) -> bool:
    raise RuntimeError("not together")


def store_or_die(session: Session, batch: VisitBatch, at: datetime) -> bool:
    if any(POISON in row for row in batch.rows):
        os.kill(os.getpid(), signal.SIGKILL)
    return _store_batch(session, batch, at)


def store() -> None:
    storing.store_several, storing.store_batch = fail, store_or_die
    visits.store_batches()
