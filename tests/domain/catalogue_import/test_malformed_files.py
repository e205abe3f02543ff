"""Files that are refused with one sentence, and rows that are skipped with a reason."""

import gzip
import io
import json
import zipfile

import pytest

from domain.catalogue_import import read_lines, report
from domain.catalogue_import import validate as import_validate
from domain.catalogue_import.columns import ColumnRules
from domain.catalogue_import.read_lines import ImportRefused
from domain.catalogue_import.report import RowFinding
from tests.support.shops import JPY, KWD, USD

HEAD = b"name,category,price\n"
GOOD = b"Audit,Audit,10\n"


def archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("courses.csv", HEAD + GOOD)
    return buffer.getvalue()


def refusal(path, kind="courses", mapping=None) -> str:
    with pytest.raises(ImportRefused) as refused:
        import_validate.check(path, kind, USD, ColumnRules(mapping or {}))
    return str(refused.value)


REFUSED = {
    "empty": (b"", "file.csv is empty."),
    "only white space": (b"\n \n\n", "file.csv is empty."),
    "no rows": (HEAD, "file.csv holds no rows."),
    "a zip": (archive(), "file.csv is a ZIP archive or a spreadsheet, not text: export it as CSV first."),
    "a gzip": (gzip.compress(HEAD), "file.csv is compressed: unpack it first."),
    "binary zeros": (HEAD + GOOD + b"a\0b,c,1\n", "Line 3 holds binary zeros: this is not a text file."),
    "Latin-1": (
        HEAD + GOOD + b"Caf\xe9,Audit,10\n",
        "Line 3 is not UTF-8 (byte 0xE9): save the file as UTF-8 and try again, or say what it is (--encoding). "
        "As windows-1252 the line holds “Café,Audit,10”.",
    ),
    "a line too long": (HEAD + b"a" * 3 * read_lines.MIB, "Line 2 is longer than 1 MiB."),
    "a quotation mark never closed": (
        HEAD + GOOD + b'"Audit,Audit,10\n' + GOOD,
        "The quotation mark opened in the row of line 3 is never closed.",
    ),
    "a quotation mark never closed in a long file": (
        HEAD + b'"Audit,Audit,10\n' + GOOD * 100_000,
        "The row that begins on line 2 does not end within 1 MiB: a quotation mark is probably not closed.",
    ),
    "columns missing": (
        b"id,title,cost\n1,a,2\n",
        "The file has no column for category, list_price; its columns are id, title, cost. "
        "Name them with --map COLUMN=FIELD, or give all rows a value with --set FIELD=VALUE.",
    ),
    "an array cut off": (b'[{"name": "a"},\n{"name"', "The JSON array breaks off or is wrong near line 2."),
    "text after an array": (b"[] []", "Something follows the end of the JSON array."),
    "an empty array": (b"[]", "file.csv holds no rows."),
    "one object over many lines": (
        b'{\n"name": "a"\n}',
        "The file is a JSON object without a list of objects: a file holds an array of objects, an object with such a "
        "list in it, or one object per line.",
    ),
    "a deeply nested array": (b"[" * 100_000, "The JSON array breaks off or is wrong near line 1."),
    "an array that is not UTF-8": (
        b'[\n"\xff"]',
        "Line 2 is not UTF-8 (byte 0xFF): save the file as UTF-8 and try again, or say what it is (--encoding). "
        'As windows-1252 the line holds “[ "ÿ"]”.',
    ),
}


@pytest.mark.parametrize(("content", "sentence"), REFUSED.values(), ids=REFUSED.keys())
def test_a_broken_file_is_refused_in_one_sentence(tmp_path, content, sentence):
    path = tmp_path / "file.csv"
    path.write_bytes(content)
    assert refusal(path) == sentence


def test_a_file_too_large_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.csv"
    with path.open("wb") as stream:
        stream.truncate(read_lines.MAX_FILE_SIZE + 1)
    assert refusal(path) == "large.csv is 257 MiB; files up to 256 MiB can be read."


def test_a_json_array_too_large_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "large.json"
    path.write_bytes(b"[" + b" " * read_lines.MAX_ARRAY_SIZE)
    assert refusal(path) == "A JSON document can be 64 MiB at most: write one object per line instead."


def test_a_folder_and_a_missing_file_are_refused(tmp_path):
    assert refusal(tmp_path) == f"{tmp_path} is not a file."
    assert refusal(tmp_path / "gone.csv") == f"{tmp_path / 'gone.csv'} cannot be read: No such file or directory."


