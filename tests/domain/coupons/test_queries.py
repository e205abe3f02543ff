"""Coupons as they are found: by their codes, and as the special offer. Both databases."""

from datetime import timedelta

import pytest

from domain.coupons import queries as coupon_queries
from domain.reservations.carts import reserve
from domain.reservations.kinds import Resource
from domain.reservations.owners import CartOwner
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

LATER = NOON + timedelta(minutes=30)


def test_codes_are_the_same_in_any_case_and_with_spaces_around(session):
    coupon = factories.coupon(session, "Straße-10")
    coupon.code = coupon_queries.normalised("Straße-10")
    session.flush()
    terms = [coupon_queries.by_code(session, text, NOON) for text in ("STRASSE-10", " straße-10\t", "Straße-10")]
    assert [found and found.name for found in terms] == ["Straße-10"] * 3
    assert [coupon_queries.by_code(session, text, NOON) for text in ("", " ", "x" * 65, "straße-1", "a\x00")] == [
        None
    ] * 5


def test_the_special_offer_is_the_newest_that_anybody_can_use(session):
    ada, organisation = factories.learner(session), factories.organisation(session)
    factories.coupon(session, "OLD", is_special=True)
    factories.coupon(session, "GOOD", is_special=True)
    factories.coupon(session, "OVER", is_special=True, ends_at=NOON)
    factories.coupon(session, "SOON", is_special=True, starts_at=LATER)
    factories.coupon(session, "PAUSED", is_special=True, state="paused")
    factories.coupon(session, "THEIRS", is_special=True, organisation_id=organisation.id)
    gone = factories.coupon(session, "GONE", is_special=True, total_limit=1, uses=0)
    assert reserve(session, Resource("coupon", gone.id), CartOwner(ada.id, 1), 1, NOON) is None
    assert coupon_queries.special_offer(session, NOON).name == "GOOD"
