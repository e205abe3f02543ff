"""POST /cart: the cart as plain forms. Only the learner's own page, from this site, changes their cart."""

import asyncio
import json
import re
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from urllib.parse import quote, urlencode

import pytest

from config.settings import ROOT
from domain import routes
from domain.checkout import cart_links
from domain.checkout.free_enrolment import NO_COURSE, NOT_FREE
from domain.errors import ServiceUnavailable
from domain.tables import Product
from host.api.cart_schemas import CartSchema
from host.app_keys import SETTINGS
from tests.host.rendering.test_html import html_findings
from tests.host.signing import Learner, learner
from tests.host.site import CHROME, Site
from tests.support import factories

KEY = re.compile(r'name="key" value="([^"]+)"')


@dataclass(frozen=True)
class Browser:
    """A browser without script: it sends both cookies, and the fields of the forms it was given."""

    learner: Learner

    @property
    def site(self) -> Site:
        return self.learner.site

    @property
    def headers(self) -> dict[str, str]:
        token = quote(json.dumps({"accessToken": self.learner.token, "user": {}}))
        return {"Cookie": f"userInfo={token}; {self.learner.cookie['Cookie']}", "User-Agent": CHROME}

    async def page(self, address: str = "/cart") -> str:
        """The part without script."""
        document = await self.site.document(address, **self.headers)
        return document.html.partition('id="no-script">')[2].partition("</section><script")[0]

    async def post(self, **fields: object) -> tuple[int, str, str]:
        """Status, address of the redirect, and body."""
        key = KEY.search(await self.page("/cart?add=1"))
        return await post(self.site, {"key": key[1] if key else "", **fields}, self.headers)

    async def lines(self) -> list[tuple[int, int]]:
        body = (await self.learner.get("cart"))[1]
        return [(line["id"], line["quantity"]) for line in body["lines"]]

    async def cart(self):
        return (await self.learner.get("cart"))[1]


async def post(site: Site, fields: dict[str, object], headers: dict[str, str]) -> tuple[int, str, str]:
    site.client.session.cookie_jar.clear()
    sent = {"Content-Type": "application/x-www-form-urlencoded", "Origin": site.app[SETTINGS].site_origin, **headers}
    sent = {name: text for name, text in sent.items() if text}
    response = await site.client.post("/cart", data=urlencode(fields), headers=sent, allow_redirects=False)
    return response.status, response.headers.get("Location", ""), await response.text()


@pytest.fixture
def ada(own_site) -> Browser:
    return Browser(learner(own_site))


@pytest.fixture
def ids(own_site) -> dict[str, int]:
    return {slug: own_site.id_of(slug) for slug in ("vat-basics", "tax-tables")}


DONE = (303, "/cart")


async def test_the_whole_cart_works_by_forms(ada, ids, own_site):
    with own_site.db.write_session() as session:
        factories.coupon(session, "SPRING")
    vat, book = ids["vat-basics"], ids["tax-tables"]
    for product in (vat, book):
        assert (await ada.post(do="add", id=product, key=""))[:2] == DONE
    assert (await ada.post(do="quantity", id=book, quantity=3))[:2] == DONE
    assert await ada.lines() == [(vat, 1), (book, 3)]
    assert (await ada.post(do="coupon", code="spring"))[:2] == DONE
    assert (await ada.cart())["coupon"]["code"] == "SPRING"
    assert 'Remove<span class="sr-only"> coupon SPRING' in await ada.page()
    assert (await ada.post(do="coupon", code=""))[:2] == DONE
    assert (await ada.cart())["coupon"] is None
    assert (await ada.post(do="code", id=vat, code="SPRING"))[:2] == DONE
    assert (await ada.cart())["lines"][0]["code"] == "SPRING"
    assert (await ada.post(do="later", id=vat))[:2] == DONE
    assert [line["id"] for line in (await ada.cart())["saved"]] == [vat]
    assert (await ada.post(do="remove", id=book))[:2] == DONE
    assert await ada.lines() == []
    assert "Your cart is empty<" in await ada.page()