@pytest.mark.parametrize(
    ("mapping", "sentence"),
    [
        ({"x": "name"}, "--map: the file has no column x; it has name, category, price."),
        ({"name": "subtitle"}, "The file has no column for name; its columns are name, category, price. "),
        (
            {"name": "name", "price": "name"},
            "Two columns are read as one field (--map). Choose another field for one of them.",
        ),
    ],
)
def test_an_invalid_map_is_refused(tmp_path, mapping, sentence):
    path = tmp_path / "file.csv"
    path.write_bytes(HEAD + GOOD)
    assert refusal(path, mapping=mapping).startswith(sentence)


def test_a_map_to_an_unknown_field_lists_the_known_ones(tmp_path):
    (tmp_path / "file.csv").write_bytes(HEAD + GOOD)
    sentence = refusal(tmp_path / "file.csv", mapping={"price": "cost"})
    assert sentence.startswith("--map price=cost: there is no field cost; there are source_id, name, slug,")


def test_a_map_of_a_column_that_no_json_object_has_is_refused(tmp_path):
    (tmp_path / "file.json").write_text('[{"name": "a", "category": "b", "price": 1}]')
    assert refusal(tmp_path / "file.json", mapping={"x": "name"}) == "--map: the file has no column x."


GOOD_ROW = {"id": "1", "name": "Audit", "category": "Audit", "price": "10"}
BAD_ROWS = {
    "no id": ({"id": ""}, "id is empty"),
    "no name": ({"name": " "}, "name is empty"),
    "a name too long": ({"name": "a" * 256}, "name is longer than 255 characters"),
    "no category": ({"category": ""}, "category is empty"),
    "a category of symbols": ({"category": "!!!"}, "no slug can be derived from the category '!!!'"),
    "no price": ({"price": ""}, "has no price"),
    "a negative price": ({"price": "-1"}, "price '-1' is not a price between 0 and 9999999999.99"),
    "no number": ({"price": "NaN"}, "has no price"),
    "an infinite price": ({"price": "Infinity"}, "price 'Infinity' is not a price"),
    "a price beyond the column": (
        {"price": "10000000000"},
        "price '10000000000' is not a price between 0 and 9999999999.99",
    ),
    "a price in words": ({"price": "ten"}, "price 'ten' is not a price"),
    "a price with a comma": (
        {"price": "12,50"},
        "price '12,50' has a comma where a point is needed (or say that it is a comma: --decimal comma)",
    ),
    "a price in another currency": ({"price": "€10"}, "price '€10' is not in USD, the currency of this shop"),
    "a currency column that names another": (
        {"currency": "JPY"},
        "currency: its price is in JPY, and this shop's in USD",
    ),
    "a sale above the price": ({"sale_price": "11"}, "the sale price 11.00 is above the price 10.00"),
    "an object for a name": ({"name": {"of": "Audit"}}, "name is neither text nor number"),
    "a boolean for a price": ({"price": True}, "price is neither text nor number"),
    "an unpaired surrogate": ({"name": "\ud83d"}, "name contains an invalid character"),
}


@pytest.mark.parametrize(("changes", "reason"), BAD_ROWS.values(), ids=BAD_ROWS.keys())
def test_a_bad_row_is_skipped_with_a_reason_and_the_others_are_good(tmp_path, changes, reason):
    path = tmp_path / "rows.json"
    rows = [GOOD_ROW | {"id": "0"}, GOOD_ROW | changes, GOOD_ROW | {"id": "2"}]
    path.write_text("\n".join(map(json.dumps, rows)))
    plan = import_validate.check(path, "courses", USD)
    assert plan.bad.findings == [RowFinding(2, reason)]
    assert plan.good == 2


