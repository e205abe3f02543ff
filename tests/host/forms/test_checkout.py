"""POST /checkout: the order as a plain form. Whatever is refused, what was typed is shown, and to its learner alone."""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from html.parser import HTMLParser
from urllib.parse import quote, urlencode

import pytest

from domain.errors import ServiceUnavailable
from domain.tables import Learner as LearnerRow
from domain.tables import Order, Product
from host.app_keys import SETTINGS
from host.auth.form_keys import FORM_KEYS
from tests.host.api.checkout.shop import BERLIN, BOOK, CALIFORNIA, TERMS, VAT
from tests.host.signing import Learner, learner
from tests.host.site import CHROME, Site
from tests.support import factories

SIGN_IN = "/api/auth/start?returnTo=/checkout&area=learner"


class Forms(HTMLParser):
    """The fields of a page's forms as a browser would send them, with their labels."""

    def __init__(self, html: str):
        super().__init__()
        self.values: dict[str, str] = {}
        self.labels: dict[str, str] = {}
        self._label = self._select = self._area = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = {name: value or "" for name, value in attrs}
        name = about.get("name", "")
        if tag == "input" and (about.get("type") not in ("radio", "checkbox") or "checked" in about):
            self.values[name] = about.get("value", "")
        if tag == "select":
            self._select = name
        if tag == "option" and ("selected" in about or self._select not in self.values):
            self.values[self._select] = about.get("value", "")
        self._area = name if tag == "textarea" else ""
        if tag == "textarea":
            self.values[name] = ""
        if tag == "label":
            self._label = about.get("for", "")

    def handle_data(self, data: str) -> None:
        if self._area:
            # The first line break after the tag is not part of the text.
            self.values[self._area] += data.removeprefix("\n")
        elif self._label and data.strip() and self._label not in self.labels:
            self.labels[self._label] = data.strip()

    def handle_endtag(self, tag: str) -> None:
        if tag in ("textarea", "label"):
            self._area = self._label = ""


@dataclass(frozen=True)
class Browser:
    """A browser without script: it sends both cookies, and the fields of the form it was given."""

    learner: Learner

    @property
    def site(self) -> Site:
        return self.learner.site

    @property
    def headers(self) -> dict[str, str]:
        token = quote(json.dumps({"accessToken": self.learner.token, "user": {}}))
        return {"Cookie": f"userInfo={token}; {self.learner.cookie['Cookie']}", "User-Agent": CHROME}

    async def page(self) -> str:
        return no_script((await self.site.document("/checkout", **self.headers)).html)

    async def form(self) -> dict[str, str]:
        return Forms(await self.page()).values

    async def post(self, fields: dict[str, str], **headers: str) -> "Answer":
        return await post(self.site, fields, {**self.headers, **headers})

    async def order(self, typed: dict[str, str], **changes: str) -> "Answer":
        """The form as it is after an update, sent to be ordered."""
        first = await self.form()
        assert (await self.post({**first, **typed, "do": "update"})).where == (303, "/checkout")
        return await self.post({**await self.form(), "terms": TERMS, "do": "pay", **changes})

    def orders(self) -> int:
        with self.site.db.read_session() as session:
            return session.query(Order).count()


@dataclass(frozen=True)
class Answer:
    status: int
    location: str
    html: str
    cookies: str

    @property
    def where(self) -> tuple[int, str]:
        return self.status, self.location

    @property
    def text(self) -> str:
        """What a person reads."""
        return " ".join(re.sub(r"<[^>]+>", " ", no_script(self.html)).split())


def no_script(html: str) -> str:
    return html.partition('id="no-script">')[2].partition("</section><script")[0]


