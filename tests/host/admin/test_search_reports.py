"""The reports on searches and content gaps on their page, as a file and by the call, each look recorded."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from domain.search import query_log
from domain.tables import ReportAccess
from domain.visits.days.build import DayBuilder
from tests.domain.visits.days.worlds import add, visit
from tests.host.admin.test_staff import page
from tests.host.admin.test_visit_reports import MAY, call, file_rows, staff

NOW = datetime.now(UTC)
NOON = (NOW - timedelta(days=1)).replace(hour=12, minute=0, second=0, microsecond=0)
ONE_DAY = f"from={NOON.date()}&to={NOON.date()}&compare=none"
MINUTE = timedelta(minutes=1)


def fill(site) -> None:
    """Yesterday: searches that found nothing, one of them like a formula, and an address without a page."""
    with site.db.write_session() as session:
        for number, query in enumerate(("crypto", "crypto", "crypto", "=cmd()", "=cmd()")):
            query_log.log_query(session, query, 0, "none", NOON + number * MINUTE)
        add(session, *(visit(number, NOON, "/old", f"s{number}") for number in range(1, 4)))
        add(session, visit(9, NOON, "/search?q=Crypto", "c"), visit(10, NOON + MINUTE, "/shop", "c"))
    DayBuilder(site.db, site.settings.day_rules, lambda: NOW).build_due()


async def test_searches_on_the_page_in_the_file_and_by_the_call_are_the_same(own_site):
    fill(own_site)
    marketer = staff(own_site)
    status, props = await page(marketer, f"/admin/reports/searches?{ONE_DAY}")
    assert (status, props["heading"]) == (200, "Searches")
    assert [(figure["key"], figure["value"]) for figure in props["figures"]] == [
        *(("searches", "5"), ("noResultsShare", "100%")),
        *(("followedShare", "0%"), ("abandonedShare", "0%")),
    ]
    assert [row[0]["text"] for row in props["table"]["rows"]] == ["crypto", "=cmd()"]
    assert props["table"]["rows"][0][0]["href"].endswith("f=query%3Acrypto")
    heading, *rows = await file_rows(marketer, f"/admin/reports/searches?{ONE_DAY}")
    assert heading == ["Search", "Bought after it", *("Searches", "Without results", "In sessions"), *heading[5:]]
    assert rows == [["crypto", "", "3", "3", "1", "0", "0"], ["'=cmd()", "", "2", "2", "0", "0", "0"]]
    _, answer = await call(marketer, "searches", ONE_DAY)
    assert [(row["key"], row["figures"]["searches"]) for row in answer["rows"]] == [("crypto", 3), ("=cmd()", 2)]
    with own_site.db.read_session() as session:
        looks = session.execute(select(ReportAccess.report, ReportAccess.action, ReportAccess.row_count)).all()
    assert [tuple(row) for row in looks] == [("searches", action, 2) for action in ("view", "csv", "view")]


async def test_each_gap_says_what_to_do_and_links_to_it(own_site):
    fill(own_site)
    marketer = staff(own_site)
    _, props = await page(marketer, f"/admin/reports/gaps?{ONE_DAY}")
    [first, _] = props["table"]["rows"]
    monday = NOON.date() - timedelta(days=NOON.date().weekday())
    assert (first[0]["text"], first[0]["href"]) == ("crypto", "/search?q=crypto")
    assert first[2]["text"] == "Create a course or dismiss it"
    assert first[2]["href"] == f"/admin/searches?week={monday}&query=crypto"
    assert (await page(marketer, first[2]["href"]))[0] == 200
    _, props = await page(marketer, f"/admin/reports/gaps?{ONE_DAY}&by=unknown")
    [row] = props["table"]["rows"]
    assert ("href" in row[0], row[0]["text"], row[1]["text"]) == (False, "/old", "No link is known")
    assert [level["text"] for level in props["levels"] if level["isCurrent"]] == ["No such page"]
    heading, row = await file_rows(marketer, f"/admin/reports/gaps?{ONE_DAY}&by=unknown")
    assert heading == ["No such page", "Details", "What to do", "Sessions"]
    assert row == ["/old", "No link is known", "Find the course it meant", "3"]
    _, answer = await call(marketer, "gaps", ONE_DAY)
    assert answer["totals"]["nothingFound"] == 2
    assert answer["rows"][0]["words"]["action"] == "Create a course or dismiss it"


async def test_the_reports_are_for_those_who_may_read_reports(own_site):
    fill(own_site)
    for role in ("marketer", "editor", "support", "finance"):
        expected = 200 if role in MAY else 403
        for name in ("searches", "gaps"):
            assert (await call(staff(own_site, role), name))[0] == expected, role
        _, props = await page(staff(own_site, role), "/admin/searches")
        assert (props["report"] is not None) == (role in MAY), role


async def test_a_call_refuses_what_the_reports_do_not_have(own_site):
    marketer = staff(own_site)
    for name, query in (
        ("searches", "audience=people"),
        ("searches", f"f=query:{'x' * 192}"),
        ("gaps", "by=all"),
        ("gaps", "f=unknown:/old"),
        ("gaps", "by=unknown&sort=-searches"),
    ):
        assert (await call(marketer, name, query))[0] == 422, query