# Columns that a course can do without.
DOUBTS = {
    "a subtitle too long": ({"subtitle": "a" * 501}, "subtitle is longer than 500 characters"),
    "a fraction of a learner": ({"enrolled": "1.5"}, "enrolled 1.5 is not a whole number"),
    "too many learners": ({"enrolled": "1e30"}, "enrolled '1e30' is not a number"),
    "an unknown duration": ({"hours": "soon"}, "hours 'soon' is not a duration"),
    "a negative duration": ({"hours": "-1"}, "hours '-1' is not a duration"),
    "a duration too long": ({"hours": "999999"}, "hours '999999' is too long"),
    "an unknown time": ({"published_at": "5 May"}, "published_at '5 May' is not a time such as 2026-03-01T12:00:00Z"),
    "a time before 1970": (
        {"published_at": "1066-10-14"},
        "published_at '1066-10-14' is not between 1970 and 2100",
    ),
    "neither paid nor free": ({"is_paid": "maybe"}, "is_paid 'maybe' is neither true nor false"),
    "numbers for outcomes": ({"outcomes": [1]}, "outcomes is not a list of texts"),
}


@pytest.mark.parametrize(("changes", "reason"), DOUBTS.values(), ids=DOUBTS.keys())
def test_a_value_that_a_course_can_do_without_is_left_out_with_a_doubt(tmp_path, changes, reason):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(GOOD_ROW | changes))
    plan = import_validate.check(path, "courses", USD)
    assert (plan.good, plan.doubts.findings) == (1, [RowFinding(1, f"{reason}: left out")])


def test_lines_of_a_csv_are_counted_through_quoted_line_ends(tmp_path):
    path = tmp_path / "file.csv"
    path.write_bytes(
        b"\xef\xbb\xbf" + HEAD + b'"A\r\nB",Audit,10\r\n\r\nC,Audit,x\r\n"D"E,Audit,1\nF,Audit,1,,\nG,,1\n'
    )
    plan = import_validate.check(path, "courses", USD)
    assert [(finding.line, finding.reason) for finding in plan.bad.findings] == [
        (5, "price 'x' is not a price"),
        (8, "category is empty"),
    ]
    quotes = "characters stand around its quotation marks: read as a spreadsheet reads them"
    joined = "the name spans several lines: perhaps two rows were joined"
    assert plan.doubts.findings == [RowFinding(2, joined), RowFinding(6, quotes)]
    assert plan.good == 3


def test_a_bad_line_of_json_is_skipped(tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_text('{"name": "a", "category": "b", "price": 1}\n\n{"name"\n[1]\n' + "[" * 100_000 + "\n")
    plan = import_validate.check(path, "courses", USD)
    assert [finding.line for finding in plan.bad.findings] == [3, 4, 5]
    assert {finding.reason for finding in plan.bad.findings} == {"is not a JSON object"}
    assert plan.good == 1


def test_an_element_of_an_array_is_identified_by_its_number(tmp_path):
    path = tmp_path / "array.json"
    path.write_text('[{"name": "a", "category": "b", "price": NaN}, 7]')
    assert import_validate.check(path, "courses", USD).bad.findings == [
        RowFinding(1, "element 1: has no price"),
        RowFinding(1, "element 2: is not a JSON object"),
    ]


def test_a_repeated_row_with_other_values_is_reported_as_such(tmp_path):
    path = tmp_path / "file.csv"
    path.write_bytes(b"id,name,category,price\n1,A,B,10\n1,A,B,12\n")
    assert import_validate.check(path, "courses", USD).repeats.findings == [
        RowFinding(3, "1 again with other values, first on line 2")
    ]


def test_a_thousand_findings_are_listed_and_all_are_counted(tmp_path):
    path = tmp_path / "file.csv"
    path.write_bytes(HEAD + b"A,B,x\n" * 1500 + GOOD)
    plan = import_validate.check(path, "courses", USD)
    assert (len(plan.bad.findings), plan.bad.total, plan.good) == (report.MAX_LISTED, 1500, 1)


@pytest.mark.parametrize(
    ("currency", "price", "reasons"),
    [
        (USD, "12.345", ["price '12.345' is finer than USD allows: prices are multiples of 0.01"]),
        (JPY, "1200", []),
        (JPY, "12.50", ["price '12.50' is finer than JPY allows: prices are multiples of 1"]),
        (KWD, "12.340", []),
        (KWD, "12.345", ["price '12.345' is finer than KWD allows: prices are multiples of 0.010"]),
    ],
    ids=["dollars", "yen", "half a yen", "dinars", "a fine dinar"],
)
def test_a_price_is_read_in_the_currency_of_the_shop(tmp_path, currency, price, reasons):
    path = tmp_path / "file.csv"
    path.write_bytes(HEAD + f"Audit,Audit,{price}\n".encode())
    assert [finding.reason for finding in import_validate.check(path, "courses", currency).bad.findings] == reasons
