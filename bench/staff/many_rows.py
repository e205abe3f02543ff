"""Learners and audit events in a number that lists of a large site have."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import insert

from domain.database.database import Database, database_url
from domain.tables import AuditEvent, Learner

LEARNERS, EVENTS = 100_000, 200_000
CHUNK = 20_000


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
