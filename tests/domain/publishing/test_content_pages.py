"""Versions of the written pages, on both databases."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from domain.audit import recording
from domain.errors import InvalidInput, NotFound
from domain.publishing.editing import content_pages
from domain.publishing.editing.content_pages import PageEdit, PageText, PageVersion
from domain.publishing.editing.stored_course import NewerVersion
from domain.tables import AuditEvent, CatalogueVersion, ContentPage
from tests.support import factories
from tests.support.factories import NOON

TERMS = {"course": {"days": 14, "from": "payment", "unless": "certificate"}, "withdrawn_days": 60}
FIRST = PageVersion(1, PageText("Refunds", "How.", "Ask within **14 days**.", TERMS), NOON)
SLUG = "refund-grievance-policy"


@pytest.fixture
def editor(session):
    return factories.actor(factories.learner(session, "Edda Editor").id, "editor", at=NOON)


def publish(session, editor, seen, **changed):
    text = replace(FIRST.text, **changed)
    return recording.run(session, editor, content_pages.publish, editor, PageEdit(SLUG, seen, text, FIRST))


@pytest.mark.each_database
def test_the_first_text_of_staff_is_version_2_after_that_of_the_file(session, editor):
    before = session.scalar(select(CatalogueVersion.number)) or 0
    assert content_pages.current(session) == {}
    assert publish(session, editor, 1, body="Ask within **30 days**.") == 2
    assert content_pages.current(session)[SLUG].text.body == "Ask within **30 days**."
    stored = [(row.number, row.text.body, row.published_by) for row in content_pages.versions(session, SLUG)]
    assert stored == [(2, "Ask within **30 days**.", "Edda Editor"), (1, FIRST.text.body, "")]
    assert session.scalar(select(CatalogueVersion.number)) == before + 1


def test_publishing_is_recorded_with_the_terms_that_changed(session, editor):
    publish(session, editor, 1, refund=content_pages.with_days(TERMS, {"course": 30, "withdrawn_days": 60}))
    event = session.scalars(select(AuditEvent)).one()
    assert (event.action, event.subject_type) == ("content.publish", "content")
    assert event.before == {"version": 1, "refund": TERMS}
    assert event.after["refund"] == {**TERMS, "course": {**TERMS["course"], "days": 30}}


@pytest.mark.each_database
def test_of_two_who_publish_the_second_is_refused(session, editor):
    publish(session, editor, 1, body="Theirs")
    with pytest.raises(NewerVersion):
        publish(session, editor, 1, body="Mine")
    assert content_pages.current(session)[SLUG].text.body == "Theirs"


def test_the_same_text_is_no_version(session, editor):
    assert publish(session, editor, 1) == 1
    assert session.scalars(select(ContentPage)).all() == []
    assert publish(session, editor, 1, body="New") == 2
    assert publish(session, editor, 2, body="New") == 2


@pytest.mark.parametrize("name", ["title", "description", "body"])
def test_an_empty_text_is_refused_at_its_field(session, editor, name):
    with pytest.raises(InvalidInput) as refusal:
        publish(session, editor, 1, **{name: ""})
    assert [*refusal.value.errors] == [name]


@pytest.mark.parametrize(
    ("days", "fields"),
    [
        ({"course": 366, "withdrawn_days": 60}, ["refundDays.course"]),
        ({"course": 14, "withdrawn_days": -1}, ["refundDays.withdrawn_days"]),
        ({"course": 14}, ["refundDays.withdrawn_days"]),
        ({"course": 14, "withdrawn_days": 60, "other": 1}, ["refundDays.other"]),
    ],
)
def test_days_are_those_of_every_kind_and_within_a_year(days, fields):
    with pytest.raises(InvalidInput) as refusal:
        content_pages.with_days(TERMS, days)
    assert [*refusal.value.errors] == fields


def test_an_unknown_version_is_not_found(session):
    with pytest.raises(NotFound):
        content_pages.version(session, SLUG, 1)
