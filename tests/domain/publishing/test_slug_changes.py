"""A new slug: the old one redirects to the product forever, and no other product gets it."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import func, select

from domain.catalogue import redirects
from domain.errors import Refused
from domain.publishing import categories as publishing_categories
from domain.publishing import slug_changes
from domain.publishing import writer as publishing_writer
from domain.publishing.records import CourseRecord, ItemRecord
from domain.tables import CatalogueVersion, Product, ShopItem
from tests.support.factories import NOON

LATER = NOON + timedelta(days=1)
VAT = CourseRecord(
    slug="vat", name="VAT", subtitle="All of it.", category="tax", list_price=Decimal("9"), duration_min=60
)


@pytest.fixture
def product(session):
    publishing_categories.put_category(session, "tax", "Tax")
    return session.get(Product, publishing_writer.put_course(session, VAT, NOON))


@pytest.mark.each_database
def test_the_old_slug_redirects_to_the_product_and_the_version_changes(session, product):
    before = session.scalar(select(CatalogueVersion.number))
    slug_changes.rename(session, product, "value-added-tax", LATER)
    session.refresh(product)
    assert (product.slug, product.updated_at) == ("value-added-tax", LATER)
    assert product.image == "/pictures/course/tax/value-added-tax/0.svg"
    assert redirects.redirect_target(session, "course", "vat") is product
    assert redirects.redirect_target(session, "course", "value-added-tax") is None
    assert redirects.redirect_target(session, "item", "vat") is None
    assert session.scalar(select(CatalogueVersion.number)) == before + 1


def test_every_former_slug_redirects_straight_to_the_newest(session, product):
    for slug in ("one", "two", "three"):
        slug_changes.rename(session, product, slug, LATER)
    assert {redirects.redirect_target(session, "course", slug).slug for slug in ("vat", "one", "two")} == {"three"}


def test_a_product_can_take_its_former_slug_again(session, product):
    slug_changes.rename(session, product, "one", LATER)
    slug_changes.rename(session, product, "vat", LATER)
    assert redirects.redirect_target(session, "course", "one") is product
    assert redirects.redirect_target(session, "course", "vat") is None


@pytest.mark.parametrize("slug", ["", "Two Words", "UPPER", "a/b", "-", "ends-"])
def test_an_invalid_slug_is_refused(session, product, slug):
    with pytest.raises(Refused, match="is no slug"):
        slug_changes.rename(session, product, slug, LATER)
    assert product.slug == "vat"


@pytest.mark.each_database
def test_a_slug_may_have_letters_of_any_script(session, product):
    slug_changes.rename(session, product, "付加価値税", LATER)
    assert product.slug == "付加価値税"


@pytest.mark.each_database
def test_slugs_and_former_slugs_of_other_products_are_refused(session, product):
    other = session.get(Product, publishing_writer.put_course(session, replace(VAT, slug="other", name="Other"), NOON))
    slug_changes.rename(session, other, "newer", LATER)
    with pytest.raises(Refused, match="Another course is called newer"):
        slug_changes.rename(session, product, "newer", LATER)
    with pytest.raises(Refused, match="other is an old address"):
        slug_changes.rename(session, product, "other", LATER)


def test_a_source_with_the_old_slug_creates_no_second_course(session, product):
    slug_changes.rename(session, product, "value-added-tax", LATER)
    result = publishing_writer.put_courses(session, [replace(VAT, enrolled=5)], LATER)
    assert (result.ids, result.changed) == ([product.id], 1)
    assert session.get(Product, product.id).slug == "value-added-tax"
    assert session.scalar(select(func.count()).select_from(Product)) == 1


def test_putting_a_renamed_product_again_changes_nothing(session, product):
    slug_changes.rename(session, product, "value-added-tax", LATER)
    assert publishing_writer.put_courses(session, [VAT], LATER).unchanged == 1


def test_a_new_product_does_not_get_a_former_slug(session, product):
    slug_changes.rename(session, product, "value-added-tax", LATER)
    new = publishing_writer.put_course(session, replace(VAT, source_id="77", name="Another VAT"), LATER)
    assert session.get(Product, new).slug == "vat-77"


def test_the_pictures_of_an_item_get_the_new_slug(session, product):
    record = ItemRecord(
        slug="tax", name="Tax", subtitle="A book.", category="tax", list_price=Decimal("9"), sku="T", picture_count=2
    )
    item = session.get(Product, publishing_writer.put_item(session, record, NOON))
    slug_changes.rename(session, item, "taxes", LATER)
    pictures = session.get(ShopItem, item.id).images
    assert [picture["src"] for picture in pictures] == [f"/pictures/physical/tax/taxes/{n}.svg" for n in (0, 1)]
    assert publishing_writer.put_items(session, [record], LATER).unchanged == 1
