"""The list of what is retired: why, who still has access, and what was announced, on both databases."""

from datetime import timedelta

import pytest

from domain.audit import recording
from domain.audit.recording import Subject
from domain.catalogue.retirement_rules import QUIET_PERIOD
from domain.database.list_page import ListQuery, read_list_page
from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.publishing.editing.retired_list import retired_list
from domain.tables import CourseClosure, RetiredPageVisit
from tests.support import factories
from tests.support.factories import NOON

LATER = NOON + timedelta(days=40)


def listed(session, **filters):
    return read_list_page(session, retired_list(lambda: NOON), ListQuery(size=50, filters=filters)).rows


def retired(session, category, slug, make=factories.course):
    return make(session, category.id, slug, status="retired", retired_at=NOON)


@pytest.mark.each_database
def test_a_retired_course_has_its_newest_reason_its_owners_and_its_closure(session):
    category, staff = factories.category(session), factories.learner(session, "Edda Editor")
    course = retired(session, category, "old-course")
    factories.course(session, category.id, "new-course")
    actor = factories.actor(staff.id, "editor", at=NOON)
    for reason in ("A mistake", "Out of date"):
        subject = Subject("course", course.id)
        recording.run(
            session, actor, recording.record, "course.retire", subject, after={"status": reason}, reason=reason
        )
    session.add(CourseClosure(course_id=course.id, announced_at=NOON, ends_at=LATER, reason="The law"))
    session.add(RetiredPageVisit(product_id=course.id, last_at=LATER))
    session.flush()
    (row,) = listed(session)
    assert (row.name, row.retired_at, row.reason, row.owners) == ("Old Course", NOON, "Out of date", 0)
    assert (row.closes_at, row.next_status) == (LATER, (LATER + QUIET_PERIOD, "gone"))


def test_who_no_longer_has_access_is_not_counted_and_a_cancelled_closure_is_none(session):
    category = factories.category(session)
    course = retired(session, category, "old-course")
    for name, until in (
        ("Ada Lovelace", None),
        ("Grace Hopper", NOON),
        ("Katherine Johnson", LATER),
    ):
        learner = factories.learner(session, name)
        grants.grant(session, learner.id, [course.id], GrantSource("gift", learner.id), NOON, until=until)
    session.add(
        CourseClosure(course_id=course.id, announced_at=NOON, ends_at=LATER, reason="The law", cancelled_at=NOON)
    )
    session.flush()
    (row,) = listed(session)
    assert (row.owners, row.closes_at, row.reason) == (2, None, None)
    assert row.next_status == (NOON + QUIET_PERIOD, "gone")


def test_items_are_listed_too_and_filtered_by_kind_and_name(session):
    category = factories.category(session)
    retired(session, category, "old-course")
    retired(session, category, "old-book", factories.item)
    assert [row.name for row in listed(session)] == ["Old Book", "Old Course"]
    assert [row.name for row in listed(session, kind="item")] == ["Old Book"]
    assert [row.name for row in listed(session, q="cours")] == ["Old Course"]


@pytest.mark.each_database
def test_the_successor_on_sale_is_found_over_others_that_are_retired_too(session):
    category = factories.category(session)
    last = factories.course(session, category.id, "last-course")
    middle = retired(session, category, "middle-course")
    first = retired(session, category, "first-course")
    first.successor_id, middle.successor_id = middle.id, last.id
    session.flush()
    shown = {row.name: (row.successor, row.status) for row in listed(session)}
    assert shown == {"First Course": ("Last Course", "landing"), "Middle Course": ("Last Course", "landing")}
    last.status = "draft"
    session.flush()
    assert {row.successor for row in listed(session)} == {None}


def test_quiet_courses_with_a_successor_have_another_answer_proposed_until_it_is_decided(session):
    category = factories.category(session)
    new = factories.course(session, category.id, "new-course")
    quiet, recent = retired(session, category, "quiet-course"), retired(session, category, "recent-course")
    alone, decided = retired(session, category, "lonely-course"), retired(session, category, "decided-course")
    quiet.retired_at = alone.retired_at = decided.retired_at = NOON - QUIET_PERIOD
    quiet.successor_id = recent.successor_id = decided.successor_id = new.id
    decided.retirement_choice, decided.retirement_reason = "landing", "A classic"
    session.flush()
    (row,) = listed(session, proposed="open")
    assert (row.name, row.status, row.proposed) == ("Quiet Course", "unlisted", "redirect")
    (row,) = listed(session, decided="landing")
    assert (row.name, row.status, row.choice_reason, row.proposed) == ("Decided Course", "landing", "A classic", None)
    assert {row.name: row.proposed for row in listed(session, decided="auto")} == {
        **{"Lonely Course": None, "Recent Course": None},
        "Quiet Course": "redirect",
    }
