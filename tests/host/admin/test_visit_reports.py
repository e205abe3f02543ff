"""Reports about visits: who may have them, what a call refuses, the same rows on page, in the file and by the call, and
that every look is recorded."""

import csv
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from sqlalchemy import select

from domain.permissions import ROLES
from domain.reports.visit_reports.wording import NO_VALUE
from domain.tables import AuditEvent, ReportAccess
from domain.visits.days.build import DayBuilder
from tests.domain.visits.days.worlds import add, crawl, visit
from tests.host.admin.test_staff import page
from tests.host.signing import Learner, learner
from tests.host.test_area_matrix import sent_by

NOW = datetime.now(UTC)
YESTERDAY = NOW - timedelta(days=1)
DAY = YESTERDAY.date().isoformat()
ONE_DAY = f"from={DAY}&to={DAY}"
MAY = {"marketer", "finance", "administrator"}


def staff(site, role: str = "marketer", area: str = "admin") -> Learner:
    return learner(site, f"Reports {role}", area=area, roles=[role] if area == "admin" else [])


def fill(site) -> None:
    """Yesterday: three sessions, one of a search engine, one of a link that begins like a formula, and a crawler."""
    noon = YESTERDAY.replace(hour=12, minute=0, second=0, microsecond=0)
    google = {"referrer": "https://www.google.com/"}
    with site.db.write_session() as session:
        add(
            session,
            visit(1, noon, "/", "a", **google),
            visit(2, noon + timedelta(minutes=2), "/shop", "a"),
            visit(3, noon, "/", "b"),
            visit(4, noon, "/?utm_source=%3Dcmd&utm_campaign=%F0%9F%8E%93", "c"),
            crawl(5, noon),
        )
    DayBuilder(site.db, site.settings.day_rules, lambda: NOW).build_due()


async def call(person: Learner, report: str, query: str = ""):
    answer = await person.site.get(f"/api/admin/reports/{report}?{query}", **person.headers)
    return answer.status, await answer.json()


async def file_rows(person: Learner, path: str) -> list[list[str]]:
    answer = await person.site.get(f"/csv{path}", **sent_by(person))
    assert answer.status == 200
    text = (await answer.read()).decode("utf-8-sig")
    return list(csv.reader(StringIO(text)))


async def test_each_role_gets_reports_or_none_of_them(own_site):
    fill(own_site)
    for role in ROLES["admin"]:
        person, expected = staff(own_site, role), 200 if role in MAY else 403
        assert (await call(person, "overview"))[0] == expected, role
        for path in ("/admin/visits", "/admin/reports/sources"):
            assert (await page(person, path))[0] == expected, role
            assert (await own_site.get(f"/csv{path}", **sent_by(person))).status == expected, role
    assert (await own_site.get("/api/admin/reports/overview")).status == 401
    assert (await call(learner(own_site), "overview"))[0] == 403


async def test_the_answer_of_a_report(own_site):
    fill(own_site)
    status, answer = await call(staff(own_site), "sources", f"{ONE_DAY}&compare=none")
    assert status == 200
    figures = {"sessions": 1, "visits": 2, "bounceRate": 0.0, "averageTime": 120, "products": 0, "carts": 0}
    figures |= {"checkouts": 0, "orders": 0, "payments": 0, "conversion": 0.0}
    rows = {row["key"]: row for row in answer["rows"]}
    assert rows["search"] == {
        "key": "search",
        "label": "Search engines",
        "figures": figures,
        "previous": None,
        "words": {},
    }
    assert {key: row["figures"]["visits"] for key, row in rows.items()} == {"search": 2, "direct": 1, "campaign": 1}
    assert (answer["totals"]["visits"], answer["totals"]["sessions"], answer["range"]["high"]) == (4, 3, 3)
    assert answer["leftOut"] == {"suspected": 0, "crawlers": 1, "withoutSession": 0}
    assert (answer["from"], answer["to"], answer["zone"], answer["isUnfinished"]) == (DAY, DAY, "UTC", False)
    assert (answer["report"], answer["by"], answer["more"], answer["previous"]) == ("sources", "channel", False, None)
    assert [len(answer["series"]), sum(point["figures"]["visits"] for point in answer["series"])] == [24, 4]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("from=today", "from"),
        ("from=2024-01-01", "from"),
        ("by=path", "by"),
        ("limit=501", "limit"),
        ("f=learner:1", "f"),
        ("sort=" + "a" * 201, "sort"),
        ("model=linear", "model"),
    ],
)
async def test_a_call_refuses_what_it_does_not_know_by_its_name(own_site, query, name):
    status, answer = await call(staff(own_site), "sources", query)
    assert (status, list(answer["errors"])) == (422, [name])


