"""Saved views of reports: saved on a report, opened, shared, deleted and brought back, mailed and stopped, and whose
they are."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import select

from domain.permissions import ROLES
from domain.reports.saved_views import delivery, mail_content, subscriptions, views
from domain.reports.visit_reports.parameters import read_parameters
from domain.tables import AuditEvent, SavedReport
from domain.tables import Learner as LearnerRow
from host.reports.answering import report_of
from tests.host.admin.test_staff import page
from tests.host.admin.test_visit_reports import MAY, fill, staff
from tests.host.signing import Learner, learner
from tests.host.staff_forms import body_of
from tests.host.test_area_matrix import sent_by

LIST = "/admin/visits/saved"
QUERY = "by=source&sort=-visits&f=channel%3Asearch"


def verify(person: Learner) -> None:
    with person.site.db.write_session() as session:
        row = session.get_one(LearnerRow, person.id)
        row.email_verified, row.email = True, "marketer@shop.example"


async def send(person: Learner, name: str, /, **body):
    """A call whose body may have a `name`."""
    return await person.site.call(name, body, person.headers)


async def save(person: Learner, path: str = f"/admin/reports/sources?{QUERY}", **changes) -> int:
    """Save what a page shows, as its button and its form do; the id of the view."""
    _, report = await page(person, path)
    _, form = await page(person, report["form"]["saveHref"])
    name, body = form["actions"][0]["call"], body_of(form["actions"][0], **{"name": "Search", **changes})
    status, answer = await send(person, name.removeprefix("/"), **body)
    assert (status, answer["href"]) == (200, LIST), answer
    with person.site.db.read_session() as session:
        return session.scalars(select(SavedReport.id).order_by(SavedReport.id.desc())).first()


def table(props, name: str) -> list[list]:
    (rows,) = [table["rows"] for table in props["tables"] if table["id"] == name]
    return [[cell and (cell.get("text")) for cell in row] for row in rows]


async def test_a_view_is_saved_and_opens_the_same_report_over_the_days_of_now(own_site):
    fill(own_site)
    person = staff(own_site)
    path = f"/admin/reports/sources?{QUERY}"
    await save(person)
    _, props = await page(person, LIST)
    assert table(props, "own") == [["Search", "Sources", "The last 28 days", None, None, "Change"]]
    href = props["tables"][0]["rows"][0][0]["href"]
    assert parse_qs(urlsplit(href).query) == {"by": ["source"], "sort": ["-visits"], "f": ["channel:search"]}
    shown, again = [(await page(person, one))[1] for one in (path, href)]
    assert [shown["figures"], shown["table"], shown["form"]] == [again["figures"], again["table"], again["form"]]
    saved = again["reports"][-1]
    assert (saved["title"], saved["links"][0]) == ("Saved", {"text": "Search", "href": href, "isCurrent": True})


async def test_fixed_days_stay_and_a_moving_period_does_not(own_site):
    person = staff(own_site)
    day = (datetime.now(UTC) - timedelta(days=40)).date().isoformat()
    fixed = await save(person, f"/admin/visits?from={day}&to={day}")
    moving = await save(person, "/admin/visits?compare=year")
    with own_site.db.read_session() as session:
        rows = {row.id: (row.period, row.query) for row in session.scalars(select(SavedReport))}
    assert rows[fixed][0] == ""
    assert rows[fixed][1].startswith(f"from={day}&to={day}&compare=previous")
    assert (rows[moving][0], "from=" in rows[moving][1]) == ("last-28", False)


async def test_somebody_elses_private_view_is_not_there(own_site):
    owner, other = staff(own_site), staff(own_site, "finance")
    view = await save(owner)
    verify(other)
    assert (await page(other, f"{LIST}/{view}"))[0] == 404
    calls = {"change": {"name": "Mine"}, "delete": {}, "mail": {"frequency": "week", "hour": 8}, "stop-mail": {}}
    for name, body in calls.items():
        assert (await send(other, f"admin/saved-reports/{view}/{name}", **body))[0] == 404, name
    assert (await send(other, "admin/saved-reports/bring-back", id=view))[0] == 404
    _, props = await page(other, LIST)
    assert [table(props, "own"), table(props, "shared")] == [[], []]
    with own_site.db.read_session() as session:
        assert session.get_one(SavedReport, view).name == "Search"


async def test_a_shared_view_is_read_by_all_and_changed_by_its_owner_alone(own_site):
    owner, other = staff(own_site), staff(own_site, "finance")
    view = await save(owner, isShared=True)
    verify(other)
    _, props = await page(other, LIST)
    assert table(props, "shared") == [["Search", "Sources", "The last 28 days", "Reports marketer", None, "Change"]]
    assert (await send(other, f"admin/saved-reports/{view}/mail", frequency="month", hour=0))[0] == 200
    for name, body in {"change": {"name": "Mine"}, "delete": {}}.items():
        assert (await send(other, f"admin/saved-reports/{view}/{name}", **body))[0] == 403, name
    _, props = await page(other, f"{LIST}/{view}")
    assert [form["title"] for form in props["actions"]] == ["Change the mail", "Stop the mail"]
    assert (await send(owner, f"admin/saved-reports/{view}/change", name="Renamed"))[0] == 200
    assert (await page(other, f"{LIST}/{view}"))[0] == 404
    # What is not seen any more can be stopped.
    assert (await send(other, f"admin/saved-reports/{view}/stop-mail"))[0] == 200


async def test_a_view_is_deleted_and_its_undo_brings_it_back(own_site):
    person = staff(own_site)
    view = await save(person)
    status, answer = await send(person, f"admin/saved-reports/{view}/delete")
    assert (status, answer["href"]) == (200, LIST)
    assert (await page(person, f"{LIST}/{view}"))[0] == 404
    _, props = await page(person, LIST)
    assert (table(props, "own"), props["actions"][0]["fields"][0]["options"][0]["label"]) == ([], "Search")
    undo = answer["undo"]
    assert (await send(person, undo["call"].removeprefix("/"), **undo["body"]))[0] == 200
    assert (await page(person, f"{LIST}/{view}"))[0] == 200


async def test_each_change_is_recorded_without_the_name_of_the_view(own_site):
    person = staff(own_site)
    verify(person)
    view = await save(person, frequency="week")
    await send(person, f"admin/saved-reports/{view}/change", name="Other", isShared=True)
    await send(person, f"admin/saved-reports/{view}/stop-mail")
    with own_site.db.read_session() as session:
        events = session.scalars(select(AuditEvent).where(AuditEvent.subject_type == "saved_report")).all()
        found = [(event.action.partition(".")[2], event.after) for event in sorted(events, key=lambda one: one.id)]
    created = {"report": "sources", "is_shared": False}
    mailed = {"frequency": "week", "hour": 8}
    assert found == [("create", created), ("mail", mailed), ("edit", {"is_shared": True}), ("stop_mail", None)]


async def test_mails_need_a_verified_address_and_a_period_that_moves(own_site):
    person = staff(own_site)
    view = await save(person)
    mail = {"frequency": "week", "hour": 8}
    assert (await send(person, f"admin/saved-reports/{view}/mail", **mail))[0] == 403
    _, props = await page(person, f"{LIST}/{view}")
    assert subscriptions.NOT_VERIFIED in [fact["cell"]["text"] for fact in props["facts"]]
    verify(person)
    status, answer = await send(person, f"admin/saved-reports/{view}/mail", **mail)
    assert (status, answer["text"].startswith("The next mail comes on ")) == (200, True)
    fixed = await save(person, period="fixed")
    assert (await send(person, f"admin/saved-reports/{fixed}/mail", **mail))[0] == 403
    assert (await send(person, f"admin/saved-reports/{view}/mail", frequency="week", hour=24))[0] == 422


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": " ", "report": "sources"}, "name"),
        ({"name": "n" * 101, "report": "sources"}, "name"),
        ({"name": "A", "report": "salaries"}, "report"),
        ({"name": "A", "report": "sources", "query": "by=planet"}, "query"),
        ({"name": "A", "report": "sources", "query": "f=channel:email&model=linear"}, "query"),
        ({"name": "A", "report": "sources", "period": "last-999"}, "period"),
        ({"name": "A", "report": "crawl-pages", "period": "last-7"}, "period"),
    ],
)
async def test_what_a_report_does_not_know_is_refused_by_its_name(own_site, body, field):
    person = staff(own_site)
    status, answer = await send(person, "admin/saved-reports", **body)
    assert (status, list(answer["errors"])) == (422, [field])
    with own_site.db.read_session() as session:
        assert session.scalars(select(SavedReport.id)).all() == []


async def test_there_is_a_limit_of_views_and_of_mails_per_person(own_site, monkeypatch):
    monkeypatch.setattr(views, "MAX_VIEWS", 2)
    monkeypatch.setattr(subscriptions, "MAX_MAILS", 1)
    person = staff(own_site)
    verify(person)
    found = [await save(person, frequency=frequency) for frequency in ("week", "never")]
    status, answer = await send(person, "admin/saved-reports", name="A", report="sources")
    assert (status, answer["detail"]) == (403, views.TOO_MANY)
    assert (await send(person, f"admin/saved-reports/{found[1]}/mail", frequency="week", hour=8))[0] == 403
    assert (await send(person, f"admin/saved-reports/{found[0]}/mail", frequency="month", hour=8))[0] == 200


async def test_who_may_not_read_reports_has_no_saved_views(own_site):
    for role in ROLES["admin"]:
        person, expected = staff(own_site, role), 200 if role in MAY else 403
        assert (await page(person, LIST))[0] == expected, role
        status, _ = await send(person, "admin/saved-reports", name="A", report="sources")
        assert status == expected, role
    assert (await send(learner(own_site), "admin/saved-reports", name="A", report="sources"))[0] == 403


async def test_a_view_whose_report_has_changed_says_so_and_breaks_nothing(own_site):
    person = staff(own_site)
    first, second = await save(person), await save(person, name="Gone")
    with own_site.db.write_session() as session:
        session.get_one(SavedReport, first).query = "by=planet&compare=previous"
        session.get_one(SavedReport, second).report = "planets"
    _, props = await page(person, LIST)
    rows = {row[0]: row for row in table(props, "own")}
    assert rows["Search"][5].endswith("so it shows the usual values: by.")
    assert rows["Gone"][5].startswith("This report does not exist any more.")
    (href,) = [row[0]["href"] for row in props["tables"][0]["rows"] if "href" in row[0]]
    status, shown = await page(person, href)
    assert (status, shown["ignored"]) == (200, ["by"])
    for view in (first, second):
        assert (await page(person, f"{LIST}/{view}"))[0] == 200


@pytest.mark.parametrize(
    "path", ["/admin/reports/sources?by=source", "/admin/visits?by=day", "/admin/reports/products"]
)
async def test_the_file_of_a_mail_is_the_file_of_the_page(own_site, path):
    fill(own_site)
    person = staff(own_site)
    answer = await own_site.get(f"/csv{path}", **sent_by(person))
    name = path.partition("?")[0].rpartition("/")[2]
    report = report_of("overview" if name == "visits" else name)
    values = {key: one[0] for key, one in parse_qs(urlsplit(path).query).items()}
    rules = own_site.settings.day_rules
    query, _ = read_parameters(report, values, rules.day_of(datetime.now(UTC)))
    found = delivery.ReportMails(own_site.db, rules, None)._answer(query, datetime.now(UTC))
    assert mail_content.file_text(found).encode() == await answer.read()
