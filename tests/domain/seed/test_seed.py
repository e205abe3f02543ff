"""The demo shop: one load adds everything, and a second changes nothing."""

import json
from collections import Counter
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import func, select

from domain.money import is_rounded
from domain.publishing import prices as publishing_prices
from domain.seed import demo_shop, visits
from domain.tables import (
    Base,
    Category,
    ContractProduct,
    Coupon,
    Course,
    DeliveryRate,
    Learner,
    Membership,
    Product,
    Visit,
)
from domain.visits.days.served_tally import served_of
from domain.visits.raw.local_days import SHOP, DayRules
from domain.visits.raw.log_rows import raw_visits
from domain.visits.served_documents import AGENT_CLASSES
from domain.visits.stored_days.served_rows import ServedDayRow
from tests.support.factories import NOON
from tests.support.shops import JPY, KWD, USD

COURSES = {path.stem: json.loads(path.read_text("utf-8")) for path in (demo_shop.FOLDER / "courses").glob("*.json")}
# The cheapest delivery of the demo in minor units.
DELIVERY = {"JPY": 490, "KWD": 4900}
ITEMS = json.loads((demo_shop.FOLDER / "items.json").read_text("utf-8"))


def everything(database):
    with database.read_session() as session:
        return [session.execute(table.select()).all() for table in Base.metadata.sorted_tables]


def test_a_load_adds_every_course_and_item_of_the_files(demo_database):
    with demo_database.read_session() as session:
        counts = session.execute(
            select(Category.slug, func.count())
            .join(Product, Product.category_id == Category.id)
            .where(Product.kind == "course")
            .group_by(Category.slug)
        )
        assert dict(counts.all()) == {slug: len(rows) for slug, rows in COURSES.items()}
        items = session.scalar(select(func.count()).where(Product.kind == "item"))
    assert items == len(ITEMS)


def test_the_demo_has_the_documented_size():
    assert sum(map(len, COURSES.values())) >= 60
    assert len(COURSES) == 8
    assert len(ITEMS) == 24


@pytest.mark.parametrize("days", [pytest.param(0, marks=pytest.mark.soak), 40])
def test_a_second_load_at_any_time_changes_nothing_not_even_a_changed_price(own_demo, days):
    with own_demo.write_session() as session:
        publishing_prices.change_price(session, COURSES["tax"][0]["slug"], Decimal("1.00"), None, NOON, USD)
    before = everything(own_demo)
    with own_demo.write_session() as session:
        demo_shop.load(session, NOON + timedelta(days=days), USD)
    assert everything(own_demo) == before


def test_the_demo_has_its_learners_organisations_and_a_coupon_of_every_kind(demo_database):
    with demo_database.read_session() as session:
        people = set(session.scalars(select(Learner.subject)))
        coupons = {row.display_code: row for row in session.scalars(select(Coupon))}
        members = session.execute(select(Learner.subject, Membership.role, Membership.is_restricted).join(Membership))
        assert {tuple(row) for row in members} >= {("org", "manager", False), ("member", "member", True)}
    assert people >= {"ada", "locked3", "expired2", "warn", "email-mfa", "org", "member", "admin", "marketing"}
    assert len(coupons) == 6
    assert {coupon.kind for coupon in coupons.values()} == {"percent", "amount"}
    assert {coupon.applies_to for coupon in coupons.values()} == {"all", "course", "item", "category"}
    assert [name for name, coupon in coupons.items() if coupon.is_special] == ["SPRING15"]
    assert [name for name, coupon in coupons.items() if coupon.organisation_id] == ["NORTHWIND25"]


@pytest.mark.parametrize(
    ("currency", "scale"),
    [pytest.param(JPY, 100, id="JPY"), pytest.param(KWD, 1, id="KWD", marks=pytest.mark.soak)],
)
def test_amounts_of_the_demo_fit_the_currency(sqlite_database, monkeypatch, currency, scale):
    row = COURSES["tax"][0]
    # What has no amounts, and takes most of the time.
    monkeypatch.setattr(demo_shop.seed_progress_load, "add", lambda *_: None)
    monkeypatch.setattr(demo_shop.visits, "add_visits", lambda *_: None)
    monkeypatch.setattr(demo_shop.search_queries, "add_queries", lambda *_: None)
    with sqlite_database.write_session() as session:
        demo_shop.load(session, NOON, currency)
        assert publishing_prices.product_by_slug(session, row["slug"]).list_price == Decimal(row["list_price"]) * scale
        prices = [*session.scalars(select(Product.list_price)), *session.scalars(select(Coupon.minimum))]
        prices += session.scalars(select(Coupon.value).where(Coupon.kind == "amount"))
        prices += [price for price in session.scalars(select(ContractProduct.price)) if price is not None]
        cheapest = min(session.scalars(select(DeliveryRate.price_minor)))
    assert [price for price in prices if not is_rounded(price, currency)] == []
    assert cheapest == DELIVERY[currency.code]


