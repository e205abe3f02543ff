"""Counts, durations, levels, times, prices and texts as people write them in files."""

from decimal import Decimal

import pytest

from domain.catalogue.search_snippets import plain_text
from domain.catalogue_import import languages
from domain.money import currency
from host.rendering.markdown import markdown_to_html
from tests.domain.catalogue_import.reading import read_row

DURATIONS = [
    ("1h 30m", 90),
    ("1h30", 90),
    ("01:30:00", 90),
    ("PT1H30M", 90),
    ("90 min.", 90),
    ("2.5 total hours", 150),
    ("Approx. 33 hours", 1980),
    ("21 hours to complete", 1260),
    ("25 hours (approximately)", 1500),
    ("3 Std. 20 Min", 200),
    ("2 часа 30 минут", 150),
    ("10時間", 600),
    ("40 s", 1),
    ("2 months at 10 hours a week", 5220),
    ("Estimated 7 weeks2\u20134 hours per week", 1260),
    ("09.00 - 11.00 Uhr; 18 Kursstunden; Fr. 120.60", 1080),
]


@pytest.mark.parametrize(("text", "minutes"), DURATIONS)
def test_a_duration_is_read_as_people_write_it(tmp_path, text, minutes):
    (record,) = read_row(tmp_path, duration=text).records
    assert (record.duration_min, record.status) == (minutes, "published")


@pytest.mark.parametrize("text", ["390 questions", "1,5 hours", "2.25.1 hours", "7", "soon", "P3D", "a" * 300])
def test_what_is_no_duration_leaves_a_draft_with_a_doubt(tmp_path, text):
    found = read_row(tmp_path, duration=text)
    assert (found.records[0].duration_min, len(found.doubts)) == (None, 1)
    assert found.doubts[1].endswith(": left out")


def test_weeks_and_hours_a_week_make_a_duration_together(tmp_path):
    (record,) = read_row(tmp_path, estimated_weeks="Estimated 5 weeks", effort="1\u20133 hours per week").records
    assert record.duration_min == 600
    alone = read_row(tmp_path, weeks="6")
    assert alone.doubts[1].endswith("has a number of weeks alone, which is no duration (set hours_per_week)")
    assert alone.records[0].status == "draft"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("5.3k", 5300),
        ("1.2M+", 1_200_000),
        ("17,683 ratings", 17_683),
        ("12 345 learners", 12_345),
        ("1,24,980", 124_980),
        ("3 lakh", 300_000),
        ("2.5 Crores", 25_000_000),
        ("12 тыс. студентов", 12_000),
        ("1.2万人", 12_000),
        ("3 Mio. Lernende", 3_000_000),
        ("4 bn", None),
        ("5 mil alumnos", 5000),
        ("2 dozen", 24),
        ("7 members", 7),
        ("6 courses", 6),
        ("\u200f1,500\u200f", 1500),
    ],
)
def test_a_count_is_read_in_short_and_with_what_is_counted(tmp_path, text, count):
    found = read_row(tmp_path, enrolled=text)
    assert (found.records[0].enrolled, bool(found.doubts)) == (count or 0, count is None)


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Level:  Introductory", "beginner"),
        ("Mixed", "all"),
        ("Expert", "advanced"),
        ("中級", "intermediate"),
        ("Conversant", "all"),
        ("Beginner + Intermediate", "all"),
    ],
)
def test_a_level_that_is_not_known_counts_as_all_with_a_doubt(tmp_path, text, level):
    found = read_row(tmp_path, level=text)
    assert found.records[0].level == level
    assert bool(found.doubts) == (text in {"Conversant", "Beginner + Intermediate"})


TIMES = [
    ("Jul 20, 2026", "2026-07-20T00:00:00+00:00"),
    ("20 July 2026", "2026-07-20T00:00:00+00:00"),
    ("17.08.2020", "2020-08-17T00:00:00+00:00"),
    ("08/17/2020", "2020-08-17T00:00:00+00:00"),
    ("2025/07/27 8:05 pm", "2025-07-27T20:05:00+00:00"),
    ("2025-07-27 20:00 PDT", "2025-07-28T03:00:00+00:00"),
    ("1767225600", "2026-01-01T00:00:00+00:00"),
]