async def test_buying_leads_to_the_checkout_with_all_of_the_cart_unless_it_is_refused(ada, ids):
    vat, book = ids["vat-basics"], ids["tax-tables"]
    await ada.post(do="add", id=book)
    for _ in range(2):
        assert (await ada.post(do="buy", id=vat, key=""))[:2] == (303, "/checkout")
    assert await ada.lines() == [(book, 1), (vat, 1)]
    status, _, body = await ada.post(do="buy", id=10**12)
    assert (status, "This is not in the shop. It may have been withdrawn." in body) == (422, True)


async def test_clearing_asks_first_and_leaves_what_is_saved(ada, ids):
    vat, book = ids["vat-basics"], ids["tax-tables"]
    for product in (vat, book):
        await ada.post(do="add", id=product)
    await ada.post(do="later", id=vat)
    status, _, body = await ada.post(do="clear")
    assert (status, await ada.lines()) == (200, [(book, 1)])
    assert "Are you sure deleted your all cart items ?" in body
    assert (await ada.post(do="clear", confirm="yes"))[:2] == DONE
    assert (await ada.lines(), [line["id"] for line in (await ada.cart())["saved"]]) == ([], [vat])


REFUSALS = {
    "no quantity": ({"do": "quantity", "quantity": "many"}, "Enter a quantity from 1 to 99."),
    "too many": ({"do": "quantity", "quantity": 100}, "Enter a quantity from 1 to 99."),
    "an unknown code": ({"do": "code", "code": "N<B"}, "N&lt;B"),
    "an unknown coupon": ({"do": "coupon", "code": "NOBODY"}, 'value="NOBODY"'),
    "an unknown product": ({"do": "add", "id": 10**12}, "This is not in the shop. It may have been withdrawn."),
    "no product": ({"do": "add", "id": "x"}, "This is not in the shop. It may have been withdrawn."),
    "an unknown action": ({"do": "lend"}, "This form is not known here."),
    "no action": ({}, "This form is not known here."),
    "the field at fault": ({"do": "coupon", "code": "NOBODY"}, '<a href="#coupon">'),
    "the quantity at fault": ({"do": "quantity", "quantity": 0}, 'value="0" aria-invalid="true"'),
    "an expired link": ({"do": "link", "cartToken": "x"}, "This link has expired"),
    "no key": ({"do": "remove", "key": ""}, "or belongs to another sign-in"),
}


@pytest.mark.parametrize(("fields", "text"), REFUSALS.values(), ids=REFUSALS)
async def test_what_is_refused_changes_nothing_and_shows_what_was_typed(ada, ids, fields, text):
    book = ids["tax-tables"]
    await ada.post(do="add", id=book)
    status, _, body = await ada.post(**{"id": book, **fields})
    assert (status, await ada.lines(), (await ada.cart())["coupon"]) == (422, [(book, 1)], None)
    assert text in body.partition('id="no-script">')[2]


async def test_a_key_is_good_for_its_learner_alone(ada, ids, own_site):
    book = ids["tax-tables"]
    await ada.post(do="add", id=book)
    key = KEY.search(await Browser(learner(own_site, "Grace")).page("/cart?add=1"))[1]
    assert (await ada.post(do="remove", id=book, key=key))[0] == 422
    assert await ada.lines() == [(book, 1)]


FOREIGN = {"another site": {"Origin": "https://evil.example"}, "no site": {"Origin": "null"}, "unsaid": {"Origin": ""}}


@pytest.mark.parametrize("origin", FOREIGN.values(), ids=FOREIGN)
@pytest.mark.parametrize("do", ["add", "remove"])
async def test_another_site_changes_nothing(ada, ids, origin, do):
    book = ids["tax-tables"]
    await ada.post(do="add", id=book)
    key = KEY.search(await ada.page())[1]
    other = ids["vat-basics"] if do == "add" else book
    assert (await post(ada.site, {"do": do, "id": other, "key": key}, {**ada.headers, **origin}))[0] == 403
    assert await ada.lines() == [(book, 1)]


@pytest.mark.parametrize("half", ["cookie", "bearer"])
async def test_half_a_sign_in_is_a_guest(ada, ids, half):
    headers = {"User-Agent": CHROME, **getattr(ada.learner, half)}
    answer = await post(ada.site, {"do": "add", "id": ids["vat-basics"]}, headers)
    assert (answer[:2], await ada.lines()) == ((303, f"/cart?kept={ids['vat-basics']}*1"), [])


