"""The refund policy: what the page promises is what the rules apply."""

import re

import pytest

from config.settings import ROOT
from domain.orders.refund_rules import KIND_OF_FULFILMENT, kind_terms
from host import content

# A row of the page's table -> the kind of the rules.
ROWS = {
    "Course": "course",
    "Bundle": "bundle",
    "Digital book": "download",
    "Examination voucher": "voucher",
    "Physical goods": "goods",
    "Seats of an organisation": "seats",
}
# The condition of the rules, and its words in the table.
WORDS = {
    "certificate": "no certificate has been issued",
    "used": "the code has not been used",
    "deleted": "you have deleted your copies",
    "returned": "return the item complete and in good condition",
}
TEXT = content.read(content.POLICY).text


def conditions() -> dict[str, str]:
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", TEXT, re.MULTILINE)
    return {ROWS[name]: condition for name, condition in rows if name in ROWS}


def test_every_kind_has_terms_and_a_row():
    assert set(conditions()) == {*KIND_OF_FULFILMENT.values(), "seats"}
    assert conditions()["seats"] == "you ask within the window, for seats that nobody has"
    assert set(content.refund_terms()) == {*KIND_OF_FULFILMENT.values(), "seats", "withdrawn_days"}


@pytest.mark.parametrize("kind", KIND_OF_FULFILMENT.values())
def test_the_table_says_what_the_rules_apply(kind):
    terms, condition = kind_terms(content.refund_terms(), kind), conditions()[kind]
    assert terms is not None
    applied = {terms.unless, terms.confirm} - {None}
    assert {name for name, words in WORDS.items() if words in condition} == applied
    assert "within the window" in condition


def test_the_page_says_when_and_for_how_long():
    terms = content.refund_terms()
    assert {terms[kind]["days"] for kind in KIND_OF_FULFILMENT.values()} == {14}
    assert "refund within **14 days**" in TEXT
    since = {kind: terms[kind]["from"] for kind in KIND_OF_FULFILMENT.values()}
    assert since == {**dict.fromkeys(since, "payment"), "goods": "delivery"}
    assert "physical goods: on the day the parcel reaches you" in TEXT
    assert f"withdrawn within {terms['withdrawn_days']} days of your purchase" in TEXT


def test_how_to_ask_names_the_heading_and_the_button_of_the_form():
    forms = [
        (ROOT / "components/orders/refunds/RefundForm.tsx").read_text("utf-8"),
        (ROOT / "templates/no_script/refund_form.html").read_text("utf-8"),
    ]
    assert "**Request a refund**" in TEXT
    assert 'Below "Refunds"' in TEXT
    for form in forms:
        assert re.search(r">\s*Request a refund\s*<", form)
        assert re.search(r">\s*Refunds\s*</h2>", form)


def test_the_shortest_time_is_the_one_that_is_promised_for_everything():
    assert content.read(content.POLICY).refund_days == 14
    assert content.read("about").refund_days is None
