"""Statements that are compiled once find the same rows as ordinary ones."""

import pytest
from sqlalchemy import bindparam, select

from domain.database.prepared_select import PreparedSelect, SelectByIds, first_number
from domain.tables import Product
from tests.support import factories

pytestmark = pytest.mark.each_database

_products = Product.__table__.c
OF_STATUS = SelectByIds(
    lambda ids: (
        select(_products.id)
        .where(_products.id.in_(ids), _products.status == bindparam("status"))
        .order_by(_products.id)
    ),
    first_number,
)
BY_SLUG = PreparedSelect(select(_products.id).where(_products.slug == bindparam("slug")), first_number)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_rows_are_found_by_a_list_of_ids_of_any_length(session, count):
    category = factories.category(session)
    ids = [factories.course(session, category.id, f"course-{number}").id for number in range(5)]
    assert OF_STATUS.all(session, ids[:count], status="published") == ids[:count]
    assert OF_STATUS.all(session, ids[:count], status="draft") == []


def test_what_the_session_has_not_written_yet_is_found(session):
    category = factories.category(session)
    course = factories.course(session, category.id, "course")
    session.get_one(Product, course.id).slug = "renamed"
    assert BY_SLUG.all(session, slug="renamed") == [course.id]
