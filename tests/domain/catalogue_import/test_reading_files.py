"""Files as spreadsheets, old machines and other programs write them, and the rules that say how to read them."""

import csv
import json

import pytest

from domain.catalogue_import import validate as import_validate
from domain.catalogue_import.columns import ColumnRules
from domain.catalogue_import.read_lines import ImportRefused
from domain.catalogue_import.refused_rows import RefusedFile
from tests.domain.catalogue_import.reading import read
from tests.support.shops import USD

ROWS = "title,category,price\nÉtudes,Law,10\n“Tax”,Law,20\n"
NAMES = ["Études", "“Tax”"]
FILES = {
    "UTF-8 with a mark": (ROWS.encode("utf-8-sig"), {}),
    "UTF-16 as spreadsheets write it": (ROWS.replace(",", "\t").encode("utf-16"), {}),
    "Windows-1252": (ROWS.encode("cp1252"), {"encoding": "windows-1252"}),
    "line ends of old Macs": (ROWS.replace("\n", "\r").encode(), {}),
    "old Macs in their own encoding": (ROWS.replace("\n", "\r").encode("mac_roman"), {"encoding": "mac_roman"}),
    "line ends written twice": (ROWS.replace("\n", "\r\r\n").encode(), {}),
    "a line for spreadsheets": (("sep=;\r\n" + ROWS.replace(",", ";")).encode(), {}),
    "a header after empty lines, with the mark in it": (
        ("\n\n\t\ufeff" + ROWS).encode(),
        {"mapping": {"title": "name"}},
    ),
    "bars": (ROWS.replace(",", "|").encode(), {}),
}


@pytest.mark.parametrize(("content", "rules"), FILES.values(), ids=FILES)
def test_a_file_is_read_whatever_its_encoding_and_line_ends(tmp_path, content, rules):
    assert [record.name for record in read(tmp_path, content, **rules).records] == NAMES


TITLES = [{"title": "Law"}, {"title": "Tax"}]
DOCUMENTS = {
    "a list in a member": {"site": "https://a.example", "courses": TITLES},
    "objects by their keys": {"notes": ["x"], "courses": {"law": TITLES[0], "tax": TITLES[1]}},
    "nodes of a graph": {"data": {"products": {"edges": [{"node": row} for row in TITLES]}}},
}


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_json_document_may_hold_its_list_in_a_member(tmp_path, document, indent):
    found = read(tmp_path, json.dumps(document, indent=indent), constants={"category": "Law", "list_price": "1"})
    assert [record.name for record in found.records] == ["Law", "Tax"]


def test_a_row_one_cell_short_is_read_and_a_torn_one_is_not(tmp_path):
    found = read(tmp_path, "title,category,price,level\nLaw,Law,10\nTax,Law,10,beginner\nTorn,Law\n")
    assert [record.name for record in found.records] == ["Law", "Tax"]
    assert found.doubts == {2: "has 3 values where the header has 4: the last are taken for empty"}
    assert found.bad == {4: "has 2 values where the header has 4"}
    assert "level" in found.records[0].preserved_fields


def test_blanks_around_quotation_marks_cost_no_row(tmp_path):
    text = 'title   ,category ,price  \n"Law, and more"  ,"Law"  , 10   \nTax ,Law, "2"  \n"A ""B"""  ,"Law\nLaw" ,3\n'
    found = read(tmp_path, text)
    assert [(record.name, record.list_price) for record in found.records] == [
        ("Law, and more", 10),
        ("Tax", 2),
        ('A "B"', 3),
    ]
    assert sorted(found.doubts) == [2, 3, 4]


def test_two_columns_of_one_name_are_refused_until_one_is_left_out(tmp_path):
    text = "title,price,category,price\nLaw,10,Law,12\n"
    with pytest.raises(ImportRefused, match=r"2 columns are named price: leave all but one out .* is “price \(2\)”"):
        read(tmp_path, text)
    assert [record.list_price for record in read(tmp_path, text, ignored=("price (2)",)).records] == [10]
    assert [record.list_price for record in read(tmp_path, text, mapping={"price (2)": "list_price"}).records] == [12]
    assert len(read(tmp_path, "title,price,category,note,note\nLaw,10,Law,a,b\n").records) == 1


def test_a_column_is_left_out_by_a_rule_and_a_constant_takes_its_place(tmp_path):
    text = "title,category,price\nLaw,Law,FREE-Add a Certificate for $49 USD\n"
    assert read(tmp_path, text).bad == {2: "price 'FREE-Add a Certificate for $49 USD' is not a price"}
    rules = {"ignored": ("Price",), "constants": {"list_price": "49"}}
    assert [record.list_price for record in read(tmp_path, text, **rules).records] == [49]


