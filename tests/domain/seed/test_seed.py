"""The demo shop: all of it is there after one load, and a second changes nothing."""

import json
from collections import Counter
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import func, select

from domain import publishing, seed
from domain.db import Database
from domain.seed import browsing
from domain.tables import (
    Base,
    Category,
    Contract,
    ContractProduct,
    Coupon,
    CouponProduct,
    Course,
    Enrolment,
    Learner,
    Membership,
    Organisation,
    Product,
    Visit,
)
from tests.factories import NOON

COURSES = {path.stem: json.loads(path.read_text("utf-8")) for path in (seed.FOLDER / "courses").glob("*.json")}
ITEMS = json.loads((seed.FOLDER / "items.json").read_text("utf-8"))


@pytest.fixture
def shop(database: Database) -> Database:
    with database.session() as session:
        seed.load(session, NOON)
    return database


def everything(database):
    with database.reading() as session:
        return [session.execute(table.select()).all() for table in Base.metadata.sorted_tables]


def test_a_load_brings_every_course_and_item_of_the_files(shop):
    with shop.reading() as session:
        shelves = session.execute(
            select(Category.slug, func.count())
            .join(Product, Product.category_id == Category.id)
            .where(Product.kind == "course")
            .group_by(Category.slug)
        )
        assert dict(shelves.all()) == {slug: len(rows) for slug, rows in COURSES.items()}
        items = session.scalar(select(func.count()).where(Product.kind == "item"))
    assert items == len(ITEMS)


def test_the_demo_is_as_large_as_promised():
    assert sum(map(len, COURSES.values())) >= 60
    assert len(COURSES) == 8
    assert len(ITEMS) == 24


@pytest.mark.parametrize("days", [0, 40])
def test_a_second_load_changes_nothing_whenever_it_comes(shop, days):
    before = everything(shop)
    with shop.session() as session:
        seed.load(session, NOON + timedelta(days=days))
    assert everything(shop) == before


def test_the_demo_has_its_learners_organisations_and_a_coupon_of_every_kind(shop):
    with shop.reading() as session:
        people = set(session.scalars(select(Learner.subject)))
        coupons = {row.shown: row for row in session.scalars(select(Coupon))}
        members = session.execute(select(Learner.subject, Membership.role, Membership.is_restricted).join(Membership))
        assert {tuple(row) for row in members} >= {("org", "manager", False), ("member", "member", True)}
    assert people >= {"ada", "locked3", "expired2", "warn", "email-mfa", "org", "member", "admin", "marketing"}
    assert len(coupons) == 6
    assert {one.kind for one in coupons.values()} == {"percent", "amount"}
    assert {one.covers for one in coupons.values()} == {"all", "course", "item", "category"}
    assert [name for name, one in coupons.items() if one.is_special] == ["SPRING15"]
    assert [name for name, one in coupons.items() if one.organisation_id] == ["NORTHWIND25"]


def test_a_demo_from_before_there_were_learners_gets_them_and_another_shop_does_not(database):
    with database.session() as session:
        seed.complete(session, NOON)
        assert session.scalar(select(func.count()).select_from(Learner)) == 0
        seed.load(session, NOON)
        for table in (Enrolment, Membership, CouponProduct, Coupon, ContractProduct, Contract, Organisation, Learner):
            session.execute(table.__table__.delete())
        seed.complete(session, NOON)
        assert session.scalar(select(func.count()).select_from(Learner)) == 12


def test_a_price_changed_since_outlives_the_next_load(shop):
    slug = COURSES["tax"][0]["slug"]
    with shop.session() as session:
        publishing.change_price(session, slug, Decimal("1.00"), None, NOON)
        seed.load(session, NOON)
        assert publishing.product_called(session, slug).list_price == Decimal("1.00")


def test_times_of_a_course_count_back_from_the_load(shop):
    row = COURSES["tax"][0]
    with shop.reading() as session:
        product = publishing.product_called(session, row["slug"])
        assert product.published_at == NOON - timedelta(days=row["published_days_ago"])
        assert product.updated_at == NOON - timedelta(days=row["updated_days_ago"])
        assert product.rating_count == len(row["reviews"])
        assert session.get(Course, product.id).provider == "Meridian Learning"


def test_about_half_of_the_sales_end_at_a_midnight_in_thirty_days(shop):
    with shop.reading() as session:
        ends = Counter(session.scalars(select(Product.sale_until).where(Product.sale_price.is_not(None))))
    midnight = NOON.replace(hour=0) + timedelta(days=30)
    assert ends.keys() == {None, midnight}
    assert 0.3 < ends[None] / ends.total() < 0.7


def test_a_retired_course_leads_to_its_successor(shop):
    wanted = {row["slug"]: row["successor"] for rows in COURSES.values() for row in rows if row["successor"]}
    with shop.reading() as session:
        slugs = dict(session.execute(select(Product.id, Product.slug)).all())
        led = session.execute(select(Product.slug, Product.successor_id).where(Product.successor_id.is_not(None)))
        assert {slug: slugs[successor] for slug, successor in led} == wanted


def test_four_months_of_visits_end_with_the_load(shop):
    with shop.reading() as session:
        first, last, rows = session.execute(select(func.min(Visit.at), func.max(Visit.at), func.count())).one()
        classes = dict(session.execute(select(Visit.visitor_class, func.count()).group_by(Visit.visitor_class)).all())
    assert NOON - timedelta(days=browsing.DAYS) < first < NOON - timedelta(days=browsing.DAYS - 2)
    assert NOON - timedelta(days=1) < last <= NOON
    assert 3000 < rows < 10_000
    assert classes["human"] > classes["crawler"] > classes["suspected"] > 50


def test_more_people_come_in_the_evening_than_at_night(shop):
    with shop.reading() as session:
        hours = Counter(at.hour for at in session.scalars(select(Visit.at).where(Visit.visitor_class == "human")))
    assert hours[20] > 5 * hours[3]


def test_campaigns_stand_in_the_address_and_beside_it(shop):
    with shop.reading() as session:
        told = session.execute(select(Visit.url, Visit.campaign).where(Visit.url.contains("utm_campaign="))).all()
    assert {row.campaign["utm_campaign"] for row in told} == {"spring-close", "vat-basics", "year-end", "chamber"}
    assert all(f"utm_source={row.campaign['utm_source']}" in row.url for row in told)
