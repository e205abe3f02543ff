"""What a learner sees comes from few statements, however much it is, and none of them reads a whole table."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from domain.account import dashboard
from domain.learning import grants, progress
from domain.learning.grants import GrantSource
from domain.learning.progress_merge import ProgressChange
from domain.learning.views import access, course, lesson_page, search
from domain.orders import materials
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import Base, File, ItemFile, Lesson, VoucherCode, WishlistEntry
from tests.support import factories, order_rows
from tests.support.factories import NOON
from tests.support.statements import recorded

pytestmark = pytest.mark.each_database

LATER = NOON + timedelta(hours=1)
COURSES = 20
TEXT = {"text": "Value added tax is due. It is paid each quarter."}


@pytest.fixture(scope="module")
def learner_id(module_database) -> int:
    with module_database.write_session() as session:
        found = fill(session)
        if not module_database.is_sqlite:
            # All of them: the optimizer reads a table that it believes to be empty as a whole.
            session.execute(text(f"ANALYZE TABLE {', '.join(Base.metadata.tables)}"))
    return found


def _buy_materials(session: Session, learner_id: int, category: int, number: int) -> None:
    """A book to download and a voucher, in one order."""
    order = order_rows.order(session, learner_id, f"A{number:019}")
    item = factories.item(session, category, f"item-{number}")
    about = {"media_type": "application/pdf", "bytes": 9, "kind": "download", "created_at": NOON}
    file = File(sha256=f"{number:064}", name="book.pdf", **about)
    session.add(file)
    session.flush()
    session.add(ItemFile(item_id=item.id, file_id=file.id, position=0))
    order_rows.order_line(session, order.id, 1, product_id=item.id, fulfilment="download")
    voucher = order_rows.order_line(session, order.id, 2, fulfilment="code")
    session.add(VoucherCode(line_id=voucher.id, number=1, code=f"EXAM-{number}", issued_at=NOON))


@pytest.fixture
def session(module_database) -> Iterator[Session]:
    with module_database.read_session() as reading:
        yield reading


def fill(session: Session, others: int = 200) -> int:
    """Somebody with 20 courses, progress, orders and a wishlist, beside others; their id."""
    category = factories.category(session).id
    ada = factories.learner(session).id
    for number in range(COURSES):
        product = factories.course(session, category, f"course-{number:02}", level="beginner")
        records = tuple(LessonRecord(f"Lesson {place}", 5, body=TEXT) for place in range(5))
        publishing_lessons.put_lessons(session, product.id, (SectionRecord("All", records),), NOON)
        grants.grant(session, ada, [product.id], GrantSource("order", number), NOON)
    for number in range(others):
        other = factories.course(session, category, f"other-{number:03}", level="intermediate").id
        about = {"course_id": other, "kind": "text", "updated_at": NOON}
        session.add_all(Lesson(position=at, source_key=f"{at}", title=f"{at}", **about) for at in range(5))
        grace = factories.learner(session, f"Learner {number}").id
        grants.grant(session, grace, [product.id], GrantSource("order", 1_000 + number), NOON)
        organisation = factories.organisation(session, f"other-{number:03}").id
        factories.member(session, grace, organisation)
        _buy_materials(session, grace, category, number)
    factories.member(session, ada, organisation)
    session.add(WishlistEntry(learner_id=ada, product_id=product.id + 1, added_at=NOON))
    _buy_materials(session, ada, category, others)
    lessons = session.scalars(select(Lesson.id).where(Lesson.course_id == product.id)).all()
    progress.record(session, ada, [ProgressChange(lesson, NOON, True) for lesson in lessons[:2]], LATER)
    session.flush()
    return ada


def see_everything(session: Session, learner_id: int) -> None:
    dashboard.dashboard(session, learner_id, LATER)
    dashboard.page_of_courses(session, learner_id, 1, LATER)
    dashboard.page_of_orders(session, learner_id, 1)
    materials.page(session, learner_id, 1, 24)
    own = course.by_slug(session, learner_id, "course-19", LATER)
    course.successor_of(session, own)
    course.lesson_of(session, own, own.lessons[0].id)
    course.lesson_by_id(session, learner_id, own.lessons[0].id, LATER)
    access.access_end(session, learner_id, own)
    search.search(session, own, "tax quarter")
    lesson_page.lesson_page(session, learner_id, "course-19", own.lessons[0].id, LATER)


def test_the_dashboard_takes_at_most_seven_statements(session, learner_id):
    with recorded(session) as executed:
        own = dashboard.dashboard(session, learner_id, LATER)
    assert (len(own.courses), len(own.ongoing), len(own.orders), len(own.recommended)) == (COURSES, 3, 1, 4)
    assert len(executed) <= 7


def test_a_course_takes_three_statements_and_a_lesson_one_more(session, learner_id):
    with recorded(session) as executed:
        own = course.by_slug(session, learner_id, "course-19", LATER)
    assert len(executed) == 3
    with recorded(session) as executed:
        content = course.lesson_of(session, own, own.lessons[0].id)
    assert (len(executed), content.body) == (1, TEXT)


async def test_courses_are_read_once_until_the_catalogue_changes(sqlite_database):
    with sqlite_database.write_session() as session:
        learner_id = fill(session, others=1)

    async def statements_of_dashboard() -> int:
        def read(session: Session) -> int:
            with recorded(session) as executed:
                dashboard.dashboard(session, learner_id, LATER)
            return len(executed)

        return await sqlite_database.read_inline(read)

    assert [await statements_of_dashboard(), await statements_of_dashboard()] == [7, 5]
    with sqlite_database.write_session() as session:
        own = course.by_slug(session, learner_id, "course-19", LATER)
        renamed = (SectionRecord("All", (LessonRecord("Another", 7, body=TEXT),)),)
        publishing_lessons.put_lessons(session, own.facts.id, renamed, LATER)
    seen = await sqlite_database.read_inline(course.by_slug, learner_id, "course-19", LATER)
    assert [lesson.title for lesson in seen.lessons] == ["Another"]


def plans_of(session: Session, learner_id: int) -> list[tuple[str, list[str]]]:
    """Each statement with the steps of its plan."""
    with recorded(session) as statements:
        see_everything(session, learner_id)
    connection = session.connection()
    is_sqlite = connection.dialect.name == "sqlite"
    explain = "EXPLAIN QUERY PLAN " if is_sqlite else "EXPLAIN "
    plans = []
    for statement, values in statements:
        rows = connection.exec_driver_sql(explain + statement, as_values(values)).mappings().all()
        steps = [row["detail"] for row in rows] if is_sqlite else [f"{row['table']} {row['type']}" for row in rows]
        plans.append((statement, steps))
    return plans


def test_no_statement_reads_a_whole_table(session, learner_id):
    plans = plans_of(session, learner_id)
    assert len(plans) > 15
    whole = [(step, statement) for statement, steps in plans for step in steps if is_whole_table(step)]
    assert whole == []


def as_values(values: Any) -> Any:
    """The values of one execution: a PreparedSelect gives a list, which would mean several executions."""
    return tuple(values) if isinstance(values, list) else values


def is_whole_table(step: str) -> bool:
    """SQLite scans a subquery or the result of a union too, which is no table."""
    names = ("enrolment", "lesson", "product", "order", "course", "membership", "organisation", "wishlist")
    if step.startswith("SCAN "):
        return step.split()[1].startswith(names) and "USING" not in step
    return step.endswith(" ALL") and step.startswith(names)
