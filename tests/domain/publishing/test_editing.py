"""Courses that staff create, write, publish, plan and retire, on both databases."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from adapters import mail_templates
from contracts.tasks import OutboxKind
from domain import mail
from domain.audit import recording
from domain.catalogue import details as catalogue_details
from domain.errors import InvalidInput, NotFound, Refused
from domain.mail import MailSite
from domain.outbox.leases import Lease
from domain.publishing import lessons as publishing_lessons
from domain.publishing.editing import course_texts, publication
from domain.publishing.editing.course_texts import CourseLists
from domain.publishing.editing.stored_course import Edit, NewerVersion, stored_course
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import AuditEvent, FormerSlug, Outbox, Product
from tests.support import factories
from tests.support.factories import NOON

LATER = NOON + timedelta(days=1)
WRITTEN = (SectionRecord("All", (LessonRecord("One", 5, body={"text": "Read."}),)),)
SITE = MailSite("Coursefront", "https://shop.example", "staff@shop.example")


@pytest.fixture
def tax(session):
    return factories.category(session).id


@pytest.fixture
def editor(session):
    return factories.actor(factories.learner(session).id, "editor", at=NOON)


def act(session, editor, function, *arguments):
    """As `Database.write_as`, in the transaction of the test."""
    return recording.run(session, editor, function, *arguments)


def complete(session, editor, name="Payroll from Nothing"):
    """A draft with a lesson that may be published."""
    course_id = act(session, editor, publication.create, editor, name, "tax")
    publishing_lessons.put_lessons(session, course_id, WRITTEN, NOON)
    stored = stored_course(session, course_id)
    texts = replace(course_texts.texts_of(stored.record), subtitle="Wages, step by step.", duration_min=90)
    edit = Edit(editor, course_id, stored.product.version)
    return Edit(editor, course_id, act(session, editor, course_texts.change_texts, edit, texts))


def actions(session):
    return [*session.scalars(select(AuditEvent.action).order_by(AuditEvent.number))]


def test_a_course_from_nothing_is_published_once_it_lacks_nothing(session, tax, editor):
    course_id = act(session, editor, publication.create, editor, " Payroll  from Nothing ", "tax")
    missing = ("it has no subtitle and no description", "it has neither a duration nor timed lessons")
    assert stored_course(session, course_id).missing == missing
    with pytest.raises(Refused, match="it has no subtitle and no description, it has neither a duration"):
        act(session, editor, publication.publish, Edit(editor, course_id, 1), None)
    assert catalogue_details.course(session, "payroll-from-nothing") is None
    edit = complete(session, editor, "Payroll Two")
    act(session, editor, publication.publish, edit, None)
    assert catalogue_details.course(session, "payroll-two").product.published_at == NOON
    assert actions(session) == ["course.create", "course.create", "course.edit", "course.publish"]


def test_a_name_whose_address_is_or_was_taken_is_refused(session, tax, editor):
    course = factories.course(session, tax, slug="vat-basics")
    session.add(FormerSlug(kind="course", slug="old-vat", product_id=course.id, replaced_at=NOON))
    for name in ("VAT Basics", "Old VAT", "…"):
        with pytest.raises(InvalidInput) as refusal:
            act(session, editor, publication.create, editor, name, "tax")
        assert [*refusal.value.errors] == ["name"]
    with pytest.raises(NotFound):
        act(session, editor, publication.create, editor, "New", "nowhere")


def test_of_two_editors_the_second_is_refused_and_nothing_is_lost(session, tax, editor):
    edit = complete(session, editor)
    texts = course_texts.texts_of(stored_course(session, edit.product_id).record)
    act(session, editor, course_texts.change_texts, edit, replace(texts, name="First"))
    with pytest.raises(NewerVersion):
        act(session, editor, course_texts.change_texts, edit, replace(texts, name="Second"))
    stored = stored_course(session, edit.product_id)
    assert (stored.product.name, stored.product.version) == ("First", edit.version + 1)


def test_the_same_texts_again_change_neither_the_version_nor_the_record_of_events(session, tax, editor):
    edit = complete(session, editor)
    before = actions(session)
    texts = course_texts.texts_of(stored_course(session, edit.product_id).record)
    assert act(session, editor, course_texts.change_texts, edit, texts) == edit.version
    assert actions(session) == before


def test_a_published_course_cannot_lose_what_its_page_needs(session, tax, editor):
    edit = complete(session, editor)
    edit = replace(edit, version=act(session, editor, publication.publish, edit, None))
    texts = course_texts.texts_of(stored_course(session, edit.product_id).record)
    with pytest.raises(InvalidInput, match="This course is published, and it has no subtitle and no description"):
        act(session, editor, course_texts.change_texts, edit, replace(texts, subtitle=" "))
    assert stored_course(session, edit.product_id).product.status == "published"


def test_questions_are_written_as_blocks_and_one_without_an_answer_is_named(session, tax, editor):
    edit = complete(session, editor)
    faq = "Is there an exam?\nNo.\n\nHow long?\n90\nminutes"
    lists = CourseLists("Run a payroll\n\n Explain a payslip ", "", "", faq)
    version = act(session, editor, course_texts.change_lists, edit, lists)
    record = stored_course(session, edit.product_id).record
    assert record.outcomes == ["Run a payroll", "Explain a payslip"]
    answers = [("Is there an exam?", "No."), ("How long?", "90\nminutes")]
    assert [(entry["question"], entry["answer"]) for entry in record.faq] == answers
    with pytest.raises(InvalidInput, match="“Why\\?” has no answer"):
        act(session, editor, course_texts.change_lists, replace(edit, version=version), replace(lists, faq="Why?"))


@pytest.mark.each_database
def test_a_scheduled_course_is_published_at_its_time_and_not_before(session, tax, editor):
    edit = complete(session, editor)
    act(session, editor, publication.publish, edit, LATER)
    early = LATER - timedelta(seconds=1)
    assert publication.due_courses(session, early) == []
    assert not factories.run_as_system(session, publication.publish_due, edit.product_id, early)
    assert catalogue_details.course(session, "payroll-from-nothing") is None
    assert publication.due_courses(session, LATER) == [edit.product_id]
    assert [factories.run_as_system(session, publication.publish_due, edit.product_id, LATER) for _ in range(2)] == [
        True,
        False,
    ]
    assert catalogue_details.course(session, "payroll-from-nothing").product.published_at == LATER


def test_a_scheduled_course_that_lacks_something_becomes_a_draft_and_the_staff_are_told(session, tax, editor):
    edit = complete(session, editor)
    act(session, editor, publication.publish, edit, LATER)
    session.get_one(Product, edit.product_id).duration_min = None
    session.flush()
    assert factories.run_as_system(session, publication.publish_due, edit.product_id, LATER)
    assert session.get_one(Product, edit.product_id).status == "draft"
    row = session.scalars(select(Outbox).where(Outbox.kind == OutboxKind.PUBLICATION_FAILED)).one()
    sent = mail.compose(session, Lease(row.id, row.kind, row.body, NOON, 1, "token"), SITE)
    assert (sent.to, sent.template) == ("staff@shop.example", "publication_failed")
    assert sent.values["product"]["missing"] == ["it has neither a duration nor timed lessons"]


def test_the_mail_about_an_item_that_was_not_published_says_item(session, tax):
    item = factories.item(session, tax, status="scheduled", published_at=NOON, list_price=Decimal(0))
    assert factories.run_as_system(session, publication.publish_due, item.id, NOON)
    row = session.scalars(select(Outbox).where(Outbox.kind == OutboxKind.PUBLICATION_FAILED)).one()
    sent = mail.compose(session, Lease(row.id, row.kind, row.body, NOON, 1, "token"), SITE)
    rendered = mail_templates.render(sent.template, sent.values)
    assert f"The item “{item.name}” was to be published now." in rendered.text
    assert f"https://shop.example/admin/items/{item.id}/publication" in rendered.text
    assert "course" not in rendered.text
    assert ">Open the item</a>" in rendered.html


@pytest.mark.parametrize("time", [NOON, NOON - timedelta(days=1), NOON + timedelta(days=731)])
def test_a_publication_is_planned_for_the_future_alone(session, tax, editor, time):
    edit = complete(session, editor)
    with pytest.raises(InvalidInput):
        act(session, editor, publication.publish, edit, time)
    assert stored_course(session, edit.product_id).product.status == "draft"


def test_a_retired_course_names_its_successor_and_can_be_published_again(session, tax, editor):
    successor = factories.course(session, tax, slug="vat-basics")
    edit = complete(session, editor)
    edit = replace(edit, version=act(session, editor, publication.publish, edit, None))
    with pytest.raises(InvalidInput, match="no other published course"):
        act(session, editor, publication.retire, edit, "payroll-from-nothing", "x")
    edit = replace(edit, version=act(session, editor, publication.retire, edit, "vat-basics", "Replaced"))
    product = session.get_one(Product, edit.product_id, populate_existing=True)
    assert (product.status, product.retired_at, product.successor_id) == ("retired", NOON, successor.id)
    act(session, editor, publication.publish, edit, None)
    product = session.get_one(Product, edit.product_id, populate_existing=True)
    # What is sold again needs no successor.
    assert (product.status, product.retired_at, product.successor_id) == ("published", None, None)


@pytest.mark.parametrize("starts_at", [None, LATER])
def test_a_course_without_lessons_of_its_own_is_published_when_somebody_confirms_that(session, tax, editor, starts_at):
    edit = complete(session, editor)
    for outline in ((SectionRecord("All", (LessonRecord("Two", 5),)),), ()):
        publishing_lessons.put_lessons(session, edit.product_id, outline, NOON)
        with pytest.raises(Refused, match="has no lessons of its own"):
            act(session, editor, publication.publish, edit, starts_at)
    version = act(session, editor, publication.publish, edit, starts_at, True)
    state = "published" if starts_at is None else "scheduled"
    assert stored_course(session, edit.product_id).product.status == state
    if starts_at is not None:
        assert factories.run_as_system(session, publication.publish_due, edit.product_id, LATER)
        return
    # It was sold: nobody is asked again.
    edit = replace(edit, version=act(session, editor, publication.retire, replace(edit, version=version), "", "x"))
    act(session, editor, publication.publish, edit, None)


def test_who_retires_a_course_says_why(session, tax, editor):
    edit = complete(session, editor)
    edit = replace(edit, version=act(session, editor, publication.publish, edit, None))
    with pytest.raises(InvalidInput) as refusal:
        act(session, editor, publication.retire, edit, "", "  ")
    assert [*refusal.value.errors] == ["reason"]
    assert session.get_one(Product, edit.product_id, populate_existing=True).status == "published"


def test_a_copy_is_a_draft_with_the_texts_and_without_what_learners_left(session, tax, editor):
    source = factories.course(session, tax, slug="vat-basics", enrolled=40, rating=4.5, rating_count=9)
    copy_id = act(session, editor, publication.duplicate, Edit(editor, source.id))
    copy = session.get_one(Product, copy_id)
    assert (copy.slug, copy.status, copy.subtitle) == ("vat-basics-2", "draft", source.subtitle)
    assert (copy.enrolled, copy.rating, copy.list_price) == (0, None, Decimal(100))


@pytest.mark.each_database
def test_a_new_address_leaves_a_redirect_and_a_new_version(session, tax, editor):
    course = factories.course(session, tax, slug="vat-basics")
    act(session, editor, publication.change_address, Edit(editor, course.id), "vat")
    assert (course.slug, course.version) == ("vat", 2)
    assert session.get(FormerSlug, ("course", "vat-basics")).product_id == course.id
