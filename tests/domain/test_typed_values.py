"""Numbers and days from outside: plain digits, one sign, finite, bounded; nothing else that Python would read."""

import re
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from domain.typed_values import bounded, read_day, read_decimal, read_integer, read_percent
from tests.architecture.sources import code, sources

DECIMALS = {"12.5": "12.5", " 7 ": "7", "+3": "3", "-0.5": "-0.5", ".5": "0.5", "4.": "4", "007": "7"}
NO_DECIMALS = (
    *("", " ", ".", "-", "+-1", "--1", "1_0", "1e3", "1E-2", "NaN", "sNaN", "-NaN123", "Infinity", "inf", "0x10"),
    *("1,5", "1 000", "١٢", "12\n3", "1.2.3", "1" * 16, "0." + "1" * 10, "1\x00"),
)


@pytest.mark.parametrize("text", DECIMALS)
def test_a_decimal_is_read(text):
    assert read_decimal(text) == Decimal(DECIMALS[text])


@pytest.mark.parametrize("text", NO_DECIMALS)
def test_what_is_no_plain_decimal_is_refused(text):
    for read in (read_decimal, read_percent, read_integer):
        with pytest.raises(ValueError, match="is not a"):
            read(text)


@pytest.mark.parametrize(("text", "number"), [("12", 12), ("-3", -3), (" 0 ", 0)])
def test_a_whole_number_is_read(text, number):
    assert read_integer(text) == number


@pytest.mark.parametrize("text", ["12.0", "1.5", "²"])
def test_what_is_no_whole_number_is_refused(text):
    with pytest.raises(ValueError, match="is not a whole number"):
        read_integer(text)


def test_a_percentage_may_have_its_sign():
    assert read_percent("12.5 %") == read_percent("12.5%") == Decimal("12.5")


@pytest.mark.parametrize("text", ["1900-01-01", "9000-12-31", " 2026-03-01 "])
def test_a_day_within_the_bounds_is_read_and_has_a_day_before_and_after(text):
    day = read_day(text)
    assert day - timedelta(days=1) < day < day + timedelta(days=1)


@pytest.mark.parametrize("text", ["0001-01-01", "9999-12-31", "1899-12-31", "9001-01-01", "2026-02-30", "", "today"])
def test_a_day_at_the_edge_of_the_calendar_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 of the library, or ours
        read_day(text)


def test_an_instant_is_bounded_in_every_zone():
    east, west = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))
    assert bounded(datetime(2026, 3, 1, 14, tzinfo=east)) == datetime(2026, 3, 1, tzinfo=UTC)
    for at in (datetime(1, 1, 1, tzinfo=east), datetime(9999, 12, 31, 23, tzinfo=west)):
        with pytest.raises(ValueError, match="not a time from"):
            bounded(at)


# Values of our own tables and documents, which no person has typed; and what measured one of these forms before.
_OWN_TEXTS = {
    *("host/api/coupons.py", "host/documents/amounts.py", "host/learning/quiz_view.py", "host/rendering/shell.py"),
    *("host/content.py", "host/documents/certificates/credentials.py", "host/identity/authn_client.py"),
    *("host/loaders/coupon_lists/batches.py", "host/messaging/rpc_client.py", "host/seo/sitemaps.py"),
    *("host/documents/factur_x.py", "host/loaders/publishing/bulk.py", "host/loaders/organisation/partner_months.py"),
}


def test_nothing_at_the_edge_reads_numbers_or_days_by_itself():
    reads = re.compile(r"\bDecimal\([a-z_]|\b(?:date|datetime)\.fromisoformat\(|type=(?:int|float)\b")
    edges = ("host/", "config/")
    assert {
        name for name, text in sources().items() if name.startswith(edges) and reads.search(code(text))
    } == _OWN_TEXTS