@pytest.mark.parametrize(("text", "at"), TIMES)
def test_a_time_is_read_as_people_write_it(tmp_path, text, at):
    assert read_row(tmp_path, published_at=text).records[0].published_at.isoformat() == at


@pytest.mark.parametrize("text", ["07/08/2020", "32 July 2026", "July", "2025-07-27 20:00 XST"])
def test_a_time_that_is_not_certain_is_left_out_with_a_doubt(tmp_path, text):
    found = read_row(tmp_path, published_at=text)
    assert (found.records[0].published_at, len(found.doubts)) == (None, 1)


PRICES = [
    ("INR", "₹499", "499"),
    ("KRW", "₩19,000", "19000"),
    ("USD", "$49 USD", "49"),
    ("AUD", "$19.99", "19.99"),
    ("EUR", "19.99 €", "19.99"),
    ("BRL", "R$ 19.90", "19.90"),
    ("CHF", "Fr. 1'500.--", "1500"),
    ("MXN", "MX$2,022", "2022"),
    ("INR", "₹1,499/-", "1499"),
    ("INR", "Rs.499/-", "499"),
    ("SEK", "49:-", "49"),
    ("NOK", "kr 49,-", "49"),
    ("KWD", "KD 1.500", "1.500"),
    ("AED", "Dhs. 49", "49"),
    ("ILS", "\u200f49 ₪\u200f", "49"),
    ("USD", "\u200e$49", "49"),
]
FOREIGN = [
    ("EUR", "$19.99"),
    ("USD", "€19.99"),
    ("USD", "MX$2,022"),
    ("AUD", "US$5"),
    ("USD", "CHF 20"),
    ("JPY", "20 zł"),
]


@pytest.mark.parametrize(("code", "text", "price"), PRICES)
def test_the_sign_of_the_shops_currency_belongs_to_a_price(tmp_path, code, text, price):
    assert read_row(tmp_path, currency=currency(code), list_price=text).records[0].list_price == Decimal(price)


@pytest.mark.parametrize("text", ["Free", "frei", "Kostenlos", "gratis!", "GRATUIT", "無料", "Бесплатно", "مجاني", "0"])
def test_a_word_for_free_is_a_price_of_nothing(tmp_path, text):
    assert read_row(tmp_path, currency=currency("EUR"), list_price=text).records[0].list_price == 0


@pytest.mark.parametrize("text", ["freestyle", "free trial", "kostenpflichtig"])
def test_other_words_are_no_price(tmp_path, text):
    assert 1 in read_row(tmp_path, currency=currency("EUR"), list_price=text).bad


@pytest.mark.parametrize(("code", "text"), FOREIGN)
def test_a_price_of_another_currency_is_refused_by_name(tmp_path, code, text):
    found = read_row(tmp_path, currency=currency(code), list_price=text)
    assert found.bad == {1: f"element 1: list_price {text!r} is not in {code}, the currency of this shop"}


def test_a_constant_price_is_in_the_currency_of_the_shop_whatever_the_file_says(tmp_path):
    rules = {"constants": {"list_price": "12"}, "ignored": ("list_price",), "mapping": {"valuta": "currency"}}
    assert read_row(tmp_path, valuta="JPY", list_price="1300", rules=rules).records[0].list_price == 12


DECIMALS = [("49,90", "49.90"), ("1.299,00", "1299"), ("1.299", "1299"), ("1 299,5 €", "1299.5"), ("12", "12")]


@pytest.mark.parametrize(("text", "price"), DECIMALS)
def test_a_comma_is_the_sign_of_decimals_when_somebody_says_so(tmp_path, text, price):
    found = read_row(tmp_path, currency=currency("EUR"), list_price=text, credits="1,5", rules={"decimal": ","})
    assert (found.records[0].list_price, found.records[0].credits) == (Decimal(price), 1.5)


