"""The head of a document: what it says of the page, and that no text of the catalogue can break out of it."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from host.seo import head_texts
from tests.host.documents import PUSH
from tests.host.site import ORIGIN, SHARED
from tests.host.small_shop import HOSTILE

pytestmark = SHARED

SCRIPT = "/course-details?course=script-course"


@pytest.mark.parametrize(
    ("path", "title", "description"),
    [
        ("/course-details?course=vat-basics", "VAT basics | Meridian Learning", "File a return without fear."),
        (
            "/shop",
            "Courses and shop | Meridian Learning",
            "32 courses, books and exam vouchers from Meridian Learning: see prices, levels, workloads and syllabuses.",
        ),
        (
            "/shop?category=law",
            "Law courses and materials | Meridian Learning",
            "About Law. 2 courses and materials in Law.",
        ),
        ("/nothing", "Error Page", "Page not found: /nothing"),
    ],
)
async def test_title_and_description_are_those_of_the_page(site, path, title, description):
    found = await site.document(path)
    assert (found.title, found.meta("description")) == (title, description)
    assert (found.meta("og:title"), found.meta("og:description")) == (title, description)
    assert (found.meta("og:site_name"), found.meta("og:locale")) == ("Meridian Learning", "en_US")


@pytest.mark.parametrize(
    ("name", "title"),
    [("VAT", "VAT | Meridian"), ("מע Python", "\u2068מע Python\u2069 | Meridian"), ("מע" * 30, "מע" * 30)],
    ids=["Latin", "mixed", "long"],
)
async def test_names_read_from_the_right_do_not_move_the_shops_name(name, title):
    settings: Any = SimpleNamespace(site_name="Meridian")
    assert head_texts.title(settings, name) == title


async def test_a_page_shows_its_picture_to_others(site):
    found = await site.document("/course-details?course=vat-basics")
    assert re.fullmatch(ORIGIN + r"/og/course/\d+-[0-9a-f]{10}\.png", found.meta("og:image"))
    assert (found.meta("og:image:width"), found.meta("og:image:height")) == ("1200", "630")
    assert found.meta("twitter:card") == "summary_large_image"


@pytest.mark.parametrize("path", [SCRIPT, "/shop", "/"])
async def test_hostile_text_stays_text(plain_site, path):
    found = await plain_site.document(path)
    assert "<script>alert" not in found.html
    assert "<b>" not in found.html
    kinds = {about.get("type", "part") for about, text in found.scripts if not text.startswith(PUSH)}
    assert kinds == {"application/ld+json", "application/json", "module"}
    assert any(HOSTILE.split(" \u2028")[0] in words for words in found.words)


async def test_hostile_text_in_attributes_stays_inside_them(site):
    found = await site.document(SCRIPT)
    # Too long for the shop's name behind it, and one line.
    assert found.title == found.meta("og:title") == found.meta("description") == " ".join(HOSTILE.split())


@pytest.mark.parametrize("path", ["/%3Cscript%3Ealert(1)%3C/script%3E", "/%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E"])
async def test_a_hostile_path_stays_text_on_the_error_page(plain_site, path):
    found = await plain_site.document(path)
    assert found.status == 404
    assert not re.search(r"<script>alert|<img", found.html)


async def test_the_state_holds_no_character_that_could_end_it(site):
    found = await site.document(SCRIPT)
    text = found.html.split('id="state">')[1].split("</script>")[0]
    assert not set(text) & set("<>&\u2028\u2029")
    assert found.state["props"]["name"] == HOSTILE


async def test_style_and_modules_are_named_once_and_are_there(site):
    found = await site.document("/shop")
    files = [one["href"] for one in found.all("link", rel="stylesheet") + found.all("link", rel="modulepreload")]
    assert len(files) == len(set(files))
    # The entry is asked for early, too.
    assert [about["src"] for about, _ in found.scripts if "src" in about] == [files[1]]
    for file in files:
        answer = await site.get(file)
        assert (answer.status, answer.headers["Cache-Control"]) == (200, "public, max-age=31536000, immutable")


async def test_the_document_has_one_of_each(site):
    found = await site.document("/course-details?course=vat-basics")
    for tag in ("html", "head", "body", "title"):
        assert len(found.all(tag)) == 1, tag
    assert found.all("html") == [{"lang": "en-US"}]
    assert found.html.startswith("<!DOCTYPE html>\n")
    assert found.html.endswith("</body></html>\n")
