"""Pages without a render worker: head, structured data and a plain list, in time, with status 200."""

import time

import pytest

from tests.host.site import SHARED
from tests.host.small_shop import PLAIN

pytestmark = SHARED

VAT = "/course-details?course=vat-basics"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/shop",
        "/shop?page=2",
        VAT,
        "/shop-details/{item}",
        "/instructors/ada",
        "/about",
        "/contact",
        "/refund-grievance-policy",
    ],
)
async def test_a_page_without_a_worker_is_complete_and_in_time(plain_site, site, path):
    path = path.format(item=plain_site.id_of("tax-tables"))
    began = time.monotonic()
    plain = await plain_site.document(path)
    assert (plain.status, plain.is_rendered) == (200, False)
    assert time.monotonic() - began < 10
    drawn = await site.document(path)
    assert (plain.title, plain.canonical, plain.json_ld) == (drawn.title, drawn.canonical, drawn.json_ld)
    assert {**plain.state["props"], **plain.parts} == {**drawn.state["props"], **drawn.parts}
    assert len(plain.all("h1")) == len(plain.all("main")) == 1


async def test_the_plain_shop_lists_its_cards_with_prices_and_links(plain_site):
    document = await plain_site.document("/shop")
    assert VAT in document.links
    assert ": $80.00. File a return without fear." in document.words
    assert sum(link.startswith(("/course-details?", "/shop-details/")) for link in document.links) == 24
    assert document.all("a", rel="next") == [{"href": "/shop?page=2", "rel": "next"}]


async def test_the_second_plain_page_links_to_the_first(plain_site):
    document = await plain_site.document("/shop?page=2")
    assert document.all("a", rel="prev") == [{"href": "/shop", "rel": "prev"}]
    assert not document.all("a", rel="next")


async def test_the_plain_course_page_has_outcomes_and_syllabus(plain_site):
    document = await plain_site.document(VAT)
    for words in ("VAT basics", "$80.00", "File a return", "First", "Rates", "Returns", "every"):
        assert words in document.words
    assert "/shop?category=tax" in document.links


async def test_a_plain_retired_course_has_no_price_and_names_its_successor(plain_site):
    document = await plain_site.document("/course-details?course=old-course")
    assert "$100.00" not in document.words
    assert VAT in document.links
    ended = await plain_site.document("/course-details?course=ended-course")
    assert (ended.status, "$100.00" in ended.words) == (200, False)


async def test_the_plain_home_page_links_to_the_shop(plain_site):
    document = await plain_site.document("/")
    assert {"/shop?category=tax", "/shop?category=data", "/shop?category=law", VAT} <= set(document.links)
    assert f"/course-details?course=course-{PLAIN:02}" in document.links


async def test_a_free_course_is_said_to_be_free(plain_site):
    document = await plain_site.document("/shop?sort=price-low")
    assert any(words.startswith(": $1.00") for words in document.words)
    assert not any("Free" in words for words in document.words)