async def post(site: Site, fields: dict[str, str], headers: dict[str, str]) -> Answer:
    site.client.session.cookie_jar.clear()
    sent = {"Content-Type": "application/x-www-form-urlencoded", "Origin": site.app[SETTINGS].site_origin, **headers}
    response = await site.client.post("/checkout", data=urlencode(fields), headers=sent, allow_redirects=False)
    cookies = " ".join(response.headers.getall("Set-Cookie", []))
    return Answer(response.status, response.headers.get("Location", ""), await response.text(), cookies)


def browser(site: Site, name: str = "Ada Lovelace") -> Browser:
    signed_in = learner(site, name)
    with site.db.write_session() as session:
        session.get_one(LearnerRow, signed_in.id).email = f"{name.split(maxsplit=1)[0].lower()}@example.test"
    return Browser(signed_in)


@pytest.fixture
async def ada(open_checkout) -> Browser:
    return browser(await open_checkout())


async def test_the_form_has_the_names_labels_and_values_of_the_records(ada):
    await ada.learner.add(BOOK)
    await ada.learner.add(VAT)
    await ada.learner.call("checkout", "PUT", values={**BERLIN, "buyer": "business", "billing.other": "yes"})
    _, checkout = await ada.learner.get("checkout")
    form = Forms(await ada.page())
    records = [field for group in checkout["forms"] for field in group["fields"]]
    shown = {record["name"]: form.labels.get(record["name"].replace(".", "-")) for record in records}
    typed = [record for record in records if record["kind"] not in ("radio", "checkbox")]
    assert shown == {record["name"]: record["label"] for record in records} | {"buyer": shown["buyer"]}
    assert {record["name"]: form.values[record["name"]] for record in typed} == {
        record["name"]: record["value"] for record in typed
    }
    assert (form.values["buyer"], form.values["billing.other"], form.values["service"]) == (
        "business",
        "yes",
        "Standard",
    )
    assert json.loads(form.values["seen"]) == checkout["seen"]


@pytest.mark.each_database
async def test_a_book_is_ordered_by_forms_alone_once(selling_site):
    ada = browser(selling_site)
    await ada.learner.add(BOOK)
    first = await ada.order(BERLIN)
    form = await ada.form()
    again = await ada.post({**form, "terms": TERMS, "do": "pay"})
    gateway = ada.site.settings.payments_page_origin
    assert (first.status, first.location.startswith(gateway)) == (303, True)
    assert (again.status, again.location.startswith(gateway), ada.orders()) == (303, True, 1)
    assert "return=" in first.cookies


async def test_a_free_order_needs_no_page_to_pay_on(ada):
    with ada.site.db.write_session() as session:
        factories.coupon(session, "GIFT", value=Decimal(100))
    await ada.learner.code(await ada.learner.add(VAT), "GIFT")
    answer = await ada.order(CALIFORNIA)
    with ada.site.db.read_session() as session:
        [(code, state)] = session.query(Order.code, Order.state).all()
    assert (answer.where, state) == ((303, f"/completed/{code}"), "paid")


async def test_another_country_brings_its_fields_and_what_was_typed_stays(ada):
    await ada.learner.add(BOOK)
    form = {**await ada.form(), **BERLIN, "delivery.country": "US", "delivery.country_area": "CA"}
    await ada.post({**form, "do": "update"})
    assert (await ada.form())["delivery.country_area"] == "CA"
    await ada.post({**await ada.form(), "delivery.country": "DE", "do": "update"})
    german = await ada.form()
    assert ("delivery.country_area" in german, german["delivery.city"]) == (False, "Berlin")
    await ada.post({**german, "delivery.country": "US", "do": "update"})
    assert (await ada.form())["delivery.country_area"] == "CA"


OF_A_BUSINESS = {
    "buyer": "business",
    "billing.company_name": "Northwind",
    "billing.street_address": "1 Main Street",
    "billing.city": "Austin",
}


