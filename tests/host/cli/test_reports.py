"""`python -m host reports sales`."""

import json

import pytest
from sqlalchemy import select, update

from config.settings import Settings
from domain.tables import SaleDay, SaleRollup
from host.cli import reports
from tests.domain.reports import selling_days
from tests.host.cli import running
from tests.host.cli.running import cells

MARCH = ("--from", "2026-03-01", "--to", "2026-03-31")


@pytest.fixture
def settings(sqlite_database, tmp_path) -> Settings:
    with sqlite_database.write_session() as session:
        selling_days.fill(session)
    return Settings(var_dir=tmp_path)


def run(settings, *words) -> int:
    return running.run(reports, settings, "sales", *words)


def test_days_are_computed_and_printed_a_line_for_each_currency(settings, capsys):
    assert run(settings, *MARCH) == 0
    first, second, *others = cells(capsys.readouterr().out)
    assert first == ["2026-03-01", "JPY", "", "1", "1", "1", "96", "0", "6", "0", "90", "0"]
    assert second == [
        *("2026-03-01", "USD", "", "2", "4", "5", "140.82", "44.00", "10.92", "30.00", "55.90", "0.00"),
    ]
    assert [row[0] for row in others] == ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06"]


def test_the_json_names_period_zone_and_dimension(settings, capsys):
    assert run(settings, "--from", "2026-03-02", "--to", "2026-03-02", "--by", "cart_code", "--json") == 0
    written = json.loads(capsys.readouterr().out)
    assert {name: written[name] for name in ("report", "from", "to", "zone", "by")} == {
        "report": "sales",
        "from": "2026-03-02",
        "to": "2026-03-02",
        "zone": "UTC",
        "by": "cart_code",
    }
    assert [(row["key"], row["orders"], row["net"]) for row in written["rows"]] == [
        ("(none)", 2, "83.40"),
        ("autumn", 1, "104.00"),
    ]
    assert written["rows"][1] == {
        **{"day": "2026-03-02", "currency": "USD", "key": "autumn", "orders": 1, "lines": 2, "units": 2},
        **{"gross": "141.12", "discount": "26.00", "tax": "11.12", "refunded": "0.00", "net": "104.00"},
        "returned": "0.00",
    }


def test_the_check_writes_nothing_and_names_the_days_that_differ(settings, sqlite_database, capsys):
    assert run(settings, *MARCH, "--check") == 1
    assert "25 of 31 days are right." in capsys.readouterr().out
    with sqlite_database.read_session() as session:
        assert session.scalars(select(SaleRollup.day)).all() == []
    run(settings, *MARCH)
    capsys.readouterr()
    assert (run(settings, *MARCH, "--check"), capsys.readouterr().out) == (0, "31 of 31 days are right.\n")
    with sqlite_database.write_session() as session:
        session.execute(update(SaleDay).where(SaleDay.day == selling_days.FIRST).values(orders=7))
    assert run(settings, *MARCH, "--check") == 1
    assert "2026-03-01: other figures stored than the orders give\n" in capsys.readouterr().out


def test_a_period_without_sales_says_so(settings, capsys):
    assert run(settings, "--from", "2025-01-01", "--to", "2025-01-31") == 0
    assert capsys.readouterr().out == "Nothing was sold from 2025-01-01 to 2025-01-31.\n"


def test_days_that_end_before_they_begin_are_refused(settings, capsys):
    assert run(settings, "--from", "2026-03-02", "--to", "2026-03-01") == 2
    assert "2026-03-01 is before 2026-03-02." in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--by", "nobody"), ("--from", "March")])
def test_unknown_values_are_refused(settings, words, capsys):
    with pytest.raises(SystemExit):
        run(settings, *MARCH, *words)
    assert words[1] in capsys.readouterr().err
