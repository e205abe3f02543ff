"""A gift from the shop to the recipient's courses: bought and paid, mailed, accepted by somebody else."""

import re

import pytest
from playwright.async_api import expect

from tests.journeys import axe, identity, orders
from tests.journeys.carts import find_product
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.learning.learners import student
from tests.journeys.test_checkout import pay
from tests.support.site import Site
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

COURSE = "delegation-that-holds"
TO = "grete@example.test"
LINK = re.compile(r"http://localhost:\d+(/user-dashboard\?giftToken=[\w-]+)")


async def buy(visitor: Visitor) -> None:
    """From the course's page to the page after the payment."""
    page = visitor.page
    await visitor.open(find_product(visitor.site, COURSE).href)
    await page.get_by_role("button", name="Give as a gift").click()
    await expect(page.get_by_text("A gift for somebody else.")).to_be_visible()
    await visitor.open("/checkout")
    await page.get_by_label("Email address of the recipient").fill(TO)
    await page.get_by_label("Message to the recipient").fill("For your new team.")
    await page.locator("#billing-name").fill("Gina Gold")
    await page.locator("#billing-country_area").select_option(label="Texas")
    await visitor.settled()
    await page.get_by_role("button", name=re.compile("^Pay")).click()
    await expect(page.get_by_label("Card number")).to_be_visible()
    await pay(visitor)


def state(site: Site) -> str:
    [(text,)] = site.query("SELECT state FROM gifts WHERE recipient_email = ?", TO)
    return str(text)


async def test_a_gift_is_bought_mailed_sent_again_and_accepted_by_somebody_else(new_visitor: NewVisitor) -> None:
    giver = await new_visitor(bypass_csp=True)
    _, token = orders.new_learner(giver.site, "gina")
    await orders.sign_in(giver, token)
    await buy(giver)
    site, page = giver.site, giver.page
    await until(lambda: site.query("SELECT id FROM gifts WHERE recipient_email = ? AND state = 'sent'", TO) != [])
    await page.get_by_role("link", name="See the whole order").click()
    await expect(page.get_by_text(f"A gift for {TO}. Not accepted yet.")).to_be_visible()
    await axe.check_page(page)
    await page.get_by_role("button", name="Send the email again").click()
    await expect(page.get_by_text(f"We have written to {TO} again.")).to_be_visible()

    recipient = await new_visitor(390, bypass_csp=True)
    letter = await identity.outbox(recipient, TO)
    link = LINK.search(letter["text"])
    assert link is not None
    await giver.open(link[1])
    await expect(page.get_by_text("This is your own gift")).to_be_visible()

    own = recipient.page
    await recipient.open(link[1])
    await expect(own.get_by_text(re.compile("gave you “"))).to_be_visible()
    await expect(own.get_by_role("link", name="Create an account")).to_have_attribute("href", re.compile("giftToken"))
    await axe.check_page(own)
    await own.get_by_role("link", name="Create an account").click()
    await expect(own.get_by_label("First name")).to_be_visible()
    await expect(own.get_by_text(re.compile("gave you “.*”. Create your account to accept it."))).to_be_visible()
    grete = student(site, "grete")
    await grete.sign_in(recipient)
    await recipient.open(link[1])
    await expect(own.get_by_role("heading", name="A gift from")).to_be_visible()
    await expect(own).to_have_url(re.compile("/user-dashboard$"))
    await expect(own.get_by_text("For your new team.")).to_be_visible()
    await axe.check_page(own)
    await own.get_by_role("button", name="Accept the gift").click()
    await expect(own.get_by_text("It is yours now.")).to_be_visible()
    course = own.get_by_role("region", name="My courses").get_by_role("link", name=re.compile("^Delegation"))
    await expect(course.first).to_be_visible()
    assert state(site) == "claimed"
    await own.get_by_role("link", name=re.compile("^Go to Delegation")).click()
    await expect(own.get_by_role("heading", level=1)).to_have_text(grete.lessons(COURSE)[0].title)

    late = await new_visitor(java_script_enabled=False)
    await student(site, "later").sign_in(late)
    await late.page.goto(link[1])
    await expect(late.page.get_by_text("This link opens no gift")).to_be_visible()
    # Neither visits nor the address to go to after the sign-in keep the token.
    shown = "SELECT url FROM visits WHERE url LIKE '%giftToken%'"
    await until(lambda: site.query(shown) != [])
    secret = link[1].partition("=")[2]
    assert site.query("SELECT url FROM visits WHERE url LIKE ?", f"%{secret}%") == []
