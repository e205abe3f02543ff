"""Names of other scripts inside sentences."""

import pytest

from domain.text_direction import is_right_to_left, isolated

TEXTS = {
    "Latin": ("Excel 2024", False),
    "Hebrew": ("תכנות Python", True),
    "Arabic behind figures and signs": ("2024 - (دورة)", True),
    "Hebrew behind Latin": ("Python תכנות", False),
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
