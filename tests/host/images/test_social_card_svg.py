"""The words on a picture: fitted, broken where their script breaks, and never an empty box."""

import struct
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from host.images import fonts, social_card_svg
from host.images.fonts import Typeface, open_font, typeface
from host.images.social_card_svg import CardTexts, fit_title, logo_of, readable, svg, wrap

INTER = Typeface([open_font(fonts.PACKAGES / name) for name in fonts.OWN_FONTS])
ART = ("course", "tax", "vat-basics")
SHOP = ("Tax", "Meridian Learning", "Courses for people who have work to do")


@pytest.mark.parametrize(
    ("title", "size", "lines"),
    [
        ("VAT basics", 66, ["VAT basics"]),
        ("Naïve Forecasts and Beyond: Demand Planning Basics", 58, None),
        ("word " * 60, 38, None),
    ],
)
def test_a_title_is_as_large_as_its_area_allows(title, size, lines):
    found_size, title_lines = fit_title(title.strip(), INTER)
    assert found_size == size
    assert title_lines == lines or lines is None
    assert len(title_lines) * found_size <= social_card_svg.MAX_TITLE_WIDTH
    assert all(INTER.width(line, found_size) <= social_card_svg.TEXT_WIDTH for line in title_lines)


def test_a_title_that_does_not_fit_is_cut_with_an_ellipsis():
    assert fit_title("word " * 60, INTER)[1][-1].endswith("…")


def test_a_word_too_long_for_a_line_is_broken():
    lines = wrap("Donaudampfschifffahrtsgesellschaft " * 2, 300, 50, INTER)
    assert "".join(lines).replace(" ", "") == "Donaudampfschifffahrtsgesellschaft" * 2
    assert all(INTER.width(line, 50) <= 300 for line in lines)


def test_no_line_begins_with_a_closing_sign():
    # Each sign a square, as in every Japanese typeface: machines need not have one.
    wide = cast(Typeface, SimpleNamespace(width=lambda line, size: len(line) * size))
    lines = wrap("日本語、日本語。日本語、日本語。", 150, 50, wide)
    assert not [line for line in lines if line[0] in "、。"]


@pytest.mark.parametrize("text", ["Café Ünïcode Łukasz", "Ελληνικά", "Русский", "Tiếng Việt"])
def test_inter_has_the_letters_of_most_european_languages(text):
    assert INTER.missing(text) == set()
    assert len(typeface([text]).faces) == 2


def test_a_text_whose_letters_no_font_has_is_left_out(monkeypatch):
    monkeypatch.setattr(fonts, "FOLDERS", ())
    face = typeface(["한국어 강좌", *SHOP])
    texts = readable(CardTexts("한국어 강좌", *SHOP), face)
    assert (texts.title, texts.label) == ("", "Tax")
    assert "강" not in svg(texts, ART, face)


def test_symbols_that_no_font_has_are_dropped_from_the_text(monkeypatch):
    monkeypatch.setattr(fonts, "FOLDERS", ())
    face = typeface(["Calm 📚 & more"])
    assert readable(CardTexts("Calm 📚 & more\x00\x1b", *SHOP), face).title == "Calm & more"


def test_a_title_read_from_the_right_begins_at_the_right_edge():
    drawn = svg(CardTexts("אבג Python דה", *SHOP), ART, INTER)
    rows = [row for row in drawn.split("<text ") if "Python" in row]
    assert [row[:26] for row in rows] == ['text-anchor="end" x="632" ']
    # The renderer takes each line to be read from the left.
    assert "\u202bאבג Python דה\u202c" in drawn
    assert "text-anchor" not in svg(CardTexts("Python אבג", *SHOP), ART, INTER)


def test_without_any_font_the_picture_has_no_text(monkeypatch):
    monkeypatch.setattr(fonts, "FOLDERS", ())
    monkeypatch.setattr(fonts, "PACKAGES", Path("/nowhere"))
    face = typeface(["VAT"])
    drawn = svg(readable(CardTexts("VAT", *SHOP), face), ART, face)
    assert "<text" not in drawn


def test_markup_in_a_text_is_escaped():
    drawn = svg(CardTexts("<script>&\"'", *SHOP), ART, INTER)
    assert "<script>" not in drawn
    assert "&lt;script&gt;&amp;" in drawn


@pytest.mark.parametrize("address", ["/static/../setup.cfg", "https://a.example/x.svg", "/static/images/none.svg", ""])
def test_only_svg_files_below_static_are_a_logo(address):
    assert logo_of(address) == ""


def test_the_logo_is_placed_in_its_area():
    assert logo_of("/static/images/logo.svg").count("<svg") == 1
    assert 'width="56" height="56"' in logo_of("/static/images/logo.svg")


def test_a_picture_is_a_png_of_its_size():
    png = social_card_svg.png(CardTexts("VAT basics", *SHOP), ART, "/static/images/logo.svg")
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", png[16:24]) == (1200, 630)


def test_a_text_keeps_the_signs_that_put_it_in_order():
    """Nobody sees them, and no font has them."""
    text = "Lessons of \u2068דה Excel\u2069, \u206819\u061c\u2069"
    assert fonts.typeface([text]).writable(f"{text}\u2060") == text
