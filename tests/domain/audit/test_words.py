"""What a change of each kind of field is called: amounts as money, days as days, codes as people say them."""

import pytest

from domain.audit import words
from domain.audit.changes import changed_fields

CHANGES = {
    "money back": ({"refunded_minor": 4043}, {"refunded_minor": 6662}, "Refunded so far: $40.43 → $66.62"),
    "a new amount": (None, {"amount_minor": 1234500}, "Amount: $12,345.00"),
    "a price": ({"list_price": "49.000"}, {"list_price": "39.500"}, "List price: $49.00 → $39.50"),
    "no sale price any more": ({"sale_price": "9.00"}, {}, "Sale price: $9.00 → none"),
    "a percentage off": (None, {"kind": "percent", "value": "12.500"}, "Kind: Percentage; Takes off: 12.5%"),
    "an amount off": (None, {"kind": "amount", "value": "25.000"}, "Kind: Amount; Takes off: $25.00"),
    "what it takes off alone": ({"value": "10.000"}, {"value": "20.000"}, "Takes off: 10 → 20"),
    "a tax rate": ({"percent": "19"}, {"percent": "9.975"}, "Percent: 19% → 9.975%"),
    "a sign-in": (None, {"methods": ["pwd", "otp"]}, "Signed in with: password, a one-time code"),
    "an unknown way in": (None, {"methods": ["pigeon_post"]}, "Signed in with: Pigeon post"),
    "no way in": (None, {"methods": []}, "Signed in with: none"),
    "roles": ({"roles": ["editor"]}, {"roles": ["editor", "finance"]}, "Roles: Editor → Editor, Finance"),
    "a state": ({"status": "draft"}, {"status": "scheduled"}, "Status: Draft → Planned"),
    "a person": ({"email": "changed"}, {"email": "changed"}, "Email: changed"),
    "yes": (None, {"keeps_access": True, "restocks": False}, "Access stays: yes; For sale again: no"),
    "a moment": (None, {"starts_at": "2026-03-04T09:05:00Z"}, "From: March 4, 2026 at 9:05\xa0AM UTC"),
    "a day": (None, {"ends_on": "2026-03-31"}, "Last day: March 31, 2026"),
    "units": (None, {"units": {"1": 2, "3": 1000}}, "Units: 2 of line 1, 1,000 of line 3"),
    "numbers of rows": (None, {"courses": [1200, 7], "refund": 1}, "Courses: 1200, 7; Refund: 1"),
    "a weight": ({"weight_g": 900}, {"weight_g": 1200}, "Weight: 900 g → 1,200 g"),
    "a refusal": (None, {"permission": "orders.read"}, "What they lacked: Orders: read"),
    "a price that is none": (None, {"list_price": "free"}, "List price: free"),
    "a field of tomorrow": (None, {"moon_phase": "full"}, "Moon phase: full"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_written_in_words(name):
    before, after, text = CHANGES[name]
    assert words.change_text(before, after) == text


def test_nothing_changed_has_no_words():
    assert words.change_text(None, None) is None
    assert words.changes(None, {}) == []


def test_what_is_new_beside_a_change_has_no_former_value():
    old, new = changed_fields("order", {"refunded_minor": 0}, {"refunded_minor": 500, "refund": 2})
    assert words.changes(old, new) == [("Refunded so far", "$0.00", "$5.00"), ("Refund", None, "2")]


def test_a_text_that_is_read_from_the_right_keeps_its_place():
    text = words.change_text({"title": "A"}, {"title": "\u05e9\u05dc\u05d5\u05dd"})
    assert text == "Title: A → \u2068\u05e9\u05dc\u05d5\u05dd\u2069"
