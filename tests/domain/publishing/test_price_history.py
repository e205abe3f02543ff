"""Prices that are planned, applied, withdrawn and compared, on both databases."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from domain.audit import recording
from domain.catalogue.listing import is_on_sale
from domain.errors import InvalidInput, Refused
from domain.publishing.editing import price_history, publication
from domain.publishing.editing.price_history import NewPrice, PriceEntry
from domain.publishing.editing.stored_course import Edit, NewerVersion, stored_course
from domain.publishing.lowest_prices import lowest_price
from domain.publishing.writer import put_course
from domain.tables import AuditEvent, PriceChange, Product
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


@pytest.fixture
def course(session):
    """For 100.00 since ninety days."""
    return factories.course(session, factories.category(session).id, published_at=NOON - 90 * DAY)


@pytest.fixture
def finance(session):
    return factories.actor(factories.learner(session).id, "finance", at=NOON)


def change(session, actor, product, price, *window, only_draft=False):
    """`window`: sale price, begin and end, as far as there are any."""
    sale, starts_at, ends_at = (*window, None, None, None)[:3]
    new = NewPrice(Decimal(price), None if sale is None else Decimal(sale), starts_at, ends_at, "Spring")
    edit = Edit(actor, product.id, session.get_one(Product, product.id).version)
    return recording.run(session, actor, price_history.change, edit, new, USD, only_draft=only_draft)


def price_at(product, at):
    on_sale = is_on_sale(product.sale_price, product.sale_from, product.sale_until, at)
    return product.sale_price if on_sale else product.list_price


@pytest.mark.each_database
def test_a_planned_sale_begins_and_ends_on_the_second_without_a_task(session, course, finance):
    begins, ends = NOON + DAY, NOON + 3 * DAY
    change(session, finance, course, "100", "60", begins, ends)
    times = (begins - SECOND, begins, ends - SECOND, ends)
    assert [price_at(course, at) for at in times] == [Decimal(100), Decimal(60), Decimal(60), Decimal(100)]
    assert publication.due_prices(session, ends) == []


def test_a_planned_list_price_waits_for_its_time(session, course, finance):
    change(session, finance, course, "120", None, NOON + DAY)
    assert course.list_price == Decimal(100)
    assert publication.due_prices(session, NOON + DAY - SECOND) == []
    (row,) = publication.due_prices(session, NOON + DAY)
    assert not factories.run_as_system(session, publication.apply_due_price, row, NOON + DAY - SECOND)
    assert [factories.run_as_system(session, publication.apply_due_price, row, NOON + DAY) for _ in range(2)] == [
        True,
        False,
    ]
    assert (course.list_price, publication.due_prices(session, NOON + DAY)) == (Decimal(120), [])
    actions = session.scalars(select(AuditEvent.action).order_by(AuditEvent.number)).all()
    assert [*actions] == ["price.plan", "price.apply"]


def test_a_sale_planned_beside_a_running_one_leaves_that_one_alone(session, course, finance):
    change(session, finance, course, "100", "80", None, NOON + 2 * DAY)
    change(session, finance, course, "100", "70", NOON + 4 * DAY, NOON + 5 * DAY)
    assert (course.sale_price, course.sale_until) == (Decimal(80), NOON + 2 * DAY)
    (row,) = publication.due_prices(session, NOON + 4 * DAY)
    factories.run_as_system(session, publication.apply_due_price, row, NOON + 4 * DAY)
    window = (course.sale_price, course.sale_from, course.sale_until)
    assert window == (Decimal(70), NOON + 4 * DAY, NOON + 5 * DAY)


@pytest.mark.parametrize(("price", "sale"), [("120", None), ("100", "60")])
def test_a_plan_its_withdrawal_and_its_time_make_every_form_that_was_open_old(session, course, finance, price, sale):
    """Two people plan at once: the second sees the plan of the first before theirs counts."""
    edit, new = (
        Edit(finance, course.id, course.version),
        NewPrice(Decimal(price), sale and Decimal(sale), NOON + DAY, None),
    )
    planned = recording.run(session, finance, price_history.change, edit, new, USD, only_draft=False)
    assert planned == edit.version + 1
    with pytest.raises(NewerVersion):
        recording.run(
            session, finance, price_history.change, edit, replace(new, list_price=Decimal(90)), USD, only_draft=False
        )
    (plan,) = price_history.read(session, course.id, NOON).planned
    withdrawn = recording.run(session, finance, price_history.withdraw, finance, plan.id)
    assert withdrawn == planned + 1
    with pytest.raises(NewerVersion):
        recording.run(
            session, finance, price_history.change, replace(edit, version=planned), new, USD, only_draft=False
        )
    change(session, finance, course, "130", None, NOON + DAY)
    (due,) = publication.due_prices(session, NOON + DAY)
    factories.run_as_system(session, publication.apply_due_price, due, NOON + DAY)
    assert session.get_one(Product, course.id, populate_existing=True).version == withdrawn + 2


@pytest.mark.parametrize(("price", "sale"), [("120", None), ("100", "60")])
def test_a_withdrawn_plan_leaves_the_price_as_it_is(session, course, finance, price, sale):
    change(session, finance, course, price, sale, NOON + DAY)
    (plan,) = price_history.read(session, course.id, NOON).planned
    recording.run(session, finance, price_history.withdraw, finance, plan.id)
    assert price_history.read(session, course.id, NOON).planned == []
    assert (price_at(course, NOON + 2 * DAY), publication.due_prices(session, NOON + 2 * DAY)) == (Decimal(100), [])


def test_a_price_that_has_begun_is_not_withdrawn(session, course, finance):
    change(session, finance, course, "120")
    row = session.scalars(select(PriceChange.id).order_by(PriceChange.id.desc())).first()
    with pytest.raises(Refused, match="has begun already"):
        recording.run(session, finance, price_history.withdraw, finance, row)


def test_a_sale_that_goes_on_keeps_its_beginning(session, course, finance):
    course.sale_price, course.sale_from, course.sale_until = Decimal(60), NOON - 5 * DAY, NOON + DAY
    change(session, finance, course, "120", "60", None, NOON + DAY)
    assert (course.list_price, course.sale_from, course.sale_until) == (Decimal(120), NOON - 5 * DAY, NOON + DAY)


def test_a_price_now_replaces_a_sale_that_has_not_begun(session, course, finance):
    change(session, finance, course, "100", "60", NOON + DAY)
    change(session, finance, course, "90")
    prices = price_history.read(session, course.id, NOON)
    assert (prices.now, prices.planned, price_at(course, NOON + 2 * DAY)) == (Decimal(90), [], Decimal(90))


@pytest.mark.each_database
def test_the_lowest_price_of_the_thirty_days_before_the_sale_is_given(session, course, finance):
    change(session, finance, course, "80")
    change(session, finance, course, "80", "50", NOON + 10 * DAY, NOON + 20 * DAY)
    prices = price_history.read(session, course.id, NOON + 12 * DAY)
    assert (prices.now, prices.lowest) == (Decimal(50), Decimal(80))
    assert [entry.list_price for entry in prices.past] == [Decimal(80), Decimal(80), Decimal(100)]


@pytest.mark.each_database
def test_each_change_of_a_price_stores_the_lowest_before_the_sale_with_the_product(session, course, finance):
    def lowest():
        session.expire_all()
        return session.get_one(Product, course.id).lowest_before

    change(session, finance, course, "100", "60", None, NOON + DAY)
    assert lowest() == Decimal(100)
    later = replace(finance, at=NOON + 20 * DAY)
    change(session, later, course, "100", "80")
    assert lowest() == Decimal(60), "the sale of twenty days before counts"
    change(session, replace(finance, at=NOON + 22 * DAY), course, "120", "80")
    assert lowest() == Decimal(60), "the sale goes on"
    change(session, replace(finance, at=NOON + 60 * DAY), course, "120", "70")
    assert lowest() == Decimal(80), "a lower sale price is a new reduction"
    change(session, replace(finance, at=NOON + 61 * DAY), course, "120")
    assert lowest() is None
    record = stored_course(session, course.id).record
    put_course(session, replace(record, sale_price=Decimal(90)), NOON + 80 * DAY)
    assert lowest() == Decimal(70)


def test_what_a_draft_cost_is_no_former_price(session, finance):
    course = factories.course(session, factories.category(session).id, status="draft", published_at=None)
    change(session, finance, course, "20")
    change(session, finance, course, "100", "60")
    assert course.lowest_before == Decimal(100)


def entry(day, price, sale=None, ends=None):
    ends_at = None if ends is None else NOON + ends * DAY
    amounts = (Decimal(price), None if sale is None else Decimal(sale))
    return PriceEntry(day, NOON + day * DAY, ends_at, *amounts, None, "")


LOWEST = {
    "no change": ([entry(-90, 100)], 100),
    "a lower price before the thirty days": ([entry(-90, 50), entry(-31, 100)], 100),
    "a lower price until within them": ([entry(-90, 50), entry(-29, 100)], 50),
    "a sale within them": ([entry(-90, 100), entry(-20, 100, 60, ends=-10)], 60),
    "a sale that ended before them": ([entry(-90, 100), entry(-60, 100, 60, ends=-40)], 100),
    "the sale itself does not count": ([entry(-90, 100), entry(0, 100, 40)], 100),
    "nothing known": ([], 77),
}


@pytest.mark.parametrize("case", LOWEST)
def test_the_lowest_price_of_a_time(case):
    entries, lowest = LOWEST[case]
    assert lowest_price(entries, NOON - 30 * DAY, NOON, Decimal(77)) == Decimal(lowest)


REFUSED = {
    "a sale that ends before it begins": (("60", NOON + DAY, NOON + DAY), False, InvalidInput),
    "a sale that is over": (("60", None, NOON - DAY), False, InvalidInput),
    "an end without a sale": ((None, None, NOON + DAY), False, InvalidInput),
    "a sale above the price": (("100",), False, Refused),
    "a published course priced by an editor": ((), True, Refused),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_price_is_refused_and_changes_nothing(session, course, finance, case):
    window, only_draft, error = REFUSED[case]
    with pytest.raises(error):
        change(session, finance, course, "100", *window, only_draft=only_draft)
    assert (course.list_price, course.sale_price, course.version) == (Decimal(100), None, 1)


def test_a_price_set_on_an_older_version_is_refused(session, course, finance):
    new = NewPrice(Decimal(90), None, None, None)
    with pytest.raises(NewerVersion):
        recording.run(session, finance, price_history.change, Edit(finance, course.id, 0), new, USD, only_draft=False)
    assert course.list_price == Decimal(100)


def test_prices_that_an_import_changes_are_rows_and_count_for_the_lowest_price(session, course, finance):
    record = stored_course(session, course.id).record
    put_course(session, replace(record, list_price=Decimal(80)), NOON)
    put_course(session, replace(record, list_price=Decimal(90)), NOON + DAY)
    session.expire_all()
    rows = session.scalars(select(PriceChange).order_by(PriceChange.starts_at)).all()
    found = [(row.starts_at, row.list_price, row.changed_by) for row in rows]
    assert found == [(NOON - 90 * DAY, 100, None), (NOON, 80, None), (NOON + DAY, 90, None)]
    put_course(session, replace(record, list_price=Decimal(90)), NOON + 2 * DAY)
    assert len(session.scalars(select(PriceChange.id)).all()) == 3
    put_course(session, replace(record, list_price=Decimal(90), sale_price=Decimal(85)), NOON + 3 * DAY)
    assert price_history.read(session, course.id, NOON + 3 * DAY).lowest == 80


def test_an_import_that_changes_the_price_of_a_draft_leaves_no_row(session, course):
    record = stored_course(session, course.id).record
    put_course(session, replace(record, status="draft"), NOON)
    put_course(session, replace(record, status="draft", list_price=Decimal(80)), NOON + DAY)
    assert session.scalars(select(PriceChange.id)).all() == []
