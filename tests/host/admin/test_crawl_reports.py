"""Reports about crawlers as page, file and call: the same rows, their own parameters, and a record of each look."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from domain.crawlers.fetches import AnsweredFetch, ServedPage
from domain.tables import ReportAccess
from domain.visits.days.build import DayBuilder
from tests.domain.visits.days.worlds import add, crawl
from tests.host.admin.test_staff import page
from tests.host.admin.test_visit_reports import call, file_rows, staff

NOW = datetime.now(UTC)
VAT = "/course-details?course=vat-basics"


def fill(site) -> None:
    """Two days ago a search engine read a course at another price and then the terms."""
    at = NOW - timedelta(days=2)
    seen = ServedPage("VAT basics", 1, "USD", "0123456789abcdef")
    with site.db.write_session() as session:
        fetch = AnsweredFetch(200, 9_000, 12, served=seen).as_text()
        add(session, crawl(1, at, VAT, attributes=fetch), crawl(2, at, "/terms", attributes=fetch))
    DayBuilder(site.db, site.settings.day_rules, lambda: NOW).build_due()


@pytest.mark.parametrize("name", ["crawlers", "crawl-pages", "crawl-readings", "agents"])
async def test_page_call_and_file_have_the_same_rows(own_site, name):
    fill(own_site)
    person = staff(own_site)
    status, props = await page(person, f"/admin/reports/{name}?limit=500")
    assert (status, props["empty"], props["ignored"]) == (200, "", [])
    status, answer = await call(person, name, "limit=500")
    lines = await file_rows(person, f"/admin/reports/{name}")
    labels = [row["label"] for row in answer["rows"]]
    assert (status, [line[0] for line in lines[1:]]) == (200, labels)
    assert [row[0]["text"] for row in props["table"]["rows"]] == labels
    with own_site.db.read_session() as session:
        looks = [(row.report, row.action) for row in session.scalars(select(ReportAccess).order_by(ReportAccess.id))]
    assert looks == [(name, "view"), (name, "view"), (name, "csv")]


async def test_pages_of_one_state_and_of_other_crawlers(own_site):
    fill(own_site)
    person = staff(own_site)
    _, props = await page(person, "/admin/reports/crawl-pages?state=price")
    assert [row[0] for row in props["table"]["rows"]] == [{"kind": "link", "text": "VAT basics", "href": VAT}]
    strip = props["table"]["rows"][0][1]
    assert (strip["kind"], [part["what"] for part in strip["parts"]][:2]) == ("strip", ["line", "known"])
    assert (props["form"]["since"], props["presets"]) == ("", [])
    _, props = await page(person, "/admin/reports/crawl-pages?readers=assistant")
    assert props["empty"].startswith("No crawler of this kind has read a page yet.")
    status, answer = await call(person, "crawl-pages", "from=2026-01-01&readers=nobody")
    assert status == 422
    assert answer["errors"].keys() == {"from", "readers"}
