"""Money and UTCTime, the two column types that must not differ between SQLite and MariaDB."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import StatementError

from domain.tables import Product, Visit
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database


def prices(session, *amounts):
    tax = factories.category(session)
    for number, amount in enumerate(amounts):
        factories.course(session, tax.id, f"course-{number}", list_price=amount)
    session.expire_all()


def visit(session, at):
    session.add(Visit(event_id="00000000-0000-4000-8000-000000000001", visited_at=at))
    session.flush()
    session.expire_all()


@pytest.mark.parametrize("amount", ["0.000", "0.001", "0.070", "49.900", "100000.990", "9999999999.999"])
def test_money_comes_back_exactly_as_it_was_stored(session, amount):
    prices(session, Decimal(amount))
    price = session.scalars(select(Product.list_price)).one()
    assert (type(price), str(price)) == (Decimal, amount)


def test_money_is_rounded_half_up_when_it_is_stored(session):
    prices(session, Decimal("1.0005"))
    assert session.scalars(select(Product.list_price)).one() == Decimal("1.001")


def test_a_sum_of_money_is_exact(session):
    prices(session, *[Decimal("0.10")] * 3, Decimal("0.07"))
    assert session.scalar(select(func.sum(Product.list_price))) == Decimal("0.37")


def test_money_is_compared_exactly_inside_the_database(session):
    prices(session, Decimal("0.29"), Decimal("0.30"))
    below = select(func.count()).where(Product.list_price < Decimal("0.30"))
    assert session.scalar(below) == 1
    assert session.scalar(select(func.max(Product.list_price))) == Decimal("0.30")


def test_sqlite_holds_integer_thousandths(sqlite_database):
    with sqlite_database.write_session() as session:
        prices(session, Decimal("49.99"))
        assert session.execute(text("SELECT list_price, typeof(list_price) FROM products")).one() == (49990, "integer")


def test_a_time_comes_back_aware_and_to_the_microsecond(session):
    at = datetime(2026, 3, 1, 12, 0, 0, 123457, UTC)
    visit(session, at)
    visited_at = session.scalars(select(Visit.visited_at)).one()
    assert (visited_at, visited_at.tzinfo) == (at, UTC)


def test_a_time_of_another_zone_is_stored_as_utc(session):
    visit(session, NOON.astimezone(timezone(timedelta(hours=9))))
    assert session.scalars(select(Visit.visited_at)).one().isoformat() == "2026-03-01T12:00:00+00:00"


def test_a_naive_time_is_refused_and_nothing_is_stored(session):
    with pytest.raises(StatementError, match="a time without its zone cannot be stored"), session.begin_nested():
        visit(session, NOON.replace(tzinfo=None))
    assert session.scalar(select(func.count()).select_from(Visit)) == 0


def test_text_of_every_script_is_stored_unchanged(session):
    tax = factories.category(session)
    name = "税務の基礎 📚 Ünïcode"
    factories.course(session, tax.id, name=name)
    session.expire_all()
    assert session.scalars(select(Product.name)).one() == name
