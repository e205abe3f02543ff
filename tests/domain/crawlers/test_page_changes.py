"""Every door that changes a page notes it in the same transaction, with the address of the page, on both databases."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from domain.audit import recording
from domain.permissions import SystemActor
from domain.publishing import lessons, prices
from domain.publishing import writer as publishing_writer
from domain.publishing.editing import content_pages, course_texts, price_history, publication
from domain.publishing.editing.content_pages import PageEdit, PageText, PageVersion
from domain.publishing.editing.price_history import NewPrice
from domain.publishing.editing.stored_course import Edit, stored_course
from domain.publishing.importing import Importer
from domain.publishing.prices import PricePlan
from domain.publishing.records import LessonRecord, SectionRecord
from domain.publishing.retirement.decisions import RetirementDecision, decide
from domain.publishing.slug_changes import rename
from domain.tables import PageChange, Product
from tests.domain.publishing.test_publish_rules import COURSE
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

pytestmark = pytest.mark.each_database
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
PATH = "/course-details?course=vat-basics"


@pytest.fixture
def tax(session):
    return factories.category(session).id


@pytest.fixture
def course(session, tax):
    return factories.course(session, tax)


@pytest.fixture
def editor(session):
    return factories.actor(factories.learner(session, "Edda Editor").id, at=NOON)


def noted(session, *, with_path=False):
    session.flush()
    rows = session.scalars(select(PageChange).order_by(PageChange.changed_at, PageChange.id)).all()
    return [(row.path, row.kind, row.changed_at) if with_path else (row.kind, row.changed_at) for row in rows]


def test_an_import_notes_what_appears_what_changes_and_what_goes(session):
    factories.category(session, COURSE.category)
    importer = Importer(SystemActor("command", NOON))
    for hours, changes in enumerate(
        ({}, {"subtitle": "Other words"}, {"list_price": Decimal(7)}, {"status": "retired"})
    ):
        records = [replace(COURSE, **changes)]
        at = NOON + hours * HOUR
        recording.run(session, SystemActor("command", at), publishing_writer.put_courses, records, at, importer)
    path = f"/course-details?course={COURSE.slug}"
    kinds = ("publish", "change", "price", "retire")
    # The price is that of the record again where it is retired: what matters most is noted.
    assert noted(session, with_path=True) == [(path, kind, NOON + n * HOUR) for n, kind in enumerate(kinds)]


def test_the_same_import_again_and_a_draft_note_nothing(session):
    factories.category(session, COURSE.category)
    publishing_writer.put_course(session, replace(COURSE, status="draft"), NOON)
    publishing_writer.put_course(session, replace(COURSE, status="draft", subtitle="Other words"), NOON + HOUR)
    assert noted(session) == []
    publishing_writer.put_course(session, COURSE, NOON + 2 * HOUR)
    publishing_writer.put_course(session, COURSE, NOON + 3 * HOUR)
    assert noted(session) == [("publish", NOON + 2 * HOUR)]


def test_an_outline_alone_is_a_change(session):
    factories.category(session, COURSE.category)
    section = SectionRecord("One", (LessonRecord("First", 5),))
    publishing_writer.put_course(session, COURSE, NOON)
    course_id = session.scalar(select(Product.id))
    lessons.put_lessons(session, course_id, [section], NOON + HOUR)
    lessons.put_lessons(session, course_id, [section], NOON + 2 * HOUR)
    assert noted(session) == [("publish", NOON), ("change", NOON + HOUR)]


def test_staff_edit_retire_and_decide(session, course, editor):
    texts = replace(course_texts.texts_of(stored_course(session, course.id).record), subtitle="In other words")
    recording.run(session, editor, course_texts.change_texts, Edit(editor, course.id, 1), texts)
    later = replace(editor, at=NOON + HOUR)
    recording.run(session, later, publication.retire, Edit(later, course.id, 2), "", "Out of date")
    last = replace(editor, at=NOON + 2 * HOUR)
    decision = RetirementDecision("gone", "The law")
    recording.run(session, last, decide, Edit(last, course.id, None), decision)
    assert noted(session) == [("change", NOON), ("retire", NOON + HOUR), ("change", NOON + 2 * HOUR)]


def test_a_planned_publication_is_noted_when_it_comes(session, tax, editor):
    course = factories.course(session, tax, status="draft", published_at=None)
    edit = Edit(editor, course.id, 1)
    recording.run(session, editor, publication.publish, edit, NOON + DAY, is_outline_meant=True)
    assert noted(session) == []
    assert factories.run_as_system(session, publication.publish_due, course.id, NOON + DAY)
    assert noted(session, with_path=True) == [(PATH, "publish", NOON + DAY)]


def test_a_price_of_staff_is_noted_and_one_for_later_when_it_comes(session, course, editor):
    new = NewPrice(Decimal(90), None, None, None)
    recording.run(session, editor, price_history.change, Edit(editor, course.id, 1), new, USD, only_draft=False)
    planned = NewPrice(Decimal(70), None, NOON + DAY, None)
    recording.run(session, editor, price_history.change, Edit(editor, course.id, 2), planned, USD, only_draft=False)
    assert noted(session) == [("price", NOON)]
    due = publication.due_prices(session, NOON + DAY)
    assert factories.run_as_system(session, publication.apply_due_price, due[0], NOON + DAY)
    assert noted(session) == [("price", NOON), ("price", NOON + DAY)]


def test_a_sale_that_begins_and_ends_by_the_clock_is_noted_before(session, course):
    plan = PricePlan(NOON + DAY, NOON + 3 * DAY, has_window=True)
    prices.change_price(session, "vat-basics", Decimal(100), Decimal(60), NOON, USD, plan)
    assert noted(session) == [("price", NOON + DAY), ("price", NOON + 3 * DAY)]


def test_the_end_of_a_running_sale_moves_with_it_and_goes_with_the_course(session, course, editor):
    for hours, end in ((0, 2 * DAY), (1, 5 * DAY)):
        plan = PricePlan(ends_at=NOON + end, has_window=True)
        prices.change_price(session, "vat-basics", Decimal(100), Decimal(60), NOON + hours * HOUR, USD, plan)
    assert noted(session) == [("price", NOON), ("price", NOON + 5 * DAY)]
    session.refresh(course)
    later = replace(editor, at=NOON + 2 * HOUR)
    recording.run(session, later, publication.retire, Edit(later, course.id, course.version), "", "Out of date")
    assert noted(session) == [("price", NOON), ("retire", NOON + 2 * HOUR)]


def test_an_imported_sale_has_its_end_noted(session):
    factories.category(session, COURSE.category)
    record = replace(COURSE, sale_price=COURSE.list_price / 2, sale_from=NOON - DAY, sale_until=NOON + DAY)
    publishing_writer.put_course(session, record, NOON)
    assert noted(session) == [("publish", NOON), ("price", NOON + DAY)]


def test_a_course_moves_with_its_planned_changes_and_an_item_has_no_name_in_its_address(session, tax, course):
    plan = PricePlan(NOON + DAY, None, has_window=True)
    prices.change_price(session, "vat-basics", Decimal(100), Decimal(60), NOON, USD, plan)
    rename(session, course, "vat-from-scratch", NOON + HOUR)
    moved = "/course-details?course=vat-from-scratch"
    assert noted(session, with_path=True) == [(moved, "move", NOON + HOUR), (moved, "price", NOON + DAY)]
    item = factories.item(session, tax)
    rename(session, item, "tables", NOON + 2 * DAY)
    assert noted(session, with_path=True)[-1] == (f"/shop-details/{item.id}", "change", NOON + 2 * DAY)


def test_a_page_of_the_shop_is_noted_by_its_address(session, editor):
    first = PageVersion(1, PageText("Terms", "All.", "**Words**.", {}), NOON)
    edit = PageEdit("terms", 1, replace(first.text, body="Others."), first)
    recording.run(session, editor, content_pages.publish, editor, edit)
    recording.run(session, editor, content_pages.publish, editor, replace(edit, seen=2))
    assert noted(session, with_path=True) == [("/terms", "change", NOON)]


def test_what_is_rolled_back_is_not_noted(session, course):
    with session.begin_nested() as savepoint:
        prices.change_price(session, "vat-basics", Decimal(90), None, NOON, USD)
        assert noted(session) == [("price", NOON)]
        savepoint.rollback()
    assert noted(session) == []
