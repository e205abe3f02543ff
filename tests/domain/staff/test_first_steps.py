"""What a new school does first: shown to those who can do it, until something is for sale."""

import pytest

from domain.permissions import Permission
from domain.staff.first_steps import FirstStep, first_steps
from domain.tables import Product
from tests.support import factories

EDITOR = [Permission.CATALOGUE_WRITE, Permission.CATALOGUE_PUBLISH]


@pytest.mark.each_database
def test_the_steps_are_done_one_after_the_other_and_gone_once_something_is_published(session):
    assert first_steps(session, EDITOR) == [FirstStep(kind, False) for kind in ("category", "course", "publish")]
    category = factories.category(session)
    factories.item(session, category.id, status="draft")
    assert first_steps(session, EDITOR)[1] == FirstStep("course", False)
    course = factories.course(session, category.id, status="draft")
    session.flush()
    done = [FirstStep("category", True), FirstStep("course", True), FirstStep("publish", False)]
    assert first_steps(session, EDITOR) == done
    assert first_steps(session, [*EDITOR, Permission.STAFF_WRITE]) == [*done, FirstStep("colleague", False)]
    session.get_one(Product, course.id).status = "published"
    session.flush()
    assert first_steps(session, EDITOR) == []


def test_who_publishes_nothing_sees_no_steps(session):
    assert first_steps(session, [Permission.STAFF_WRITE, Permission.CATALOGUE_WRITE]) == []
