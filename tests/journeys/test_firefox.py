"""The main journeys in Firefox, which runs other code than Chromium for navigation, storage and forms."""

import json
import shutil
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from urllib.parse import quote

import pytest
import pytest_asyncio
from sqlalchemy import select

from domain.cart import lines as cart_lines
from domain.tables import Product
from tests.conftest import missing
from tests.journeys import carts, orders
from tests.journeys.conftest import TRACE
from tests.journeys.firefox import Firefox, start_firefox
from tests.journeys.identity import PASSWORD
from tests.support.site import Site

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


# How many visits this document has sent.
VISITS = f"performance.getEntriesByType('resource').filter(({{ name }}) => name.endsWith('{TRACE}')).length"


# This file alone starts it: an idle Firefox takes a fifth of a core for minutes.
@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def started_firefox(site: Site) -> AsyncIterator[Firefox]:
    binary = shutil.which("firefox-esr") or shutil.which("firefox")
    if binary is None:
        missing("Firefox")
    started = await start_firefox(binary, f"http://localhost:{site.port}")
    yield started
    await started.end()


@pytest_asyncio.fixture(loop_scope="session")
async def firefox(started_firefox: Firefox) -> AsyncIterator[Firefox]:
    """What a test leaves in its browser, such as the lines of a guest, is not carried into the account that the next
    signs in to."""
    yield started_firefox
    await started_firefox.forget()


async def test_a_search_from_the_home_page(firefox: Firefox) -> None:
    await firefox.open("/")
    await firefox.click("input[role=combobox]")
    await firefox.type("vat\n")
    await firefox.wait_for("location.pathname === '/search' && location.search === '?q=vat'")
    await firefox.wait_for("document.querySelector('main a[href^=\"/course-details\"]')")


async def test_client_navigation_back_forward_and_to_a_part_of_a_page(firefox: Firefox) -> None:
    await firefox.open("/shop")
    await firefox.evaluate("window.sameDocument = true")
    await firefox.click("main a[href^='/course-details']")
    await firefox.wait_for("location.pathname === '/course-details' && document.querySelector('#reviews')")
    await firefox.go(-1)
    await firefox.wait_for("location.pathname === '/shop' && document.querySelector('#filters')")
    await firefox.go(1)
    await firefox.wait_for("document.querySelector('#reviews')")
    await firefox.wait_for("window.sameDocument")
    await firefox.click(".section-nav a[href='#reviews']")
    await firefox.wait_for("location.hash === '#reviews' && scrollY > 300")
    await firefox.go(-1)
    await firefox.wait_for("location.hash === '' && scrollY < 300")
    await firefox.go(1)
    await firefox.wait_for("scrollY > 300 && document.activeElement.id !== 'main'")


async def test_a_page_from_the_back_forward_cache_counts_a_visit_and_reads_the_cart_anew(
    firefox: Firefox, site: Site
) -> None:
    """The headless shell of Chromium has no such cache, whatever its options are: this is the only real return."""
    line = carts.wire_line(carts.products(site, "course")[0])
    await firefox.open("/about")
    await firefox.evaluate("addEventListener('pageshow', ({ persisted }) => { window.isRestored = persisted })")
    await firefox.wait_for(f"{VISITS} === 1")
    await firefox.wait_for("document.querySelector('.cart-button') && !document.querySelector('.cart-button__count')")
    # Firefox does not keep a page that still waits for an answer: the last is that about the special offer.
    await firefox.wait_for("document.cookie.includes('specialcouponid=')")
    await firefox.evaluate("location.assign('/login')")
    await firefox.wait_for("location.pathname === '/login' && document.documentElement.dataset.hydrated === ''")
    await firefox.evaluate(f"localStorage.setItem('cart_products', {json.dumps(json.dumps([line]))})")
    await firefox.go(-1)
    await firefox.wait_for("window.isRestored === true")
    await firefox.wait_for(f"{VISITS} === 2")
    await firefox.wait_for("document.querySelector('.cart-button__count')?.textContent.startsWith('1')")


@pytest.mark.soak
async def test_a_course_on_the_wishlist_one_in_the_cart_and_a_coupon_that_is_refused(firefox: Firefox) -> None:
    await firefox.open("/shop")
    await firefox.click("main button[aria-label^='Add to cart']")
    await firefox.wait_for("document.querySelector('.cart-button__count')?.textContent.startsWith('1')")
    await firefox.click("main a[href^='/course-details']")
    await firefox.click(".wishlist-button[aria-pressed=false]")
    await firefox.wait_for("document.querySelector('.wishlist-button[aria-pressed=true]')")
    await firefox.open("/wishlist")
    await firefox.wait_for("document.querySelector('main li')")
    await firefox.open("/cart")
    await firefox.click(".coupon .code-form input")
    await firefox.type("NOSUCHCODE\n")
    await firefox.wait_for(
        "document.querySelector('.coupon .code-form .code-form__problem').textContent.includes('cannot be used')"
    )


async def test_signing_in_and_the_profile(firefox: Firefox) -> None:
    await firefox.open("/login?returnTo=/profile")
    await firefox.click("input[name=username]")
    await firefox.type("ada\n")
    await firefox.click("input[name=password]")
    await firefox.type(f"{PASSWORD}\n")
    await firefox.wait_for("location.pathname === '/profile' && document.querySelector('#names input')?.value")
    assert await firefox.evaluate("document.querySelector('#names input').value") == "Ada"


async def test_a_course_is_ordered_and_paid(firefox: Firefox, site: Site) -> None:
    learner_id, token = orders.new_learner(site, "fennimore")
    with orders.writing(site) as session:
        course = session.scalars(select(Product.id).where(Product.slug == "sql-for-spreadsheet-people")).one()
        assert cart_lines.add(session, learner_id, course, datetime.now(UTC)) is None
    name, _, value = token["cookie"].partition("=")
    user = {"accessToken": token["accessToken"], "user": {"AAUserID": learner_id, "Email": ""}}
    await firefox.set_cookie("userInfo", quote(json.dumps(user)))
    await firefox.set_cookie(name, value, is_http_only=True)
    await firefox.open("/checkout")
    for field, text in (("#billing-name", "Fennimore F"), ("#billing-country_area", "T")):
        await firefox.wait_for(f"document.querySelector('{field}')")
        await firefox.evaluate(f"document.querySelector('{field}').focus()")
        await firefox.type(text)
    await firefox.wait_for("document.querySelector('#billing-country_area').value.startsWith('T')")
    # With the tax of the area: until then the button names no amount, and a press would show the new total first.
    await firefox.wait_for("/[0-9]/.test(document.querySelector('.checkout__pay button').textContent)")
    await firefox.evaluate("document.querySelector('.checkout__pay button').focus()")
    await firefox.type("\n")
    card = {"#number": "4242424242424242", "#expiry": "1234", "#cvc": "123", "#name": "Fennimore\n"}
    for field, text in card.items():
        await firefox.wait_for(f"document.querySelector('{field}')")
        await firefox.evaluate(f"document.querySelector('{field}').focus()")
        await firefox.type(text)
    await firefox.wait_for("document.querySelector('h1')?.textContent === 'Thank you: your order is paid'")
    assert site.query("SELECT state FROM orders WHERE learner_id = ?", learner_id) == [("paid",)]
