"""The files of the demo's digital books: an extract as PDF and as EPUB, made of the book's own description.

Equal texts give equal bytes on every machine, because a file is stored by the digest of its contents.
"""

import textwrap
from html import escape
from io import BytesIO
from uuid import NAMESPACE_URL, uuid5
from zipfile import ZIP_STORED, ZipFile, ZipInfo

# A4 in points, with its margins.
WIDTH, HEIGHT, MARGIN, LEADING = 595, 842, 64, 16
LINES_ON_A_PAGE = 42
LINE_LENGTH = 84
NOTE = "This is an extract for demonstration."


def paragraphs_of(description: str) -> list[str]:
    """The paragraphs of a Markdown text, without its marks."""
    plain = description.replace("**", "").replace("*", "")
    return [part.lstrip("# ").replace("\n- ", "\n\u2022 ").replace("- ", "\u2022 ", 1) for part in plain.split("\n\n")]


def pdf(title: str, description: str) -> bytes:
    """A PDF of version 1.4, in Helvetica, which every reader has."""
    lines = [title, "", NOTE, ""]
    for paragraph in paragraphs_of(description):
        for line in paragraph.splitlines():
            lines += textwrap.wrap(line, LINE_LENGTH)
        lines.append("")
    pages = [lines[start : start + LINES_ON_A_PAGE] for start in range(0, len(lines), LINES_ON_A_PAGE)]
    return _file([_page(page, is_first=number == 0) for number, page in enumerate(pages)], title)


def _page(lines: list[str], *, is_first: bool) -> bytes:
    """The drawing of a page: the first line of the first one is the title."""
    size = "/F1 20 Tf" if is_first else "/F1 11 Tf"
    shown = [
        f"({_text(line)}) Tj T*" + (" /F1 11 Tf" if is_first and number == 0 else "")
        for number, line in enumerate(lines)
    ]
    body = "\n".join(shown)
    return f"BT {size} {LEADING} TL {MARGIN} {HEIGHT - MARGIN} Td\n{body}\nET".encode("cp1252", "replace")


def _text(line: str) -> str:
    return line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _file(pages: list[bytes], title: str) -> bytes:
    """Catalogue, pages, font and information, then two objects for each page."""
    numbers = [5 + 2 * index for index in range(len(pages))]
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< /Title ({_text(title)}) >>".encode("cp1252", "replace"),
    ]
    for number, drawing in zip(numbers, pages, strict=True):
        about = f"/MediaBox [0 0 {WIDTH} {HEIGHT}] /Resources << /Font << /F1 3 0 R >> >> /Contents {number + 1} 0 R"
        objects.append(f"<< /Type /Page /Parent 2 0 R {about} >>".encode())
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing))
    return _with_table(objects)


def _with_table(objects: list[bytes]) -> bytes:
    """The file, with the table of where each object begins."""
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def epub(title: str, description: str) -> bytes:
    """An EPUB of version 3 with one chapter. Its parts are not compressed: compressors differ between machines."""
    name = escape(title)
    text = "".join(f"<p>{escape(part)}</p>" for part in (NOTE, *paragraphs_of(description)))
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": _CONTAINER,
        "book.opf": _PACKAGE.format(title=name, id=uuid5(NAMESPACE_URL, title)),
        "nav.xhtml": _CHAPTER.format(
            title=name, body=f'<nav epub:type="toc"><ol><li><a href="text.xhtml">{name}</a></li></ol></nav>'
        ),
        "text.xhtml": _CHAPTER.format(title=name, body=f"<h1>{name}</h1>{text}"),
    }
    target = BytesIO()
    with ZipFile(target, "w", ZIP_STORED) as archive:
        for path, content in files.items():
            archive.writestr(ZipInfo(path), content)
    return target.getvalue()


_CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
"""
_PACKAGE = """<?xml version="1.0"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:uuid:{id}</dc:identifier>
<dc:title>{title}</dc:title><dc:language>en</dc:language>
<meta property="dcterms:modified">2026-01-01T00:00:00Z</meta></metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="text" href="text.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="text"/></spine></package>
"""
_CHAPTER = """<?xml version="1.0"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="en" lang="en">
<head><title>{title}</title></head><body>{body}</body></html>
"""
