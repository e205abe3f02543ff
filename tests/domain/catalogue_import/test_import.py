"""Importing courses and shop items from files: good rows are stored, and a repeat changes nothing."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import func, select

from domain.catalogue_import import read_lines
from domain.catalogue_import import validate as import_validate
from domain.catalogue_import import write as import_writing
from domain.catalogue_import.columns import ColumnRules
from domain.catalogue_import.read_lines import ImportRefused
from domain.catalogue_import.report import RowFinding
from domain.catalogue_import.validate import RowReader
from domain.publishing.categories import put_category
from domain.publishing.prices import change_price
from domain.tables import CatalogueVersion, Category, Course, Product, ShopItem
from tests.support.factories import NOON
from tests.support.shops import USD

SAMPLE = Path(__file__).parents[2] / "data" / "sample_courses.csv"
REAL = Path(__file__).parents[4] / "shared" / "data" / "udemy_courses.csv"


def everything(database):
    with database.read_session() as session:
        return [session.execute(table.select()).all() for table in (Product.__table__, Course.__table__)]


def by_source(session, source_id):
    return session.scalars(select(Product).where(Product.source_id == source_id)).one()


@pytest.fixture
def write(tmp_path):
    def write_file(text, name="file.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return path

    return write_file


def test_the_check_reports_every_row_it_skips():
    plan = import_validate.check(SAMPLE, "courses", USD)
    assert (plan.rows, plan.good) == (11, 7)
    assert plan.repeats.findings == [RowFinding(8, "9001 again, first on line 2")]
    assert plan.bad.findings == [
        RowFinding(9, "price '-5' is not a price between 0 and 9999999999.99"),
        RowFinding(10, "course_title is empty"),
        RowFinding(12, "has 5 values where the header has 12"),
    ]
    assert plan.doubts.findings == [
        RowFinding(4, "the name spans several lines: perhaps two rows were joined"),
        RowFinding(13, "level 'wizard level' is not one of beginner, intermediate, advanced, all: left out"),
    ]
    assert plan.unused_columns == ("num_lectures", "num_reviews")


def test_a_row_of_an_export_becomes_a_course(database):
    import_writing.write_plan(import_validate.check(SAMPLE, "courses", USD), database.write_session, NOON)
    with database.read_session() as session:
        course = by_source(session, "9002")
        assert (course.slug, course.level, course.language, course.status) == (
            "payroll-year-end",
            "advanced",
            None,
            "published",
        )
        assert (course.list_price, course.duration_min, course.lesson_count) == (Decimal("85.00"), 43, None)
        assert (course.enrolled, course.rating, course.rating_count) == (64, None, 0)
        assert course.published_at == datetime(2024, 11, 20, 9, 30, tzinfo=UTC)
        assert session.get(Category, course.category_id).name == "Payroll"


@pytest.mark.each_database
def test_a_category_is_found_by_its_name_where_its_slug_is_another(database, write):
    """Else the shop had two of one name, each with a part of its courses."""
    with database.write_session() as session:
        wages = put_category(session, "wages", "Payroll")
        put_category(session, "wages-2", "payroll")
    header = "course_id,course_title,category,price,content_duration"
    rows = ["1,Wages,Payroll,10,2 hours", "2,Dismissals, PAYROLL ,10,2 hours", "3,Meetings,Work,10,2 hours"]
    plan = import_validate.check(write("\n".join([header, *rows])), "courses", USD)
    for expected in ((3, 0), (0, 3)):
        result = import_writing.write_plan(plan, database.write_session, NOON)
        assert (result.added, result.unchanged) == expected
    with database.read_session() as session:
        assert session.scalars(select(Category.slug).order_by(Category.position)).all() == ["wages", "wages-2", "work"]
        assert [by_source(session, number).category_id for number in "12"] == [wages, wages]


def test_missing_texts_are_generated_from_the_row(database):
    import_writing.write_plan(import_validate.check(SAMPLE, "courses", USD), database.write_session, NOON)
    with database.read_session() as session:
        product = by_source(session, "9002")
        course = session.get(Course, product.id)
    assert product.subtitle == "Learn Payroll with “Payroll Year End”: 43 minutes at advanced level."
    assert course.description == (
        "“Payroll Year End” is an advanced course in Payroll. It takes about 43 minutes. "
        "It was first published on November 20, 2024."
    )
    assert course.is_generated


@pytest.mark.each_database
def test_texts_of_every_script_are_stored(database):
    import_writing.write_plan(import_validate.check(SAMPLE, "courses", USD), database.write_session, NOON)
    with database.read_session() as session:
        assert by_source(session, "9004").name == "Spanish for Buyers 🛒 買い手"
        assert by_source(session, "9003").name == "Minutes, Agendas and Decisions"


def test_a_course_without_a_duration_is_a_draft(database):
    import_writing.write_plan(import_validate.check(SAMPLE, "courses", USD), database.write_session, NOON)
    with database.read_session() as session:
        states = session.execute(select(Product.status, func.count()).group_by(Product.status).order_by(Product.status))
        assert states.all() == [("draft", 1), ("published", 6)]
        assert by_source(session, "9005").status == "draft"


@pytest.mark.each_database
def test_two_courses_with_the_same_name_get_distinct_slugs(database):
    import_writing.write_plan(import_validate.check(SAMPLE, "courses", USD), database.write_session, NOON)
    with database.read_session() as session:
        assert by_source(session, "9008").slug == "payroll-year-end-9008"


@pytest.mark.each_database
def test_a_second_import_changes_nothing(database):
    plan = import_validate.check(SAMPLE, "courses", USD)
    first = import_writing.write_plan(plan, database.write_session, NOON)
    before = everything(database)
    again = import_writing.write_plan(plan, database.write_session, NOON + timedelta(days=1))
    assert (first.added, first.changed, first.unchanged) == (7, 0, 0)
    assert (again.added, again.changed, again.unchanged) == (0, 0, 7)
    assert everything(database) == before


def test_a_changed_row_is_updated_and_the_others_stay(database, write):
    import_writing.write_plan(import_validate.check(SAMPLE, "courses", USD), database.write_session, NOON)
    newer = write(SAMPLE.read_text("utf-8").replace("TRUE,85,64", "TRUE,99,65"))
    later = NOON + timedelta(days=1)
    result = import_writing.write_plan(import_validate.check(newer, "courses", USD), database.write_session, later)
    assert (result.added, result.changed, result.unchanged) == (0, 1, 6)
    with database.read_session() as session:
        course = by_source(session, "9002")
        assert (course.list_price, course.popularity, course.updated_at) == (Decimal("99.00"), 65, later)


def test_a_sale_survives_an_import_without_a_sale_column(database):
    plan = import_validate.check(SAMPLE, "courses", USD)
    import_writing.write_plan(plan, database.write_session, NOON)
    with database.write_session() as session:
        change_price(session, "payslips-explained", Decimal("40"), Decimal("25"), NOON, USD)
    assert import_writing.write_plan(plan, database.write_session, NOON).unchanged == 7
    with database.read_session() as session:
        assert by_source(session, "9001").sale_price == Decimal("25.00")


def test_columns_with_unknown_names_can_be_mapped(database, write):
    path = write("Kurs;Preis;Fach;Sprache\nLohn im Griff;49.90;Payroll;German\n")
    mapping = {"Kurs": "name", "preis": "list_price", "Fach": "category", "Sprache": "language"}
    plan = import_validate.check(path, "courses", USD, ColumnRules(mapping))
    import_writing.write_plan(plan, database.write_session, NOON)
    with database.read_session() as session:
        course = session.scalars(select(Product)).one()
    assert (course.slug, course.list_price, course.language) == ("lohn-im-griff", Decimal("49.90"), "de")


def test_what_a_file_lacks_is_set_for_all_its_rows(database, write):
    path = write("id,title,subject\n1,Ledgers,\n2,Audits,Audit\n")
    constants = {"list_price": "49", "Category": "Accounting"}
    plan = import_validate.check(path, "courses", USD, ColumnRules(constants=constants))
    assert (plan.good, plan.bad.findings) == (2, [])
    import_writing.write_plan(plan, database.write_session, NOON)
    with database.read_session() as session:
        columns = select(Product.name, Product.list_price, Category.name)
        found = session.execute(columns.join(Category, Category.id == Product.category_id).order_by(Product.name)).all()
    assert found == [("Audits", Decimal(49), "Audit"), ("Ledgers", Decimal(49), "Accounting")]


def test_rows_without_a_value_of_their_own_alone_get_the_constant(write):
    rows = [{"name": "A", "price": "5", "category": "Tax"}, {"name": "B", "price": None, "category": "Tax"}]
    path = write(json.dumps(rows), "rows.json")
    reader = RowReader(path, "courses", USD, ColumnRules(constants={"list_price": "49"}))
    assert [row.record.list_price for _, row in reader.good_rows()] == [Decimal(5), Decimal(49)]


@pytest.mark.parametrize(
    ("constants", "problem"),
    [({"weight": "1"}, "--set: there is no field weight"), ({"list_price": "49"}, "no column for category")],
)
def test_constants_for_no_field_or_for_too_few_are_refused(write, constants, problem):
    with pytest.raises(ImportRefused, match=problem):
        import_validate.check(write("id,title\n1,A\n"), "courses", USD, ColumnRules(constants=constants))


def test_a_json_array_and_json_lines_give_the_same_result(write):
    rows = [{"title": f"Course {n}", "price": 19.99, "subject": "Audit", "lessons": n} for n in range(3)]
    array = import_validate.check(write(json.dumps(rows), "array.json"), "courses", USD)
    lines = import_validate.check(write("\n".join(map(json.dumps, rows)), "lines.json"), "courses", USD)
    assert (array.good, lines.good) == (3, 3)
    assert replace(array, path=lines.path, stamp=lines.stamp) == lines


def test_texts_of_a_json_file_are_stored_unchanged(database, write):
    row = {"name": "Audit", "subtitle": "Short.", "description": "# Long\n\ntext", "category": "Audit", "price": 1}
    row |= {"outcomes": ["One", "Two"], "language": "en-US", "credits": 2.5}
    import_writing.write_plan(
        import_validate.check(write(json.dumps([row])), "courses", USD), database.write_session, NOON
    )
    with database.read_session() as session:
        course = session.scalars(select(Course)).one()
        assert (course.description, course.is_generated) == ("# Long\n\ntext", False)
        assert (course.outcomes, course.credits) == (["One", "Two"], 2.5)


def test_shop_items_are_imported_too(database, write):
    path = write(
        "sku,name,category,price,sale price,kind,stock\nB-1,Ledger,Audit,$20,15,Book,3\nV-1,Exam,Audit,9,,voucher,\n"
    )
    import_writing.write_plan(import_validate.check(path, "items", USD), database.write_session, NOON)
    with database.read_session() as session:
        rows = session.execute(
            select(Product.slug, Product.item_kind, Product.sale_price, ShopItem.sku, ShopItem.stock)
            .join(ShopItem, ShopItem.id == Product.id)
            .order_by(Product.slug)
        )
        assert rows.all() == [
            ("exam", "voucher", None, "V-1", None),
            ("ledger", "book", Decimal("15.00"), "B-1", 3),
        ]


FULFILMENT = {
    "a file without the columns leaves them": (
        "sku,name,category,price",
        "B-1,Ledger,Audit,20",
        ("download", 450, "ebook"),
    ),
    "another kind of item has its own": (
        "sku,name,category,price,kind",
        "B-1,Ledger,Audit,20,voucher",
        ("code", 450, "voucher"),
    ),
    "the same kind keeps them, whatever its stock": (
        "sku,name,category,price,kind,stock",
        "B-1,Ledger,Audit,20,book,3",
        ("download", 450, "ebook"),
    ),
    "the file's own count": (
        "sku,name,category,price,fulfilment,weight_g,tax_class",
        "B-1,Ledger,Audit,20,shipped,500,book",
        ("shipped", 500, "book"),
    ),
}


@pytest.mark.parametrize(("names", "row", "stored"), FULFILMENT.values(), ids=FULFILMENT)
def test_how_an_item_reaches_its_buyer_stays_unless_a_file_says_otherwise(database, write, names, row, stored):
    for lines in ("sku,name,category,price,kind,weight_g\nB-1,Ledger,Audit,20,book,450\n", f"{names}\n{row}\n"):
        plan = import_validate.check(write(lines), "items", USD)
        import_writing.write_plan(plan, database.write_session, NOON)
    with database.read_session() as session:
        item = session.scalars(select(ShopItem)).one()
        assert (item.fulfilment, item.weight_g, item.tax_class) == stored


@pytest.mark.each_database
def test_only_the_row_that_the_database_refuses_is_skipped(database, write):
    path = write("id,sku,name,category,price\n1,B-1,Ledger,Audit,20\n2,B-1,Diary,Audit,9\n3,B-2,Atlas,Audit,9\n")
    result = import_writing.write_plan(import_validate.check(path, "items", USD), database.write_session, NOON)
    assert result.added == 2
    assert result.refused.findings == [RowFinding(3, "The stock number B-1 belongs to another item.")]


def test_a_file_that_changed_since_the_check_is_refused(database, write):
    path = write(SAMPLE.read_text("utf-8"))
    plan = import_validate.check(path, "courses", USD)
    write("name,category,price\nOther,Audit,1\n")
    with pytest.raises(read_lines.ImportRefused, match=r"file\.csv was changed since it was checked: try again\."):
        import_writing.write_plan(plan, database.write_session, NOON)
    assert everything(database) == [[], []]


def test_many_rows_are_written_in_chunks_that_each_increment_the_version(database, write):
    rows = "".join(f"{n},Course {n},10,Audit\n" for n in range(1400))
    progress = []
    plan = import_validate.check(write("id,name,price,category\n" + rows), "courses", USD)
    result = import_writing.write_plan(
        plan, database.write_session, NOON, lambda done, total: progress.append((done, total))
    )
    assert result.added == 1400
    assert progress == [(500, 1400), (1000, 1400), (1400, 1400)]
    with database.read_session() as session:
        assert session.scalar(select(CatalogueVersion.number)) == 3


@pytest.mark.skipif(not REAL.exists(), reason=f"the real export is not at {REAL.parent.name}/{REAL.name}")
def test_the_real_export_gives_3671_courses_and_a_draft(database):
    plan = import_validate.check(REAL, "courses", USD)
    assert (plan.rows, plan.good, plan.bad.total) == (3678, 3672, 0)
    assert [finding.line for finding in plan.repeats.findings] == [790, 791, 897, 1103, 1476, 2568]
    assert import_writing.write_plan(plan, database.write_session, NOON).added == 3672
    with database.read_session() as session:
        states = session.execute(select(Product.status, func.count()).group_by(Product.status).order_by(Product.status))
        assert states.all() == [("draft", 1), ("published", 3671)]
        assert session.scalar(select(func.count(Course.description.distinct()))) == 3672
        assert list(session.scalars(select(Category.slug).order_by(Category.slug))) == [
            "business-finance",
            "graphic-design",
            "musical-instruments",
            "web-development",
        ]


@pytest.mark.soak
@pytest.mark.skipif(not REAL.exists(), reason=f"the real export is not at {REAL.parent.name}/{REAL.name}")
def test_the_real_export_imported_again_changes_nothing(database):
    plan = import_validate.check(REAL, "courses", USD)
    results = [import_writing.write_plan(plan, database.write_session, NOON) for _ in range(2)]
    assert [(result.added, result.unchanged) for result in results] == [(3672, 0), (0, 3672)]