def test_times_of_a_course_are_relative_to_the_load(demo_database):
    row = COURSES["tax"][0]
    with demo_database.read_session() as session:
        product = publishing_prices.product_by_slug(session, row["slug"])
        assert product.published_at == NOON - timedelta(days=row["published_days_ago"])
        assert product.updated_at == NOON - timedelta(days=row["updated_days_ago"])
        assert product.rating_count == len(row["reviews"])
        assert session.get(Course, product.id).provider == "Meridian Learning"


def test_about_half_of_the_sales_end_at_a_midnight_in_thirty_days(demo_database):
    with demo_database.read_session() as session:
        ends = Counter(session.scalars(select(Product.sale_until).where(Product.sale_price.is_not(None))))
    midnight = NOON.replace(hour=0) + timedelta(days=30)
    assert ends.keys() == {None, midnight}
    assert 0.3 < ends[None] / ends.total() < 0.7


def test_a_retired_course_has_its_successor(demo_database):
    wanted = {row["slug"]: row["successor"] for rows in COURSES.values() for row in rows if row["successor"]}
    with demo_database.read_session() as session:
        slugs = dict(session.execute(select(Product.id, Product.slug)).all())
        links = session.execute(select(Product.slug, Product.successor_id).where(Product.successor_id.is_not(None)))
        assert {slug: slugs[successor] for slug, successor in links} == wanted


def test_four_months_of_visits_end_with_the_load(demo_database):
    with demo_database.read_session() as session:
        first, last, rows = session.execute(
            select(func.min(Visit.visited_at), func.max(Visit.visited_at), func.count())
        ).one()
        classes = dict(session.execute(select(Visit.visitor_class, func.count()).group_by(Visit.visitor_class)).all())
    assert NOON - timedelta(days=visits.DAYS) < first < NOON - timedelta(days=visits.DAYS - 2)
    assert NOON - timedelta(days=1) < last <= NOON
    assert 3000 < rows < 12_000
    assert classes["human"] > classes["crawler"] > classes["suspected"] > 50


def test_each_day_has_served_more_pages_than_a_script_has_seen(demo_database):
    rows = [row for day in range(visits.DAYS) for row in _served_on(demo_database, NOON - timedelta(days=day))]
    browsers = [row for row in rows if row.agent_class == "browser"]
    assert len(browsers) == visits.DAYS
    assert all(row.seen <= row.documents for row in rows)
    assert 0.85 < sum(row.seen for row in browsers) / sum(row.documents for row in browsers) < 0.97
    assert {row.agent_class for row in rows} == set(AGENT_CLASSES)
    assert {row.agent_class for row in rows if row.seen} == {"browser", "program"}


def _served_on(database, at: datetime) -> list[ServedDayRow]:
    with database.read_session() as session:
        return served_of(raw_visits(SHOP).rows_of(session, DayRules().window(at.date())))


def test_more_people_visit_in_the_evening_than_at_night(demo_database):
    with demo_database.read_session() as session:
        hours = Counter(
            at.hour for at in session.scalars(select(Visit.visited_at).where(Visit.visitor_class == "human"))
        )
    assert hours[20] > 5 * hours[3]


def test_campaigns_are_stored_in_the_url_and_as_a_column(demo_database):
    with demo_database.read_session() as session:
        rows = session.execute(select(Visit.url, Visit.campaign).where(Visit.url.contains("utm_campaign="))).all()
    assert {row.campaign["utm_campaign"] for row in rows} == {"spring-close", "vat-basics", "year-end", "chamber"}
    assert all(f"utm_source={row.campaign['utm_source']}" in row.url for row in rows)
