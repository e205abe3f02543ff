"""Jobs that a child process does until it is killed at a fault point (tests/support/children.py)."""

from collections.abc import Iterator

from sqlalchemy import make_url
from sqlalchemy.orm import Session

from adapters.jobs import JobRunner, Kind
from domain import fault_points
from domain.database.database import Database
from domain.jobs.claims import Claim, JobStep
from domain.tables import DeadLetter
from tests.support.factories import NOON

STEPS = 5


def write_letter(session: Session, number: int) -> dict[str, int]:
    session.add(DeadLetter(failed_at=NOON, task=f"letter {number}", body={}, error=""))
    session.flush()
    return {"last": number}


def guarded(claim: Claim) -> Iterator[JobStep]:
    """A letter a step, each written in the transaction of its step."""
    for number in range(claim.processed, STEPS):
        yield JobStep(lambda session, number=number: write_letter(session, number), number + 1, STEPS)


def kinds(database: Database) -> dict[str, Kind]:
    def unguarded(claim: Claim) -> Iterator[JobStep]:
        """A letter a step, each written in a transaction of its own."""
        for number in range(claim.processed, STEPS):
            database.write_sync(write_letter, number)
            yield JobStep(lambda _session: {}, number + 1, STEPS)

    return {"guarded": guarded, "unguarded": unguarded}


def run(url: str, kind: str, point: str) -> None:
    fault_points.arm(point)
    database = Database(make_url(url), deadline_s=30, busy_ms=30_000)
    JobRunner(database, {kind: kinds(database)[kind]}).run_slice()
