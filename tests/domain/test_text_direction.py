"""Names of other scripts inside sentences."""

import pytest

from adapters import mail_templates
from domain.catalogue_import import generated_texts
from domain.catalogue_import.generated_texts import ImportedCourseFacts
from domain.text_direction import is_right_to_left, isolated

TEXTS = {
    "Latin": ("Excel 2024", False),
    "Hebrew": ("תכנה Python", True),
    "Arabic behind figures and signs": ("2024 - (دورة)", True),
    "Hebrew behind Latin": ("Python תכנה", False),
    "figures alone": ("2024", False),
    "nothing": ("", False),
}


@pytest.mark.parametrize(("text", "is_from_right"), TEXTS.values(), ids=TEXTS)
def test_the_first_letter_decides_the_direction(text, is_from_right):
    assert is_right_to_left(text) is is_from_right


def test_only_names_with_letters_from_the_right_are_isolated():
    assert [isolated(name) for name in ("Excel", "Ж漢字", "a תכ", "دورة")] == [
        "Excel",
        "Ж漢字",
        "\u2068a תכ\u2069",
        "\u2068دورة\u2069",
    ]


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
