"""What the partner link brought, as owners and managers of the organisation see it, and nobody else."""

import csv
import json
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from domain.permissions import Tenant
from domain.tables import AuditEvent, PartnerMonth, ReportAccess
from host.loaders.organisation import partner_months
from tests.host.admin.test_staff import page
from tests.host.organisation.world import TwoOrganisations, two_organisations
from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.host.test_area_matrix import sent_by
from tests.support import factories

PATH, FILE = "/organization/reports", "/csv/organization/reports?of=partner-link"
AT = datetime(2026, 4, 10, tzinfo=UTC)
HIDDEN, NOT_SHOWN = "Too few, or too alike, to show", "Not shown"


def add_month(site: Site, organisation_id: int, month: str, sessions: int | None, orders: int | None = None) -> None:
    about = {"organisation_id": organisation_id, "month": month, "frozen_at": AT, "k": 5}
    amount = None if orders is None or orders < 10 else orders * 12_345
    with site.db.write_session() as session:
        session.add(PartnerMonth(**about, dimension="visits", key="all", sessions=sessions, product=sessions))
        session.add(PartnerMonth(**about, dimension="sales", key="USD", orders=orders, amount_minor=amount))
        session.add(PartnerMonth(**about, dimension="refunds", key="USD"))


async def link_report(person: Learner) -> dict:
    status, props = await page(person, PATH)
    assert status == 200
    return props["partnerLink"]


def texts(report: dict) -> list[list[str]]:
    return [[str(cell.get("text", cell.get("value"))) for cell in row] for row in report["table"]["rows"]]


def accesses(site: Site) -> list[tuple[str, int, str]]:
    with site.db.read_session() as session:
        rows = session.scalars(select(ReportAccess).order_by(ReportAccess.id)).all()
        return [(row.report, row.row_count, row.action) for row in rows]


async def test_before_the_first_month_the_page_says_how_to_share_the_link(bare_site):
    world = two_organisations(bare_site, "empty")
    report = await link_report(world.owner)
    assert report == {
        "link": f"{bare_site.settings.site_origin}/d?k=empty-own",
        "month": "",
        "note": "",
        "figures": [],
        "chart": None,
        "table": report["table"],
        "csvHref": None,
    }
    assert (report["table"]["rows"], accesses(bare_site)) == ([], [])


async def test_months_are_shown_with_words_where_a_number_is_not(bare_site):
    world = two_organisations(bare_site, "months")
    add_month(bare_site, world.own, "2026-02", None)
    add_month(bare_site, world.own, "2026-03", 40, 10)
    report = await link_report(world.manager)
    assert texts(report) == [
        ["Mar 2026", "40", "40 or more", NOT_SHOWN, NOT_SHOWN, "10 or more", "$1,234.50", NOT_SHOWN],
        ["Feb 2026", *[NOT_SHOWN] * 7],
    ]
    figures = {figure["label"]: (figure["value"], figure["change"]) for figure in report["figures"]}
    assert figures["Sessions"] == ("40", "")
    assert figures["Refunded"] == (NOT_SHOWN, HIDDEN)
    assert all(figure["meaning"] and figure["example"] for figure in report["figures"])
    assert report["chart"]["points"]["labels"] == ["2026-02", "2026-03"]
    assert [series["values"] for series in report["chart"]["series"]] == [[None, 40], [None, 40]]
    assert "Fewer than 5 sessions are not shown" in report["note"]


async def test_the_file_has_all_months_and_is_noted(bare_site):
    world = two_organisations(bare_site, "file")
    for number in range(1, 9):
        add_month(bare_site, world.own, f"2026-{number:02}", 10 * number)
    assert len((await link_report(world.owner))["table"]["rows"]) == 6
    answer = await bare_site.get(FILE, **sent_by(world.owner))
    rows = list(csv.reader((await answer.text()).removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").splitlines()))
    assert rows[0][:3] == ["Month", "Sessions", "Saw a course or item, or more"]
    assert rows[1] == ["2026-08", "80", "80", "", "", "USD", "", "", "", "", "5"]
    assert len(rows) == 9
    assert accesses(bare_site) == [("partner-link", 6, "view"), ("partner-link", 8, "csv")]
    with bare_site.db.read_session() as session:
        kinds = session.scalars(select(AuditEvent.action)).all()
    assert kinds.count("list.export") == 1


async def test_without_the_parameter_the_file_is_that_of_learning(bare_site):
    world = two_organisations(bare_site, "learning")
    answer = await bare_site.get("/csv/organization/reports", **sent_by(world.owner))
    assert (await answer.text()).startswith("\N{ZERO WIDTH NO-BREAK SPACE}By,Name,Month")


def outsiders(site: Site, world: TwoOrganisations) -> dict[str, Learner]:
    found = {"learner": learner(site, "Lena Outside"), "member": learner(site, "Mia Inside", area="organisation")}
    with site.db.write_session() as session:
        factories.member(session, found["member"].id, world.own, role="member")
    return found


@pytest.mark.parametrize("who", ["stranger", "learner", "member"])
async def test_nobody_without_a_role_in_the_organisation_sees_its_months(bare_site, who):
    world = two_organisations(bare_site, "rights")
    add_month(bare_site, world.own, "2026-03", 7_777)
    sent = {} if who == "stranger" else sent_by(outsiders(bare_site, world)[who])
    for address in (f"/data{PATH}", FILE):
        assert "7,777" not in (text := await (await bare_site.get(address, **sent)).text())
        assert "7777" not in text
    assert accesses(bare_site) == []


@pytest.mark.parametrize("who", ["manager", "owner"])
async def test_whoever_manages_an_organisation_sees_its_own_months_alone(bare_site, who):
    world = two_organisations(bare_site, "tenants")
    add_month(bare_site, world.own, "2026-03", 7_777)
    add_month(bare_site, world.other, "2026-03", 8_888)
    for person, seen, hidden in ((getattr(world, who), "7777", "8888"), (world.rival, "8888", "7777")):
        query = f"organisation={world.own}&organisation_id={world.other}&tenant={world.other}"
        shown = json.dumps((await link_report(person))["table"])
        data = await (await bare_site.get(f"/data{PATH}?{query}", **sent_by(person))).text()
        file = await (await bare_site.get(f"{FILE}&{query}", **sent_by(person))).text()
        for text in (shown, data, file):
            plain = text.replace(",", "")
            assert seen in plain
            assert hidden not in plain


async def test_without_the_tenant_of_the_session_the_months_of_others_would_be_seen(bare_site, monkeypatch):
    """The negative control."""
    world = two_organisations(bare_site, "control")
    add_month(bare_site, world.other, "2026-03", 8_888)
    own = partner_months.partner_report.partner_report
    monkeypatch.setattr(
        partner_months.partner_report, "partner_report", lambda session, _tenant: own(session, Tenant(world.other))
    )
    assert "8,888" in json.dumps(await link_report(world.manager))
