"""A new slug: the old one leads to the product for good, and nobody else gets it."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import func, select

from domain import addresses, publishing
from domain.errors import Refused
from domain.publishing import CourseRecord, ItemRecord
from domain.tables import CatalogueVersion, Product, ShopItem
from tests.factories import NOON

LATER = NOON + timedelta(days=1)
VAT = CourseRecord(
    slug="vat", name="VAT", subtitle="All of it.", category="tax", list_price=Decimal("9"), duration_min=60
)


@pytest.fixture
def product(session):
    publishing.put_category(session, "tax", "Tax")
    return session.get(Product, publishing.put_course(session, VAT, NOON))


def test_the_old_slug_leads_to_the_product_and_the_version_moves(session, product):
    before = session.scalar(select(CatalogueVersion.number))
    publishing.rename(session, product, "value-added-tax", LATER)
    session.refresh(product)
    assert (product.slug, product.updated_at) == ("value-added-tax", LATER)
    assert product.image == "/pictures/course/tax/value-added-tax/0.svg"
    assert addresses.moved_to(session, "course", "vat") is product
    assert addresses.moved_to(session, "course", "value-added-tax") is None
    assert addresses.moved_to(session, "item", "vat") is None
    assert session.scalar(select(CatalogueVersion.number)) == before + 1


def test_every_former_slug_leads_to_the_newest_at_once(session, product):
    for slug in ("one", "two", "three"):
        publishing.rename(session, product, slug, LATER)
    assert {addresses.moved_to(session, "course", slug).slug for slug in ("vat", "one", "two")} == {"three"}


def test_a_slug_can_be_taken_back(session, product):
    publishing.rename(session, product, "one", LATER)
    publishing.rename(session, product, "vat", LATER)
    assert addresses.moved_to(session, "course", "one") is product
    assert addresses.moved_to(session, "course", "vat") is None


@pytest.mark.parametrize("slug", ["", "Two Words", "UPPER", "a/b", "-", "ends-"])
def test_what_is_no_slug_is_refused(session, product, slug):
    with pytest.raises(Refused, match="is no slug"):
        publishing.rename(session, product, slug, LATER)
    assert product.slug == "vat"


def test_the_letters_of_any_script_make_a_slug(session, product):
    publishing.rename(session, product, "付加価値税", LATER)
    assert product.slug == "付加価値税"


def test_slugs_of_others_are_refused_also_those_they_once_had(session, product):
    other = session.get(Product, publishing.put_course(session, replace(VAT, slug="other", name="Other"), NOON))
    publishing.rename(session, other, "newer", LATER)
    with pytest.raises(Refused, match="Another course is called newer"):
        publishing.rename(session, product, "newer", LATER)
    with pytest.raises(Refused, match="other is an old address"):
        publishing.rename(session, product, "other", LATER)


def test_a_source_that_knows_only_the_old_slug_makes_no_second_course(session, product):
    publishing.rename(session, product, "value-added-tax", LATER)
    written = publishing.put_courses(session, [replace(VAT, enrolled=5)], LATER)
    assert (written.ids, written.changed) == ([product.id], 1)
    assert session.get(Product, product.id).slug == "value-added-tax"
    assert session.scalar(select(func.count()).select_from(Product)) == 1


def test_a_renamed_product_put_again_is_the_same(session, product):
    publishing.rename(session, product, "value-added-tax", LATER)
    assert publishing.put_courses(session, [VAT], LATER).same == 1


def test_a_new_product_does_not_get_an_old_address(session, product):
    publishing.rename(session, product, "value-added-tax", LATER)
    new = publishing.put_course(session, replace(VAT, source_id="77", name="Another VAT"), LATER)
    assert session.get(Product, new).slug == "vat-77"


def test_the_pictures_of_an_item_move_along(session, product):
    record = ItemRecord(
        slug="tax", name="Tax", subtitle="A book.", category="tax", list_price=Decimal("9"), sku="T", picture_count=2
    )
    item = session.get(Product, publishing.put_item(session, record, NOON))
    publishing.rename(session, item, "taxes", LATER)
    pictures = session.get(ShopItem, item.id).images
    assert [one["src"] for one in pictures] == [f"/pictures/physical/tax/taxes/{n}.svg" for n in (0, 1)]
    assert publishing.put_items(session, [record], LATER).same == 1
