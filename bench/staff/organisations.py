"""A2: the report of an organisation of 10,000 people, beside the first page of a list of theirs, and freezing its
months: CPU, and how long the longest transaction takes."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from bench.client import Load
from bench.comparison import ResultLine, compare, cpu_ms, measure_loads
from bench.processes import Side
from bench.staff.areas import SETTINGS, SHOP, ms_of
from domain.database.database import Database, database_url
from domain.identity import sessions
from domain.reports import organisation_months
from domain.tables import Contract, Enrolment, EnrolmentGrant, Learner, Membership, Organisation, Product, Seat
from domain.tables.base import Base
from host.auth.private_pages import TOKEN_COOKIE
from tests.support.site import Site, running

PEOPLE, TEAMS, MONTHS = 10_000, 20, 3
REQUESTS, CHUNK = 60, 1_000
REPORT, LIST = "/data/organization/reports", "/data/organization/members"
MAX_OF_LIST, FREEZE_S = 3.0, 60.0


def a2() -> list[ResultLine]:
    with running(**SETTINGS) as site:
        database = Database(database_url(None, site.var_dir), deadline_s=600, busy_ms=60_000)
        cookie = fill(database, PEOPLE)
        froze = _freeze(database)
        database.engine.dispose()
        report, members, shop = (_cpu(site, path, cookie) for path in (REPORT, LIST, SHOP))
    took, longest = sum(froze), max(froze)
    about = f"{len(froze)} months of {PEOPLE:,} people frozen, CPU"
    return [
        compare("A2", f"report of {PEOPLE:,} people, CPU", MAX_OF_LIST, ms_of(report), ms_of(members, " their list")),
        ResultLine(
            "A2", "their list beside /data/shop, CPU", "", f"{members:.2f} ms", f"{shop:.2f} ms", members / shop, None
        ),
        ResultLine(
            "A2", about, f"<= {FREEZE_S:g} s", f"{took:.1f} s", f"{longest:.1f} s the longest", None, took <= FREEZE_S
        ),
    ]


def _cpu(site: Site, path: str, cookie: str) -> float:
    side = Side("host", site.port, lambda: site.pids()["host"])
    load = Load(site.port, path, REQUESTS) if path == SHOP else Load(site.port, path, REQUESTS, cookie=cookie)
    return cpu_ms(measure_loads([(side, load)], rounds=4, warm_up_requests=10)[0])


def _freeze(database: Database) -> list[float]:
    """CPU seconds of each transaction."""
    with database.read_session() as session:
        due = organisation_months.due_months(session, datetime.now(UTC))
    took = []
    for month in due:
        began = time.process_time()
        database.write_sync(organisation_months.freeze, month)
        took.append(time.process_time() - began)
    return took


def fill(database: Database, people: int) -> str:
    """Members with a seat for one course each, half of whom agreed to be named; the cookie of their manager."""
    since = datetime.now(UTC) - timedelta(days=31 * MONTHS)
    with database.write_session() as session:
        organisation = Organisation(slug="bench", name="Bench", state="approved")
        session.add(organisation)
        session.flush()
        about = {"starts_at": since, "seats": people, "seat_kind": "course", "shows_names": True}
        contract = Contract(organisation_id=organisation.id, has_all_courses=True, **about)
        session.add(contract)
        session.flush()
        courses = session.scalars(
            select(Product.id).where(Product.kind == "course", Product.status == "published")
        ).all()
        seats = Seats(organisation.id, contract.id, courses, since)
    for numbers in _chunks(people):
        with database.write_session() as session:
            _add_people(session, numbers, seats)
    with database.write_session() as session:
        return _manager(session, seats.organisation_id)


def _chunks(count: int) -> Iterator[range]:
    for first in range(0, count, CHUNK):
        yield range(first, min(first + CHUNK, count))


@dataclass(frozen=True)
class Seats:
    """Whose they are, of which courses in turn, and since when."""

    organisation_id: int
    contract_id: int
    courses: Sequence[int]
    since: datetime


def _add_people(session: Session, numbers: range, seats: Seats) -> None:
    since = seats.since
    first = {model: _next_id(session, model) - numbers[0] for model in (Learner, Seat, Enrolment)}
    rows: dict[type, list[dict[str, object]]] = {
        model: [] for model in (Learner, Membership, Seat, Enrolment, EnrolmentGrant)
    }
    for number in numbers:
        learner, seat, enrolment = (first[model] + number for model in (Learner, Seat, Enrolment))
        name = f"Person {number * 7919 % 10_007:05}"
        about = {"issuer": "bench", "subject": f"o-{number}", "student_number": f"o-{number}", "created_at": since}
        rows[Learner].append({"id": learner, "name": name, "email": f"o{number}@example.test", **about})
        belongs = {"team": f"Team {number % TEAMS}", "shares_progress": number % 2 == 0, "joined_at": since}
        rows[Membership].append({"learner_id": learner, "organisation_id": seats.organisation_id, **belongs})
        has = {"state": "active", "holder_key": f"l{learner}", "assigned_at": since, "last_active_at": since}
        rows[Seat].append(
            {"id": seat, "contract_id": seats.contract_id, "number": number + 1, "learner_id": learner, **has}
        )
        done = {
            "enrolled_at": since,
            "started_at": since,
            "last_active_at": since,
            "done_lessons": 1,
            "rule_version": 1,
        }
        course = seats.courses[number % len(seats.courses)]
        rows[Enrolment].append({"id": enrolment, "learner_id": learner, "product_id": course, **done})
        opened = {"source": "seat", "source_id": seat, "granted_at": since, "reason": ""}
        rows[EnrolmentGrant].append({"enrolment_id": enrolment, **opened})
    for model, values in rows.items():
        session.execute(insert(model), values)


def _next_id(session: Session, model: type[Base]) -> int:
    table = model.__table__
    return (session.scalar(select(table.c.id).order_by(table.c.id.desc()).limit(1)) or 0) + 1


def _manager(session: Session, organisation_id: int) -> str:
    now = datetime.now(UTC)
    first = select(Membership).where(Membership.organisation_id == organisation_id).order_by(Membership.id).limit(1)
    membership = session.scalars(first).one()
    membership.role = "manager"
    opened = sessions.open_session(session, membership.learner_id, now, "organisation")
    sessions.choose_organisation(session, opened.id, organisation_id)
    return f"sid={opened.cookie_secret}; {TOKEN_COOKIE}={quote(json.dumps({'accessToken': opened.token}))}"
