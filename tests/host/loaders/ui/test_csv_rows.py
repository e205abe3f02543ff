"""Rows as CSV: every kind of cell, text that looks like a formula, and the byte order mark."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from domain.money import currency
from host.loaders.ui import csv_rows
from host.loaders.ui import table_cells as cells
from tests.support.shops import USD

AT = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
PICTURE = {"src": "/a.svg", "width": 1, "height": 1, "alt": "A picture"}


@pytest.mark.parametrize(
    ("make", "value", "expected"),
    [
        (cells.text, "Ada", "Ada"),
        (cells.text, None, '""'),
        (cells.text, "a,b", '"a,b"'),
        (cells.text, 'a "b"\nc', '"a ""b""\nc"'),
        (cells.text, "=1+1", "'=1+1"),
        (cells.text, "+49 30", "'+49 30"),
        (cells.text, "-1", "'-1"),
        (cells.text, "@SUM(A1)", "'@SUM(A1)"),
        (cells.text, "\t=1", "'\t=1"),
        (cells.text, "\r=1", '"\'\r=1"'),
        (cells.text, "日本語 📚", "日本語 📚"),
        (cells.link, ("=2", "/x"), "'=2"),
        (cells.badge, ("-3", "info"), "'-3"),
        (cells.minor, -1234, "-12.34"),
        (cells.minor, 1_234_567, "12345.67"),
        (cells.count, -5, "-5"),
        (cells.count, 1234.5, "1234.5"),
        (cells.count_or_text, 12345, "12345"),
        (cells.count_or_text, "As needed", "As needed"),
        (cells.count_or_text, None, '""'),
        (cells.day, date(2026, 3, 4), "2026-03-04"),
        (cells.time, AT, "2026-03-04T09:30:00+00:00"),
        (cells.progress, 0.625, "62"),
    ],
)
def test_a_cell_as_csv(make, value, expected):
    column = make("key", "Label", lambda row: row)
    assert csv_rows.lines([column], [value], USD) == f"{expected}\r\n".encode()


def test_an_amount_has_the_decimals_of_its_currency():
    columns = [cells.minor("total", "Total", lambda row: row)]
    texts = [csv_rows.lines(columns, [1230], currency(code)) for code in ("JPY", "USD", "KWD")]
    assert texts == [b"1230\r\n", b"12.30\r\n", b"1.230\r\n"]
    assert cells.amount("a", "A", lambda row: row, USD).cells([Decimal("12.30")]) == [{"kind": "money", "minor": 1230}]


def test_the_first_line_has_the_byte_order_mark_and_names_units():
    columns = [
        cells.text("name", "=Name", lambda row: row),
        cells.minor("total", "Total", lambda row: 1),
        cells.time("placed", "Placed", lambda row: AT),
        cells.progress("done", "Done", lambda row: 1),
    ]
    assert csv_rows.header(columns, USD) == b"\xef\xbb\xbf'=Name,Total (USD),Placed (UTC),Done (%)\r\n"
