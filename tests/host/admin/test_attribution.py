"""The report about what orders are credited to: who may have it, the same rows on page, in the file and by the call, in
one currency, and the path of one order without its buyer."""

import json
import shutil
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from domain.permissions import ROLES
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.tables import OrderPath, ReportAccess
from domain.visits.days.build import DayBuilder
from tests.domain.reports.attribution import worlds
from tests.domain.reports.attribution.worlds import HOUR
from tests.domain.visits.days.worlds import add, event, link, visit
from tests.host.admin.test_staff import page
from tests.host.admin.test_visit_reports import MAY, call, file_rows, staff
from tests.host.test_area_matrix import sent_by
from tests.support.factories import NOON

MARCH = "from=2026-03-01&to=2026-03-07"
PATH = "/admin/reports/attribution"
NOW = datetime.now(UTC)


@pytest.fixture
async def shop(open_site, sqlite_template, tmp_path):
    """A site without anything: what is sold is of this test alone."""
    shutil.copy(sqlite_template, tmp_path / "coursefront.db")
    return await open_site(LIMITS="off")


def fill(site) -> worlds.Week:
    with site.db.write_session() as session:
        week = worlds.fill(session)
        number = session.get_one(worlds.factories.Learner, week.free.learner_id).student_number
        at, buyer = NOON + 20 * HOUR, week.disputed.learner_id
        add(
            session,
            link(20, at, "/s?n=x", page="share-link", student_number=number),
            visit(21, at, "/shop", "shared", referral_id=event(20), student_number=number, learner_id=buyer),
        )
    build(site)
    return week


def build(site) -> None:
    rules, attribution = site.settings.day_rules, site.settings.attribution
    DayBuilder(site.db, rules, lambda: NOW).build_due()
    CreditDayBuilder(site.db, rules, lambda: NOW, attribution).build_due()


def path_of(site, order_id: int) -> str:
    with site.db.read_session() as session:
        ref = session.scalars(select(OrderPath.ref).where(OrderPath.order_id == order_id)).one()
    return f"{PATH}/orders/{ref}"


async def test_each_role_gets_the_report_or_nothing_of_it(shop):
    week = fill(shop)
    for role in ROLES["admin"]:
        person, expected = staff(shop, role), 200 if role in MAY else 403
        assert (await call(person, "attribution", MARCH))[0] == expected, role
        assert (await page(person, f"{PATH}?{MARCH}"))[0] == expected, role
        assert (await page(person, path_of(shop, week.mixed.id)))[0] == expected, role
        assert (await shop.get(f"/csv{PATH}?{MARCH}", **sent_by(person))).status == expected, role


async def test_five_models_are_side_by_side_in_one_currency(shop):
    fill(shop)
    person = staff(shop)
    status, answer = await call(person, "attribution", MARCH)
    assert (status, answer["currency"], answer["by"], answer["isUnfinished"]) == (200, "USD", "channel", False)
    rows = {row["key"]: row["figures"] for row in answer["rows"]}
    models = ("first", "last", "linear", "decay", "position")
    assert set(rows) == {"(not measured)", "direct", "email", "partner", "student"}
    sums = {model: sum(row[model] for row in rows.values()) for model in models}
    assert set(sums.values()) == {answer["totals"]["net"]}
    assert {model: rows["partner"][model] for model in models} == {
        "first": 5590,
        "last": 0,
        "linear": 2795,
        "decay": 2784,
        "position": 2795,
    }
    orders = {model: sum(row[f"{model}Orders"] for row in rows.values()) for model in models}
    assert set(orders.values()) == {8.0}
    assert (answer["totals"]["orders"], sum(point["figures"]["net"] for point in answer["series"])) == (
        8.0,
        sums["last"],
    )
    _, yen = await call(person, "attribution", f"{MARCH}&currency=JPY")
    assert [(row["key"], row["figures"]["linear"]) for row in yen["rows"]] == [("(not measured)", 90)]
    assert yen["totals"]["measured"] == 0.0


async def test_a_share_of_an_order_is_shown_as_one(shop):
    fill(shop)
    _, props = await page(staff(shop), f"{PATH}?{MARCH}")
    keys = [column["key"] for column in props["table"]["columns"]]
    rows = {row[0]["text"]: dict(zip(keys, row, strict=True)) for row in props["table"]["rows"]}
    assert [rows["Links of partners"][name]["text"] for name in ("firstOrders", "linearOrders")] == ["1", "0.5"]
    assert rows["Links of partners"]["linear"] == {"kind": "money", "minor": 2795}


