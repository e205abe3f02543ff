"""The list of what is retired reads no whole table of what people have, did or were told, on both databases."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, text
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.list_page import ListQuery, read_list_page
from domain.publishing.editing.retired_list import retired_list
from domain.tables import CourseClosure, Enrolment, RetiredPageVisit
from tests.support import factories
from tests.support.factories import NOON
from tests.support.statements import recorded

pytestmark = pytest.mark.each_database

COURSES, LEARNERS = 60, 20
LATER = NOON + timedelta(days=40)
# Tables that a row counts or looks up.
LOOKED_UP = ("enrolments", "audit_events", "course_closures", "retired_page_visits")


def fill(session: Session) -> None:
    """Every second course is retired, visited since, and announced to close."""
    category, staff = factories.category(session), factories.learner(session, "Edda Editor")
    people = [factories.learner(session, f"Learner {number}").id for number in range(LEARNERS)]
    retired = {"status": "retired", "retired_at": NOON}
    ids = [
        factories.course(session, category.id, f"course-{number}", **(retired if number % 2 else {})).id
        for number in range(COURSES)
    ]
    rows = [{"learner_id": person, "product_id": key, "enrolled_at": NOON} for person in people for key in ids]
    session.execute(insert(Enrolment), rows)
    for key in ids[1::2]:
        session.add(CourseClosure(course_id=key, announced_at=NOON, ends_at=LATER, reason="The law"))
        session.add(RetiredPageVisit(product_id=key, last_at=LATER))
    recording.run(session, factories.actor(staff.id, at=NOON), record_all, ids)


def record_all(session: Session, ids: list[int]) -> None:
    for key in ids:
        for action in ("course.edit", "course.retire"):
            recording.record(session, action, Subject("course", key), after={"status": action}, reason="Out of date")


def plan_of(session: Session, statement: str, values: Any) -> list[tuple[str, str]]:
    """Each table with how it is read."""
    connection = session.connection()
    is_sqlite = connection.dialect.name == "sqlite"
    explain = "EXPLAIN QUERY PLAN " if is_sqlite else "EXPLAIN "
    given = tuple(values) if isinstance(values, list) else values
    rows = connection.exec_driver_sql(explain + statement, given).mappings().all()
    if is_sqlite:
        return [tuple(row["detail"].partition(" ")[::2]) for row in rows]
    return [(str(row["type"]), str(row["table"])) for row in rows]


@pytest.mark.parametrize("filters", [{}, {"kind": "course"}])
def test_a_page_reads_by_indexes_what_it_says_of_each_row(database, filters):
    with database.write_session() as session:
        fill(session)
    if not database.is_sqlite:
        with database.write_session() as session:
            session.execute(text(f"ANALYZE TABLE products, {', '.join(LOOKED_UP)}"))
    with database.read_session() as session:
        with recorded(session) as statements:
            page = read_list_page(session, retired_list(lambda: NOON), ListQuery(size=10, filters=filters))
        plans = [plan_of(session, *statement) for statement in statements]
    assert (page.total, [row.owners for row in page.rows]) == (COURSES // 2, [LEARNERS] * 10)
    whole = [step for plan in plans for step in plan if step[0] in ("SCAN", "ALL") and step[1].startswith(LOOKED_UP)]
    assert (len(plans), whole) == (2, [])
    names = {name for plan in plans for _, part in plan for name in LOOKED_UP if part.startswith(name)}
    assert len(names) >= 2, plans
