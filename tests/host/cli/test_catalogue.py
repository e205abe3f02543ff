"""`python -m host import` and `python -m host price`, from their arguments to their exit codes."""

from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import func, select

from config.settings import Settings
from domain.audit.recording import EVENTS
from domain.database.database import Database
from domain.publishing.prices import product_by_slug
from domain.tables import PriceChange, Product
from host.cli import import_catalogue, price
from tests.host.cli import running

SAMPLE = Path(__file__).parents[2] / "data" / "sample_courses.csv"


def run(command, settings, *words):
    return running.run(command, settings, *words)


def products(database):
    with database.read_session() as session:
        return session.scalar(select(func.count()).select_from(Product))


@pytest.fixture
def settings(sqlite_database: Database, tmp_path: Path) -> Settings:
    return Settings(var_dir=tmp_path)


def test_an_import_reports_imported_and_refused_rows(settings, sqlite_database, capsys):
    assert run(import_catalogue, settings, SAMPLE) == 0
    told, progress = capsys.readouterr()
    assert told.splitlines() == [
        "sample_courses.csv: 11 rows, 7 courses to import.",
        "Columns not used: num_lectures, num_reviews",
        "1 repeated; the first of each is imported:",
        "  line 8: 9001 again, first on line 2",
        "2 imported with warnings:",
        "  line 4: the name spans several lines: perhaps two rows were joined",
        "  line 13: level 'wizard level' is not one of beginner, intermediate, advanced, all: left out",
        "3 not imported:",
        "  line 9: price '-5' is not a price between 0 and 9999999999.99",
        "  line 10: course_title is empty",
        "  line 12: has 5 values where the header has 12",
        "Added 7, changed 0, unchanged 0.",
    ]
    assert progress == "Checking: 100 %\nImporting: 100 %\n"
    assert products(sqlite_database) == 7


def test_an_export_is_read_by_its_preset_and_by_rules(settings, sqlite_database, tmp_path, capsys):
    path, refused = tmp_path / "shop.csv", tmp_path / "refused.csv"
    path.write_bytes(
        "Name;SKU;Regular price;Categories;Type;Note\nÉtude;e;1,50;Law;frei;x\nPen;p;ten;;;\n".encode("cp1252")
    )
    rules = ["--from", "woocommerce", "--decimal", "comma", "--encoding", "windows-1252", "--ignore", "Note"]
    words = ["--word", "list_price:ten=10", "--set", "category=Other", "--map", "Type=item_kind"]
    assert run(import_catalogue, settings, path, *rules, *words, "--refused", str(refused)) == 0
    assert "shop.csv: 2 rows, 2 items to import." in capsys.readouterr().out
    assert (products(sqlite_database), refused.exists()) == (2, False)
    assert run(import_catalogue, settings, path, *rules, *words[2:], "--refused", str(refused)) == 0
    assert refused.read_text("utf-8-sig").splitlines()[1] == "Pen;p;ten;;;;Regular price 'ten' is not a price"
    assert run(import_catalogue, settings, path, *rules, "--refused", str(tmp_path / "none" / "x")) == 1


@pytest.mark.parametrize("rule", ["level", "level:x", ":x=y", "level:=y"])
def test_a_word_without_its_field_is_refused(settings, rule):
    with pytest.raises(SystemExit):
        run(import_catalogue, settings, SAMPLE, "--word", rule)


def test_a_dry_run_changes_nothing(settings, sqlite_database, capsys):
    assert run(import_catalogue, settings, SAMPLE, "--dry-run") == 0
    assert capsys.readouterr().out.endswith("Dry run: nothing was changed.\n")
    assert products(sqlite_database) == 0


def test_a_file_without_a_valid_row_is_refused(settings, sqlite_database, tmp_path, capsys):
    (tmp_path / "bad.csv").write_text("Kurs,category,price\nAudit,,1\n")
    assert run(import_catalogue, settings, tmp_path / "bad.csv", "--map", "Kurs=name") == 1
    told, refused = capsys.readouterr()
    assert "  line 2: category is empty\n" in told
    assert refused.endswith("None of the 1 rows of bad.csv can be imported.\n")
    assert products(sqlite_database) == 0


def test_a_broken_file_is_refused_in_one_sentence_and_changes_nothing(settings, sqlite_database, tmp_path, capsys):
    (tmp_path / "bad.csv").write_bytes(SAMPLE.read_bytes() + b"\xff\n")
    assert run(import_catalogue, settings, tmp_path / "bad.csv") == 1
    assert capsys.readouterr().err.startswith("Line 14 is not UTF-8 (byte 0xFF): save the file as UTF-8 and try again")
    assert products(sqlite_database) == 0


def test_an_unavailable_database_is_reported_in_one_sentence(tmp_path, capsys):
    settings = Settings(database="mysql://nobody@127.0.0.1:1/nothing", var_dir=tmp_path)
    assert run(import_catalogue, settings, SAMPLE) == 1
    assert "The database cannot be written: (2003" in capsys.readouterr().err


def test_a_malformed_map_is_refused_with_the_expected_form(settings, capsys):
    with pytest.raises(SystemExit) as ended:
        run(import_catalogue, settings, SAMPLE, "--map", "title")
    assert ended.value.code == 2
    assert "'title' is not of the form COLUMN=FIELD" in capsys.readouterr().err


def test_a_price_is_changed_and_a_sale_stays_until_it_is_ended(settings, sqlite_database, capsys):
    run(import_catalogue, settings, SAMPLE)
    capsys.readouterr()
    assert run(price, settings, "payslips-explained", "50", "--sale", "35") == 0
    assert run(price, settings, "payslips-explained", "45") == 0
    assert run(price, settings, "payslips-explained", "45", "--sale", "none") == 0
    assert capsys.readouterr().out.splitlines() == [
        "Payslips Explained: 40.00 -> 50.00, on sale for 35.00",
        "Payslips Explained: 50.00, on sale for 35.00 -> 45.00, on sale for 35.00",
        "Payslips Explained: 45.00, on sale for 35.00 -> 45.00",
    ]
    with sqlite_database.read_session() as session:
        events = session.execute(select(EVENTS.c.area, EVENTS.c.action).order_by(EVENTS.c.number)).all()
        changes = session.scalars(select(PriceChange.list_price).order_by(PriceChange.id)).all()
    assert [tuple(event) for event in events][-3:] == [("command", "price.change")] * 3
    assert changes[-1] == Decimal("45.00")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere", "1"], "No course or shop item is called nowhere.\n"),
        (["payslips-explained", "1", "--sale", "2"], "The sale price 2.00 must be below the price 1.00.\n"),
    ],
    ids=["unknown", "sale above"],
)
def test_a_price_that_is_refused_changes_nothing(settings, sqlite_database, capsys, words, sentence):
    run(import_catalogue, settings, SAMPLE)
    capsys.readouterr()
    assert run(price, settings, *words) == 1
    assert capsys.readouterr().err == sentence
    with sqlite_database.read_session() as session:
        assert product_by_slug(session, "payslips-explained").list_price == Decimal("40.00")