async def test_there_are_no_other_reports(own_site):
    person = staff(own_site)
    assert (await call(person, "salaries"))[0] == 404
    assert (await page(person, "/admin/reports/salaries"))[0] == 404
    assert (await own_site.get("/csv/admin/reports/salaries", **sent_by(person))).status == 404


async def test_page_file_and_call_have_the_same_rows(own_site):
    fill(own_site)
    person = staff(own_site)
    path = f"/admin/reports/sources?by=source&{ONE_DAY}"
    _, answer = await call(person, "sources", f"by=source&{ONE_DAY}")
    _, props = await page(person, path)
    heading, *rows = await file_rows(person, path)
    assert heading[:3] == ["Source", "Sessions", "Visits"]
    called = [[row["label"], row["figures"]["sessions"], row["figures"]["visits"]] for row in answer["rows"]]
    assert called == [["None", 1, 1], ["=cmd", 1, 1], ["Google", 1, 2]]
    # A spreadsheet must not take a visitor's text for a formula.
    assert [[name.removeprefix("'"), int(one), int(two)] for name, one, two, *_ in rows] == called
    assert "'=cmd" in [row[0] for row in rows]
    shown = [[row[0]["text"], row[1]["value"], row[2]["value"]] for row in props["table"]["rows"]]
    assert shown == called


async def test_a_row_leads_to_the_report_of_its_value_and_back(own_site):
    fill(own_site)
    person = staff(own_site)
    _, props = await page(person, f"/admin/reports/sources?{ONE_DAY}")
    links = {row[0]["text"]: row[0]["href"] for row in props["table"]["rows"]}
    assert links["Search engines"] == f"/admin/reports/sources?from={DAY}&to={DAY}&f=channel%3Asearch"
    _, props = await page(person, links["Search engines"])
    assert props["chosen"] == {
        "filters": [{"text": "Channel: Search engines", "href": f"/admin/reports/sources?from={DAY}&to={DAY}"}],
        "href": f"/admin/reports/sources?from={DAY}&to={DAY}",
    }
    assert [row[0]["text"] for row in props["table"]["rows"]] == ["Google"]
    assert {figure["key"]: figure["value"] for figure in props["figures"]}["averageTime"].endswith("0 s")


async def test_a_page_shows_the_usual_values_for_what_it_does_not_understand(own_site):
    fill(own_site)
    _, props = await page(staff(own_site), "/admin/visits?from=never&audience=robots")
    assert props["ignored"] == ["from", "audience"]
    assert [link["text"] for link in props["presets"] if link["isCurrent"]] == ["28 days"]


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/admin/visits", "Visits"),
        ("/admin/reports/sources?f=source:Ada%20Lovelace", "Sources"),
        ("/admin/reports/crawl-readings", "What search engines read"),
        ("/admin/reports/now", "Now"),
    ],
)
async def test_the_tab_names_the_report_and_nothing_that_it_is_of(own_site, path, title):
    answer = await own_site.get(f"/data{path}", **sent_by(staff(own_site)))
    assert (await answer.json())["head"]["title"] == f"{title} | {own_site.settings.site_name}"


