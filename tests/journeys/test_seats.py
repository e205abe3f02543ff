"""An organisation buys its first seat, a member learns by it and stops, and it goes to the one who waits."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import Page, expect
from sqlalchemy import select, update

from domain.seats import daily
from domain.tables import Contract, Enrolment, Learner, Membership, Organisation, Seat
from tests.journeys import carts, orders
from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.identity import sign_in
from tests.journeys.test_organisations import join, link_of
from tests.journeys.test_payment_page import type_card
from tests.support.site import Site
from tests.support.waiting import LIMIT_S

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

LIMIT_MS = LIMIT_S * 1000
NAME, COURSE = "Lakeside Trust", "gdpr-everyday-decisions"
FORM = {"Company": NAME, "Street and number": "1 Main Street", "City": "Austin", "State or province": "TX"}
DAY = timedelta(days=1)


def approve_organisation(site: Site, subject: str) -> None:
    """How it applies and is approved is a journey of its own."""
    with orders.writing(site) as session:
        organisation = Organisation(slug="lakeside", name=NAME, state="approved")
        session.add(organisation)
        session.flush()
        owner = session.scalars(select(Learner.id).where(Learner.subject == subject)).one()
        about = {"role": "owner", "joined_at": datetime.now(UTC)}
        session.add(Membership(organisation_id=organisation.id, learner_id=owner, **about))


async def buy_a_seat(owner: Visitor) -> None:
    page = owner.page
    await check_page(page)
    await page.get_by_role("combobox", name="Course").fill("gdpr for every")
    await page.get_by_role("option", name=re.compile("^GDPR for Everyday")).click()
    await expect(page.get_by_role("heading", name="Seats: GDPR for Everyday Decisions")).to_be_visible(timeout=LIMIT_MS)
    await check_page(page)
    await fill_in_form(page, "1")
    await order_and_pay(owner, "Order and pay")


async def fill_in_form(page: Page, seats: str) -> None:
    await page.get_by_role("textbox", name="Seats").fill(seats)
    for label, text in {**FORM, "Postal code": "78701"}.items():
        await page.get_by_label(label).fill(text)
    await page.get_by_label("Country").select_option("US")


async def order_and_pay(owner: Visitor, button: str) -> None:
    page = owner.page
    await page.get_by_label(re.compile("I have read it and agree")).check()
    await page.get_by_role("button", name=button).click()
    await expect(page.get_by_label("Card number")).to_be_visible(timeout=LIMIT_MS)
    await type_card(owner, "4242 4242 4242 4242")
    await page.get_by_role("button", name=re.compile("^Pay ")).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Thank you: your order is paid", timeout=LIMIT_MS)


async def order_by_a_quote(owner: Visitor) -> None:
    """Two more seats of the contract: the quote first, then its acceptance."""
    await owner.open("/organization/quotes/new")
    page = owner.page
    await fill_in_form(page, "2")
    await page.get_by_role("button", name="Get a quote").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Quote Q"), timeout=LIMIT_MS)
    await check_page(page)
    await order_and_pay(owner, "Accept and pay")
    await owner.open("/organization/quotes")
    await expect(page.get_by_role("row", name=re.compile("Accepted"))).to_be_visible(timeout=LIMIT_MS)
    await check_page(page)


async def invite(owner: Visitor, email: str, courses: str = "") -> None:
    await owner.open("/organization/members/invite")
    page = owner.page
    await page.get_by_role("textbox", name="Email").fill(email)
    await page.get_by_label("Role").select_option("member")
    await page.get_by_role("textbox", name="Courses").fill(courses)
    await page.get_by_role("button", name="Send invitation").click()
    await expect(page.get_by_text("The invitation is on its way.")).to_be_visible(timeout=LIMIT_MS)


def contract_of(site: Site) -> int:
    query = "SELECT contracts.id FROM contracts JOIN organisations ON organisations.id = organisation_id WHERE slug = ?"
    [(contract_id,)] = site.query(query, "lakeside")
    return int(contract_id)


def apply_rules(site: Site, days: int) -> None:
    """As beat does it, so many days from now."""
    with orders.writing(site) as session:
        daily.run_contract(session, contract_of(site), datetime.now(UTC) + days * DAY)


def let_days_pass(site: Site, learner_id: int, days: int) -> None:
    """Everything about the seat, its course and the contract was so many days before."""
    with orders.writing(site) as session:
        contract = session.get_one(Contract, contract_of(site))
        contract.starts_at -= days * DAY
        seat = session.scalars(select(Seat).where(Seat.learner_id == learner_id)).one()
        enrolment = session.scalars(
            select(Enrolment).where(Enrolment.learner_id == learner_id, Enrolment.product_id == seat.product_id)
        ).one()
        assert enrolment.started_at is not None
        assert enrolment.last_active_at is not None
        assert seat.assigned_at is not None
        times = {
            "started_at": enrolment.started_at - days * DAY,
            "last_active_at": enrolment.last_active_at - days * DAY,
        }
        session.execute(update(Enrolment).where(Enrolment.id == enrolment.id).values(times))
        seat.assigned_at -= days * DAY


async def learn_a_lesson(member: Visitor) -> None:
    page = member.page
    await member.open(f"/user-dashboard?course={COURSE}")
    await page.get_by_role("link", name=re.compile("^(Start|Continue)")).first.click()
    await page.get_by_role("button", name=re.compile("Mark as done")).first.click()
    await expect(page.get_by_text(re.compile("^1 of ")).first).to_be_visible(timeout=LIMIT_MS)
    # A page that is left sends the place in its lesson: later it would count as learning, and keep the seat.
    await member.open("/user-dashboard")
    await member.settled()


async def test_a_seat_is_bought_given_used_and_goes_to_who_waits_when_it_is_idle(new_visitor: NewVisitor) -> None:
    owner, member, other = [await new_visitor() for _ in range(3)]
    site = owner.site
    approve_organisation(site, "finance")
    await sign_in(owner, "finance", return_to="/organization/seats/buy", area="organisation")
    await buy_a_seat(owner)

    await invite(owner, "sam.seat@example.test", COURSE)
    member_id = await carts.sign_in(member, "sam.seat")
    await join(member, await link_of(owner, "sam.seat@example.test"), NAME)
    await learn_a_lesson(member)

    await invite(owner, "wanda.waits@example.test")
    await carts.sign_in(other, "wanda.waits")
    await join(other, await link_of(owner, "wanda.waits@example.test"), NAME)
    page = other.page
    await page.get_by_label("Ask for a course").select_option("GDPR for Everyday Decisions")
    await page.get_by_role("button", name="Ask for a seat").click()
    await expect(page.get_by_text("You are number 1 of those who wait.")).to_be_visible(timeout=LIMIT_MS)

    # Nothing is done for a hundred days: the member is told, with two weeks to keep the seat.
    let_days_pass(site, member_id, 100)
    apply_rules(site, 0)
    await member.open("/user-dashboard")
    await expect(member.page.get_by_text(re.compile("^Your seat goes back on"))).to_be_visible(timeout=LIMIT_MS)
    await expect(member.page.get_by_role("button", name=re.compile("^I still need it"))).to_be_visible()
    await check_page(member.page)

    apply_rules(site, 15)
    await member.reload()
    await member.page.get_by_text("What happened to your seats").click()
    await expect(member.page.get_by_text(re.compile("You lost seat 1 of Lakeside Trust"))).to_be_visible()
    await other.open(f"/user-dashboard?course={COURSE}")
    await expect(page.get_by_text(re.compile("^0 of 15")).first).to_be_visible(timeout=LIMIT_MS)
    # What the first one did stays theirs: the end of access is shown, and the lesson counts.
    with orders.writing(site) as session:
        done = select(Enrolment.done_lessons).where(Enrolment.learner_id == member_id)
        assert session.scalars(done).all() == [1]

    await owner.open("/organization/seats")
    await owner.page.get_by_role("link", name="Seat 1", exact=True).click()
    await expect(owner.page.get_by_role("cell", name="Taken back")).to_be_visible(timeout=LIMIT_MS)
    await check_page(owner.page)

    await order_by_a_quote(owner)
    await owner.open("/organization/seats")
    await expect(owner.page.get_by_role("row", name=re.compile("Seat 3"))).to_be_visible(timeout=LIMIT_MS)
