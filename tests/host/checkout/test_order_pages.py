"""/order/{code} and /completed/{code}: whose they are; that somebody else gets an unknown address, and guests the way
to the sign-in, whether there is such an order or not."""

import itertools
import re

import pytest

from domain.errors import ServiceUnavailable
from host.checkout import completed_page
from tests.host.checkout import orders
from tests.host.checkout.orders import UNKNOWN, browser
from tests.host.signing import learner

PRIVATE = ("private, no-store", "Accept-Encoding, Cookie", "same-origin")
NEVER = "NEVERTHEREATALLNEVER"
SIGN_IN = "If this is your order, sign in"
ADDRESS = "/login?returnTo="
NONCES = re.compile(r'nonce="[^"]*"|"requestId":"[^"]*"')


def privacy_headers(response) -> tuple[str, ...]:
    return tuple(response.headers[name] for name in ("Cache-Control", "Vary", "Referrer-Policy"))


def without_keys(order):
    """Keys of forms are new with every answer."""
    return {**order, "paymentKey": "", "refundForm": {**order["refundForm"], "key": ""}}


async def test_the_owner_sees_the_order_in_the_state_in_the_data_and_without_script(own_site):
    ada = learner(own_site)
    code = orders.place(ada)
    orders.pay(own_site, code)
    for path in (f"/order/{code}", f"/order/{code.lower()}"):
        document = await own_site.document(path, **browser(own_site, ada))
        order = document.state["props"]["order"]
        assert (document.status, order["code"], order["stateText"], privacy_headers(document)) == (
            200,
            code,
            "Paid",
            PRIVATE,
        )
        data = await own_site.get(f"/data{path}", **ada.headers)
        body = await data.json()
        assert (data.status, without_keys(body["props"]["order"])) == (200, without_keys(order))
        plain = document.html.partition('id="no-script">')[2]
        assert f"Order {code}" in plain
        assert "VAT basics" in plain
    head = await own_site.get(f"/order/{code}", "HEAD", **browser(own_site, ada))
    assert (head.status, await head.read(), privacy_headers(head)) == (200, b"", PRIVATE)


def guests(site, ada, eve) -> dict[str, dict[str, str]]:
    return {
        "nobody": browser(site),
        "the session cookie alone": {"User-Agent": "x", **ada.cookie},
        "the token alone": {"User-Agent": "x", **ada.bearer},
        "halves of two": {"User-Agent": "x", **eve.bearer, **ada.cookie},
        "the return cookie of another order": browser(site, None, (NEVER, ada.id)),
    }


def strangers(site, ada, eve, code: str) -> dict[str, dict[str, str]]:
    return {
        "somebody else": browser(site, eve),
        "somebody else's return cookie": browser(site, eve, (code, ada.id)),
    }