GUESTS = {
    "an addition": ({"do": "add", "id": "7"}, "/cart?kept=7*1"),
    "several": ({"do": "add", "id": "7", "quantity": "3"}, "/cart?kept=7*3"),
    "a purchase": ({"do": "buy", "id": "7"}, "/login?returnTo=/checkout"),
    "a free course": ({"do": "enrol", "id": "7"}, "/login?returnTo=/course-details?id%3D7"),
    "a free course of a list": ({"do": "add", "enrol": "7"}, "/login?returnTo=/course-details?id%3D7"),
    "a gift": ({"do": "add", "id": "7", "gift": "1"}, "/cart?add=7&gift=1"),
    "no product": ({"do": "add", "id": "//evil.example"}, "/cart"),
    "anything else": ({"do": "clear", "confirm": "yes"}, "/cart"),
}


@pytest.mark.parametrize(("fields", "address"), GUESTS.values(), ids=GUESTS)
async def test_guests_are_led_to_the_sign_in(own_site, fields, address):
    assert (await post(own_site, fields, {"User-Agent": CHROME}))[:2] == (303, address)


async def test_what_a_guest_wanted_waits_behind_the_sign_in(ada, ids, own_site):
    address = f"/cart?add={ids['vat-basics']}"
    guest = (await own_site.document(address)).html.partition('id="no-script">')[2]
    assert "VAT basics" in guest
    assert f"/api/auth/start?returnTo=%2Fcart%3Fadd%3D{ids['vat-basics']}&amp;area=learner" in guest
    signed_in = await ada.page(address)
    assert f'name="do" value="add"><input type="hidden" name="id" value="{ids["vat-basics"]}"' in signed_in
    assert await ada.lines() == []


async def test_a_gift_is_offered_after_the_sign_in_and_marks_its_line(ada, ids):
    shown = await ada.page(f"/cart?add={ids['vat-basics']}&gift=1")
    assert ("Give this as a gift?" in shown, 'name="gift" value="1"' in shown) == (True, True)
    assert (await ada.post(do="add", id=ids["vat-basics"], gift="1"))[:2] == DONE
    assert [line["isGift"] for line in (await ada.cart())["lines"]] == [True]
    assert "A gift for somebody else." in await ada.page()


async def test_opening_a_link_shows_its_lines_and_the_button_takes_them_over(ada, ids, own_site):
    _, link = await own_site.call("cart/links", {"lines": [{"id": ids["tax-tables"], "quantity": 2}]})
    address = link["url"].partition(own_site.app[SETTINGS].site_origin)[2]
    opened = await ada.page(address)
    assert ("2 \u00d7 " in opened, "Tax tables" in opened, await ada.lines()) == (True, True, [])
    secret = address.partition("=")[2]
    assert (await ada.post(do="link", cartToken=secret))[:2] == DONE
    assert await ada.lines() == [(ids["tax-tables"], 2)]
    with own_site.db.write_session() as session:
        cart_links.delete_expired(session, datetime.fromisoformat(link["expiresAt"]))
    assert "Nothing to add" in await ada.page(address)


async def test_the_cart_comes_with_the_page_of_its_learner_alone(ada, ids, own_site):
    await ada.post(do="add", id=ids["vat-basics"])
    cart = CartSchema.model_validate(await ada.cart()).model_dump(mode="json")
    own = await own_site.document("/cart", **ada.headers)
    data = await (await own_site.get("/data/cart", **ada.learner.headers)).json()
    for state in (own.state, data):
        assert state["props"] == {"title": "Cart", "html": "", "cart": cart, "offered": None}
        assert state["session"]["learner"]["name"] == "Ada Lovelace"
    guest = await own_site.document("/cart")
    assert guest.state["props"] == {"title": "Cart", "html": "", "cart": None, "offered": None}
    assert guest.state["session"] is None
    assert ("VAT basics" in own.html, "VAT basics" in guest.html) == (True, False)
    assert (own.headers["Cache-Control"], own.headers["Vary"]) == ("private, no-store", "Accept-Encoding, Cookie")


def test_every_private_page_has_a_part_without_script():
    own = [page.id for page in routes.table() if page.private and page.served]
    assert [page for page in own if not (ROOT / f"templates/no_script/{page}.html").is_file()] == []


