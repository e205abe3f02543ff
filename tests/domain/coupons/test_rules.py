"""The validator: a table of cases with their refusals."""

from datetime import timedelta
from decimal import Decimal

import pytest

from domain.coupons import rules as coupon_rules
from domain.coupons.rules import UNUSABLE, CouponContext
from domain.coupons.terms import Terms
from domain.pricing.offers import Line, Offer
from tests.support.factories import NOON
from tests.support.shops import SHOP

TEN = Offer("SPRING", "percent", Decimal(10))
COURSE = Line(1, "course", "tax", Decimal("49.99"))
ITEM = Line(2, "item", "books", Decimal("100.00"))
ANY = CouponContext(NOON, SHOP)
A_DAY = timedelta(days=1)


def terms(**about) -> Terms:
    return Terms(TEN, **about)


def covering(covers: str, scope: str, minimum: str = "0") -> Terms:
    return Terms(Offer("SPRING", "percent", Decimal(10), Decimal(minimum), covers, scope=scope))


ALLOWED = {
    "without conditions": (terms(), ANY),
    "from its first moment": (terms(starts_at=NOON), ANY),
    "until just before its end": (terms(ends_at=NOON + timedelta(microseconds=1)), ANY),
    "with its last use": (terms(total_limit=5, uses=4), ANY),
    "used up, but held by this very line": (
        terms(total_limit=5, uses=5),
        CouponContext(NOON, SHOP, has_reservation=True),
    ),
    "with the learner's last use": (terms(learner_limit=2), CouponContext(NOON, SHOP, learner_uses=1)),
    "of the learner's organisation": (
        terms(organisation_id=3),
        CouponContext(NOON, SHOP, organisations=frozenset({2, 3})),
    ),
    "with its minimum reached": (covering("course", "courses", "49.99"), CouponContext(NOON, SHOP, [COURSE], COURSE)),
}
REFUSED = {
    "unknown": (None, ANY, UNUSABLE.message),
    "a draft": (terms(state="draft"), ANY, UNUSABLE.message),
    "paused": (terms(state="paused"), ANY, UNUSABLE.message),
    "ended": (terms(state="ended"), ANY, UNUSABLE.message),
    "not yet begun": (terms(starts_at=NOON + A_DAY), ANY, UNUSABLE.message),
    "over": (terms(ends_at=NOON), ANY, UNUSABLE.message),
    "used up": (terms(total_limit=5, uses=5), ANY, UNUSABLE.message),
    "another organisation's": (
        terms(organisation_id=3),
        CouponContext(NOON, SHOP, organisations=frozenset({2})),
        UNUSABLE.message,
    ),
    "an organisation's, for a guest": (terms(organisation_id=3), ANY, UNUSABLE.message),
    "used by the learner": (
        terms(learner_limit=1),
        CouponContext(NOON, SHOP, learner_uses=1),
        "You can use SPRING once, and you have. Remove it from another line to use it here.",
    ),
    "used by the learner twice": (
        terms(learner_limit=2),
        CouponContext(NOON, SHOP, learner_uses=2),
        "You can use SPRING 2 times, and you have. Remove it from another line to use it here.",
    ),
    "for other things": (
        covering("course", "courses"),
        CouponContext(NOON, SHOP, [COURSE, ITEM], ITEM),
        "SPRING does not cover this one: it is for courses.",
    ),
    "for nothing in the cart": (
        covering("data", "Data"),
        CouponContext(NOON, SHOP, [COURSE, ITEM]),
        "SPRING does not cover anything in your cart: it is for Data.",
    ),
    "below its minimum by a cent": (
        covering("course", "courses", "50.00"),
        CouponContext(NOON, SHOP, [COURSE, ITEM], COURSE),
        "Spend 50.00 or more on courses to use SPRING: 0.01 to go.",
    ),
}


@pytest.mark.parametrize("name", ALLOWED)
def test_a_coupon_may_be_used(name):
    assert coupon_rules.first_refusal(*ALLOWED[name]) is None


@pytest.mark.parametrize("name", REFUSED)
def test_a_coupon_is_refused_with_the_reason(name):
    terms, context, message = REFUSED[name]
    reason = coupon_rules.first_refusal(terms, context)
    assert reason is not None
    assert reason.message == message


def test_a_guesser_cannot_tell_an_unknown_code_from_one_that_exists():
    hidden = [name for name, (_, _, message) in REFUSED.items() if message == UNUSABLE.message]
    assert {coupon_rules.first_refusal(*REFUSED[name][:2]) for name in hidden} == {UNUSABLE}
    assert len(hidden) == 9
