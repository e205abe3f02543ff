"""Texts of documents in scripts read from the right, mixed with others: in reading order, copyable, complete."""
# ruff: noqa: RUF001 - letters of several scripts are what this is about

from io import BytesIO

import bidi
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from reportlab.pdfgen.canvas import Canvas

from domain.text_direction import is_right_to_left
from host.documents import document_font, fonts
from host.documents.bidi import mirrored, runs_from_left
from host.documents.parts import PLAIN
from host.documents.pdf import render
from host.documents.shaped_text import ShapedParagraph, paragraph_of
from host.images.fonts import Typeface
from tests.host.documents_pdf.bodies import GERMAN, SELLER, invoice, line


def from_left(text: str) -> str:
    """The characters of a line as they stand from left to right."""
    runs = runs_from_left(text, is_from_right=is_right_to_left(text))
    return "".join(mirrored(run.text) if run.is_from_right else run.text for run in runs)


# A text, and how it stands on the line.
LINES = {
    "read from the left": ("Excel (2024), part 2", "Excel (2024), part 2"),
    "read from the right": ("אבג דה", "הד גבא"),
    "a word of the other direction in the middle": ("אבג Python דה", "הד Python גבא"),
    "a number": ("אבג 2024 דה", "הד 2024 גבא"),
    "a number with a sign": ("אבג 50% דה", "הד 50% גבא"),
    "brackets around a number": ("אבג (2024)", "(2024) גבא"),
    "brackets around a word of the other direction": ("אבג (Python) דה", "הד (Python) גבא"),
    "brackets around such a word, read from the left": ("Python (אבג) דה", "Python (גבא) הד"),
    "two directions of numbers": ("Excel 2024: ١٢٣ عر 50%", "Excel 2024: 50 رع ١٢٣%"),
    "an isolated name before a number": ("Ends: \u2068אבג\u2069: 3, 4", "Ends: גבא: 3, 4"),
    "the same name without signs around it": ("Ends: אבג: 3, 4", "Ends: 4 ,3 :גבא"),
    "a sentence that begins with an isolated name": ("\u2068אבג\u2069 (2024) ends.", "גבא (2024) ends."),
    "two isolated days": ("\u20681 במאי\u2069 to \u20682 במאי\u2069.", "יאמב 1 to יאמב 2."),
    "an isolated name of both directions": ("To \u2068אבג Excel\u2069: 3", "To Excel גבא: 3"),
    "an isolated name in a text from the right": ("אבג \u2068Excel 3\u2069 דה", "הד Excel 3 גבא"),
    "a mark of direction": ("VAT \u2068١٩٪\u061c\u2069 on 3", "VAT ٪١٩ on 3"),
    "an isolate in an isolate": ("A \u2068אב \u2068C 1\u2069 ד\u2069 E", "A ד C 1 בא E"),
    "an isolate that ends in another line": ("A \u2068אב 1", "A 1 בא"),
    "an isolate that began in another line": ("A אב 1\u2069 is 2", "A 1 בא is 2"),
    "signs alone between directions": ("אבג – (C, D)", "(C, D) – גבא"),
}


@pytest.mark.parametrize(("text", "shown"), LINES.values(), ids=LINES)
def test_a_line_stands_as_it_is_read(text, shown):
    assert from_left(text) == shown


@settings(max_examples=150)
@given(st.text("אבגمحمab12٣ .,-%+:()[]", min_size=1, max_size=24))
def test_the_order_is_that_of_another_implementation(text):
    """It mirrors nothing."""
    text = " ".join(text.split())
    runs = runs_from_left(text, is_from_right=is_right_to_left(text))
    assert "".join(run.text[::-1] if run.is_from_right else run.text for run in runs) == bidi.get_display(text)


def has_letters(text: str) -> bool:
    fonts.register()
    return fonts.typeface_for([text]).can_name(text)


needs_fonts = pytest.mark.skipif(not has_letters("محمد כהן"), reason="no font with Arabic and Hebrew letters")


def copied(body) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(render(body))).pages)


@needs_fonts
@pytest.mark.parametrize("name", ["محمد بن عبد الله", "می\u200cخواهم رضا", "שרה כהן", "לאה", "سلام لا إله"])
def test_letters_of_a_name_are_copied_in_the_order_in_which_they_are_read(name):
    """Not the forms of letters, and not codes for private use."""
    buyer = {**GERMAN, "address": [name, "Lindenstraße 12", "10969 BERLIN", "GERMANY"]}
    assert name in copied(invoice(line(name), buyer=buyer))


@needs_fonts
def test_a_mixed_name_stands_in_its_own_order_where_it_is_delivered_too():
    lines = ["שרה Haddad", "1 Sheikh Zayed Road"]
    text = copied(invoice(buyer={**GERMAN, "address": lines}, delivery=lines))
    billed, delivered = text.partition("Delivery to: ")[::2]
    for part in (billed, delivered):
        assert part.index("Haddad") < part.index("שרה")


@needs_fonts
def test_each_part_of_a_mixed_name_is_drawn_in_a_font_that_has_its_letters():
    text = "محمد כהן (Ada)"
    typeface = fonts.typeface_for([text])
    pieces = ShapedParagraph(text, PLAIN, typeface)._pieces(text)
    for piece in pieces:
        glyphs = fonts.pdfmetrics.getFont(piece.font).face.charToGlyph
        assert all(glyphs.get(ord(char), 0) for char in piece.text)
    assert pieces[0].font == fonts.REGULAR