async def test_a_state_that_follows_from_the_zip_code_is_filled_in_and_ordered(ada):
    await ada.learner.add(VAT)
    await ada.post({**await ada.form(), **OF_A_BUSINESS, "do": "update"})
    empty = {"billing.country_area": ""}
    await ada.post({**await ada.form(), **empty, "billing.postal_code": "90012", "do": "update"})
    assert "Follows from your postal code." in await ada.page()
    assert (await ada.form())["billing.country_area"] == "CA"
    # Another code brings another state while none is chosen.
    answer = await ada.order({"billing.postal_code": "78701", **empty}, **empty)
    assert answer.status == 303, answer.text
    with ada.site.db.read_session() as session:
        assert session.query(Order).one().billing["country_area"] == "TX"


async def test_errors_are_at_their_fields_and_in_a_list_with_links(ada):
    await ada.learner.add(BOOK)
    answer = await ada.order({**BERLIN, "delivery.postal_code": "1", "delivery.name": ""}, terms="")
    assert (answer.status, ada.orders()) == (422, 0)
    assert "3 things need correcting" in answer.text
    for name in ("delivery-postal_code", "delivery-name", "terms"):
        assert f'href="#{name}"' in answer.html
        assert f'aria-describedby="{name}-error"' in answer.html or f' {name}-error"' in answer.html
        assert f'id="{name}-error"' in answer.html
    assert Forms(no_script(answer.html)).values["delivery.city"] == "Berlin"
    assert "Enter your full name." in json.dumps(answer.html)


async def test_changed_prices_are_listed_before_anything_is_placed(ada):
    course = await ada.learner.add(VAT)
    await ada.post({**await ada.form(), **CALIFORNIA, "do": "update"})
    form = await ada.form()
    with ada.site.db.write_session() as session:
        session.get_one(Product, course).sale_price = None
    answer = await ada.post({**form, "terms": TERMS, "do": "pay"})
    assert (answer.status, ada.orders()) == (409, 0)
    assert "VAT basics was $80.00 \u2192 now $100.00 This is its list price now." in answer.text
    shown = Forms(no_script(answer.html)).values
    agreed = await ada.post({**shown, "do": "pay"})
    assert (agreed.status, ada.orders()) == (303, 1)


async def test_after_the_end_of_the_sign_in_the_draft_waits_for_its_learner_alone(selling_site):
    ada = browser(selling_site)
    await ada.learner.add(BOOK)
    form = {**await ada.form(), **BERLIN, "do": "pay"}
    grace = browser(ada.site, "Grace Hopper")
    await grace.learner.add(BOOK)
    assert (await post(ada.site, form, {"User-Agent": CHROME})).where == (303, SIGN_IN)
    assert (await grace.form())["delivery.city"] == ""
    assert ((await ada.form())["delivery.city"], ada.orders()) == ("Berlin", 0)


async def test_without_a_key_of_this_form_nothing_is_stored_or_placed(ada):
    await ada.learner.add(BOOK)
    keys = ada.site.app[FORM_KEYS]
    for key in ("", "x", keys.create("cart", ada.learner.id, datetime.now(UTC))):
        form = {**await ada.form(), **BERLIN, "key": key}
        assert (await post(ada.site, {**form, "do": "update"}, {"User-Agent": CHROME})).where == (303, SIGN_IN)
        for do in ("update", "pay"):
            answer = await ada.post({**form, "terms": TERMS, "do": do})
            assert (answer.status, "belongs to another sign-in" in answer.text) == (409, True)
    assert ((await ada.form())["delivery.city"], ada.orders()) == ("", 0)


async def test_the_form_of_somebody_else_changes_neither_of_the_two(ada):
    await ada.learner.add(BOOK)
    grace = browser(ada.site, "Grace Hopper")
    await grace.learner.add(BOOK)
    form = {**await ada.form(), **BERLIN, "terms": TERMS}
    for do in ("update", "pay"):
        assert (await grace.post({**form, "do": do})).status == 409
    assert ([(await one.form())["delivery.city"] for one in (ada, grace)], ada.orders()) == (["", ""], 0)


