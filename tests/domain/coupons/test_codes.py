"""Codes of coupons are stored in the one form by which typed ones are compared, whatever writes them."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest
from sqlalchemy import select

from domain.coupons import create as coupon_create
from domain.coupons import queries as coupon_queries
from domain.coupons.create import CouponDraft
from domain.coupons.queries import code_columns, normalised
from domain.errors import Refused
from domain.tables import Coupon
from tests.architecture.sources import finds, sources
from tests.architecture.test_writers import WRITERS
from tests.support.factories import NOON
from tests.support.shops import USD

DRAFT = CouponDraft("percent", Decimal(10), USD)
# A pasted text -> the same code as others type it.
WRITTEN = {
    "\uff33\uff21\uff2c\uff25": "sale",
    "\u200bSale-1 ": "SALE-1",
    "CAFE\u200d\u0301": "caf\u00e9",
    "STRASSE": "stra\u00dfe",
    "\u03aa\u0301": "\u0390",
}


@pytest.mark.each_database
@pytest.mark.parametrize("pasted", WRITTEN)
def test_a_code_is_found_and_refused_again_in_every_writing(session, pasted):
    row = coupon_create.create(session, pasted, DRAFT, NOON)
    for typed in (pasted, row.display_code, WRITTEN[pasted]):
        assert coupon_queries.by_code(session, typed, NOON) is not None
        with pytest.raises(Refused):
            coupon_create.create(session, typed, DRAFT, NOON)


def test_codes_of_a_batch_have_that_form(session):
    coupon_create.create_batch(session, 3, "Spring-", replace(DRAFT, campaign="Spring"), NOON)
    rows = session.execute(select(Coupon.code, Coupon.display_code)).all()
    assert [code for code, _ in rows] == [normalised(shown) for _, shown in rows]
    assert len(rows) == 3


def test_a_code_in_that_form_stays_as_it_is():
    """Letters of all scripts, also those that fall apart without their case, with an accent behind them."""
    letters = (chr(code) for code in range(0x3000) if chr(code).casefold() != chr(code))
    codes = [normalised(f"{letter}{accent}") for letter in letters for accent in ("", "\u0301", "\u200d\u0345")]
    assert [code for code in codes if normalised(code) != code] == []


def test_everything_that_writes_coupons_takes_their_columns_from_one_function():
    """The demo shop too. No migration brings codes of before: the rule is older than the first table (0100)."""
    pattern, files = WRITERS["coupons"]
    domain = {name: text for name, text in sources().items() if name.startswith("domain/") and "tables/" not in name}
    writers = {name for name, text in domain.items() if finds(re.compile(pattern), text)}
    assert writers == files | {"domain/seed/people_and_coupons.py"}
    assert [name for name in sorted(writers) if "code_columns(" not in sources()[name]] == []
    assert code_columns(" Spring") == {"code": "spring", "display_code": " Spring"}