async def test_page_and_file_have_the_rows_of_the_call(shop):
    fill(shop)
    person = staff(shop)
    _, answer = await call(person, "attribution", f"{MARCH}&by=campaign")
    _, props = await page(person, f"{PATH}?{MARCH}&by=campaign")
    heading, *rows = await file_rows(person, f"{PATH}?{MARCH}&by=campaign")
    assert heading == [
        "Source / medium / campaign",
        *(f"{name} (USD)" for name in ("First", "Last", "Linear", "Decay", "Position")),
        *(f"{name}: orders" for name in ("First", "Last", "Linear", "Decay", "Position")),
    ]
    assert [row[0] for row in rows] == [row["label"] for row in answer["rows"]]
    assert [row[0]["text"] for row in props["table"]["rows"]] == [row["label"] for row in answer["rows"]]
    assert {field["name"]: [option["value"] for option in field["options"]] for field in props["form"]["fields"]}[
        "currency"
    ] == ["USD", "JPY"]
    assert all(figure["meaning"] and figure["example"] for figure in props["figures"])


async def test_students_are_masked_and_their_own_purchases_are_no_referral(shop):
    week = fill(shop)
    person = staff(shop)
    with shop.db.read_session() as session:
        number = session.get_one(worlds.factories.Learner, week.free.learner_id).student_number
    _, answer = await call(person, "attribution", f"{MARCH}&by=student")
    _, props = await page(person, f"{PATH}?{MARCH}&by=student")
    assert number not in json.dumps([answer, props])
    labels = {row["label"]: row["figures"] for row in answer["rows"]}
    masked = next(label for label in labels if label.startswith("S-"))
    assert labels["Buyer's own link"]["lastOrders"] == 1.0
    assert answer["totals"]["lastOrders"] == labels[masked]["lastOrders"]
    assert any("own link" in note for note in answer["notes"])
    _, chosen = await call(person, "attribution", f"{MARCH}&f=student:{masked}")
    assert [row["figures"]["last"] for row in chosen["rows"]] == [labels[masked]["last"]]


async def test_a_value_leads_to_its_orders_and_each_order_to_its_path(shop):
    week = fill(shop)
    person = staff(shop)
    _, props = await page(person, f"{PATH}?{MARCH}")
    links = {row[0]["text"]: row[0]["href"] for row in props["table"]["rows"]}
    _, props = await page(person, links["Links of partners"])
    assert [level["text"] for level in props["levels"]] == ["Order", "Day"]
    (row,) = props["table"]["rows"]
    assert row[0]["href"] == f"{path_of(shop, week.mixed.id)}?{MARCH}&f=channel%3Apartner"
    status, props = await page(person, row[0]["href"])
    assert (status, props["backHref"]) == (200, links["Links of partners"])
    shown = json.dumps(props)
    with shop.db.read_session() as session:
        buyer = session.get_one(worlds.factories.Learner, week.mixed.learner_id)
    for secret in (week.mixed.code, buyer.name, buyer.email, buyer.student_number):
        assert secret not in shown
    tables = {table["id"]: table for table in props["tables"]}
    assert [[cell and (cell.get("text") or cell.get("day")) for cell in row[1:]] for row in tables["path"]["rows"]] == [
        ["2026-03-01", "Links of partners", "chamber", "chamber / - / -", "partner linker", "/shop"],
        ["2026-03-01", "Email", "news", "news / email / march", "partner linker", "/"],
        ["2026-03-01", "Direct", None, "No campaign", None, "/checkout"],
    ]


@pytest.mark.parametrize("ref", ["NOPE", "%F0%9F%8E%93", "A" * 300])
async def test_there_is_no_path_of_another_name(shop, ref):
    assert (await page(staff(shop), f"{PATH}/orders/{ref}"))[0] == 404


async def test_every_look_at_a_path_is_recorded(shop):
    week = fill(shop)
    person, path = staff(shop), path_of(shop, week.mixed.id)
    await page(person, path)
    with shop.db.read_session() as session:
        looks = session.scalars(select(ReportAccess).where(ReportAccess.learner_id == person.id)).all()
    assert [(look.report, look.query, look.row_count, look.action) for look in looks] == [
        ("attribution", f"order={path.rpartition('/')[2]}", 3, "view")
    ]


async def test_the_page_of_an_order_links_to_its_path_for_those_who_may_see_it(shop):
    week = fill(shop)
    order = f"/admin/orders/{week.mixed.code}"
    for role, is_linked in (("administrator", True), ("support", False)):
        status, props = await page(staff(shop, role), order)
        assert status == 200
        assert (path_of(shop, week.mixed.id) in json.dumps(props)) is is_linked, role


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("f=order:X", "f"),
        ("f=learner:1", "f"),
        ("model=best", "model"),
        ("audience=people", "audience"),
        ("currency=usd", "currency"),
    ],
)
async def test_the_call_refuses_what_it_does_not_know(shop, query, name):
    status, answer = await call(staff(shop), "attribution", query)
    assert (status, list(answer["errors"])) == (422, [name])


async def test_a_shop_without_orders_says_what_will_come(shop):
    build(shop)
    _, props = await page(staff(shop), PATH)
    assert props["empty"] == "No order has been paid yet. The first credits appear a minute after the first payment."
    assert (props["figures"], props["csvHref"], props["table"]["rows"]) == ([], None, [])
