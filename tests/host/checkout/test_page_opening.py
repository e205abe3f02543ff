"""Waiting for the page to pay on: the order's page leads its owner there once it is open, and nobody else."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select

from domain.payments import attempts
from domain.tables import Payment
from host.checkout.completed_page import OPENING
from tests.host.api.checkout.conftest import ada, buyer, gateway, open_checkout, selling_site
from tests.host.api.checkout.shop import CALIFORNIA, VAT
from tests.host.checkout.orders import browser
from tests.support.silent_line import SilentLine, silent_line
from tests.support.waiting import until

__all__ = ["ada", "gateway", "open_checkout", "selling_site"]


@pytest.fixture
def line(gateway) -> Iterator[SilentLine]:
    """To the gateway; it can be made silent: then it accepts connections and never answers."""
    with silent_line(urlsplit(gateway.origin).port or 0) as opened:
        yield opened


@pytest.fixture
async def placed(selling_site, ada):
    """The site, the buyer's number, and the code of their order, whose page is open."""
    await ada.learner.add(VAT)
    _, result = await ada.order(CALIFORNIA)
    return selling_site, ada.learner.id, result["code"]


def payments(site) -> list[Payment]:
    with site.db.read_session() as session:
        return list(session.scalars(select(Payment).order_by(Payment.number)))


async def test_whoever_waits_for_a_slow_gateway_is_led_to_the_page_without_pressing_again(open_checkout, line):
    base = f"http://127.0.0.1:{line.port}"
    site = await open_checkout(PAYMENTS_API_BASE=base, PAYMENTS_DEADLINE_MS="60000", PAYMENTS_WAIT_MS="100")
    ada = buyer(site)
    await ada.learner.add(VAT)
    line.be_silent()
    _, result = await ada.order(CALIFORNIA)
    code, own = result["code"], browser(site, ada.learner)
    waiting = await site.document(result["redirect"], **own)
    assert waiting.state["props"]["completed"]["next"] == f"/completed/{code}?open=2"
    assert f'<meta http-equiv="refresh" content="1; url=/completed/{code}?open=2">' in waiting.html
    plain = waiting.html.partition('id="no-script">')[2]
    assert [words for words in (*OPENING, f'href="/completed/{code}?open=2"') if words not in plain] == []
    assert "Go on to payment" not in plain
    line.go_on()
    await until(lambda: payments(site)[0].state == "open")
    response = await site.get(f"/completed/{code}?open=2", **own)
    assert (response.status, response.headers["Location"]) == (302, payments(site)[0].url)
    # Somebody who comes back from there by themselves is not sent there again.
    assert (await site.get(f"/completed/{code}", **own)).status == 200


@pytest.mark.parametrize("query", ["?open=0", "?open=21", "?open=x"])
async def test_nobody_is_led_to_pay_beyond_the_looks_of_one_wait(placed, ada, query):
    site, _, code = placed
    response = await site.get(f"/completed/{code}{query}", **browser(site, ada.learner))
    assert response.status == 200


@pytest.mark.each_database
async def test_only_its_owner_is_led_to_the_page_of_an_order(placed, ada):
    site, learner_id, code = placed
    address, stranger = f"/completed/{code}?open=1", buyer(site, "Bob Noyce").learner
    seen = {}
    for who, headers in {
        "the owner": browser(site, ada.learner),
        "a stranger": browser(site, stranger),
        "the return cookie": browser(site, None, (code, learner_id)),
        "nobody": browser(site),
    }.items():
        response = await site.get(address, **headers)
        seen[who] = response.status, response.headers.get("Location", "")
    page = payments(site)[0].url
    assert seen == {
        "the owner": (302, page),
        "a stranger": (404, ""),
        "the return cookie": (200, ""),
        "nobody": (200, ""),
    }


async def test_a_page_whose_opening_host_was_killed_can_be_opened_again_soon(open_checkout, line):
    """After the longest call and a margin, not after the longest that any site may set."""
    site = await open_checkout(
        PAYMENTS_API_BASE=f"http://127.0.0.1:{line.port}", PAYMENTS_DEADLINE_MS="8000", PAYMENTS_WAIT_MS="100"
    )
    ada = buyer(site)
    await ada.learner.add(VAT)
    line.be_silent()
    began = datetime.now(UTC)
    await ada.order(CALIFORNIA)
    leased_until = await until(lambda: payments(site)[0].leased_until)
    line.go_on()
    assert began + timedelta(seconds=13) <= leased_until <= datetime.now(UTC) + timedelta(seconds=13)
    assert timedelta(seconds=13) < attempts.LEASE
