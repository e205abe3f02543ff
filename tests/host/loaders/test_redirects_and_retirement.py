"""Courses and items that moved, were retired or withdrawn: one hop to where they are now, a landing page, or gone."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from domain.publishing import slug_changes
from domain.tables import Product

NOW = datetime.now(UTC)
LONG_AGO = NOW - timedelta(days=400)


def product(session, slug):
    return session.scalars(select(Product).where(Product.slug == slug)).one()


def rename(site, *slugs):
    with site.db.write_session() as session:
        row = product(session, slugs[0])
        for slug in slugs[1:]:
            slug_changes.rename(session, row, slug, NOW)


def put(site, slug, **columns):
    with site.db.write_session() as session:
        row = product(session, slug)
        for name, value in columns.items():
            setattr(row, name, value)


async def moved(site, path):
    answer = await site.get(path)
    return answer.status, answer.headers.get("Location")


async def test_every_former_url_redirects_to_the_current_one_in_one_hop(bare_site):
    rename(bare_site, "vat-basics", "vat", "value-added-tax")
    for slug in ("vat-basics", "vat", "vat-basics&utm_source=x"):
        answer = await moved(bare_site, f"/course-details?course={slug}")
        assert answer == (301, "/course-details?course=value-added-tax")
    assert (await bare_site.document("/course-details?course=value-added-tax")).status == 200
    assert (await bare_site.data("/course-details?course=vat")) == {
        "location": "/course-details?course=value-added-tax"
    }


async def test_a_slug_in_capitals_redirects_to_its_course_in_one_hop(bare_site):
    rename(bare_site, "vat-basics", "vat")
    for slug in ("VAT", "Vat", "VAT-Basics"):
        assert await moved(bare_site, f"/course-details?course={slug}") == (301, "/course-details?course=vat")
    assert await moved(bare_site, "/course-details?course=VAT-NONE") == (404, None)


@pytest.mark.parametrize(
    "slug", ["vat-basics.", "%20vat-basics", "vat-basics)%2C", "vat%E2%80%91basics", "vat-basics%E2%80%8B"]
)
async def test_a_slug_pasted_with_what_stood_around_it_redirects_to_its_course(bare_site, slug):
    address = "/course-details?course=vat-basics"
    assert await moved(bare_site, f"/course-details?course={slug}") == (301, address)
    assert await moved(bare_site, address) == (200, None)


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("/shop?category=Tax&level=BEGINNER", "/shop?category=tax&level=beginner"),
        ("/shop?kind=Book&sort=Rating", "/shop?kind=book&sort=rating"),
        ("/search?q=VAT&level=Beginner", "/search?q=VAT&level=beginner"),
    ],
)
async def test_a_filter_in_capitals_redirects_to_its_list_in_one_hop(bare_site, typed, canonical):
    assert await moved(bare_site, typed) == (301, canonical)
    assert await moved(bare_site, canonical) == (200, None)


async def test_a_word_in_capitals_that_is_no_filter_leads_nowhere_else(bare_site):
    assert await moved(bare_site, "/shop?category=NOWHERE") == (200, None)


async def test_browsers_ask_again_for_a_redirect_that_staff_may_take_back(bare_site):
    rename(bare_site, "vat-basics", "vat")
    answer = await bare_site.get("/course-details?course=vat-basics")
    assert (answer.status, answer.headers["Cache-Control"]) == (301, "no-cache")


async def test_a_slug_of_another_script_is_escaped_in_the_redirect(bare_site):
    rename(bare_site, "vat-basics", "付加価値税")
    status, location = await moved(bare_site, "/course-details?course=vat-basics")
    assert (status, location) == (301, "/course-details?course=%E4%BB%98%E5%8A%A0%E4%BE%A1%E5%80%A4%E7%A8%8E")
    assert (await bare_site.document(location)).canonical.endswith(location)


async def test_a_picture_whose_address_has_slugs_of_another_script_is_escaped_and_found(bare_site):
    rename(bare_site, "vat-basics", "付加価値税")
    put(bare_site, "付加価値税", image="/pictures/course/会計/付加価値税/0.svg")
    page = await bare_site.document("/course-details?course=%E4%BB%98%E5%8A%A0%E4%BE%A1%E5%80%A4%E7%A8%8E")
    src = page.state["props"]["picture"]["src"]
    assert src == "/pictures/course/%E4%BC%9A%E8%A8%88/%E4%BB%98%E5%8A%A0%E4%BE%A1%E5%80%A4%E7%A8%8E/0.svg"
    assert (await bare_site.get(src)).status == 200


async def test_a_former_url_of_a_draft_does_not_reveal_it(bare_site):
    rename(bare_site, "draft-course", "draft")
    assert (await bare_site.get("/course-details?course=draft-course")).status == 404


async def test_a_retired_course_with_a_successor_stays_and_later_becomes_noindex(bare_site):
    path = "/course-details?course=old-course"
    landing = await bare_site.document(path)
    assert (landing.status, landing.meta("robots")) == (200, "index, follow")
    put(bare_site, "old-course", retired_at=LONG_AGO)
    later = await bare_site.document(path)
    assert (later.status, later.meta("robots")) == (200, "noindex, follow")
    assert later.headers["X-Robots-Tag"] == "noindex"
    assert [successor["href"] for successor in later.state["props"]["retired"]["successors"]] == [
        "/course-details?course=vat-basics"
    ]


async def test_a_retired_course_without_successor_and_visits_is_a_410_page_with_links(bare_site):
    put(bare_site, "ended-course", retired_at=LONG_AGO)
    document = await bare_site.document("/course-details?course=ended-course")
    assert (document.status, document.meta("robots")) == (410, "noindex, follow")
    assert document.state["props"]["message"] == "This course is no longer offered."
    assert len(document.state["props"]["suggestions"]) > 2


async def test_a_former_url_of_a_removed_course_is_410_too(bare_site):
    rename(bare_site, "ended-course", "ended")
    assert await moved(bare_site, "/course-details?course=ended-course") == (301, "/course-details?course=ended")
    put(bare_site, "ended", retired_at=LONG_AGO)
    assert (await bare_site.get("/course-details?course=ended-course")).status == 410


async def test_a_page_that_staff_keep_stays_in_search_engines_without_visits(bare_site):
    put(bare_site, "ended-course", retired_at=LONG_AGO, retirement_choice="landing")
    kept = await bare_site.document("/course-details?course=ended-course")
    assert (kept.status, kept.meta("robots")) == (200, "index, follow")


async def test_a_page_that_staff_redirect_leads_to_its_successor_in_one_hop(bare_site):
    rename(bare_site, "old-course", "older-course")
    put(bare_site, "older-course", retirement_choice="redirect")
    key = bare_site.id_of("older-course")
    for query in ("course=older-course", "course=old-course", f"id={key}"):
        assert await moved(bare_site, f"/course-details?{query}") == (301, "/course-details?course=vat-basics")
    assert await bare_site.data("/course-details?course=older-course") == {
        "location": "/course-details?course=vat-basics"
    }


async def test_a_redirect_whose_successor_is_no_longer_sold_is_a_page_outside_of_search_engines(bare_site):
    put(bare_site, "old-course", retirement_choice="redirect")
    put(bare_site, "vat-basics", status="retired", retired_at=NOW)
    shown = await bare_site.document("/course-details?course=old-course")
    assert (shown.status, shown.meta("robots")) == (200, "noindex, follow")
    assert shown.state["props"]["retired"]["successors"] == []


async def test_what_staff_call_gone_is_gone_although_people_visit_it_and_it_has_a_successor(bare_site):
    put(bare_site, "old-course", retirement_choice="gone")
    put(bare_site, "old-item", successor_id=bare_site.id_of("tax-tables"), retirement_choice="gone")
    for path in ("/course-details?course=old-course", f"/shop-details/{bare_site.id_of('old-item')}"):
        document = await bare_site.document(path)
        assert (document.status, document.meta("robots")) == (410, "noindex, follow")


async def test_a_chain_of_successors_is_one_hop(bare_site):
    last, middle = bare_site.id_of("tax-tables"), bare_site.id_of("ended-item")
    put(bare_site, "ended-item", successor_id=last)
    put(bare_site, "old-item", successor_id=middle)
    for slug in ("old-item", "ended-item"):
        answer = await moved(bare_site, f"/shop-details/{bare_site.id_of(slug)}")
        assert answer == (301, f"/shop-details/{last}")


async def test_a_withdrawn_item_without_successor_is_gone(bare_site):
    document = await bare_site.document(f"/shop-details/{bare_site.id_of('ended-item')}")
    assert (document.status, document.state["props"]["message"]) == (410, "This item is no longer sold.")


@pytest.mark.parametrize("slug", ["nothing", "vat-basic", "%00", "x" * 500])
async def test_an_unknown_course_is_not_found(bare_site, slug):
    assert (await bare_site.get(f"/course-details?course={slug}")).status == 404
