"""The page that withdraws from a contract: two steps, for everybody who has code and address, in shops of the Union."""

import time
from dataclasses import dataclass
from urllib.parse import urlencode

import pytest
from sqlalchemy import select

from domain.tables import Outbox, Refund
from host.forms import withdraw
from tests.host.checkout import orders
from tests.host.forms.test_order import post
from tests.host.signing import learner
from tests.host.site import Site

UNKNOWN = {"order": "BADECUFIGOHAKELIMONA", "email": "eve@example.test"}


@dataclass(frozen=True)
class Sold:
    site: Site
    fields: dict[str, str]


@pytest.fixture
async def sold(open_site, monkeypatch) -> Sold:
    """A paid order in a shop of the Union."""
    monkeypatch.setattr(withdraw, "ANSWER_S", 0.5)
    site = await open_site(SHOP_COUNTRY="DE")
    ada = learner(site, "Ada Lovelace")
    code = orders.place(ada)
    orders.pay(site, code)
    return Sold(site, {"order": code, "email": f"{ada.id}@example.test"})


async def send(site: Site, **fields: str) -> tuple[int, str, str]:
    return await post(site, "/withdraw", fields, {})


def refunds(site: Site) -> list[str]:
    with site.db.read_session() as session:
        return [refund.reason for refund in session.scalars(select(Refund))]


async def test_a_buyer_withdraws_in_two_steps_without_a_sign_in(sold):
    first = await sold.site.document(f"/withdraw?{urlencode({'order': sold.fields['order']})}")
    assert (first.status, first.state["props"]["values"]["order"]) == (200, sold.fields["order"])
    status, _, body = await send(sold.site, **sold.fields)
    assert (status, "Confirm withdrawal" in body, refunds(sold.site)) == (200, True, [])
    assert (await send(sold.site, **sold.fields, do="confirm"))[:2] == (303, "/withdraw?sent=1")
    assert refunds(sold.site) == ["withdrawal"]
    with sold.site.db.read_session() as session:
        kinds = [*session.scalars(select(Outbox.kind))]
    assert kinds.count("mail.withdrawal_received") == 1


async def test_the_answer_tells_nobody_whether_the_order_exists(sold):
    answers = []
    for fields in (sold.fields, UNKNOWN, {**sold.fields, "email": UNKNOWN["email"]}):
        began = time.monotonic()
        answers.append(await send(sold.site, **fields, do="confirm"))
        assert 0.5 <= time.monotonic() - began < 5
    assert answers[0] == answers[1] == answers[2]
    assert refunds(sold.site) == ["withdrawal"]


async def test_what_is_missing_is_said_at_its_field(sold):
    status, _, body = await send(sold.site, order="", email="ada")
    assert (status, withdraw.NO_ORDER in body, withdraw.NO_EMAIL in body) == (422, True, True)


async def test_ten_withdrawals_an_hour_come_from_one_address(sold, monkeypatch):
    monkeypatch.setattr(withdraw, "ANSWER_S", 0)
    for _ in range(10):
        assert (await send(sold.site, **UNKNOWN, do="confirm"))[0] == 303
    assert (await send(sold.site, **sold.fields, do="confirm"))[0] == 429
    assert refunds(sold.site) == []


async def test_other_shops_have_no_such_page(bare_site):
    assert (await bare_site.document("/withdraw")).status == 404
    for step in ("", "confirm"):
        assert (await send(bare_site, **UNKNOWN, do=step))[0] == 404
    assert bare_site.app is not None


async def test_pages_of_a_shop_in_the_union_lead_there(sold):
    document = await sold.site.document("/about")
    assert {"href": "/withdraw", "text": "Withdraw from contract"} in document.state["site"]["legal"]
