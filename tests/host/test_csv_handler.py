"""Lists of areas as files: who gets one, what is in it, and one that breaks off."""

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest
from aiohttp import ClientPayloadError
from sqlalchemy import select

from domain.database.database import Database
from domain.database.list_page import ListQuery, read_list_page
from domain.staff import recorded_events as events
from domain.tables import LearnerSession
from host.loaders.areas import area_list
from tests.host.signing import learner
from tests.host.test_area_pages import sent_by
from tests.support import factories, order_rows
from tests.support.factories import NOON

ORDERS = "/csv/admin/orders"


def support(site):
    return sent_by(learner(site, "Sue Support", area="admin", roles=["support"]))


@pytest.fixture
def orders(own_site):
    """Five orders, the third of them not paid."""
    with own_site.db.write_session() as session:
        buyer = factories.learner(session, "=cmd", subject="buyer").id
        for number, letter in enumerate("BCDFG"):
            about = {"total_minor": 1000 * number, "placed_at": NOON + timedelta(days=number)}
            if letter == "D":
                order_rows.open_order(session, buyer, code=letter * 20, **about)
            else:
                order_rows.order(session, buyer, letter * 20, **about)


async def rows_of(site, address, headers):
    response = await site.get(address, **headers)
    assert response.status == 200, await response.text()
    return list(csv.reader(io.StringIO((await response.read()).decode("utf-8-sig"))))


async def test_whoever_may_open_the_page_gets_its_rows_as_a_file(own_site, orders):
    headers = support(own_site)
    response = await own_site.get(f"{ORDERS}?state=paid&columns=code&columns=buyer&columns=total", **headers)
    assert (await response.read()).decode() == (
        "\ufeffCode,Buyer,Total (USD)\r\n"
        f"{'G' * 20},'=cmd,40.00\r\n{'F' * 20},'=cmd,30.00\r\n{'C' * 20},'=cmd,10.00\r\n{'B' * 20},'=cmd,0.00\r\n"
    )
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert response.headers["Content-Disposition"].startswith('attachment; filename="orders-2')
    assert response.headers["Cache-Control"] == "private, no-store"


async def test_who_saves_a_list_is_recorded_without_what_was_searched_for(own_site, orders):
    await own_site.get(f"{ORDERS}?q=ada@example.test&state=paid", **support(own_site))
    with own_site.db.read_session() as session:
        page = read_list_page(session, events.EVENTS, ListQuery(size=1, filters={"action": "list.export"}))
    (event,) = page.rows
    assert (event.actor, event.subject.id) == ("Sue Support", "admin-orders")
    assert event.after == {"filters": ["q", "state"]}


async def test_every_row_is_in_the_file_once_however_many_reads_it_takes(own_site, orders, monkeypatch):
    monkeypatch.setattr(area_list, "SLICE_ROWS", 2)
    headers = support(own_site)
    rows = await rows_of(own_site, f"{ORDERS}?columns=code", headers)
    assert rows == [["Code"], *([letter * 20] for letter in "GFDCB")]
    assert await rows_of(own_site, f"{ORDERS}?columns=code&since=2030-01-01", headers) == [["Code"]]


async def test_a_file_has_no_more_rows_than_its_limit(own_site, orders, monkeypatch):
    monkeypatch.setattr(area_list, "SLICE_ROWS", 1)
    monkeypatch.setattr(area_list, "MAX_CSV_ROWS", 3)
    assert len(await rows_of(own_site, ORDERS, support(own_site))) == 1 + 3


async def test_the_guard_is_that_of_the_page(own_site, orders):
    people = {
        "nobody": {},
        "learner": sent_by(learner(own_site)),
        "marketer": sent_by(learner(own_site, "Mia", area="admin", roles=["marketer"])),
    }
    answers = {who: await own_site.get(f"{ORDERS}?state=paid", **headers) for who, headers in people.items()}
    for who in ("nobody", "learner"):
        location = "/adminlogin?returnTo=/admin/orders?state%3Dpaid"
        assert (answers[who].status, answers[who].headers["Location"]) == (303, location)
    refused = await answers["marketer"].text()
    assert (answers["marketer"].status, answers["marketer"].content_type) == (403, "text/html")
    assert "orders.read" in refused
    assert "BBBB" not in refused


@pytest.mark.parametrize("path", ["/csv/admin/nothing", "/csv/shop", "/csv/", "/csv/admin/orders/BBBB"])
async def test_other_pages_are_no_files(own_site, path):
    response = await own_site.get(path, **support(own_site))
    assert (response.status, response.content_type) == (404, "application/problem+json")


async def test_a_value_that_the_list_does_not_know_makes_no_file(own_site, orders):
    response = await own_site.get(f"{ORDERS}?state=lost", **support(own_site))
    assert response.status == 422
    assert (await response.json())["errors"] == {"State": "This list does not know “lost”."}


async def test_a_file_that_breaks_off_is_not_complete_for_the_browser(own_site, orders, monkeypatch):
    """The database is away at the second read."""
    monkeypatch.setattr(area_list, "SLICE_ROWS", 2)
    read, headers = Database.read_many, support(own_site)

    async def fail_later(self, fn, *args, **kwargs):
        if fn is area_list.read_list_slice and args[2] is not None:
            raise RuntimeError("away")
        return await read(self, fn, *args, **kwargs)

    monkeypatch.setattr(Database, "read_many", fail_later)
    with pytest.raises(ClientPayloadError):
        await own_site.get(ORDERS, **headers)


async def test_rows_come_in_the_order_of_the_list(own_site, orders, monkeypatch):
    monkeypatch.setattr(area_list, "SLICE_ROWS", 2)
    rows = await rows_of(own_site, f"{ORDERS}?sort=placed&columns=code", support(own_site))
    assert [row[0][0] for row in rows[1:]] == ["B", "C", "D", "F", "G"]


async def test_a_file_about_people_needs_a_recent_sign_in_and_the_page_says_so(own_site, orders):
    person = learner(own_site, "Sue Support", area="admin", roles=["support"])
    with own_site.db.write_session() as session:
        row = session.scalars(select(LearnerSession).where(LearnerSession.learner_id == person.id)).one()
        row.authenticated_at = datetime.now(UTC) - timedelta(minutes=11)
    assert (await own_site.get(ORDERS, **sent_by(person))).status == 403
    data = await (await own_site.get("/data/admin/orders?state=paid", **sent_by(person))).json()
    table = data["props"]["table"]
    href = "/api/auth/start?returnTo=%2Fadmin%2Forders%3Fstate%3Dpaid&area=admin&maxAge=600"
    assert (table["csvNeedsSignIn"], table["csvHref"], table["csvAllHref"]) == (True, href, None)


async def test_the_file_with_all_columns_has_the_email_addresses_of_buyers(own_site, orders):
    person = learner(own_site, "Sue Support", area="admin", roles=["support"])
    data = await (await own_site.get("/data/admin/orders", **sent_by(person))).json()
    rows = await rows_of(own_site, data["props"]["table"]["csvAllHref"], sent_by(person))
    assert [label for label in rows[0] if "Email" in label] == ["Email"]
