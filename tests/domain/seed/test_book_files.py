"""The files of the demo's digital books can be opened, and are the same wherever they are made."""

from io import BytesIO
from xml.etree import ElementTree
from zipfile import ZipFile

from pypdf import PdfReader

from domain.seed import book_files, item_files

TEXT = "# First (one)\n\nA *long* text " + "of many words " * 400 + "\n\n- one\n- two"


def test_the_pdf_has_all_of_the_text_on_as_many_pages_as_it_needs():
    pages = PdfReader(BytesIO(book_files.pdf("Notes \\ (2)", TEXT)), strict=True).pages
    assert len(pages) == 2
    text = " ".join(" ".join(page.extract_text().split()) for page in pages)
    assert text.startswith("Notes \\ (2) This is an extract for demonstration. First (one) A long text of many")
    assert text.count("of many words") == 400
    assert text.endswith("\u2022 one \u2022 two")


def test_the_epub_begins_with_its_type_and_all_of_its_parts_are_xml():
    content = book_files.epub("Notes & <more>", TEXT)
    assert content[30:58] == b"mimetypeapplication/epub+zip"
    with ZipFile(BytesIO(content)) as book:
        for name in book.namelist()[1:]:
            ElementTree.fromstring(book.read(name))


def test_equal_texts_give_equal_files():
    assert item_files.contents() == item_files.contents()
    assert {slug: [name for name, _, _ in files] for slug, files in item_files.contents().items()} == {
        slug: [f"{slug}.pdf", f"{slug}.epub"]
        for slug in ("honest-numbers", "write-it-once-business-english", "office-automation-field-notes")
    }