@pytest.mark.parametrize(("field", "text"), [("credits", "1,5"), ("duration_hours", "2,25"), ("enrolled", "1,5")])
def test_a_comma_that_groups_nothing_never_makes_a_number_larger(tmp_path, field, text):
    found = read_row(tmp_path, **{field: text})
    assert "has a comma where a point is needed (or say that it is a comma: --decimal comma)" in found.doubts[1]
    assert (found.records[0].credits, found.records[0].duration_min, found.records[0].enrolled) == (None, None, 0)


LANGUAGES = [
    ("Greek", "el"),
    ("Dansk", "da"),
    ("Čeština", "cs"),
    ("中文", "zh"),
    ("Portuguese (Brazil)", "pt-br"),
    ("Chinese (Simplified)", "zh-hans"),
    ("Spanish - Latin America", "es-419"),
    ("English [US]", "en-us"),
    ("Français, English", "fr"),
    ("en_us", "en-us"),
    ("Elvish of the Woods", None),
    ("german", "de"),
    ("  Norwegian ", "no"),
    ("Filipino", "fil"),
    ("Ελληνικά", "el"),
    ("العربية", "ar"),
    ("Brazilian Portuguese", "pt-br"),
    ("English (UK)", "en-gb"),
    ("Español (México)", "es-mx"),
    ("PT-BR", "pt-br"),
    ("several", None),
    ("", None),
    ("all", None),
]


@pytest.mark.parametrize(("name", "code"), LANGUAGES)
def test_languages_are_known_by_their_names_in_english_and_in_themselves(name, code):
    assert languages.code(name) == code


HTML = (
    "<h2>Who</h2><p>For <strong>all</strong> &amp; more.</p><ul><li>one</li><li>two</li></ul>"
    "<img src='//a.example/x.png'><scr"
)
SCRIPTED = "<p>Read <a href='https://a.example'>this</a></p><script>alert(1)</script><!-- not this -->"


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        (HTML, "## Who\n\nFor **all** & more.\n\n- one\n- two"),
        (SCRIPTED, "Read [this](https://a.example)"),
        ("# Plain\n\na < b, <name> & more", "# Plain\n\na < b, <name> & more"),
    ],
)
def test_html_of_a_description_becomes_markdown(tmp_path, text, markdown):
    assert read_row(tmp_path, description=text).records[0].description == markdown


