"""Shops of other locales: browsers, whose own data of locales is older or newer than Node's, take over what Node wrote,
and pages, mails and documents have the same text of an amount."""

import json
import shutil
import tempfile
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
import pytest_asyncio
from sqlalchemy import select

from domain import money
from domain.display_text import money_text
from domain.tables import Product
from tests.conftest import missing
from tests.journeys import orders
from tests.journeys.conftest import NewVisitor
from tests.journeys.firefox import Firefox, start_firefox
from tests.support.site import Site, running

pytestmark = [pytest.mark.journey, pytest.mark.soak, pytest.mark.asyncio(loop_scope="session")]

COURSE = "/course-details?course=bookkeeping-from-first-principles"
SHOPS = {
    "nb-NO": "NOK",
    "de-CH": "CHF",
    "fr-CH": "CHF",
    "es-ES": "EUR",
    "it-IT": "EUR",
    "hu-HU": "HUF",
    "uk-UA": "UAH",
    "th-TH": "THB",
    "ar-EG": "EGP",
    "en-IN": "INR",
    "en-ZA": "ZAR",
    "ja-JP": "JPY",
    # Chromium has no data of these two.
    "is-IS": "ISK",
    "hy-AM": "AMD",
}
# The browser sends an error of React, also one that it recovers from, to the host.
HAS_REPORTED = "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/client-errors'))"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def firefox(site: Site) -> AsyncIterator[Firefox]:
    binary = shutil.which("firefox-esr") or shutil.which("firefox")
    if binary is None:
        missing("Firefox")
    started = await start_firefox(binary, f"http://localhost:{site.port}")
    yield started
    await started.end()


@pytest.mark.parametrize("shop", SHOPS.items(), ids=SHOPS)
async def test_browsers_take_over_every_page_as_it_was_written(
    new_visitor: NewVisitor, firefox: Firefox, monkeypatch: pytest.MonkeyPatch, shop: tuple[str, str]
) -> None:
    locale, code = shop
    currency = money.currency(code)
    monkeypatch.setattr(orders, "SHOP", replace(orders.SHOP, currency=currency, locale=locale))
    # A shop's database keeps its currency: a demo shop for each.
    folder = Path(tempfile.mkdtemp(prefix="cf-site-"))
    settings = {"LOCALE": locale, "CURRENCY": code, "SSR_WORKERS": "1", "REDIS_URL": "none", "LIMITS": "off"}
    with running(folder, **settings) as other:
        learner, token = orders.new_learner(other, "locale")
        with orders.writing(other) as session:
            priced = select(Product.slug).where(Product.status == "published", Product.kind == "course")
            slug = session.scalars(priced.where(Product.list_price > 0).order_by(Product.id)).first()
            order = orders.place(session, learner, str(slug))
            address, total = f"/order/{order.code}", order.total_minor
        paths = ["/", "/shop", COURSE, "/cart", "/checkout", address]
        visitor = await new_visitor(site=other)
        await orders.sign_in(visitor, token)
        for path in paths:
            await visitor.open(path)
            await visitor.settled()
        text = await visitor.page.locator("main").inner_text()
        assert money_text(total, currency, locale) in text
        firefox.base_url = f"http://localhost:{other.port}"
        name, _, value = token["cookie"].partition("=")
        await firefox.set_cookie(name, value, is_http_only=True)
        user = {"accessToken": token["accessToken"], "user": {"AAUserID": learner, "Email": ""}}
        await firefox.set_cookie("userInfo", quote(json.dumps(user)))
        for path in paths:
            await firefox.open(path)
            await firefox.wait_for("document.querySelector('main h1')")
            assert await firefox.evaluate(HAS_REPORTED) is False, path
