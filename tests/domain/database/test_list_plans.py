"""Lists read their first page in the order of an index, on both databases: no other row of many is read or sorted.

One row of eight is the list's own. If most were, MariaDB would walk through all rows by their keys, and which of the
two it takes would follow from the pages that its statistics happened to sample.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from sqlalchemy import insert, select, text, update
from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind, Topic
from domain.audit.recording import EVENTS
from domain.database.list_page import ListQuery, ListSource, of_tenant, read_list_page
from domain.identity.sign_in import STAFF_SIGN_IN
from domain.jobs.listing import jobs_of_kind
from domain.organisations.invitation_list import INVITATIONS
from domain.permissions import Tenant
from domain.publishing.editing.course_list import COURSE_LIST
from domain.publishing.editing.retired_list import retired_list
from domain.seats.views.seat_list import SEATS
from domain.staff.listing import MEMBERS
from domain.support.mails import MAILS
from domain.tables import Course, Invitation, Job, Outbox, Product, Seat, StaffRole
from tests.support import factories
from tests.support.factories import NOON
from tests.support.statements import recorded

pytestmark = pytest.mark.each_database

ROWS = 600
SHARE = 8
# Products, and what was changed of each before.
RETIRED, CHANGES = 12, 30
HASH = "0" * 64


class World(NamedTuple):
    organisation_id: int


@pytest.fixture(scope="module")
def world(module_database) -> World:
    """With many rows of each list, of which most are another list's."""
    with module_database.write_session() as session:
        own, other = (factories.organisation(session, slug) for slug in ("own", "other"))
        learner = factories.learner(session).id
        contracts = [factories.contract(session, row.id, seats=ROWS).id for row in (own, other)]
        category = factories.category(session).id
        _add(session, Job, lambda n: _job(n, learner))
        _add(session, Invitation, lambda n: _invitation(n, (own.id, other.id)[n % SHARE > 0], contracts[n % SHARE > 0]))
        _add(session, Outbox, _mail)
        _add(session, Seat, lambda n: {"contract_id": contracts[n % 3 == 0], "number": n + 1})
        products = [factories.product(session, category, f"p-{n}", kind=_kind(n)).id for n in range(ROWS // 4)]
        session.execute(insert(Course), [{"id": key, "level": "", "language": ""} for key in products])
        people = [factories.learner(session, f"Staff {n}").id for n in range(20)]
        session.execute(
            insert(StaffRole), [{"learner_id": key, "role": "editor", "granted_at": NOON} for key in people]
        )
        session.execute(insert(EVENTS), [_event(n, people[n % 20]) for n in range(ROWS)])
        _retire(session, products[:RETIRED], learner)
        made = World(own.id)
    if not module_database.is_sqlite:
        with module_database.write_session() as session:
            session.execute(
                text("ANALYZE TABLE jobs, invitations, outbox, seats, contracts, products, audit_events, staff_roles")
            )
    return made


def _retire(session: Session, products: list[int], actor_id: int) -> None:
    """Each after many other changes of it."""
    session.execute(update(Product).where(Product.id.in_(products)).values(status="retired", retired_at=NOON))
    kinds = {
        row.id: row.kind for row in session.execute(select(Product.id, Product.kind).where(Product.id.in_(products)))
    }
    changes = [(key, f"{kind}.{verb}") for key, kind in kinds.items() for verb in ("retire", *("edit",) * CHANGES)]
    events = [
        {
            **_event(ROWS + n, actor_id),
            **{"action": action, "subject_type": kinds[key], "subject_id": str(key), "reason": f"{action} {key}"},
        }
        for n, (key, action) in enumerate(changes)
    ]
    session.execute(insert(EVENTS), events)


def _add(session: Session, model: Any, row: Callable[[int], dict[str, Any]]) -> None:
    session.execute(insert(model), [row(number) for number in range(ROWS)])


def _kind(number: int) -> str:
    return "item" if number % SHARE else "course"


def _job(number: int, learner_id: int) -> dict[str, Any]:
    kind = "other" if number % SHARE else "import"
    return {"kind": kind, "input": {}, "idempotency_key": f"job-{number}", "started_by": learner_id, "created_at": NOON}


def _invitation(number: int, organisation_id: int, contract_id: int) -> dict[str, Any]:
    about = {"organisation_id": organisation_id, "contract_id": contract_id, "email_key": f"i{number}@example.test"}
    return {**about, "sent_at": NOON, "expires_at": NOON}


def _mail(number: int) -> dict[str, Any]:
    topic = Topic.PAYMENTS if number % SHARE else Topic.MAIL
    return {"topic": str(topic), "kind": str(OutboxKind.CONTACT_CONFIRMATION), "body": {}, "created_at": NOON}


def _event(number: int, actor_id: int) -> dict[str, Any]:
    action = STAFF_SIGN_IN if number % 3 == 0 else "course.edit"
    about = {"actor_id": actor_id, "action": action, "area": "admin", "roles": [], "subject_type": "", "subject_id": ""}
    rest = {"reason": "", "request_id": "", "ip_network": "", "previous_hash": HASH, "hash": HASH}
    return {"number": number + 1, "occurred_at": NOON + timedelta(seconds=number), **about, **rest}


def plan_of(session: Session, statement: str, values: Any) -> list[str]:
    """Each step as text, with the index that it uses."""
    connection = session.connection()
    is_sqlite = connection.dialect.name == "sqlite"
    explain = "EXPLAIN QUERY PLAN " if is_sqlite else "EXPLAIN "
    given = tuple(values) if isinstance(values, list) else values
    rows = connection.exec_driver_sql(explain + statement, given).mappings().all()
    return [str(row["detail"]) if is_sqlite else f"{row['table']} {row['key']} {row['Extra'] or ''}" for row in rows]


def of_own(source: ListSource[Any], world: World) -> ListSource[Any]:
    return of_tenant(source, Tenant(world.organisation_id))


# The list, and the index of its rows or, of the staff, of their last sign-in.
LISTS: dict[str, tuple[Callable[[World], ListSource[Any]], str]] = {
    "jobs of a kind": (lambda _: jobs_of_kind("import"), "ix_jobs_kind_id"),
    "invitations": (
        lambda world: of_tenant(INVITATIONS, Tenant(world.organisation_id)),
        "ix_invitations_organisation_id_id",
    ),
    "mails": (lambda _: MAILS, "ix_outbox_topic_id"),
    "courses": (lambda _: COURSE_LIST, "ix_products_kind_id"),
    "staff": (lambda _: MEMBERS, "ix_audit_events_actor_id_action_number"),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_first_page_comes_in_the_order_of_an_index(module_database, world, name):
    make, index = LISTS[name]
    steps = first_page_plan(module_database, make(world))
    assert [step for step in steps if index in step] != [], steps
    assert [step for step in steps if "filesort" in step or "TEMP B-TREE" in step] == [], steps


def test_reasons_of_what_is_retired_are_found_by_an_index(module_database, world):
    source = retired_list(lambda: NOON)
    steps = first_page_plan(module_database, source)
    assert [step for step in steps if "ix_audit_events_subject_action_number" in step] != [], steps
    with module_database.read_session() as session:
        rows = read_list_page(session, source, ListQuery(size=RETIRED)).rows
    assert [row.reason for row in rows] == [f"{row.kind}.retire {row.id}" for row in rows]


def test_seats_are_sorted_by_mariadb_alone(module_database, world):
    steps = first_page_plan(module_database, of_own(SEATS, world))
    inner = [step for step in steps if "sqlite_autoindex_seats_1 (contract_id=?)" in step]
    assert len(inner) == (1 if module_database.is_sqlite else 0), steps


def first_page_plan(module_database, source: ListSource[Any]) -> list[str]:
    with module_database.read_session() as session:
        with recorded(session) as statements:
            assert len(read_list_page(session, source, ListQuery(size=10)).rows) == 10
        # The first statement counts.
        return plan_of(session, *statements[-1])
