"""A1 of every list of the areas: the first page of each, beside /data/shop that is not cached."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from bench.client import Load, run_load
from bench.comparison import ResultLine, compare, cpu_ms, measure_loads
from bench.processes import Side
from bench.selling.many_orders import add_orders
from bench.staff import many_rows, organisations
from bench.staff.areas import MAX_OF_SHOP, SETTINGS, SHOP, many_orders, ms_of, staff_cookie
from contracts.tasks import OutboxKind
from domain.catalogue_import import job as import_job
from domain.coupons import batch_job, forecast_job
from domain.database.database import Database, database_url
from domain.publishing.bulk import job as bulk_job
from domain.routes import area_pages
from domain.tables import (
    BankEntry,
    Category,
    ContactMessage,
    Contract,
    Coupon,
    CouponAlarm,
    CouponTrial,
    DeadLetter,
    Instructor,
    Invitation,
    Job,
    Learner,
    Order,
    Organisation,
    Outbox,
    PaymentFinding,
    PendingAction,
    Product,
    Refund,
    SeatQuote,
    StaffRole,
)
from host import features
from host.loaders.areas.area_list import LISTS
from tests.support.site import running

# Rows of each list, which is seldom longer; a page shows 50.
ROWS, REQUESTS, ROUNDS, WARM_UP = 200, 150, 4, 30
FEWEST_BYTES = 8_000
# What the lists show of any kind of job.
INPUT = {"name": "Bench", "number": 1, "bulk_change_id": 1, "draft": {"campaign": ""}}
AT = datetime.now(UTC) - timedelta(days=1)


def a1() -> list[ResultLine]:
    features.import_all()
    return [*many_orders(), *lists()]


def lists() -> list[ResultLine]:
    with running(**SETTINGS) as site:
        cookies = _fill(site.var_dir)
        side = Side("host", site.port, lambda: site.pids()["host"])
        loads = {path: Load(site.port, path, REQUESTS, cookie=cookies[path.split("/")[2]]) for path in _paths()}
        loads[SHOP] = Load(site.port, SHOP, REQUESTS)
        _check(loads)
        turns = measure_loads([(side, load) for load in loads.values()], ROUNDS, WARM_UP)
    figures = dict(zip(loads, map(cpu_ms, turns), strict=True))
    shop = ms_of(figures.pop(SHOP), " /data/shop")
    slowest_first = sorted(figures.items(), key=lambda entry: -entry[1])
    return [compare("A1", path, MAX_OF_SHOP, ms_of(figure), shop) for path, figure in slowest_first]


def _paths() -> list[str]:
    return [*(f"/data{page.path}" for page in area_pages() if page.id in LISTS), "/data/admin/learners?q=person"]


def _check(loads: dict[str, Load]) -> None:
    """Raises RuntimeError for a list of few rows, which would be quick for nothing."""
    for path, load in loads.items():
        if "learners" not in path and run_load(replace(load, requests=2)).bytes < FEWEST_BYTES:
            raise RuntimeError(f"{path} has too few rows")


def _fill(var_dir: Path) -> dict[str, str]:
    """The cookie of each area."""
    sizes = many_rows.CHOSEN.sizes
    add_orders(var_dir, sizes.orders)
    many_rows.fill(var_dir, sizes.learners, sizes.events, 0)
    database = Database(database_url(None, var_dir), deadline_s=600, busy_ms=60_000)
    manager = organisations.fill(database, organisations.PEOPLE)
    with database.write_session() as session:
        _fill_rest(session)
    database.engine.dispose()
    return {"admin": staff_cookie(var_dir), "organization": manager, "shop": ""}


def _fill_rest(session: Session) -> None:
    own = session.scalars(select(Organisation.id).where(Organisation.slug == "bench")).one()
    person = session.scalars(select(Learner.id).order_by(Learner.id.desc()).limit(1)).one()
    coupon = session.scalars(select(Coupon.id).limit(1)).one()
    contract = session.scalars(select(Contract.id).where(Contract.organisation_id == own)).one()
    every = max(1, many_rows.CHOSEN.sizes.orders // ROWS)
    session.execute(update(Order).where(Order.id % every == 0).values(organisation_id=own))
    _add(session, Category, lambda n: {"slug": f"bench-{n}"})
    _add(session, Instructor, lambda n: {"slug": f"bench-{n}"})
    _add(session, Coupon, lambda n: {"code": f"BENCH{n}", "display_code": f"Bench{n}"})
    _add(session, Contract, lambda _: {"join_code": None})
    _add(session, Refund, lambda n: {"number": 100 + n, "key": f"bench-{n}", "form_key": None, "gateway_id": None})
    invited = {"organisation_id": own, "contract_id": contract, "open_key": None, "token": None}
    _add(session, Invitation, lambda n: {**invited, "email_key": f"i{n}@example.test"})
    _add(session, Organisation, lambda n: {"slug": f"bench-{n}"})
    _add(session, Product, lambda n: {"source_id": None, "status": "retired", "slug": f"retired-{n}"})
    people = {"name": "Bea Bench", "email": "bea@example.test", "subject": "Bench", "message": "Please answer."}
    _add(session, ContactMessage, lambda _: {**people, "sent_at": AT})
    mail = {"task": OutboxKind.CONTACT_CONFIRMATION, "body": {"v": 1, "message_id": 1}}
    _add(session, Outbox, lambda _: {**mail, "created_at": AT})
    _add(session, DeadLetter, lambda _: {**mail, "error": "no answer", "failed_at": AT})
    seen = {"coupon_id": coupon, "networks": 12, "expected": 1.5, "raised_at": AT, "hosts": []}
    missing = {"kind": "missing_here", "detected_at": AT}
    _add(session, PaymentFinding, lambda n: {**missing, "gateway_id": f"bench-{n}"})
    _add(session, CouponAlarm, lambda n: {**seen, "hour": AT - timedelta(hours=n)})
    trial = {"coupon_id": coupon, "block_hours": 12, "created_by": person, "created_at": AT, "stopped_at": AT}
    trial |= {"starts_at": AT - timedelta(days=30), "ends_at": AT}
    _add(session, CouponTrial, lambda n: {**trial, "seed": f"{n:032x}"})
    for kind in (import_job.KIND, batch_job.KIND, bulk_job.KIND, forecast_job.KIND):
        _add(session, Job, partial(_job, kind, person))
    _fill_bank(session)
    _fill_quotes(session, own, person)
    decided = {"action": "learner.erase", "learner_id": person, "values": {}, "seen": "0" * 64, "reason": "A letter"}
    decided |= {"state": "refused", "requested_by": person, "requested_at": AT, "expires_at": AT, "decided_by": person}
    _add(session, PendingAction, lambda n: {**decided, "decided_at": AT, "answer": f"Not now, {n}"})
    _add(session, StaffRole, lambda n: {"learner_id": person - n, "role": "editor", "granted_at": AT})


def _fill_bank(session: Session) -> None:
    job = session.scalars(select(Job.id).limit(1)).one()
    entry = {"job_id": job, "kind": "credit", "booked_on": AT.date(), "currency": "USD", "payer": "Bea Bench"}
    entry |= {"bank_id": "", "state": "open", "why": "unknown", "created_at": AT, "changed_at": AT}
    _add(session, BankEntry, lambda n: {**entry, "key": f"{n:064}", "amount_minor": 100 * n, "text": f"Transfer {n}"})


def _fill_quotes(session: Session, organisation: int, person: int) -> None:
    quote = {"year": 1999, "organisation_id": organisation, "learner_id": person, "name": "Data analysis"}
    quote |= {"quantity": 10, "unit_minor": 9_900, "tax_minor": 0, "total_minor": 99_000, "currency": "USD"}
    quote |= {"billing": {}, "quote": {}, "body": {}, "digest": "0" * 64, "issued_at": AT, "valid_until": AT}
    _add(session, SeatQuote, lambda n: {**quote, "number": f"Q1999-{n:06}", "seq": n})


def _job(kind: str, person: int, number: int) -> dict[str, Any]:
    own = {"kind": kind, "input": INPUT, "state": "done", "started_by": person, "created_at": AT}
    return {**own, "idempotency_key": f"{kind}-{number}"}


def _add(session: Session, model: Any, own: Callable[[int], dict[str, Any]]) -> None:
    """Rows like the first of the demo shop, if it has one."""
    table = model.__table__
    first = session.execute(select(table).limit(1)).mappings().first()
    like = {} if first is None else {name: value for name, value in first.items() if name != "id"}
    session.execute(insert(table), [{**like, **own(number)} for number in range(ROWS)])
