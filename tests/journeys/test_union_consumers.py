"""A shop that follows the rules of the Union: the consent at the checkout, and the withdrawal without a sign-in."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.journeys import axe, carts, orders
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.identity import forget_session, messages
from tests.journeys.test_checkout import pay
from tests.support.site import Site, running
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

COURSE = "sql-for-spreadsheet-people"
PAY = re.compile("^Pay")
SENT = "We have received it"


@pytest.fixture(scope="module")
def union_site(todays_demo: Path) -> Iterator[Site]:
    """The demo shop is in the United States: the setting has it follow the rules all the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Site, "filled_database", todays_demo)
        with running(UNION_RULES="on", LIMITS="off", SSR_WORKERS="1", PAYMENTS_WAIT_MS="20000") as site:
            yield site


@pytest.mark.soak
@pytest.mark.parametrize("width", axe.WIDTHS)
async def test_a_buyer_consents_pays_and_withdraws_signed_out(
    union_site: Site, new_visitor: NewVisitor, width: int
) -> None:
    visitor = await new_visitor(width, site=union_site, bypass_csp=True)
    code, email = await buy(visitor, f"union{width}")
    await withdraw(visitor, code, email)
    await until(lambda: has_receipt(visitor, code, email))
    assert refunds(union_site, code) == ["withdrawal"]


async def buy(visitor: Visitor, name: str) -> tuple[str, str]:
    """A course bought from Germany, first without the consent; the code and the address of the order."""
    page, site = visitor.page, visitor.site
    visitor.expect("422")
    learner_id, token = orders.new_learner(site, name)
    await orders.sign_in(visitor, token)
    await carts.add(page, carts.find_product(site, COURSE))
    await until(lambda: site.query("SELECT id FROM cart_lines WHERE learner_id = ?", learner_id) != [])
    await visitor.open("/checkout")
    await page.get_by_label("Country or region").select_option("DE")
    consent = page.get_by_label(re.compile("^Begin at once, before the 14 days to withdraw are over"))
    await expect(consent).not_to_be_checked()
    await page.get_by_label("Full name").fill("Ada Lovelace")
    await visitor.settled()
    await page.get_by_role("button", name=PAY).click()
    refused = page.get_by_role("alert").get_by_role("link", name=re.compile("^Digital content: Tick this box"))
    await expect(refused).to_be_visible()
    await axe.check_themes(page)
    await refused.click()
    await expect(consent).to_be_focused()
    await consent.check()
    await visitor.settled()
    await page.get_by_role("button", name=PAY).click()
    await pay(visitor)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Thank you: your order is paid")
    [(code, email)] = site.query("SELECT code, email FROM orders WHERE learner_id = ?", learner_id)
    return code, email


async def withdraw(visitor: Visitor, code: str, email: str) -> None:
    """From the foot of a page, signed out, in two steps."""
    page = visitor.page
    await forget_session(visitor)
    await visitor.open("/about")
    await page.get_by_role("link", name="Withdraw from contract").click()
    await page.get_by_label("Code of the order").fill(code)
    await page.get_by_label("Email address of the order").fill(email)
    await axe.check_themes(page)
    await page.get_by_role("button", name="Continue").click()
    await expect(page.get_by_text(f"I withdraw from the contract of order {code}")).to_be_visible()
    assert refunds(visitor.site, code) == []
    await axe.check_themes(page)
    await page.get_by_role("button", name="Confirm withdrawal").click()
    await expect(page.get_by_role("status").filter(has_text=SENT)).to_be_visible()
    await axe.check_themes(page)


async def has_receipt(visitor: Visitor, code: str, email: str) -> bool:
    """Whether the mail has come that a buyer keeps; that of the refund may have come after it."""
    subjects = [message.get("subject") for message in await messages(visitor, email)]
    return f"We received your withdrawal from order {code}" in subjects


def refunds(site: Site, code: str) -> list[str]:
    """The reasons of the refunds of an order."""
    statement = "SELECT reason FROM refunds JOIN orders ON orders.id = refunds.order_id WHERE orders.code = ?"
    return [reason for (reason,) in site.query(statement, code)]
