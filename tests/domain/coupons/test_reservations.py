"""Uses of coupons on both databases: reserved, renewed, transferred, committed, released; never more than the limit."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain import coupons
from domain.coupons import RESERVATION_TTL, UNUSABLE, ReservationSlot
from domain.tables import Coupon, CouponUse
from tests.support import factories
from tests.support.factories import NOON

LATER = NOON + RESERVATION_TTL
ORDER = 77


@pytest.fixture
def ada(session) -> int:
    return factories.learner(session).id


@pytest.fixture
def grace(session) -> int:
    return factories.learner(session, "Grace Hopper").id


def terms(session, code: str = "spring", at=NOON):
    session.expire_all()
    return coupons.by_code(session, code, at)


def reserve(session, learner_id: int, product_id: int = 1, at=NOON, code: str = "spring"):
    return coupons.reserve(session, terms(session, code, at), ReservationSlot(learner_id, product_id), at)


def uses(session) -> list[tuple]:
    rows = session.execute(
        select(CouponUse.learner_id, CouponUse.product_id, CouponUse.order_id, CouponUse.state).order_by(CouponUse.id)
    )
    return [tuple(row) for row in rows]


def counter(session) -> int:
    return session.scalars(select(Coupon.uses).execution_options(populate_existing=True)).one()


def test_a_use_is_reserved_for_half_an_hour(session, ada):
    coupon = factories.coupon(session, total_limit=1)
    assert reserve(session, ada) is None
    assert uses(session) == [(ada, 1, 0, "reserved")]
    assert session.scalars(select(CouponUse.expires_at)).one() == NOON + timedelta(minutes=30)
    assert (counter(session), coupons.active_uses(session, coupon.id, NOON)) == (1, 1)
    assert coupons.active_uses(session, coupon.id, LATER) == 0


def test_a_repeat_renews_the_reservation_and_counts_once(session, ada):
    factories.coupon(session, total_limit=1, learner_limit=1)
    for minutes in (0, 10, 29):
        assert reserve(session, ada, at=NOON + timedelta(minutes=minutes)) is None
    assert (len(uses(session)), counter(session)) == (1, 1)
    assert session.scalars(select(CouponUse.expires_at)).one() == NOON + timedelta(minutes=59)


def test_the_last_use_cannot_be_reserved_by_others(session, ada, grace):
    factories.coupon(session, total_limit=1)
    assert reserve(session, ada) is None
    assert reserve(session, grace) == UNUSABLE
    assert (uses(session), counter(session)) == ([(ada, 1, 0, "reserved")], 1)


def test_an_expired_reservation_can_be_taken_by_others(session, ada, grace):
    factories.coupon(session, total_limit=1)
    reserve(session, ada)
    assert reserve(session, grace, at=LATER) is None
    assert (uses(session), counter(session)) == ([(grace, 1, 0, "reserved")], 1)
    assert reserve(session, ada, at=LATER) == UNUSABLE


def test_an_expired_reservation_that_nobody_took_is_renewed(session, ada):
    factories.coupon(session, total_limit=1)
    reserve(session, ada)
    assert reserve(session, ada, at=LATER) is None
    assert (len(uses(session)), counter(session)) == (1, 1)


def test_a_learner_uses_a_coupon_up_to_their_limit(session, ada, grace):
    factories.coupon(session, learner_limit=2)
    assert [reserve(session, ada, product) for product in (1, 2)] == [None, None]
    refusal = reserve(session, ada, 3)
    assert refusal is not None
    assert refusal.code == "learner-limit"
    assert reserve(session, grace, 3) is None
    assert counter(session) == 3


def test_a_learners_expired_reservation_does_not_count(session, ada):
    factories.coupon(session, learner_limit=1)
    reserve(session, ada, 1)
    assert reserve(session, ada, 2, at=LATER) is None
    assert (uses(session), counter(session)) == ([(ada, 2, 0, "reserved")], 1)


def test_a_released_use_is_available_once(session, ada, grace):
    coupon = factories.coupon(session, total_limit=1)
    reserve(session, ada)
    for _ in range(2):
        coupons.release(session, coupon.id, ReservationSlot(ada, 1))
    assert (uses(session), counter(session)) == ([], 0)
    assert reserve(session, grace) is None


def test_a_reservation_moves_to_the_order_and_the_line_may_have_another(session, ada):
    coupon = factories.coupon(session, learner_limit=2)
    reserve(session, ada)
    until = NOON + timedelta(hours=2)
    assert coupons.transfer_to_order(session, coupon.id, ReservationSlot(ada, 1), ORDER, until)
    assert not coupons.transfer_to_order(session, coupon.id, ReservationSlot(ada, 1), ORDER, until)
    coupons.release(session, coupon.id, ReservationSlot(ada, 1))
    assert reserve(session, ada) is None
    assert uses(session) == [(ada, 1, ORDER, "reserved"), (ada, 1, 0, "reserved")]


def test_paid_uses_stay_used(session, ada, grace):
    coupon = factories.coupon(session, total_limit=1)
    reserve(session, ada)
    coupons.transfer_to_order(session, coupon.id, ReservationSlot(ada, 1), ORDER, LATER)
    assert [coupons.commit_order(session, ORDER) for _ in range(2)] == [1, 0]
    assert coupons.release_expired(session, LATER + timedelta(days=9)) == 0
    assert reserve(session, grace, at=LATER + timedelta(days=9)) == UNUSABLE
    assert uses(session) == [(ada, 1, ORDER, "committed")]


@pytest.mark.parametrize("is_paid", [False, True])
def test_a_cancelled_or_refunded_order_releases_its_uses_once(session, ada, is_paid):
    coupon = factories.coupon(session, total_limit=2)
    for product in (1, 2):
        reserve(session, ada, product)
        coupons.transfer_to_order(session, coupon.id, ReservationSlot(ada, product), ORDER, LATER)
    if is_paid:
        coupons.commit_order(session, ORDER)
    assert [coupons.release_order(session, ORDER) for _ in range(2)] == [2, 0]
    assert (uses(session), counter(session)) == ([], 0)


def test_uses_without_an_order_are_not_released_as_one(session):
    with pytest.raises(ValueError, match="0 is not the id of an order"):
        coupons.release_order(session, 0)


def test_only_expired_reservations_are_released(session, ada, grace):
    factories.coupon(session)
    reserve(session, ada)
    reserve(session, grace, at=NOON + timedelta(minutes=1))
    assert [coupons.release_expired(session, LATER) for _ in range(2)] == [1, 0]
    assert (uses(session), counter(session)) == ([(grace, 1, 0, "reserved")], 1)


def test_a_coupon_that_was_paused_meanwhile_is_not_reserved(session, ada):
    coupon = factories.coupon(session)
    read_before = terms(session)
    coupon.state = "paused"
    session.flush()
    assert coupons.reserve(session, read_before, ReservationSlot(ada, 1), NOON) == UNUSABLE
    assert (uses(session), counter(session)) == ([], 0)


def test_without_limits_a_learner_may_use_a_coupon_on_every_line(session, ada):
    factories.coupon(session)
    assert [reserve(session, ada, product) for product in range(1, 8)] == [None] * 7
    assert sorted(session.scalars(select(CouponUse.slot))) == [1, 2, 3, 4, 5, 6, 7]


def test_codes_are_the_same_in_any_case_and_with_spaces_around(session):
    coupon = factories.coupon(session, "Straße-10")
    coupon.code = coupons.normalised("Straße-10")
    session.flush()
    terms = [coupons.by_code(session, text, NOON) for text in ("STRASSE-10", " straße-10\t", "Straße-10")]
    assert [found and found.name for found in terms] == ["Straße-10"] * 3
    assert [coupons.by_code(session, text, NOON) for text in ("", " ", "x" * 65, "straße-1", "a\x00")] == [None] * 5


def test_the_special_offer_is_the_newest_that_anybody_can_use(session, ada):
    organisation = factories.organisation(session)
    factories.coupon(session, "OLD", is_special=True)
    factories.coupon(session, "GOOD", is_special=True)
    factories.coupon(session, "OVER", is_special=True, ends_at=NOON)
    factories.coupon(session, "SOON", is_special=True, starts_at=LATER)
    factories.coupon(session, "PAUSED", is_special=True, state="paused")
    factories.coupon(session, "THEIRS", is_special=True, organisation_id=organisation.id)
    factories.coupon(session, "GONE", is_special=True, total_limit=1, uses=0)
    assert coupons.reserve(session, terms(session, "gone"), ReservationSlot(ada, 1), NOON) is None
    assert coupons.special_offer(session, NOON).name == "GOOD"
