"""`python -m host tax-rates`: a file of rates, all or none."""

import pytest

from config.settings import Settings
from host.cli import tax_rates
from tests.host.cli import running

HEADING = "country,region,tax_class,label,percent,starts_on,ends_on,replaces,postal_from,postal_to"


@pytest.fixture
def run(sqlite_database, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")

    def run(text: str | None = None) -> int:
        path = tmp_path / "rates.csv"
        path.write_text(f"{HEADING}\n{text}\n", "utf-8-sig")
        words = ["list"] if text is None else ["import", str(path)]
        return running.run(tax_rates, Settings(var_dir=tmp_path), *words)

    return run


def test_rates_of_a_file_are_added_and_listed(run, capsys):
    assert run("PT,,service,VAT,23,2100-01-01,,,,\nPT,,service,VAT Azores,16,2100-01-01,,yes,95,99") == 0
    assert capsys.readouterr().out == "2 rates were added.\n"
    assert run() == 0
    listed = capsys.readouterr().out
    assert all(text in listed for text in ("Portugal, postal codes 95 to 99", "VAT Azores", "2100-01-01"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("PT,,service,VAT,23,2100-01-01,,,,\nPT,,books,VAT,6,2100-01-01,,,,", "Row 2: The class is one of service"),
        ("PT,,service,VAT,23", "Row 1 has not as many cells as the heading"),
    ],
)
def test_a_file_with_a_wrong_row_adds_nothing(run, capsys, text, reason):
    assert run(text) == 1
    assert reason in capsys.readouterr().err
    assert run() == 0
    assert "VAT" not in capsys.readouterr().out