async def test_a_form_of_yesterday_is_stored_and_shown_with_a_new_key(ada):
    await ada.learner.add(BOOK)
    old = ada.site.app[FORM_KEYS].create("checkout", ada.learner.id, datetime.now(UTC) - timedelta(hours=25))
    answer = await ada.post({**await ada.form(), **BERLIN, "key": old, "terms": TERMS, "do": "pay"})
    shown = Forms(no_script(answer.html)).values
    assert (answer.status, shown["delivery.city"], ada.orders()) == (409, "Berlin", 0)
    assert (await ada.post({**shown, "terms": TERMS, "do": "pay"})).status == 303


async def test_another_site_and_half_a_sign_in_order_nothing(ada):
    await ada.learner.add(VAT)
    form = {**await ada.form(), **CALIFORNIA, "terms": TERMS, "do": "pay"}
    for origin in ("https://evil.example", "null"):
        assert (await ada.post(form, Origin=origin)).status == 403
    headers = {**ada.headers, "Content-Type": "application/x-www-form-urlencoded"}
    without = await ada.site.client.post("/checkout", data=urlencode(form), headers=headers, allow_redirects=False)
    assert without.status == 403
    for half in (ada.learner.cookie, ada.learner.bearer):
        answer = await post(ada.site, form, {"User-Agent": CHROME, **half})
        assert answer.where == (303, SIGN_IN)
    assert ada.orders() == 0


async def test_signed_out_the_page_leads_to_the_sign_in_and_back(ada):
    response = await ada.site.get("/checkout")
    assert (response.status, response.headers["Location"], response.headers["Cache-Control"]) == (
        *(303, "/login?returnTo=/checkout"),
        "private, no-store",
    )
    assert "returnTo=%2Fcheckout" in no_script((await ada.site.document("/login?returnTo=/checkout")).html)


async def test_an_unknown_button_and_an_unknown_field_change_nothing(ada):
    await ada.learner.add(VAT)
    form = {**await ada.form(), "terms": TERMS}
    assert (await ada.post({**form, "do": "buy"})).status == 422
    assert (await ada.post({**form, "do": "pay", "billing.planet": "Mars"})).status == 422
    assert (await ada.post({**form, "do": "pay", "seen": "{}"})).status == 422
    assert ada.orders() == 0


async def test_while_the_database_is_unavailable_a_page_holds_what_was_typed(ada, monkeypatch):
    await ada.learner.add(BOOK)
    form = {**await ada.form(), **BERLIN, "delivery.name": '"Ada" <b>', "do": "update"}

    async def unavailable(*_: object) -> None:
        raise ServiceUnavailable("The site is temporarily unavailable.")

    with monkeypatch.context() as patch:
        for way in ("read", "read_inline"):
            patch.setattr(ada.site.db, way, unavailable)
        answer = await ada.post(form)
    assert (answer.status, Forms(answer.html).values) == (503, form)
    assert "<script" not in answer.html
    await ada.post(Forms(answer.html).values)
    assert (await ada.form())["delivery.name"] == '"Ada" <b>'


async def test_too_many_orders_are_refused_with_the_form(open_checkout):
    site = await open_checkout(LIMITS="on", CHECKOUTS_PER_LEARNER_MINUTE="1")
    ada = browser(site)
    await ada.learner.add(BOOK)
    answers = [await ada.order({**BERLIN, "delivery.name": ""}) for _ in range(2)]
    assert [answer.status for answer in answers] == [422, 429]
    assert Forms(no_script(answers[1].html)).values["delivery.city"] == "Berlin"


async def test_an_empty_cart_and_an_open_order_are_said(ada):
    assert "There is nothing to order" in (await ada.page())
    await ada.learner.add(BOOK)
    await ada.order(BERLIN)
    page = await ada.page()
    assert "You have an order that is not paid yet" in page
    assert re.search(r'href="/completed/[0-9A-Z]{20}\?back=1"', page)
