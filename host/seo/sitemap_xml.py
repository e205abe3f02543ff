"""Sitemap indexes and sitemaps (sitemaps.org, with Google's image extension) as bytes."""

from collections.abc import Iterable
from datetime import date, datetime
from urllib.parse import quote
from xml.sax.saxutils import escape

HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n'
INDEX = b'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
SET = (
    b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
    b'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\n'
)


def index(files: Iterable[tuple[str, datetime | None]]) -> bytes:
    """A sitemap index; `files` are (URL, last change)."""
    rows = (f"<sitemap><loc>{_loc(address)}</loc>{_changed(at)}</sitemap>\n".encode() for address, at in files)
    return HEAD + INDEX + b"".join(rows) + b"</sitemapindex>\n"


def entry(address: str, changed: datetime | date | None, pictures: Iterable[str] = ()) -> str:
    """One page; `changed` None leaves the date out."""
    images = "".join(f"<image:image><image:loc>{_loc(picture)}</image:loc></image:image>" for picture in pictures)
    return f"<url><loc>{_loc(address)}</loc>{_changed(changed)}{images}</url>\n"


def urlset(entries: Iterable[str]) -> bytes:
    return HEAD + SET + "".join(entries).encode() + b"</urlset>\n"


def _loc(address: str) -> str:
    return escape(quote(address, safe=":/?&=%#+,;@!$'()*~"), {"'": "&apos;", '"': "&quot;"})


def _changed(at: datetime | date | None) -> str:
    if at is None:
        return ""
    return f"<lastmod>{at:%Y-%m-%dT%H:%M:%SZ}</lastmod>" if isinstance(at, datetime) else f"<lastmod>{at}</lastmod>"
