"""The fields of a gift, and the gift of a line."""

from datetime import date
from types import SimpleNamespace

import pytest

from domain.checkout import gift_fields

TODAY = date(2026, 3, 1)
COURSE = SimpleNamespace(id=7, name="VAT basics", is_bought_once=True)
BOOK = SimpleNamespace(id=8, name="Tax tables", is_bought_once=False)
GIFT = {"gift.7.chosen": "yes", "gift.7.recipient_email": " bob@example.test ", "gift.7.message": "Enjoy"}

WRONG = {
    "no address": ({"gift.7.recipient_email": " "}, {"recipient_email": "Enter the email address of the recipient."}),
    "half an address": (
        {"gift.7.recipient_email": "bob@"},
        {"recipient_email": "Check this email address: a part of it is missing or wrong."},
    ),
    "a long message": ({"gift.7.message": "a" * 501}, {"message": "Shorten this to 500 characters."}),
    "no date": ({"gift.7.send_at": "soon"}, {"send_at": "Enter a date such as 2026-12-24, or leave this empty."}),
    "yesterday": ({"gift.7.send_at": "2026-02-28"}, {"send_at": "Choose a day from today to a year ahead."}),
    "too far ahead": ({"gift.7.send_at": "2027-03-02"}, {"send_at": "Choose a day from today to a year ahead."}),
    "today": ({"gift.7.send_at": "2026-03-01"}, {}),
    "not a gift": ({"gift.7.chosen": "", "gift.7.recipient_email": ""}, {}),
}


@pytest.mark.parametrize(("typed", "expected"), WRONG.values(), ids=WRONG)
def test_errors_are_by_field(typed, expected):
    found = gift_fields.errors([COURSE, BOOK], {**GIFT, **typed}, TODAY)
    assert found == {f"gift.7.{name}": text for name, text in expected.items()}


def test_a_gift_says_for_whom_and_when():
    gift = {"recipient_email": "bob@example.test", "message": "Enjoy"}
    assert gift_fields.gift_of(COURSE, GIFT) == gift
    dated = gift_fields.gift_of(COURSE, {**GIFT, "gift.7.send_at": "2026-12-24"})
    assert dated == {**gift, "send_at": "2026-12-24T12:00:00+00:00"}


def test_what_is_not_chosen_or_is_shipped_is_no_gift():
    as_book = {name.replace("7", "8"): value for name, value in GIFT.items()}
    assert gift_fields.gift_of(COURSE, {**GIFT, "gift.7.chosen": ""}) is None
    assert gift_fields.gift_of(BOOK, as_book) is None
    assert gift_fields.errors([BOOK], {**as_book, "gift.8.recipient_email": ""}, TODAY) == {}


@pytest.mark.parametrize(
    ("name", "is_name"), [("gift.7.message", True), ("gift.x.message", False), ("gift.7.price", False)]
)
def test_only_fields_of_a_gift_have_such_names(name, is_name):
    assert gift_fields.is_name(name) is is_name