def test_words_mean_what_a_rule_says(tmp_path):
    text = "title,category,price,level,paid\nLaw,Law,on request,Undergraduate,perhaps\n"
    words = {"level": {"undergraduate": "advanced"}, "list_price": {"On  Request": ""}, "is_paid": {"perhaps": "yes"}}
    found = read(tmp_path, text, words=words, constants={"list_price": "99"})
    assert [(record.level, record.list_price) for record in found.records] == [("advanced", 99)]
    assert found.doubts == {}


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        ({"ignored": ("cost",)}, "--ignore: the file has no column cost"),
        ({"words": {"cost": {"a": "b"}}}, "--word: there is no field cost"),
        ({"preset": "etsy"}, "There is no preset etsy; there are woocommerce, shopify, coursera, udemy, edx, moodle"),
        ({"mapping": {"price": "name"}, "ignored": ("price",)}, r"price is both read \(--map\) and left out"),
    ],
)
def test_a_rule_about_nothing_is_refused(tmp_path, rules, problem):
    with pytest.raises(ImportRefused, match=problem):
        read(tmp_path, ROWS, **rules)


LISTS = {
    "coursera": (
        "course_title,course_organization,course_difficulty,course_time,course_students_enrolled,course_url\n"
        "Law,North,Mixed,Approx. 33 hours,5.3k,https://a.example/learn/law\n",
        ("Law", "North", "all", 1980, 5300, "law"),
    ),
    "udemy": (
        "id,title,course_length,instructional_level,num_subscribers,url\n"
        "7,Law,27 hours,Expert,12,a.example/course/law/\n",
        ("Law", "", "advanced", 1620, 12, "law"),
    ),
    "edx": (
        "course_name,course_institution,course_level,estimated_weeks,estimated_hours_per_week,course_link-href,audit_price"
        "\nLaw,North Logo,Level:  Introductory,Estimated 5 weeks,1\u20133 hours per week,"
        "https://a.example/course/law?q=1,null\n",
        ("Law", "North", "beginner", 600, 0, "law"),
    ),
    "moodle": (
        "shortname;fullname;category_idnumber;visible;startdate\nL1;Law;C;1;17.08.2020\n",
        ("Law", "", "all", None, 0, "law"),
    ),
}


@pytest.mark.parametrize("preset", LISTS)
def test_a_preset_knows_the_columns_of_its_program(tmp_path, preset):
    content, facts = LISTS[preset]
    constants = {"category": "Courses", "list_price": "49"}
    (record,) = read(tmp_path, content, preset=preset, constants=constants).records
    assert (record.name, record.provider, record.level, record.duration_min, record.enrolled, record.slug) == facts


def test_refused_rows_come_back_as_the_same_file_with_a_reason(tmp_path):
    path, refused_path = tmp_path / "file.csv", tmp_path / "refused.csv"
    path.write_text(
        'title;category;price\nLaw;Law;ten\n"A;""B""";Law;x\nTax;Law;1\nTorn\n"Q"R;Law;y\n', encoding="utf-8"
    )
    with RefusedFile(refused_path) as refused:
        plan = import_validate.check(path, "courses", USD, refused=refused.add)
    assert (plan.good, plan.bad.total) == (1, 4)
    rows = list(csv.reader(refused_path.read_text("utf-8-sig").splitlines(), delimiter=";"))
    assert rows == [
        ["title", "category", "price", "reason"],
        ["Law", "Law", "ten", "price 'ten' is not a price"],
        ['A;"B"', "Law", "x", "price 'x' is not a price"],
        ["Torn", "", "", "has 1 values where the header has 3"],
        ["QR", "Law", "y", "price 'y' is not a price"],
    ]
    mended = tmp_path / "mended.csv"
    mended.write_text(refused_path.read_text("utf-8").replace("ten", "10"), encoding="utf-8")
    assert import_validate.check(mended, "courses", USD, ColumnRules()).good == 1


def test_refused_objects_come_back_one_a_line(tmp_path):
    path, refused_path = tmp_path / "file.json", tmp_path / "refused.jsonl"
    path.write_text('[{"title": "Law", "category": "Law", "price": 1.5}, {"title": "Tax", "credits": 2.5}]')
    with RefusedFile(refused_path) as refused:
        import_validate.check(path, "courses", USD, refused=refused.add)
    assert [json.loads(line) for line in refused_path.read_text().splitlines()] == [
        {"title": "Tax", "credits": 2.5, "reason": "element 2: category is empty"}
    ]


def test_no_file_is_written_when_no_row_is_refused(tmp_path):
    path, refused_path = tmp_path / "file.csv", tmp_path / "refused.csv"
    path.write_text(ROWS, "utf-8")
    refused_path.write_text("of an earlier check")
    with RefusedFile(refused_path) as refused:
        import_validate.check(path, "courses", USD, refused=refused.add)
    assert not refused_path.exists()
