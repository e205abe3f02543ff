"""Names of other scripts inside sentences."""
# ruff: noqa: RUF001 - letters and digits of several scripts are what this is about

import json
from datetime import date

import pytest

from adapters import mail_templates
from config.settings import ROOT
from domain.catalogue import stock
from domain.catalogue_import import generated_texts
from domain.catalogue_import.generated_texts import ImportedCourseFacts
from domain.display_text import amount_text, count_text, day_text, decimal_text, moment_text, money_text, percent_text
from domain.money import currency
from domain.text_direction import is_right_to_left, isolated
from tests.support.factories import NOON

CASES = json.loads((ROOT / "contracts/cases/directions.json").read_text("utf-8"))["cases"]

TEXTS = {
    "Latin": ("Excel 2024", False),
    "Hebrew": ("תכנה Python", True),
    "Arabic behind figures and signs": ("2024 - (دورة)", True),
    "Hebrew behind Latin": ("Python תכנה", False),
    "figures alone": ("2024", False),
    "an isolated name before Latin": ("\u2068תכ\u2069 ends", False),
    "an isolated name before Hebrew": ("\u2068Excel\u2069 תכ", True),
    "nothing": ("", False),
}


@pytest.mark.parametrize(("text", "is_from_right"), TEXTS.values(), ids=TEXTS)
def test_the_first_letter_decides_the_direction(text, is_from_right):
    assert is_right_to_left(text) is is_from_right


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_only_what_is_read_from_the_right_is_isolated(case):
    """components/model/isolated.test.ts has the same cases."""
    assert isolated(case["text"]) == case["isolated"]


# A text that a person reads -> with a number, day or name that is read from the right.
SENTENCES = {
    "a count": (count_text(1205, "ar-EG"), "\u2068١٬٢٠٥\u2069"),
    "a number with decimals": (decimal_text(4.6, 1, "fa-IR"), "\u2068۴٫۶\u2069"),
    "a percentage": (percent_text(5, "ar-EG"), "\u2068٥٪\u061c\u2069"),
    "an amount": (money_text(129900, currency("ILS"), "he-IL"), "\u2068\u200f1,299.00\xa0\u200f₪\u2069"),
    "a day": (day_text(date(2026, 5, 17), "he-IL"), "\u206817 במאי 2026\u2069"),
    "a time": (moment_text(NOON, "en-US"), "March 1, 2026 at 12:00\xa0PM UTC"),
    "a number of another shop": (count_text(1205, "de-DE"), "1.205"),
    "an amount for a field": (amount_text(129900, currency("EGP"), "ar-EG"), "١٬٢٩٩٫٠٠"),
    "stock": (stock.too_few_text("תכ", 3), "Only 3 of \u2068תכ\u2069 are left."),
}


@pytest.mark.parametrize(("text", "expected"), SENTENCES.values(), ids=SENTENCES)
def test_numbers_days_and_names_keep_their_place_in_a_sentence(text, expected):
    assert text == expected


def test_generated_sentences_keep_the_order_of_their_words_around_a_name():
    facts = ImportedCourseFacts("תכנה Python", "Web", "beginner", 90, None)
    assert generated_texts.subtitle(facts) == "Learn Web with “\u2068תכנה Python\u2069”: 1.5 hours for beginners."
    assert generated_texts.description(facts).startswith("“\u2068תכנה Python\u2069” is a course for beginners in Web.")
    assert generated_texts.item_subtitle("תכ", "book", "Web") == "A book on Web: \u2068תכ\u2069."


def test_mails_isolate_names_but_not_what_people_wrote():
    values = {
        "site": {"name": "Meridian", "origin": "https://shop.test"},
        "certificate": dict.fromkeys(("holder", "until", "link", "own_link"), "x") | {"course": "תכנה Python"},
    }
    rendered = mail_templates.render("certificate_issued", values)
    assert rendered.subject == "Your certificate for \u2068תכנה Python\u2069"
    assert "you have completed “\u2068תכנה Python\u2069”." in rendered.text
    assert mail_templates._environment().from_string("{{ text }}").render(text="תכ\nab") == "תכ\nab"