@needs_fonts
def test_a_long_text_goes_on_below_its_beginning():
    """Lines are broken as they are read, and then put in order."""
    text = " ".join(["אבג", *["דה"] * 20, "וזח"])
    paragraph = ShapedParagraph(text, PLAIN, fonts.typeface_for([text]))
    paragraph.wrap(120, 500)
    assert paragraph._lines[0].startswith("אבג")
    assert paragraph._lines[-1].endswith("וזח")
    assert " ".join(paragraph._lines) == text


def test_letters_with_marks_of_their_own_are_copied_as_they_were_typed():
    """They are shaped; what is read from the left carries its text."""
    fonts.register()
    target = BytesIO()
    canvas = Canvas(target)
    text = "e\u0301te\u0301"
    drawn = paragraph_of(text, PLAIN, fonts.typeface_for([text]))
    drawn.wrap(300, 300)
    drawn.drawOn(canvas, 20, 20)
    canvas.save()
    (page,) = PdfReader(BytesIO(target.getvalue())).pages
    contents = page.get_contents()
    assert contents is not None
    spans = [operands[1]["/ActualText"] for operands, operator in contents.operations if operator == b"BDC"]
    assert spans == [text]


def test_forms_of_a_letter_share_its_text():
    assert document_font._letters([0, 1], "ab") == ["a", "b"]
    assert document_font._letters([2, 0, 0], "abc") == ["c", "b", "a"]
    assert document_font._letters([0, 0], "abc") == ["ab", "c"]
    assert document_font._letters([0, 0], "a") == ["a", document_font._NOTHING]


# What documents print on a machine with Inter alone.
WRITABLE = {
    "an emoji": ("Python 🐍 for beginners", "Python for beginners"),
    "an emoji at the beginning": ("✅ Excel", "Excel"),
    "an emoji of several signs": ("Ada 👩🏽\u200d💻 Lovelace", "Ada Lovelace"),
    "a flag and a key": ("Deutsch 🇩🇪 1\ufe0f\u20e3", "Deutsch 1"),
    "emoji alone": ("🐍✅", ""),
    "letters of another script": ("Korean 한국어 for all", "Korean for all"),
    "letters of another script alone": ("한국어", ""),
    "marks above letters": ("e\u0301te\u0301", "e\u0301te\u0301"),
    "control characters": ("VAT\x00 \u202ebasics\u202c", "VAT basics"),
}


@pytest.mark.parametrize(("text", "printed"), WRITABLE.values(), ids=WRITABLE)
def test_a_sign_that_no_font_has_costs_that_sign(monkeypatch, text, printed):
    monkeypatch.setattr("host.images.fonts._machine_fonts", lambda: iter(()))
    assert fonts.typeface_for([text]).writable(text) == printed


def test_a_name_may_lose_signs_but_no_letters(monkeypatch):
    monkeypatch.setattr("host.images.fonts._machine_fonts", lambda: iter(()))
    names = ("Ada 🐍", "Ada 한", "🐍", "Ada \U0001fae8")
    assert [fonts.typeface_for([name]).can_name(name) for name in names] == [True, False, False, True]


def test_an_invoice_prints_names_without_signs_that_no_font_has(monkeypatch):
    monkeypatch.setattr("host.images.fonts._machine_fonts", lambda: iter(()))
    steps = [{"name": "🎉", "change_minor": -500}, {"name": "Summer 🌞 sale", "change_minor": -100}]
    buyer = {**GERMAN, "address": ["Ada 🐍 Lovelace", "Lindenstraße 12"]}
    seller = {**SELLER, "name": "Meridian 📚 Learning"}
    text = " ".join(copied(invoice(line("✅ Excel", steps=steps), buyer=buyer, seller=seller)).split())
    for printed in ("Excel", "Reduction \N{MINUS SIGN}5.00", "Summer sale", "Ada Lovelace", "Meridian Learning ·"):
        assert printed in text, printed
    assert "Customer S-1042" not in text


def test_a_seller_of_another_script_is_printed():
    seller = {**SELLER, "name": "メリディアン", "address": ["東京"]}
    assert copied(invoice(seller=seller)).count("メリディアン") == 2


def test_amounts_stand_below_one_another():
    """Figures of amounts have one width; those of other texts have their own."""
    fonts.register()
    for plain, figures in ((fonts.REGULAR, fonts.REGULAR_FIGURES), (fonts.BOLD, fonts.BOLD_FIGURES)):
        plain_widths, widths = (
            {fonts.pdfmetrics.stringWidth(figure, font, 9) for figure in "0123456789"} for font in (plain, figures)
        )
        assert (len(plain_widths) > 1, len(widths)) == (True, 1)


def test_amounts_are_printed_in_these_figures_and_can_be_copied():
    content = render(invoice(line(), line("VAT 2026", unit_minor=11_111, total_minor=11_111)))
    (page,) = PdfReader(BytesIO(content)).pages
    assert "111.11" in page.extract_text()
    names = {str(font.get_object()["/BaseFont"]).partition("+")[2] for font in page["/Resources"]["/Font"].values()}
    assert {"Inter-Regular", "Inter-Regular-Figures", "Inter-SemiBold-Figures"} <= names


def test_figures_that_no_font_has_are_those_of_every_document(monkeypatch):
    monkeypatch.setattr("host.images.fonts._machine_fonts", lambda: iter(()))
    monkeypatch.setattr(Typeface, "missing", lambda _face, text: {char for char in text if "٠" <= char <= "٩"})
    monkeypatch.setattr("host.documents.texts.percent_text", lambda _percent, _locale: "٥٪")
    assert "EUR 100.00" in copied(invoice(locale="ar-EG"))