async def test_without_the_database_the_browsers_own_cart_is_shown(ada, own_site, monkeypatch):
    async def unavailable(*_: object) -> None:
        raise ServiceUnavailable("The site is temporarily unavailable.")

    key = KEY.search(await ada.page("/cart?add=1"))[1]
    for way in ("read", "read_inline"):
        monkeypatch.setattr(own_site.db, way, unavailable)
    document = await own_site.document("/cart", **ada.headers)
    assert (document.status, document.state["page"], "session" in document.state) == (200, "cart", False)
    assert (await post(own_site, {"do": "clear", "confirm": "yes", "key": key}, ada.headers))[0] == 503


async def test_another_content_type_and_too_many_posts_are_refused(open_site, own_site):
    response = await own_site.client.post(
        "/cart", data="{}", headers={"Content-Type": "application/json", "Origin": own_site.app[SETTINGS].site_origin}
    )
    assert response.status == 415
    site = await open_site(CART_CALLS_PER_LEARNER_MINUTE="1")
    grace = Browser(learner(site, "Grace"))
    answers = [await grace.post(do="coupon", code="") for _ in range(2)]
    assert [status for status, _, _ in answers] == [303, 429]
    assert "Too many requests." in answers[1][2]


async def test_the_cart_without_script_is_valid_html(ada, ids, own_site, tmp_path):
    with own_site.db.write_session() as session:
        factories.coupon(session, "SPRING")
    (tmp_path / "empty.html").write_text((await own_site.document("/cart", **ada.headers)).html, "utf-8")
    for product in ids.values():
        await ada.post(do="add", id=product)
    await ada.post(do="code", id=ids["vat-basics"], code="SPRING")
    offered = await own_site.document(f"/cart?add={ids['tax-tables']}", **ada.headers)
    (tmp_path / "offered.html").write_text(offered.html, "utf-8")
    refusals = {
        "coupon": {"do": "coupon", "code": "NOBODY"},
        "quantity": {"do": "quantity", "id": ids["tax-tables"], "quantity": 0},
        "clear": {"do": "clear"},
    }
    for name, fields in refusals.items():
        (tmp_path / f"{name}.html").write_text((await ada.post(**fields))[2], "utf-8")
    assert await asyncio.to_thread(html_findings, tmp_path) == []


async def test_a_free_course_is_begun_by_its_form_and_others_are_refused_in_words(ada, ids, own_site):
    free = ids["vat-basics"]
    status, _, page = await ada.post(do="enrol", id=free)
    assert (status, NOT_FREE in page) == (422, True)
    with own_site.db.write_session() as session:
        session.get_one(Product, free).list_price = Decimal(0)
        session.get_one(Product, free).sale_price = None
    for fields in ({"do": "enrol", "id": free}, {"do": "add", "enrol": free}):
        assert (await ada.post(**fields))[:2] == (303, "/user-dashboard?course=vat-basics&lesson=next")
    answers = [await ada.learner.call("enrol", course=course) for course in (free, ids["tax-tables"])]
    assert answers[0] == (200, {"redirect": "/user-dashboard?course=vat-basics&lesson=next", "isNew": False})
    assert (answers[1][0], answers[1][1]["detail"]) == (409, NO_COURSE)


async def test_what_a_guest_adds_without_script_waits_in_a_cookie(own_site, ids):
    vat, book = ids["vat-basics"], ids["tax-tables"]
    headers = {"User-Agent": CHROME, "Cookie": f"plain_lines={vat}*1"}
    own_site.client.session.cookie_jar.clear()
    sent = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Origin": own_site.app[SETTINGS].site_origin,
        **headers,
    }
    body = urlencode({"do": "add", "id": book, "quantity": 2})
    response = await own_site.client.post("/cart", data=body, headers=sent, allow_redirects=False)
    address = f"/cart?kept={vat}*1.{book}*2"
    assert (response.status, response.headers["Location"]) == (303, address)
    assert response.headers["Set-Cookie"].startswith(f"plain_lines={vat}*1.{book}*2; HttpOnly; Path=/; SameSite=Lax")
    guest = (await own_site.document(address)).html.partition('id="no-script">')[2]
    for words in ("Kept for your cart", "VAT basics", "Sign in, and this is in your cart."):
        assert words in guest
    assert re.search(r"<li>2 \S <a[^>]*>Tax tables</a>", guest)
    assert "/api/auth/start?returnTo=%2Fcart&amp;area=learner" in guest
