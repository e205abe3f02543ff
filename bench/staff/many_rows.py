"""How large the measured site is: learners with their progress, orders and audit events."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import insert

from bench.learning import school
from domain.database.database import Database, database_url
from domain.tables import AuditEvent, Learner

CHUNK = 20_000


@dataclass(frozen=True)
class Sizes:
    """Rows; ten finished lessons for each learner."""

    learners: int
    orders: int
    events: int


# Usually a tenth of what the goals are about.
USUAL, FULL = Sizes(10_000, 10_000, 100_000), Sizes(100_000, 100_000, 1_000_000)


@dataclass
class Chosen:
    """What this process measures with."""

    sizes: Sizes = USUAL


CHOSEN = Chosen()


def fill(var_dir: Path, learners: int, events: int, start: int) -> None:
    at = datetime.now(UTC) - timedelta(days=30)
    database = Database(database_url(None, var_dir), busy_ms=60_000)
    for rows in _chunks(start, learners):
        people = [
            {"student_number": f"bench-{n}", "issuer": "bench", "subject": f"b-{n}", "created_at": at}
            | {"email": f"b{n}@example.test", "name": f"Somebody{n % 977} Person{n}"}
            for n in rows
        ]
        with database.write_session() as session:
            session.execute(insert(Learner), people)
    school.add_progress(database, learners)
    for rows in _chunks(start, events):
        with database.write_session() as session:
            session.execute(insert(AuditEvent), [_event(n, at) for n in rows])
    database.engine.dispose()


def _event(number: int, at: datetime) -> dict[str, object]:
    """Not in the chain: only lists read it."""
    about = {"actor_id": number % 50, "area": "admin", "roles": ["editor"], "organisation_id": None}
    what = {"action": "course.texts", "subject_type": "course", "subject_id": str(number % 5000), "reason": ""}
    rest = {"before": None, "after": {"name": "changed"}, "request_id": "0" * 16, "ip_network": ""}
    hashes = {"previous_hash": "0" * 64, "hash": "0" * 64}
    return {"number": 10_000 + number, "occurred_at": at + timedelta(seconds=number), **about, **what, **rest, **hashes}


def _chunks(start: int, count: int) -> Iterator[range]:
    for first in range(start, count, CHUNK):
        yield range(first, min(first + CHUNK, count))