# HTML of a description -> what its page shows.
SHOWN = {
    "raised and lowered digits": ("<p>10<sup>6</sup> H<sub>2</sub>O 5<sup>th</sup></p>", "<p>10⁶ H₂O 5th</p>"),
    "a date is no list": ("<p>1. Mai 2026</p>", "<p>1. Mai 2026</p>"),
    "signs stay signs": ("<p># a *b* [c](d) ~~e~~</p>", "<p># a *b* [c](d) ~~e~~</p>"),
    "what is struck out": ("<p>was <s>9</s> <del>8</del></p>", "<p>was <s>9</s> <s>8</s></p>"),
    "signs of other markup": (
        "<p>a &amp;lt; &lt;b&gt;</p><p>&gt; c</p><p>d<br>===</p>",
        "<p>a &amp;lt; &lt;b&gt;</p>\n<p>&gt; c</p>\n<p>d<br>\n===</p>",
    ),
    "dashes below a line are no heading": ("<p>Price\n---\nnext</p>", "<p>Price\n---\nnext</p>"),
    "dashes alone are no rule": ("<p>a</p><p>---</p>", "<p>a</p>\n<p>---</p>"),
    "a sign that parts lines begins no list": ("<p>a\u2028- b</p>", "<p>a\u2028- b</p>"),
    "an unusual space before a mark": ("<p>\x0b# a</p>", "<p># a</p>"),
    "terms": ("<dl><dt>Who</dt><dd>All</dd></dl>", "<p><strong>Who</strong></p>\n<p>All</p>"),
    "a line break": ("a<br>b", "<p>a<br>\nb</p>"),
    "links to the other site's own pages": ("<a href='/x'>a</a> <a href='javascript:b'>c</a>", "<p>a c</p>"),
    "an address with brackets": (
        "<a href='https://a.example/x (y)'>b</a>",
        '<p><a href="https://a.example/x%20%28y%29" rel="nofollow noopener noreferrer">b</a></p>',
    ),
    "marks of Word": ("<p>a<o:p></o:p></p>", "<p>a</p>"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_html_of_a_description_is_shown_as_it_was_meant(tmp_path, name):
    text, shown = SHOWN[name]
    assert markdown_to_html(read_row(tmp_path, description=text).records[0].description) == shown


def test_a_bar_in_a_cell_of_a_description_stays_in_its_cell(tmp_path):
    (record,) = read_row(tmp_path, description="<table><tr><th>a|b</th></tr><tr><td>1|2</td></tr></table>").records
    assert "<th>a|b</th>" in markdown_to_html(record.description)
    assert plain_text(record.description) == "a|b 1|2"


def test_outcomes_are_the_words_of_an_html_list(tmp_path):
    items = "<ol><li>Use snake_case</li><li><b>Multiply</b> by 10<sup>6</sup></li></ol>"
    (record,) = read_row(tmp_path, outcomes=items).records
    assert record.outcomes == ["Use snake_case", "Multiply by 10⁶"]


def test_html_of_names_and_lines_becomes_plain_text(tmp_path):
    (record,) = read_row(tmp_path, name="Law<br />and Tax &amp; more", subtitle="<p>In <b>short</b>.</p>").records
    assert (record.name, record.subtitle) == ("Law and Tax & more", "In short.")


def test_json_that_nests_its_texts_is_read(tmp_path):
    nested = {"category": [{"id": 1, "name": "Law"}], "name": {"rendered": "Torts"}, "provider": ["North", "South"]}
    (record,) = read_row(tmp_path, **nested).records
    assert (record.name, record.category, record.provider) == ("Torts", "law", "North")


def test_what_cannot_be_read_leaves_what_is_stored(tmp_path):
    (record,) = read_row(tmp_path, level="Conversant", credits="some", language="English").records
    assert {"level", "credits"} <= record.preserved_fields
    assert "language" not in record.preserved_fields


PRICES_BESIDE_DURATIONS = [
    ("CHF 1'250.\u2013 / 16 Std.", "1250", 960),
    ("72.5 Kursstunden; Fr. 485.75", "485.75", 4350),
    ("Zeit noch unbekannt; 75 Kursstunden; Fr. 500.--", "500", 4500),
    ("16 h | CHF 20", "20", 960),
    ("14.00 - 16.30 Uhr; 9 Kursnachmittage; Fr. 45.--", "45", None),
]
PRICES_OF_SOMETHING_ELSE = [
    "CHF 90 / 1 Std.",
    "CHF 50 / Monat",
    "500 / 16 Std.",
    "Fr. 500.--; Fr. 450.--; 70 Kursstunden",
    "EUR 500; 70 Kursstunden",
]


@pytest.mark.parametrize(("text", "price", "minutes"), PRICES_BESIDE_DURATIONS)
def test_a_cell_of_price_and_duration_is_read_as_both_with_a_doubt(tmp_path, text, price, minutes):
    found = read_row(tmp_path, currency=currency("CHF"), list_price=text)
    (record,) = found.records
    assert (record.list_price, record.duration_min, record.status) == (Decimal(price), minutes, "published")
    assert ("duration_min" in record.preserved_fields) is (minutes is None)
    assert ["list_price" in doubt for doubt in found.doubts.values()] == [True]


@pytest.mark.parametrize("text", PRICES_OF_SOMETHING_ELSE)
def test_a_price_for_each_hour_or_of_several_is_refused(tmp_path, text):
    found = read_row(tmp_path, currency=currency("CHF"), list_price=text)
    assert (found.records, len(found.bad)) == ([], 1)
