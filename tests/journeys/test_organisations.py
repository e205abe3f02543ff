"""An organisation applies and is approved; people join it by mail, from a file, with a code, and by their address."""

import contextlib
import re
import sqlite3

import pytest
from playwright.async_api import Page, expect

from tests.journeys import carts
from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.identity import sign_in
from tests.support.waiting import LIMIT_S, until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

LIMIT_MS = LIMIT_S * 1000
FILE = b"email,name,team\npetra.file@example.test,Petra File,Sales\nnobody,,\n"


def execute(visitor: Visitor, statement: str, *values: object) -> None:
    """A change that no page makes, such as an address that the provider has verified."""
    path = visitor.site.var_dir / "coursefront.db"
    with contextlib.closing(sqlite3.connect(path, timeout=LIMIT_S)) as connection, connection:
        connection.execute(statement, values)


async def apply(page: Page) -> None:
    await page.get_by_label("Name of the organisation").fill("Sundbakken School")
    await page.get_by_label("Short name").fill("sundbakken")
    await page.get_by_label("Website").fill("https://sundbakken.example")
    await page.get_by_label("How many people").fill("45")
    await page.get_by_label("Email domains").fill("sundbakken.example")
    await page.get_by_label("What do you need?").fill("Everyday data protection for all teachers, from August.")
    await page.get_by_role("button", name="Send application").click()
    await expect(page.get_by_text("Accept the terms to apply.")).to_be_visible()
    await page.get_by_label("I may apply for this organisation").check()
    await page.get_by_role("button", name="Send application").click()


async def test_an_organisation_applies_is_asked_answers_and_is_approved(new_visitor: NewVisitor) -> None:
    applicant, staff = await new_visitor(), await new_visitor()
    await applicant.open("/organization-register")
    page = applicant.page
    await expect(page.get_by_role("link", name="Create an account")).to_be_visible()
    await check_page(page)
    await sign_in(applicant, "support")
    await applicant.open("/organization-register")
    await expect(page.get_by_role("button", name="Send application")).to_be_visible()
    await check_page(page)
    await apply(page)
    await expect(page.get_by_role("heading", name="Sundbakken School")).to_be_visible(timeout=LIMIT_MS)
    await expect(page.get_by_text("You have our answer by")).to_be_visible()
    await check_page(page)

    await sign_in(staff, "admin", return_to="/admin/organisations?state=submitted", area="admin")
    office = staff.page
    await check_page(office)
    await office.get_by_role("link", name="Sundbakken School").click()
    await expect(office.get_by_role("heading", name="Sundbakken School")).to_be_visible(timeout=LIMIT_MS)
    await check_page(office)
    await office.get_by_label("Question").fill("How many teachers are there?")
    await office.get_by_role("button", name="Send question").click()
    await expect(office.get_by_role("heading", name=re.compile("^Staff: Amara"))).to_be_visible(timeout=LIMIT_MS)

    await page.reload()
    await expect(page.get_by_text("How many teachers are there?")).to_be_visible(timeout=LIMIT_MS)
    await page.get_by_label("Your answer").fill("Forty.")
    await page.get_by_role("button", name="Send answer").click()
    await expect(page.get_by_text("With us", exact=True)).to_be_visible(timeout=LIMIT_MS)

    await office.reload()
    await office.get_by_label("Email domains").select_option("approve")
    await office.get_by_role("button", name="Approve organisation").click()
    await expect(office.get_by_text("Remove a domain")).to_be_visible(timeout=LIMIT_MS)
    await page.reload()
    await expect(page.get_by_role("link", name="Open its area")).to_be_visible(timeout=LIMIT_MS)


async def join(visitor: Visitor, path: str, organisation: str, *, is_checked: bool = False) -> None:
    """The card of this address is accepted; with `is_checked` it is held to be for everyone."""
    page = visitor.page
    await visitor.open(path)
    button = page.get_by_role("button", name=f"Join {organisation}")
    await expect(button).to_be_visible(timeout=LIMIT_MS)
    await expect(page).to_have_url(re.compile("/user-dashboard$"))
    await expect(page.get_by_text(f"Managers of {organisation} see your name")).to_be_visible()
    if is_checked:
        await check_page(page)
    await button.click()
    await expect(page.get_by_text(f"You belong to {organisation} now.")).to_be_visible(timeout=LIMIT_MS)
    await expect(button).to_have_count(0)


async def link_of(visitor: Visitor, address: str) -> str:
    """The path of the link in the newest mail to an address."""
    found: list[str] = []

    async def look() -> bool:
        answer = await visitor.context.request.get(f"http://127.0.0.1:{visitor.site.port + 1}/dev/outbox?to={address}")
        messages = (await answer.json())["messages"]
        found.extend(re.findall(r"/user-dashboard\?inviteToken=[\w-]+", str(messages)))
        return bool(found)

    await until(look, every_s=0.2)
    return found[0]


async def test_people_join_by_mail_from_a_file_with_a_code_and_by_their_address(new_visitor: NewVisitor) -> None:
    owner = await new_visitor()
    await sign_in(owner, "owner", return_to="/organization/members/invite", area="organisation")
    office = owner.page
    await check_page(office)
    await office.get_by_label("Email").fill("maja.mail@example.test")
    await office.get_by_label("Role").select_option("member")
    await office.get_by_label("Contract").select_option(index=1)
    await office.get_by_role("button", name="Send invitation").click()
    await expect(office.get_by_text("The invitation is on its way.")).to_be_visible(timeout=LIMIT_MS)
    invited = await new_visitor()
    await carts.sign_in(invited, "maja.mail")
    await join(invited, await link_of(owner, "maja.mail@example.test"), "Harbour Trust", is_checked=True)

    await owner.open("/organization/members/file")
    await check_page(office)
    await office.locator("input[type=file]").set_input_files(
        {"name": "people.csv", "mimeType": "text/csv", "buffer": FILE}
    )
    await office.get_by_role("button", name="Check the file").click(timeout=LIMIT_MS)
    await expect(office.get_by_text("Line 3: Enter an email address.")).to_be_visible(timeout=LIMIT_MS)
    await check_page(office)
    await office.get_by_role("button", name="Send 1 invitation").click()
    from_file = await new_visitor()
    await carts.sign_in(from_file, "petra.file")
    await join(from_file, await link_of(owner, "petra.file@example.test"), "Harbour Trust")

    await owner.open("/organization/profile")
    await expect(office.get_by_text("HARB-4RTR-5T22")).to_be_visible()
    await check_page(office)
    with_code = await new_visitor()
    await carts.sign_in(with_code, "carl.code")
    await join(with_code, "/user-dashboard?joinCode=harb-4rtr-5t22", "Harbour Trust")

    by_address = await new_visitor()
    number = await carts.sign_in(by_address, "dora.domain")
    address = ("dora@northwind-foods.example", number)
    execute(by_address, "UPDATE learners SET email = ?, email_verified = 1 WHERE id = ?", *address)
    await join(by_address, "/user-dashboard", "Northwind Foods")

    await owner.open("/organization/members")
    for name in ("Maja.Mail", "Petra.File", "Carl.Code"):
        await expect(office.get_by_role("link", name=name)).to_be_visible(timeout=LIMIT_MS)
    await check_page(office)
    await owner.open("/organization/invitations")
    await expect(office.get_by_role("row", name=re.compile("maja.mail@example.test.*Accepted"))).to_be_visible()
    await office.get_by_role("link", name="lea.fontaine@harbour-trust.example").click()
    await expect(office.get_by_role("button", name="Take back")).to_be_visible(timeout=LIMIT_MS)
    await check_page(office)