async def test_without_any_day_a_page_says_so(own_site):
    _, props = await page(staff(own_site), "/admin/visits")
    assert props["empty"] == "No day has been counted yet. The first figures appear a minute after the first visit."
    assert (props["figures"], props["csvHref"], props["table"]["rows"]) == ([], None, [])


async def test_the_last_minutes_are_a_report_of_their_own(own_site):
    person = staff(own_site)
    _, props = await page(person, "/admin/reports/now")
    assert (props["empty"], props["form"]) == ("Nobody has opened a page in the last 30 minutes.", None)
    with own_site.db.write_session() as session:
        add(session, visit(1, datetime.now(UTC), "/shop", "a"))
    status, answer = await call(person, "now")
    served = {"served": 0, "seen": 0, "seenShare": None}
    assert (status, answer["totals"], answer["previous"]) == (200, {"visits": 1, "sessions": 1, **served}, None)
    assert [(row["key"], row["figures"]) for row in answer["rows"]] == [("/shop", {"visits": 1})]
    assert [len(answer["series"]), sum(point["figures"]["visits"] for point in answer["series"])] == [30, 1]
    _, props = await page(person, "/admin/reports/now")
    shown = {figure["label"]: figure["value"] for figure in props["figures"]}
    served = dict.fromkeys(("Pages served", "Seen by script", "Share seen by script"), NO_VALUE)
    assert shown == {"Visits": "1", "Sessions": "1", **served}
    assert props["table"]["rows"][0][0] == {
        "kind": "link",
        "text": "/shop",
        "href": "/admin/reports/pages?f=path%3A%2Fshop",
    }
    assert (await call(person, "now", "from=2026-01-01"))[0] == 422
    assert (await own_site.get("/csv/admin/reports/now", **sent_by(person))).status == 404
    with own_site.db.read_session() as session:
        looks = session.scalars(select(ReportAccess.report).where(ReportAccess.learner_id == person.id)).all()
    assert looks == ["now", "now", "now"]


async def test_every_look_is_recorded_and_a_file_is_an_event_too(own_site):
    fill(own_site)
    person = staff(own_site)
    await call(person, "landing", ONE_DAY)
    await page(person, f"/admin/reports/pages?{ONE_DAY}")
    await file_rows(person, f"/admin/visits?{ONE_DAY}")
    with own_site.db.read_session() as session:
        looks = session.scalars(select(ReportAccess).where(ReportAccess.learner_id == person.id)).all()
        events = session.scalars(select(AuditEvent.action).where(AuditEvent.actor_id == person.id)).all()
    assert [(look.report, look.action) for look in looks] == [
        ("landing", "view"),
        ("pages", "view"),
        ("overview", "csv"),
    ]
    assert [look.row_count for look in looks] == [1, 2, 1]
    assert looks[0].query.startswith(f"from={DAY}&to={DAY}&compare=previous&by=landing&audience=people&")
    assert "list.export" in events


async def test_a_person_gets_so_many_reports_a_minute_and_then_has_to_wait(open_site):
    site = await open_site(REPORTS_PER_LEARNER_MINUTE="3", LIMITS="on")
    person = staff(site)
    assert (await call(person, "overview"))[0] == 200
    assert (await page(person, "/admin/visits"))[0] == 200
    assert (await own_file(person))[0] == 200
    assert (await call(person, "overview"))[0] == 429
    assert (await page(person, "/admin/visits"))[0] == 429
    assert (await own_file(person))[0] == 429
    assert (await call(staff(site, "finance"), "overview"))[0] == 200
    with site.db.read_session() as session:
        assert len(session.scalars(select(ReportAccess).where(ReportAccess.learner_id == person.id)).all()) == 3


async def own_file(person: Learner) -> tuple[int, str]:
    answer = await person.site.get("/csv/admin/visits", **sent_by(person))
    return answer.status, await answer.text()
