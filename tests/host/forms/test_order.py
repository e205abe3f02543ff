"""POST /order/{code} and /completed/{code}: an order that is not paid, as plain forms."""

import re
from urllib.parse import urlencode

import pytest

from domain.tables import Order
from host.app_keys import SETTINGS
from tests.host.checkout import orders
from tests.host.checkout.orders import UNKNOWN, browser
from tests.host.signing import learner

KEY = re.compile(r'name="key" value="([^"]+)"')
PAGES = ["/order/{code}", "/completed/{code}?n=1"]


async def post(site, path: str, fields: dict[str, str], headers: dict[str, str]):
    site.client.session.cookie_jar.clear()
    sent = {"Content-Type": "application/x-www-form-urlencoded", "Origin": site.app[SETTINGS].site_origin, **headers}
    sent = {name: text for name, text in sent.items() if text}
    response = await site.client.post(path, data=urlencode(fields), headers=sent, allow_redirects=False)
    return response.status, response.headers.get("Location", ""), await response.text()


async def key_of(site, path: str, headers: dict[str, str]) -> str:
    found = KEY.search((await site.document(path, **headers)).html)
    assert found is not None
    return found[1]


def state_of(site, code: str) -> str:
    with site.db.read_session() as session:
        return session.query(Order).where(Order.code == code).one().state


@pytest.mark.parametrize("page", PAGES)
async def test_an_order_is_given_up_and_the_cart_is_next(own_site, page):
    ada = learner(own_site)
    code = orders.place(ada)
    path, headers = page.replace("{code}", code), browser(own_site, ada)
    key = await key_of(own_site, path, headers)
    assert (await post(own_site, path.partition("?")[0], {"do": "cancel", "key": key}, headers))[:2] == (303, "/cart")
    assert state_of(own_site, code) == "cancelled"


async def test_paying_leads_to_the_hosted_page(own_site, monkeypatch):
    ada = learner(own_site)
    code = orders.place(ada)
    asked = []

    async def pay_again(_app: object, learner_id: int, code: str) -> str:
        asked.append((learner_id, code))
        return "https://pay.example/c/1"

    monkeypatch.setattr("host.forms.order.pay_again", pay_again)
    headers = browser(own_site, ada)
    key = await key_of(own_site, f"/order/{code}", headers)
    answer = await post(own_site, f"/completed/{code}", {"do": "pay", "key": key}, headers)
    assert (answer[:2], asked) == ((303, "https://pay.example/c/1"), [(ada.id, code)])


REFUSED = {
    "no key": {"do": "cancel"},
    "a key that is none": {"do": "cancel", "key": "x"},
    "another action": {"do": "buy"},
    "no action": {},
}


async def test_what_is_refused_changes_nothing_and_says_why(own_site):
    ada = learner(own_site)
    code = orders.place(ada)
    for what, fields in REFUSED.items():
        status, _, body = await post(own_site, f"/order/{code}", fields, browser(own_site, ada))
        assert (what, status, state_of(own_site, code)) == (what, 422, "placed")
        assert '<p class="form-error" role="alert">' in body


async def test_an_order_that_is_paid_is_not_given_up(own_site):
    ada = learner(own_site)
    code = orders.place(ada)
    headers = browser(own_site, ada)
    key = await key_of(own_site, f"/order/{code}", headers)
    orders.pay(own_site, code)
    status, _, body = await post(own_site, f"/order/{code}", {"do": "cancel", "key": key}, headers)
    assert (status, state_of(own_site, code)) == (422, "paid")
    assert "You can ask for a refund on its page." in body


async def test_the_key_of_another_learner_changes_nothing(own_site):
    ada, eve = learner(own_site), learner(own_site, "Eve")
    code, other = orders.place(ada), orders.place(eve, "tax-tables")
    key = await key_of(own_site, f"/order/{other}", browser(own_site, eve))
    assert (await post(own_site, f"/order/{code}", {"do": "cancel", "key": key}, browser(own_site, ada)))[0] == 422
    assert state_of(own_site, code) == "placed"


@pytest.mark.parametrize("page", ["/order/{code}", "/completed/{code}"])
async def test_the_order_of_somebody_else_is_not_found_and_guests_sign_in(own_site, page):
    ada, eve = learner(own_site), learner(own_site, "Eve")
    code, other = orders.place(ada), orders.place(eve, "tax-tables")
    headers = browser(own_site, eve)
    fields = {"do": "cancel", "key": await key_of(own_site, f"/order/{other}", headers)}
    path, unknown = page.replace("{code}", code), page.replace("{code}", UNKNOWN)
    (status, _, body), missing = (
        await post(own_site, path, fields, headers),
        await post(own_site, unknown, fields, headers),
    )
    assert (status, body.replace(code, UNKNOWN)) == (missing[0], missing[2]) == (404, missing[2])
    for headers in (browser(own_site), {**browser(own_site), **ada.cookie}, {**browser(own_site), **ada.bearer}):
        assert (await post(own_site, path, fields, headers))[:2] == (303, f"/login?returnTo={path}")
    assert state_of(own_site, code) == "placed"


async def test_another_site_changes_nothing(own_site):
    ada = learner(own_site)
    code = orders.place(ada)
    headers = browser(own_site, ada)
    key = await key_of(own_site, f"/order/{code}", headers)
    fields = {"do": "cancel", "key": key}
    # None at all, too.
    for origin in ("https://evil.example", "null", ""):
        assert (await post(own_site, f"/order/{code}", fields, {**headers, "Origin": origin}))[0] == 403
    assert state_of(own_site, code) == "placed"
