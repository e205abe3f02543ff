"""POST /api/admin/orders/{code}/refunds: what staff are shown is refunded once, by whom it may."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from domain.tables import LearnerSession, Order, Refund, ShopItem
from tests.domain.orders.refunds.buying import answer, by_command
from tests.host.admin.test_staff import page
from tests.host.api.orders.test_refunds import BOOK, ask, buy, form_of
from tests.host.signing import learner
from tests.host.test_area_matrix import sent_by

KEY = "k" * 16
TWO_BOOKS = {"2": 2}


@pytest.fixture
async def code(own_site):
    return buy(learner(own_site))


def staff(site, role):
    return learner(site, f"Staff {role}", area="admin", roles=[role])


async def refund(person, code, units=TWO_BOOKS, **about):
    body = {"units": units, "reason": "Torn", **about}
    return await person.call_once(f"admin/orders/{code}/refunds", KEY, **body)


async def shown(person, code, units=TWO_BOOKS, **about):
    """Status, and what is said and sent with the refund."""
    body = {"units": units, "reason": "Torn", **about}
    status, said = await person.call(f"admin/orders/{code}/refunds/preview", **body)
    return status, {**said, **said.get("confirmed", {})}


def refunds(site):
    with site.db.read_session() as session:
        return [(row.state, row.amount_minor, row.note) for row in session.scalars(select(Refund))]


def sign_in_was(person, ago):
    with person.site.db.write_session() as session:
        row = session.scalars(select(LearnerSession).where(LearnerSession.learner_id == person.id)).one()
        row.authenticated_at = datetime.now(UTC) - ago


async def test_the_page_offers_what_is_left_to_those_who_may_refund(own_site, code):
    for role, lines in (("finance", [1, 2, 3]), ("support", [1, 2, 3])):
        person = staff(own_site, role)
        data = await (await own_site.get(f"/data/admin/orders/{code}", **sent_by(person))).json()
        units = [field["name"] for field in data["props"]["refund"]["fields"] if field["kind"] == "number"]
        assert units == [f"units.{number}" for number in lines]


async def test_a_preview_changes_nothing_and_its_amount_is_refunded_once(own_site, code):
    support = staff(own_site, "support")
    status, preview = await shown(support, code)
    assert (status, refunds(own_site)) == (200, [])
    assert preview["effects"][-1] == "Nothing ends with it."
    amount = preview["amountMinor"]
    assert preview["button"] == f"Refund ${amount / 100:.2f}"
    outcome = {"number": 1, "state": "approved", "amountMinor": amount}
    outcome |= {"text": "The refund is on its way.", "href": None}
    assert [await refund(support, code, amountMinor=amount) for _ in range(2)] == [(200, outcome)] * 2
    assert refunds(own_site) == [("approved", amount, "Torn")]


async def test_above_the_limit_support_is_refused_and_finance_signs_in_again(open_site):
    site = await open_site(SUPPORT_REFUND_MAX="1.00")
    code = buy(learner(site))
    finance, support = staff(site, "finance"), staff(site, "support")
    amount = (await shown(finance, code))[1]["amountMinor"]
    status, problem = await refund(support, code, amountMinor=amount)
    assert (status, problem["detail"]) == (403, "Support refunds up to $1.00 of an order. Finance can refund more.")
    sign_in_was(finance, timedelta(minutes=11))
    status, problem = await refund(finance, code, amountMinor=amount)
    assert (status, problem["detail"], problem["maxAge"]) == (403, "insufficient_authentication_context", 600)
    assert refunds(site) == []
    sign_in_was(finance, timedelta(minutes=9))
    assert (await refund(finance, code, amountMinor=amount))[0] == 200


async def test_what_cannot_be_refunded_is_refused_and_nothing_is_changed(own_site, code):
    finance = staff(own_site, "finance")
    assert (await shown(finance, code, {"2": 3}))[0] == 403
    assert (await shown(finance, "A" * 20))[0] == 404
    assert (await refund(finance, code, amountMinor=1))[0] == 403
    assert (await refund(finance, code, amountMinor=1, reason="  "))[0] == 422
    assert (await refund(finance, code))[1]["errors"]["form"][:27] == "Look at what the refund doe"
    assert (await shown(finance, code, {"2": 0}))[1]["errors"] == {"form": "Enter how many units of a line to refund."}
    assert (await refund(staff(own_site, "editor"), code, amountMinor=1))[0] == 403
    assert refunds(own_site) == []


async def request_refund(site, code, units=((2, 1),)):
    """A request for a refund of a disputed order, about which a person decides."""
    buyer = learner(site)
    with site.db.write_session() as session:
        session.scalars(select(Order).where(Order.code == code)).one().disputed_at = datetime.now(UTC)
    form = await form_of(buyer, code)
    assert (await ask(buyer, code, form["key"], *units, note="torn"))[0] == 200


async def test_a_request_waits_in_the_list_and_on_its_order_and_is_approved_there(own_site, code):
    await request_refund(own_site, code)
    support = staff(own_site, "support")
    _, waiting = await page(support, "/admin/refunds?state=requested")
    assert [row["cells"][0]["text"] for row in waiting["table"]["rows"]] == [code]
    _, home = await page(support, "/admin")
    assert [(entry["text"], entry["href"]) for entry in home["waiting"]] == [
        ("request for a refund", "/admin/refunds?state=requested"),
        ("order to pack", "/admin/parcels?state=to_send"),
    ]
    _, order = await page(support, f"/admin/orders/{code}")
    assert [action["id"] for action in order["decisions"]] == ["approve-1", "approve-part-1", "decline-1", "send"]
    amount = order["decisions"][0]["fields"][0]["value"]
    path = f"admin/orders/{code}/refunds/1"
    assert (await support.call(f"{path}/approve", amountMinor="1"))[0] == 403
    status, outcome = await support.call(f"{path}/approve", amountMinor=amount)
    assert (status, outcome["text"][-8:]) == (200, "go back.")
    assert refunds(own_site) == [("approved", int(amount), "torn")]


async def test_an_approval_asks_for_what_matters_and_says_what_it_ends(own_site, code):
    """A course has no goods that could come back."""
    await request_refund(own_site, code, ((1, 1),))
    support = staff(own_site, "support")
    _, order = await page(support, f"/admin/orders/{code}")
    approve = order["decisions"][0]
    assert [field["name"] for field in approve["fields"]] == ["amountMinor", "access", "reason"]
    body = {"amountMinor": approve["fields"][0]["value"]}
    path = approve["preview"]["call"].lstrip("/")
    (first, line, *ends), sent = (await support.call(path, **body))[1]["effects"], int(body["amountMinor"]) / 100
    assert (first, line[:4], ends) == (
        f"${sent:.2f} goes back.",
        "1 \N{MULTIPLICATION SIGN} ",
        ["Access to VAT basics ends."],
    )
    kept = (await support.call(path, **body, access="stays"))[1]
    assert (kept["effects"][-1], kept["button"]) == ("Everything stays valid.", f"Refund ${sent:.2f}")
    assert kept["confirmed"] == {}
    assert (await support.call(path, amountMinor="1"))[0] == 403
    assert (await staff(own_site, "editor").call(path, **body))[0] == 403
    assert refunds(own_site)[0][0] == "requested"
    sent_with_it = {**body, "access": "stays", **kept["confirmed"]}
    assert (await support.call(approve["call"].lstrip("/"), **sent_with_it))[0] == 200


async def test_a_request_is_declined_with_words_and_nobody_else_decides(own_site, code):
    await request_refund(own_site, code)
    path = f"admin/orders/{code}/refunds/1"
    support = staff(own_site, "support")
    assert (await support.call(f"{path}/decline", words=""))[0] == 422
    assert (await staff(own_site, "editor").call(f"{path}/decline", words="No"))[0] == 403
    for number in ("9", "x"):
        assert (await support.call(f"admin/orders/{code}/refunds/{number}/decline", words="No"))[0] == 404
    assert (await support.call(f"{path}/decline", words="It was read."))[0] == 200
    assert refunds(own_site)[0][::2] == ("declined", "torn")
    assert (await support.call(f"{path}/decline", words="It was read."))[0] == 200
    status, problem = await staff(own_site, "finance").call(f"{path}/decline", words="No")
    assert (status, "has decided about this request" in problem["detail"]) == (409, True)


async def test_what_the_rules_object_to_by_now_is_shown_and_refunded_only_when_somebody_overrules_them(own_site, code):
    await request_refund(own_site, code)
    # The order gives no refund of anything any more.
    with own_site.db.write_session() as session:
        session.scalars(select(Order).where(Order.code == code)).one().refund_terms = {}
        # Only what is limited can be for sale again.
        session.get_one(ShopItem, own_site.id_of(BOOK)).stock = 5
    finance, path = staff(own_site, "finance"), f"admin/orders/{code}/refunds/1/approve"
    _, order = await page(finance, f"/admin/orders/{code}")
    approve = order["decisions"][0]
    assert "The rules say: " in approve["text"]
    assert [field["name"] for field in approve["fields"]] == ["amountMinor", "goods", "rules", "reason"]
    amount = approve["fields"][0]["value"]
    status, problem = await finance.call(path, amountMinor=amount)
    assert (status, problem["detail"].endswith("It can be approved all the same, or declined.")) == (403, True)
    assert refunds(own_site)[0][0] == "requested"
    assert (await finance.call(path, amountMinor=amount, rules="overruled"))[0] == 200
    assert refunds(own_site)[0][0] == "approved"


async def test_a_part_of_a_request_is_shown_approved_and_found_in_lists(own_site, code):
    await request_refund(own_site, code, ((1, 1), (2, 2)))
    support = staff(own_site, "support")
    _, order = await page(support, f"/admin/orders/{code}")
    form = order["decisions"][1]
    assert [field["name"] for field in form["fields"]] == [
        *("units.1", "units.2", "amounts.1", "amounts.2"),
        *("access", "words"),
    ]
    path = form["call"].lstrip("/")
    body = {"units": {"1": 0, "2": 1}, "amounts": {"1": 100, "2": None}, "words": "It was read."}
    assert (await support.call(path, **body))[0] == 422
    for wrong in ({"units": {}, "amounts": {}}, {"units": {"1": 1, "2": 2}, "amounts": {}}, {"units": {"2": 3}}):
        assert (await support.call(f"{path}/preview", **{**body, **wrong}))[0] == 422
    shown = (await support.call(f"{path}/preview", **body))[1]
    times = "\N{MULTIPLICATION SIGN}"
    assert [text.partition(":")[0].partition(f" {times}")[0] for text in shown["effects"][1:5]] == [
        *("Part of the price of VAT basics", "1"),
        *("Not given back", "Not given back"),
    ]
    assert (await staff(own_site, "editor").call(path, **body, **shown["confirmed"]))[0] == 403
    assert refunds(own_site)[0][0] == "requested"
    answers = [(await support.call(path, **body, **shown["confirmed"]))[0] for _ in range(2)]
    assert (answers, refunds(own_site)[0][1]) == ([200, 200], shown["confirmed"]["amountMinor"])
    _, listed = await page(support, "/admin/refunds?state=in_part")
    (row,) = listed["table"]["rows"]
    assert (row["cells"][0]["text"], row["cells"][1]["text"]) == (code, "Approved, in part")
    assert (await page(support, "/admin/refunds?state=declined"))[1]["table"]["rows"] == []
    _, order = await page(support, f"/admin/orders/{code}")
    assert [action["id"] for action in order["decisions"]] == ["send"]
    (own,) = (await learner(own_site).get(f"orders/{code}"))[1]["refunds"]
    assert (own["stateText"], own["answer"]) == ("Approved in part, on its way to you", "It was read.")
    assert [(part["number"], part["quantity"]) for part in own["notBack"]] == [(1, 1), (2, 1), (3, 1)]


async def test_everything_is_refunded_with_one_press_once_for_each_key(own_site, code):
    finance = staff(own_site, "finance")
    _, order = await page(finance, f"/admin/orders/{code}")
    form = order["refundAll"]
    assert [field["name"] for field in form["fields"]] == ["keepsAccess", "reason"]
    path = form["call"].lstrip("/")
    shown_all = (await finance.call(f"{path}/preview", reason="Closed"))[1]
    lines = [text.partition(" \N{MULTIPLICATION SIGN} ")[0] for text in shown_all["effects"][1:4]]
    assert (lines, shown_all["effects"][-1]) == (["1", "2", "1"], "Access to VAT basics ends.")
    body = {"reason": "Closed", **shown_all["confirmed"]}
    answers = [await finance.call_once(path, KEY, **body) for _ in range(2)]
    assert [status for status, _ in answers] == [200, 200]
    assert answers[0] == answers[1]
    with own_site.db.read_session() as session:
        total = session.scalars(select(Order.total_minor).where(Order.code == code)).one()
    assert refunds(own_site) == [("approved", total, "Closed")]
    assert (await page(finance, f"/admin/orders/{code}"))[1]["refundAll"] is None
    assert (await finance.call_once(path, "n" * 16, **body))[0] == 403
    assert (await staff(own_site, "editor").call_once(path, "e" * 16, **body))[0] == 403


@pytest.fixture
def failed(own_site, code):
    """A refund of the order that its bank sent back."""
    with own_site.db.write_session() as session:
        order = session.scalars(select(Order).where(Order.code == code)).one()
        by_command(session, order, at=datetime.now(UTC), units={1: None})
        answer(session, order, "failed", at=datetime.now(UTC))
    return f"admin/orders/{code}/refunds/1"


async def test_a_failed_refund_waits_on_its_order_and_is_paid_by_hand_with_a_proof(own_site, code, failed):
    support = staff(own_site, "support")
    _, order = await page(support, f"/admin/orders/{code}")
    assert [action["id"] for action in order["decisions"]] == ["retry-1", "settle-1", "send"]
    assert "did not arrive on" in order["decisions"][1]["text"]
    assert (await support.call(f"{failed}/settle", proof="  "))[0] == 422
    assert (await staff(own_site, "editor").call(f"{failed}/settle", proof="Transfer 4711"))[0] == 403
    assert refunds(own_site)[0][0] == "failed"
    assert await support.call(f"{failed}/settle", proof="Transfer 4711") == (
        200,
        {"text": "The refund is marked as paid by hand.", "href": None},
    )
    assert refunds(own_site)[0][::2] == ("manual", "a reason\nTransfer 4711")
    assert (await support.call(f"{failed}/settle", proof="Transfer 4711"))[0] == 403
    assert (await support.call(f"{failed}/retry"))[0] == 403
    text = f"Noted that a failed refund of order {code} was paid by hand"
    assert [row["cells"][0]["text"] for row in await events_of(own_site)].count(text) == 1


async def test_a_failed_refund_is_sent_again(own_site, code, failed):
    finance = staff(own_site, "finance")
    assert (await staff(own_site, "editor").call(f"{failed}/retry"))[0] == 403
    assert (await finance.call(f"{failed}/retry"))[0] == 200
    assert refunds(own_site)[0][0] == "approved"
    assert (await finance.call(f"{failed}/retry"))[0] == 404, "it has another number now"
    _, order = await page(finance, f"/admin/orders/{code}")
    assert [action["id"] for action in order["decisions"]] == ["send"]
    assert "Failed refund tried again" in str(order["tables"])


async def events_of(site):
    administrator = learner(site, "Audit", area="admin", roles=["administrator"])
    return (await page(administrator, "/admin/audit"))[1]["table"]["rows"]