PATHS = ["/order/{code}", "/data/order/{code}", "/completed/{code}", "/data/completed/{code}", "/order/{code}?n=1"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_guests_get_the_same_page_for_every_code(own_site, method):
    ada, eve = learner(own_site), learner(own_site, "Eve")
    code = orders.place(ada)
    for path in PATHS:
        expected = await answer(own_site, method, path, UNKNOWN, browser(own_site))
        assert expected[:2] == (200, PRIVATE)
        for who, headers in guests(own_site, ada, eve).items():
            for asked in (code, code.lower(), NEVER if "return" not in who else UNKNOWN):
                assert (who, asked, await answer(own_site, method, path, asked, headers)) == (who, asked, expected)


async def test_a_guests_page_leads_to_the_sign_in_and_back_without_asking_the_database(own_site, monkeypatch):
    ada = learner(own_site)
    code = orders.place(ada)

    async def unavailable(*_: object) -> None:
        raise ServiceUnavailable("away")

    # Whether there is such an order cannot be told from the time either: nothing is read.
    monkeypatch.setattr(own_site.db, "read", unavailable)
    monkeypatch.setattr(own_site.db, "read_inline", unavailable)
    for page, asked in itertools.product(("order", "completed"), (code, UNKNOWN)):
        document = await own_site.document(f"/{page}/{asked}")
        plain = document.html.partition('id="no-script">')[2]
        assert (document.state["page"], "<h1>Sign in to see this order</h1>" in plain) == (page, True)
        assert f'<a href="/login?returnTo=%2F{page}%2F{asked}">Sign in</a>' in plain


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_strangers_get_the_answer_of_an_unknown_order(own_site, method):
    ada, eve = learner(own_site), learner(own_site, "Eve")
    code = orders.place(ada)
    for path in PATHS:
        expected = await answer(own_site, method, path, UNKNOWN, browser(own_site, ada))
        assert expected[:2] == (404, PRIVATE)
        assert (ADDRESS in expected[2]) == (method == "GET")
        for who, headers in strangers(own_site, ada, eve, code).items():
            assert (who, await answer(own_site, method, path, code, headers)) == (who, expected)


async def answer(site, method: str, path: str, code: str, headers: dict[str, str]):
    """Status, headers and body, without what is new with every answer."""
    site.client.session.cookie_jar.clear()
    response = await site.get(path.replace("{code}", code), method, **headers)
    text = (await response.text()).replace(code, "CODE").replace(code.lower(), "CODE")
    names = sorted(set(response.headers) - {"Content-Length"})
    return response.status, privacy_headers(response), NONCES.sub("", text), names


MALFORMED = ["x", "%2E%2E.", "%00", "A" * 300, "BADECUFIGOHAKELIMONU%20", "'%20OR%201=1--", "%F0%9F%8E%93"]


async def test_what_is_no_code_is_an_unknown_order(own_site):
    ada = learner(own_site)
    orders.place(ada)
    for page, code in itertools.product(("order", "completed"), MALFORMED):
        response = await own_site.get(f"/{page}/{code}", **browser(own_site, ada))
        assert (code, response.status, ADDRESS in await response.text()) == (code, 404, True)


async def test_the_error_page_leads_its_owner_to_the_sign_in_and_back(own_site):
    document = await own_site.document(f"/order/{UNKNOWN}", **browser(own_site, learner(own_site)))
    props = document.state["props"]
    assert (document.state["page"], props["message"]) == ("error", f"Page not found: /order/{UNKNOWN}")
    assert props["signIn"] == f"/login?returnTo=/order/{UNKNOWN}"
    assert "signIn" not in (await own_site.document("/nothing")).state["props"]


async def test_without_a_render_worker_the_error_page_is_the_same_for_everybody(bare_site):
    ada, eve = learner(bare_site), learner(bare_site, "Eve")
    code = orders.place(ada)
    expected = await answer(bare_site, "GET", "/order/{code}", UNKNOWN, browser(bare_site, ada))
    assert f'<a href="/login?returnTo=/order/CODE">{SIGN_IN}</a>' in expected[2]
    assert await answer(bare_site, "GET", "/order/{code}", code, browser(bare_site, eve)) == expected


async def test_with_the_return_cookie_alone_only_the_state_is_shown(own_site):
    ada = learner(own_site)
    code = orders.place(ada)
    orders.pay(own_site, code)
    headers = browser(own_site, None, (code, ada.id))
    document = await own_site.document(f"/completed/{code}", **headers)
    completed = document.state["props"]["completed"]
    assert (document.status, completed["order"], document.state["session"]) == (200, None, None)
    assert completed["status"] == {
        "code": code,
        "state": "paid",
        "stateText": "Paid",
        "nextStep": completed["status"]["nextStep"],
        "tone": "good",
        "retryMs": None,
        "canPay": False,
        "hasPage": True,
        "reservedUntil": None,
    }
    plain = document.html.partition('id="no-script">')[2]
    assert "Thank you: your order is paid" in plain
    assert f'<a class="button" href="/login?returnTo=/order/{code}">Sign in to see your order</a>' in plain
    for secret in ("VAT basics", "Ada", "100.00"):
        assert secret not in plain
    # Every page has the pattern of amounts, "${}".
    assert re.search(r"\$\d", plain) is None
    assert "Sign in to see this order" in (await own_site.document(f"/order/{code}", **headers)).html


async def test_the_owner_sees_what_was_ordered_after_paying(own_site):
    ada = learner(own_site)
    code = orders.place(ada)
    document = await own_site.document(f"/completed/{code}", **browser(own_site, ada))
    completed = document.state["props"]["completed"]
    assert (completed["status"]["state"], completed["order"]["code"]) == ("placed", code)
    assert (completed["order"]["canPay"], completed["order"]["canCancel"]) == (True, True)


async def test_without_script_the_page_looks_again_for_a_minute(own_site):
    ada = learner(own_site)
    code = orders.place(ada)
    orders.open_page(own_site, code)
    pages = {}
    for query in ("", "?n=11", "?n=12", "?n=x"):
        html = (await own_site.document(f"/completed/{code}{query}", **browser(own_site, ada))).html
        refresh = re.search(r'<noscript><meta http-equiv="refresh" content="([^"]*)"></noscript>\n', html)
        pages[query] = refresh and refresh[1], "Go on to payment" in html, "we will email you" in html
    url = f"5; url=/completed/{code}?n="
    assert pages == {
        "": (f"{url}1", False, False),
        "?n=11": (f"{url}12", True, False),
        "?n=12": (None, True, True),
        "?n=x": (f"{url}1", False, False),
    }


async def test_an_order_whose_page_did_not_open_says_so_and_how_to_go_on(own_site):
    """Nobody can have paid: there is nothing to check."""
    ada = learner(own_site)
    code = orders.place(ada)
    document = await own_site.document(f"/completed/{code}", **browser(own_site, ada))
    plain = document.html.partition('id="no-script">')[2]
    assert (document.state["props"]["completed"]["status"]["hasPage"], "http-equiv" in document.html) == (False, False)
    for words in (*completed_page.NO_PAGE, "Go on to payment", "Cancel this order"):
        assert words in plain


async def test_without_the_database_nobody_learns_anything(own_site, monkeypatch):
    ada = learner(own_site)
    code = orders.place(ada)

    async def unavailable(*_: object) -> None:
        raise ServiceUnavailable("away")

    monkeypatch.setattr(own_site.db, "read", unavailable)
    for path in (f"/order/{code}", f"/completed/{code}"):
        own = await own_site.get(path, **browser(own_site, ada))
        assert (own.status, own.headers["Cache-Control"]) == (503, "private, no-store")
        assert code not in (await own.text()).replace(path, "")


OLD = {
    "a code": (f"?id={UNKNOWN}", 301, f"/completed/{UNKNOWN}"),
    "a code in small letters": (f"?id={UNKNOWN.lower()}", 301, f"/completed/{UNKNOWN}"),
    "nothing": ("", 302, "/user-dashboard"),
    "another site": ("?id=//evil.example/aaaaaaaaa", 302, "/user-dashboard"),
    "too short": ("?id=ABC", 302, "/user-dashboard"),
}


async def test_the_former_address_leads_to_the_order(bare_site):
    for what, (query, status, address) in OLD.items():
        for method in ("GET", "HEAD"):
            response = await bare_site.get(f"/completed_old{query}", method)
            assert (what, response.status, response.headers["Location"]) == (what, status, address)
