"""A school without any data: first administrator, first course, organisation, buyer, certificate and refund."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.async_api import FilePayload, Page, expect

from host.cli.staff import audit, roles
from tests.adapters.images.pictures import encoded, plain
from tests.journeys import carts
from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.identity import sign_in
from tests.journeys.test_admin_pictures import LIMIT_MS, send
from tests.journeys.test_cart_codes import summary, use
from tests.journeys.test_organisations import link_of
from tests.journeys.test_payment_page import type_card
from tests.support.site import Site, running
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

COURSE, SLUG = "Polish for Beginners", "polish-for-beginners"
BOOK, COUPON = "Polish Verbs", "WELCOME10"
TEACHER, PORTRAIT, COVER = "Jan Nowak", "Jan Nowak at a board", "Letters of the Polish alphabet"
FILM, QUIZ = "How it sounds", "Test"
SECTIONS = {
    "Basics": ["Alphabet", FILM, "Greetings", "Numbers", "Days and months"],
    "Conversation": ["At the table", "On the way", "At work", "On the telephone", QUIZ],
}
VIDEO = Path("domain/seed/lessons/vat-fundamentals-finance-teams/files/one-chair-four-invoices.webm")
CAPTIONS = "WEBVTT\n\n00:00.000 --> 00:02.000\nDzień dobry.\n"
ADDRESS = {"Full name": "Marta Kowalska", "Address": "Linienstraße 1", "Postal code": "10115", "City": "Berlin"}
# What staff and the organisation have done by the end, the newest first; each change of lessons is one.
RECORDED = [
    "order.approve_refund", "order.ship", "order.refund", "seat.assign", "member.join", "invitation.send",
    "contract.create", "organisation.approve", "organisation.apply", "coupon.create", "item.publish", "item.edit",
    "item.create", "tax_rate.add", "delivery_rate.add", "course.publish", "price.change", "course.edit_lessons",
    "product.set_image", "course.edit", "course.create", "instructor.set_image", "instructor.edit", "instructor.create",
    "category.create", "staff.sign_in", "staff.add",
]  # fmt: skip


@pytest.fixture(scope="module")
def empty_site(sqlite_template: Path) -> Iterator[Site]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Site, "filled_database", sqlite_template)
        settings = {"DEMO_SHOP": "off", "LIMITS": "off", "SSR_WORKERS": "1", "PAYMENTS_WAIT_MS": "20000"}
        with running(DATABASE_DEADLINE_MS="20000", **settings) as site:
            yield site


async def test_a_school_without_data_gets_its_first_administrator(empty_site: Site, new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(site=empty_site)
    await become_administrator(visitor)
    await expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Overview")


# Each part is a journey of its own at the demo shop: of courses, organisations, seats, orders, and certificates.
@pytest.mark.soak
async def test_a_new_school_sells_teaches_certifies_refunds_and_finds_all_of_it_recorded(
    empty_site: Site, new_visitor: NewVisitor
) -> None:
    staff, manager, buyer, member = [await new_visitor(site=empty_site) for _ in range(4)]
    await become_administrator(staff)
    await make_category_and_teacher(staff)
    await make_course(staff)
    await make_rates(staff)
    await make_book(staff)
    await make_coupon(staff.page)
    await agree_on_seats(staff, manager)
    await assign_seat(manager, member)
    await buy(buyer)
    await learn(buyer.page)
    await refund(staff, buyer)
    await sell_book(staff, buyer)
    await staff.open("/admin/audit?columns=event&columns=action")
    for action in RECORDED:
        await expect(staff.page.get_by_role("cell", name=action, exact=True).first).to_be_visible()
    assert "are as they were recorded" in empty_site.command(audit, "verify")


async def become_administrator(visitor: Visitor) -> None:
    """The one step that is no screen."""
    page = visitor.page
    await visitor.open("/shop")
    await expect(page.get_by_text("The first courses are on their way")).to_be_visible()
    await sign_in(visitor, "admin", return_to="/user-dashboard")
    text = await page.get_by_text(re.compile("^Your number is")).inner_text()
    [number] = re.findall(r"S-\w{4}-\w{4}", text)
    visitor.site.command(roles, "add", number, "administrator")
    await sign_in(visitor, "admin", return_to="/admin", area="admin")
    await expect(page.get_by_role("region", name="First steps").get_by_role("link")).to_have_count(4)
    await check_page(page)


async def make_category_and_teacher(visitor: Visitor) -> None:
    """The teacher with a picture."""
    page = visitor.page
    await visitor.open("/admin/courses/new")
    await page.get_by_role("link", name="Create the first category").click()
    await page.get_by_role("textbox", name="Name").fill("Languages")
    await page.get_by_role("button", name="Create category").click()
    await expect(page.get_by_text("Short name: languages")).to_be_visible()
    await visitor.open("/admin/instructors/new")
    await page.get_by_role("textbox", name="Name").fill(TEACHER)
    await page.get_by_role("button", name="Create instructor").click()
    await page.get_by_role("textbox", name="About them").fill("Teaches in Kraków.")
    await page.get_by_role("button", name="Save instructor").click()
    await expect(page.get_by_role("textbox", name="About them")).to_have_value("Teaches in Kraków.")
    await send(page, 160, PORTRAIT)


async def make_course(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/admin/courses/new")
    await page.get_by_role("textbox", name="Name").fill(COURSE)
    await page.get_by_role("combobox", name="Category").select_option("languages")
    await page.get_by_role("button", name="Create draft").click()
    await expect(page.get_by_text("it has no subtitle and no description")).to_be_visible()
    await expect(page.get_by_text("it has neither a duration nor timed lessons")).to_be_visible()
    await page.get_by_role("textbox", name="Description").fill("From the **alphabet** to your first conversation.")
    await page.get_by_role("combobox", name="Add one").fill("Jan")
    await page.get_by_role("option", name=TEACHER).click()
    await page.get_by_role("button", name="Save texts").click()
    await expect(page.get_by_text("it has no subtitle and no description")).to_have_count(0)
    await page.get_by_role("link", name="Picture", exact=True).click()
    await send_cover(page)
    await write_lessons(page)
    await page.get_by_role("link", name="Price", exact=True).click()
    await page.get_by_label("List price").fill("49.00")
    await page.get_by_role("button", name="Save price").click()
    await expect(page.get_by_role("table", name="Until now")).to_contain_text("$49.00")
    await page.get_by_role("link", name="Publication", exact=True).click()
    await page.get_by_role("button", name="Publish now").click()
    await page.get_by_role("dialog").get_by_role("button", name="Publish now").click()
    await expect(page.get_by_role("heading", name="Published")).to_be_visible()


async def write_lessons(page: Page) -> None:
    await page.get_by_role("link", name="Lessons", exact=True).click()
    for section, lessons in SECTIONS.items():
        await page.get_by_role("button", name="Add a section").click()
        await page.keyboard.type(section)
        for title in lessons:
            await page.get_by_role("button", name=f"Add a lesson to {section}").click()
            await expect(page.get_by_role("textbox", name="Title of the lesson").last).to_be_focused()
            await page.keyboard.type(title)
    await page.get_by_role("button", name="Save lessons").click()
    await page.get_by_role("link", name=f"Write what it teaches: {FILM}").click()
    await add_film(page)
    await page.get_by_role("link", name="Lessons", exact=True).click()
    await page.get_by_role("link", name=f"Write what it teaches: {QUIZ}").click()
    await page.get_by_label("Kind", exact=True).select_option("quiz")
    await page.get_by_role("button", name="Add a question").click()
    await page.get_by_label("Question", exact=True).fill("How many letters are there?")
    await page.get_by_label("Answer 1 of question 1", exact=True).fill("Thirty-two")
    await page.get_by_label("Answer 2 of question 1", exact=True).fill("Twelve")
    await page.get_by_role("button", name="Save lesson").click()
    await expect(page.get_by_text("Everything is saved.")).to_be_visible()


async def send_cover(page: Page) -> None:
    """The picture of a product, which replaces the one that the shop made."""
    content: FilePayload = {"name": "cover.png", "mimeType": "image/png", "buffer": encoded(plain(320, 180), "PNG")}
    await page.locator("main input[type=file]").set_input_files(files=[content])
    await page.get_by_label("What it shows").fill(COVER)
    await page.get_by_role("button", name="Use this picture").click()
    await expect(page.get_by_text(f"It shows: {COVER}")).to_be_visible(timeout=LIMIT_MS)


async def add_film(page: Page) -> None:
    """A file of this school, with captions."""
    await page.get_by_label("Kind", exact=True).select_option("video")
    await page.locator("main input[type=file]").first.set_input_files(VIDEO)
    await expect(page.get_by_text("video/webm,")).to_be_visible(timeout=LIMIT_MS)
    await page.get_by_role("button", name="Add captions").click()
    await page.get_by_role("textbox", name="WebVTT").fill(CAPTIONS)
    await page.get_by_role("button", name="Save lesson").click()
    await expect(page.get_by_text("Everything is saved.")).to_be_visible()


async def make_rates(visitor: Visitor) -> None:
    """What goods cost on their way, and in tax."""
    page = visitor.page
    await visitor.open("/admin/delivery-rates/new")
    await page.get_by_role("textbox", name="Zone").fill("Home")
    await page.get_by_role("combobox", name="Add one").fill("Germ")
    await page.get_by_role("option", name="Germany").click()
    await page.get_by_role("textbox", name="Service").fill("Standard")
    await page.get_by_role("textbox", name="Price").fill("4.00")
    await page.get_by_label("Working days at least").fill("2")
    await page.get_by_label("Working days at most").fill("4")
    await confirm(page, "Add the rate")
    # The answer leads there; whoever leaves before may take the call along.
    await page.wait_for_url(re.compile("/admin/delivery-rates$"))
    await visitor.open("/admin/tax-rates/new")
    await page.get_by_role("combobox", name="Country").select_option(label="Germany")
    await page.get_by_role("combobox", name="Class").select_option("book")
    await page.get_by_label("Name on documents").fill("VAT")
    await page.get_by_role("textbox", name="Percent").fill("5")
    await confirm(page, "Add the rate")
    await page.wait_for_url(re.compile("/admin/tax-rates$"))


async def confirm(page: Page, button: str) -> None:
    """Press a button that first shows what it does."""
    await page.get_by_role("button", name=button).click()
    await page.get_by_role("dialog").get_by_role("button", name=button).click()
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def make_book(visitor: Visitor) -> None:
    """With a stock of two."""
    page = visitor.page
    await visitor.open("/admin/items/new")
    await page.get_by_role("textbox", name="Name").fill(BOOK)
    await page.get_by_role("combobox", name="Kind").select_option("book")
    await page.get_by_role("combobox", name="Category").select_option("languages")
    await page.get_by_role("textbox", name="Stock number").fill("PV-1")
    await page.get_by_role("button", name="Create draft").click()
    await page.get_by_role("textbox", name="Description").fill("All verbs.")
    await page.get_by_role("button", name="Save texts").click()
    await expect(page.get_by_text("it has no subtitle and no description")).to_have_count(0)
    await page.get_by_role("link", name="Stock and delivery", exact=True).click()
    await page.get_by_label("In stock").fill("2")
    await page.get_by_role("combobox", name="How it reaches its buyer").select_option("shipped")
    await page.get_by_label("Weight in grams").fill("400")
    await page.get_by_label("Tax class").select_option("book")
    await page.get_by_role("button", name="Save stock and delivery").click()
    await expect(page.get_by_text("Stock and delivery are saved.")).to_be_visible()
    await page.get_by_role("link", name="Price", exact=True).click()
    await page.get_by_label("List price").fill("20.00")
    await page.get_by_role("button", name="Save price").click()
    await expect(page.get_by_role("table", name="Until now")).to_contain_text("$20.00")
    await page.get_by_role("link", name="Publication", exact=True).click()
    await confirm(page, "Publish now")
    await expect(page.get_by_role("heading", name="Published")).to_be_visible()


async def sell_book(staff: Visitor, buyer: Visitor) -> None:
    """It is bought, sent, asked back, and the request is decided."""
    page = buyer.page
    await buyer.open("/shop")
    await page.get_by_role("link", name=BOOK).first.click()
    await carts.add_button(page).first.click()
    await carts.expect_count(page, 1)
    await buyer.open("/checkout")
    await page.get_by_label("Country or region").select_option("DE")
    await expect(page.get_by_label(re.compile("^Postal code"))).to_be_visible()
    for label, text in ADDRESS.items():
        await page.get_by_label(re.compile(f"^{label}")).fill(text)
    await expect(page.get_by_text("VAT 5%")).to_be_visible()
    await page.get_by_role("button", name=re.compile("^Pay")).click()
    await type_card(buyer, "4242 4242 4242 4242")
    await page.get_by_role("button", name=re.compile("^Pay ")).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Thank you: your order is paid")
    code = page.url.rpartition("/")[2]
    await staff.open("/admin/parcels?state=to_send")
    await staff.page.get_by_role("link", name=code).click()
    await staff.page.get_by_label("Carrier").fill("Poczta")
    await staff.page.get_by_role("button", name="Mark as sent").click()
    await expect(staff.page.get_by_role("table", name="Lines")).to_contain_text("Sent with Poczta")
    await buyer.open(f"/order/{code}")
    await expect(page.get_by_text(" with Poczta.")).to_be_visible()
    await page.get_by_text("Refunds", exact=True).click()
    await page.locator("#refunds").get_by_label(BOOK).check()
    await page.get_by_label("I return the goods complete and in good condition.").check()
    await page.get_by_role("button", name="Request a refund").click()
    await expect(page.get_by_text("We have your request", exact=True)).to_be_visible()
    await staff.open("/admin")
    await staff.page.get_by_role("link", name="request for a refund").click()
    await staff.page.get_by_role("link", name=code).click()
    # The coupon, which the cart had kept.
    await staff.page.get_by_label("What they bought").first.select_option("ends")
    await staff.page.get_by_label("Stock").first.select_option("back")
    await staff.page.get_by_role("button", name="Show what it does").first.click()
    await staff.page.get_by_role("dialog").get_by_role("button", name=re.compile("^Refund ")).click()
    await expect(staff.page.get_by_text("go back.")).to_be_visible()


async def make_coupon(page: Page) -> None:
    await page.get_by_role("link", name="Coupons", exact=True).click()
    await page.get_by_role("link", name="Create a coupon").first.click()
    await page.get_by_label("Code").fill(COUPON)
    await page.get_by_label("How much").fill("10")
    await page.get_by_role("button", name="Create coupon").click()
    await expect(page.get_by_role("heading", name=f"Coupon {COUPON}")).to_be_visible()


async def agree_on_seats(staff: Visitor, manager: Visitor) -> None:
    """An application, its approval, and a contract with three seats."""
    await sign_in(manager, "support")
    await manager.open("/organization-register")
    form = manager.page
    await form.get_by_label("Name of the organisation").fill("Sundbakken School")
    await form.get_by_label("Short name").fill("sundbakken")
    await form.get_by_label("Website").fill("https://sundbakken.example")
    await form.get_by_label("How many people").fill("45")
    await form.get_by_label("What do you need?").fill("Polish for three teachers.")
    await form.get_by_label("I may apply for this organisation").check()
    await form.get_by_role("button", name="Send application").click()
    await expect(form.get_by_text("You have our answer by")).to_be_visible()
    page = staff.page
    await staff.open("/admin")
    await page.get_by_role("link", name="application of an organisation").click()
    await page.get_by_role("link", name="Sundbakken School").click()
    await page.get_by_role("button", name="Approve organisation").click()
    await page.get_by_role("link", name="Make a contract").click()
    await page.get_by_label("First day").fill(f"{datetime.now(UTC):%Y-%m-%d}")
    await page.get_by_label("Seats", exact=True).fill("3")
    await page.get_by_label("By how much").fill("20")
    await page.get_by_label("Covers all courses").select_option("Yes")
    await page.get_by_role("button", name="Make contract").click()
    await expect(page.get_by_role("row", name=re.compile("Sundbakken School"))).to_contain_text("3")


async def assign_seat(manager: Visitor, member: Visitor) -> None:
    """One seat comes with an invitation, another one is given by hand."""
    page = manager.page
    await sign_in(manager, "support", return_to="/organization/members/invite", area="organisation")
    await page.get_by_label("Email").fill("ada@example.test")
    await page.get_by_label("Role").select_option("member")
    await page.get_by_label("Courses").fill(SLUG)
    await page.get_by_role("button", name="Send invitation").click()
    await expect(page.get_by_text("The invitation is on its way.")).to_be_visible()
    await sign_in(member, "ada", return_to="/about")
    await member.open(await link_of(manager, "ada@example.test"))
    await member.page.get_by_role("button", name="Join Sundbakken School").click()
    # Without loading the page again.
    await expect(member.page.get_by_role("heading", name=COURSE).first).to_be_visible()
    await page.get_by_role("link", name="Seats", exact=True).click()
    await page.get_by_label("Contract").select_option(index=1)
    await page.get_by_role("combobox", name="Member").fill("support@example.test")
    await page.get_by_role("combobox", name=re.compile("^Course")).select_option(label=COURSE)
    await page.get_by_role("button", name="Assign seat").click()
    await expect(page.get_by_role("row", name=re.compile(f"In use.*Sofia Lund.*{COURSE}"))).to_be_visible()


async def buy(visitor: Visitor) -> None:
    page = visitor.page
    await sign_in(visitor, "marketing", return_to=f"/course-details?course={SLUG}")
    await carts.add_button(page).first.click()
    await carts.expect_count(page, 1)
    await visitor.open("/cart")
    await use(summary(page), "Coupon for the whole cart", COUPON)
    await expect(carts.total(page)).to_have_text("$44.10")
    await visitor.open("/checkout")
    await page.get_by_label("Full name").fill("Marta Kowalska")
    await page.get_by_role("button", name=re.compile("^Pay")).click()
    await type_card(visitor, "4242 4242 4242 4242")
    await page.get_by_role("button", name=re.compile("^Pay ")).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Thank you: your order is paid")


async def learn(page: Page) -> None:
    """All ten lessons to the certificate: the film with its captions, and the quiz, which says nothing that nobody
    wrote."""
    await page.get_by_role("link", name="Go to the course").click()
    await page.get_by_role("link", name=re.compile("^Alphabet")).first.click()
    for title in [title for lessons in SECTIONS.values() for title in lessons if title != QUIZ]:
        await expect(page.get_by_role("heading", level=1)).to_have_text(title)
        if title == FILM:
            await expect(page.locator("video track")).to_have_count(1)
            await expect(page.locator(".transcript")).to_contain_text("Dzień dobry.")
        await page.get_by_role("link", name=re.compile("^Done, next")).click()
    await expect(page.get_by_role("button", name="Send answers")).to_be_visible()
    await expect(page.get_by_text("What to look at")).to_have_count(0)
    await page.get_by_label("Thirty-two").check()
    await page.get_by_role("button", name="Send answers").click()
    await expect(page.get_by_text("You have completed this course", exact=True)).to_be_visible()
    await page.goto("/user-dashboard")
    await expect(page.get_by_role("link", name="PDF to print")).to_be_visible()


async def refund(staff: Visitor, buyer: Visitor) -> None:
    page = staff.page
    await staff.open("/admin/orders")
    await page.get_by_role("row", name=re.compile("Mats Berg")).get_by_role("link").first.click()
    await page.get_by_text("Refund lines").click()
    await page.get_by_label(f"Units of {COURSE}").fill("1")
    await page.get_by_label("Reason").last.fill("Asked for by mail")
    await page.get_by_role("button", name="Show what it does").click()
    await expect(page.get_by_text(f"The certificate of {COURSE} is revoked.")).to_be_visible()
    await page.get_by_role("button", name="Refund $44.10").click()
    await expect(page.get_by_role("table", name="Refunds")).to_contain_text("$44.10")
    await buyer.open("/user-dashboard")

    async def is_revoked() -> bool:
        await buyer.reload()
        return await buyer.page.get_by_role("link", name="PDF to print").count() == 0

    await until(is_revoked, every_s=1)
