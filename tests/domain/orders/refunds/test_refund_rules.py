"""The rules of refunds as tables: what is refused, in which words, and to which moment the days count."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from domain.documents.issuer import Issuer
from domain.orders.refund_rules import KindTerms, PurchasedLine, end_of_days, first_refusal, kind_terms
from domain.orders.settings import Context, OrderSettings

PAID = datetime(2026, 3, 1, 23, 59, tzinfo=UTC)
SOON = PAID + timedelta(days=1)
# 14 days after 1 March, in full.
LAST_MOMENT = datetime(2026, 3, 16, 11, 59, 59, tzinfo=UTC)
TOO_LATE = datetime(2026, 3, 16, 12, tzinfo=UTC)
OVER = "The 14 days to ask for a refund of this ended on March 15, 2026."

COURSE = PurchasedLine("course", KindTerms(14, "payment", unless="certificate"), PAID, 1, withdrawn_days=60)
BUNDLE = replace(COURSE, kind="bundle")
DOWNLOAD = PurchasedLine("download", KindTerms(14, "payment", confirm="deleted"), PAID, 1, withdrawn_days=60)
VOUCHER = PurchasedLine("voucher", KindTerms(14, "payment", unless="used"), PAID, 3)
GOODS = PurchasedLine("goods", KindTerms(14, "delivery", confirm="returned"), PAID, 2)
WITHDRAWN = replace(COURSE, withdrawn_at=datetime(2026, 5, 1, 11, 59, tzinfo=UTC))

CASES = {
    "a course in time": (COURSE, SOON, None),
    "in the last moment": (COURSE, LAST_MOMENT, None),
    "too late": (COURSE, TOO_LATE, OVER),
    "a download in time": (DOWNLOAD, LAST_MOMENT, None),
    "a download too late": (DOWNLOAD, TOO_LATE, OVER),
    "a voucher too late": (VOUCHER, TOO_LATE, OVER),
    "a course with a certificate": (
        replace(COURSE, has_certificate=True),
        SOON,
        "A certificate has been issued for this course.",
    ),
    "a bundle with a certificate": (
        replace(BUNDLE, has_certificate=True),
        SOON,
        "A certificate has been issued for a course of this bundle.",
    ),
    "a certificate, where the terms do not say so": (replace(DOWNLOAD, has_certificate=True), SOON, None),
    "a used voucher": (replace(VOUCHER, used=3), SOON, "The code has been used to book a sitting."),
    "one unused voucher": (replace(VOUCHER, used=2), SOON, None),
    "goods that were not delivered": (GOODS, PAID + timedelta(days=400), None),
    "goods in time": (replace(GOODS, delivered_at=PAID), LAST_MOMENT, None),
    "goods too late": (replace(GOODS, delivered_at=PAID), TOO_LATE, OVER),
    "a course withdrawn on the 60th day": (WITHDRAWN, PAID + timedelta(days=400), None),
    "a course withdrawn later": (replace(WITHDRAWN, withdrawn_at=datetime(2026, 5, 1, 12, tzinfo=UTC)), TOO_LATE, OVER),
    "a withdrawn course with a certificate": (
        replace(WITHDRAWN, has_certificate=True),
        SOON,
        "A certificate has been issued for this course.",
    ),
    "a course that is closed": (replace(COURSE, is_closed=True), TOO_LATE, None),
    "a download of a closed course": (replace(DOWNLOAD, is_closed=True), TOO_LATE, OVER),
    "a withdrawn download": (replace(DOWNLOAD, withdrawn_at=SOON), TOO_LATE, OVER),
    "all refunded": (replace(GOODS, refunded=2), SOON, "This was refunded."),
    "one refunded": (replace(GOODS, refunded=1), SOON, None),
    "the rest requested": (
        replace(GOODS, refunded=1, requested=1),
        SOON,
        "We are deciding about your request for this.",
    ),
    "no terms": (
        replace(COURSE, terms=None),
        SOON,
        "The refund terms of this order do not cover this. Please contact us.",
    ),
}


@pytest.mark.parametrize(("line", "at", "refusal"), CASES.values(), ids=CASES)
def test_what_may_be_refunded(line, at, refusal):
    assert first_refusal(line, Context(at)) == refusal


def test_the_last_day_is_written_as_the_shop_writes_days():
    german = Context(TOO_LATE, OrderSettings(issuer=Issuer("", locale="de-DE")))
    assert first_refusal(COURSE, german) == OVER.replace("March 15, 2026", "15. März 2026")


@pytest.mark.parametrize(
    ("refunded", "requested", "used", "left"), [(0, 0, 0, 5), (1, 2, 1, 1), (2, 2, 2, 0), (5, 0, 1, 0)]
)
def test_units_are_left_that_are_neither_refunded_nor_requested_nor_used(refunded, requested, used, left):
    line = replace(VOUCHER, quantity=5, refunded=refunded, requested=requested, used=used)
    assert line.units_left == left


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 3, 12, tzinfo=UTC)),
        (datetime(2026, 3, 1, 23, 59, tzinfo=UTC), datetime(2026, 3, 3, 12, tzinfo=UTC)),
        (datetime(2026, 12, 31, 8, tzinfo=UTC), datetime(2027, 1, 2, 12, tzinfo=UTC)),
    ],
)
def test_a_day_counts_in_full_in_every_time_zone(start, end):
    assert end_of_days(start, 1) == end


def test_the_terms_of_a_kind_are_read_from_those_of_the_order():
    terms = {"goods": {"days": 14, "from": "delivery", "confirm": "returned"}, "withdrawn_days": 60}
    assert kind_terms(terms, "goods") == KindTerms(14, "delivery", confirm="returned")
    assert kind_terms(terms, "course") is None
