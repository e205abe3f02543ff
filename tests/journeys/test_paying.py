"""Paying when it does not go straight: a challenge that fails, going back after paying, a page that opens late."""

import contextlib
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import stripe
from playwright.async_api import Error, expect
from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.cart import lines as cart_lines
from domain.tables import Order, Payment, Product
from tests.journeys import orders
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.test_payment_page import type_card
from tests.support.faults.buyers import Standin
from tests.support.site import Site
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

COURSE = "sql-for-spreadsheet-people"
CHALLENGED = "4000 0025 0000 3155"
PAID = "Thank you: your order is paid"


async def order_by_form(visitor: Visitor, name: str) -> tuple[int, int]:
    """A learner on the page to pay on, sent there by the checkout: their number, and the length of the history at its
    form."""
    learner_id, token = orders.new_learner(visitor.site, name)
    with orders.writing(visitor.site) as session:
        course = session.scalars(select(Product.id).where(Product.slug == COURSE)).one()
        assert cart_lines.add(session, learner_id, course, datetime.now(UTC)) is None
    await orders.sign_in(visitor, token)
    page = visitor.page
    await visitor.open("/checkout")
    await page.get_by_label("Full name").fill("Ada Lovelace")
    await page.get_by_label("State").select_option("TX")
    if visitor.has_script:
        await visitor.settled()
    else:
        # The tax of the state is seen before anything is ordered.
        async with page.expect_navigation():
            await page.get_by_role("button", name="Update the form (Billing)").click()
    entries = await page.evaluate("history.length")
    await page.get_by_role("button", name=re.compile("^Pay")).click()
    await expect(page.get_by_label("Card number")).to_be_visible()
    return learner_id, entries


def charges(site: Site, learner_id: int) -> int:
    codes = {code for (code,) in site.query("SELECT code FROM orders WHERE learner_id = ?", learner_id)}
    return sum(line["kind"] == "charge" and line["client_reference_id"] in codes for line in Standin(site).money())


async def test_a_challenge_fails_then_passes_and_going_back_after_paying_changes_nothing(visitor: Visitor) -> None:
    learner_id, entries_of_form = await order_by_form(visitor, "chiara")
    page, site = visitor.page, visitor.site
    await type_card(visitor, CHALLENGED)
    await page.get_by_role("button", name=re.compile("^Pay ")).click()
    await page.get_by_role("button", name="Fail authentication").click()
    await expect(page.get_by_role("alert")).to_contain_text("not been charged")
    assert charges(site, learner_id) == 0
    await type_card(visitor, CHALLENGED)
    await page.get_by_role("button", name=re.compile("^Pay ")).click()
    await page.get_by_role("button", name="Complete authentication").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(PAID)
    # All the way back to the form, past the gateway's pages.
    entries = await page.evaluate("history.length")
    with contextlib.suppress(Error):
        await page.evaluate(f"history.go({entries_of_form - entries})")
    await page.wait_for_url("**/checkout")
    await expect(page.get_by_text("Your cart is empty.")).to_be_visible()
    await page.goto("/completed/" + site.query("SELECT code FROM orders WHERE learner_id = ?", learner_id)[0][0])
    await expect(page.get_by_role("heading", level=1)).to_have_text(PAID)
    assert site.query("SELECT state FROM orders WHERE learner_id = ?", learner_id) == [("paid",)]
    assert charges(site, learner_id) == 1


@pytest.mark.parametrize(
    "has_script", [pytest.param(True, marks=pytest.mark.soak), False], ids=["with script", "without script"]
)
async def test_whoever_pays_late_and_returns_after_the_sign_in_sees_the_state_and_signs_in_for_the_rest(
    new_visitor: NewVisitor, has_script: bool
) -> None:
    """Paid in minute 44, seen in minute 70: the browser has dropped the sign-in, and keeps the return cookie."""
    visitor = await new_visitor(390, java_script_enabled=has_script)
    page, site = visitor.page, visitor.site
    learner_id, _ = await order_by_form(visitor, f"late{has_script}".lower())
    [(code,)] = site.query("SELECT code FROM orders WHERE learner_id = ?", learner_id)
    for cookie in await visitor.context.cookies():
        if cookie["name"] != "return":
            await visitor.context.clear_cookies(name=cookie["name"])
    await type_card(visitor, "4242 4242 4242 4242")
    await page.get_by_role("button", name=re.compile("^Pay ")).click()
    await expect(page.get_by_role("heading", level=1, name=PAID)).to_be_visible()
    main = page.locator("main" if has_script else "#no-script")
    await expect(main).to_contain_text(f"Order {code}")
    for unsaid in ("SQL for", "Ada Lovelace", "$", "Texas", "@example.test"):
        await expect(main).not_to_contain_text(unsaid)
    link = page.get_by_role("link", name="Sign in to see your order")
    await expect(link).to_have_attribute("href", re.compile(rf"^/login\?returnTo=.*{code}"))
    assert [name for name in await names_of(visitor) if name.startswith(("userInfo", "session"))] == []
    assert charges(site, learner_id) == 1


async def names_of(visitor: Visitor) -> list[str]:
    return [cookie["name"] for cookie in await visitor.context.cookies()]


def let_it_open_later(site: Site, code: str) -> None:
    """As another process that has the lease, and a gateway that is slow."""
    with orders.writing(site) as session:
        payment_of(session, code).leased_until = datetime.now(UTC) + timedelta(minutes=1)


def open_it(site: Site, code: str) -> str:
    """The gateway has opened the page; its address."""
    client = stripe.StripeClient("sk_test_standin", base_addresses={"api": Standin(site).origin})
    price: Any = {"currency": "usd", "unit_amount": 4_900, "product_data": {"name": "A course"}}
    back = f"http://localhost:{site.port}/completed/{code}"
    hosted = client.v1.checkout.sessions.create(
        {
            "mode": "payment",
            "line_items": [{"price_data": price, "quantity": 1}],
            "success_url": back,
            "cancel_url": back,
            "customer_email": "ada@example.test",
        }
    )
    with orders.writing(site) as session:
        payment = payment_of(session, code)
        payment.state, payment.session_id, payment.url = "open", hosted.id, hosted.url
        payment.leased_until, payment.expires_at = None, datetime.now(UTC) + timedelta(minutes=31)
    return str(hosted.url)


def payment_of(session: Session, code: str) -> Payment:
    return session.scalars(select(Payment).join(Order, Order.id == Payment.order_id).where(Order.code == code)).one()


@pytest.mark.parametrize("has_script", [True, False], ids=["with script", "without script"])
async def test_whoever_waits_for_the_page_to_pay_on_gets_there_without_a_press(
    new_visitor: NewVisitor, has_script: bool
) -> None:
    visitor = await new_visitor(390, java_script_enabled=has_script)
    page, site = visitor.page, visitor.site
    learner_id, token = orders.new_learner(site, f"wanda{has_script}".lower())
    with orders.writing(site) as session:
        code = orders.place(session, learner_id, COURSE).code
    let_it_open_later(site, code)
    await orders.sign_in(visitor, token)
    await page.goto(f"/completed/{code}?open=1")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Opening the page to pay on")
    await expect(page.get_by_role("button", name="Go on to payment")).to_have_count(0)
    address = open_it(site, code)
    await until(lambda: page.url == address)
    await expect(page.get_by_label("Card number")).to_be_visible()
