"""Mails about quotes, and what is left of them after an account or the years to keep documents have ended."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from domain.account.anonymise import anonymise_account
from domain.account.export import export
from domain.documents.body import digest_of
from domain.mail import MailSite, compose
from domain.orders.settings import Context, OrderSettings
from domain.outbox.leases import Lease
from domain.quotes import lapsing, own_quotes
from domain.tables import Learner, Membership, Order, Outbox, SeatQuote
from tests.domain.quotes.test_accepting import end_unpaid
from tests.domain.quotes.world import QuoteWorld, accept_quote, ask_quote, build
from tests.domain.seats.test_seat_orders import ADDRESS, settle
from tests.domain.seats.world import recorded
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

SITE = MailSite("Meridian Learning", "https://shop.example", "staff@example.test", "en-US")
DAY = timedelta(days=1)


def mailed(session, kind: str, at: datetime = NOON):
    """What the newest row of this kind becomes."""
    row = session.scalars(select(Outbox).where(Outbox.kind == kind).order_by(Outbox.id.desc())).first()
    lease = Lease(id=row.id, kind=row.kind, body=row.body, attempts=1, created_at=at, token="t")
    return compose(session, lease, SITE)


def test_whoever_asked_is_told_with_a_link_behind_the_sign_in(session):
    world = build(session)
    quote = ask_quote(session, world)
    mail = mailed(session, "mail.quote_issued")
    about = mail.values["quote"]
    assert mail.to == session.get_one(Learner, world.owner).email
    assert (about["number"], about["quantity"], about["total"]) == (quote.number, 10, "$990.00")
    assert about["link"] == f"https://shop.example/organization-login?returnTo=/organization/quotes/{quote.id}"


def test_nobody_is_told_who_owns_the_organisation_no_more_or_of_a_quote_that_was_withdrawn(session):
    world = build(session)
    quote = ask_quote(session, world)
    membership = session.scalars(select(Membership).where(Membership.learner_id == world.owner)).one()
    membership.role = "member"
    assert mailed(session, "mail.quote_issued") is None
    membership.role = "owner"
    recorded(session, lapsing.withdraw, world.tenant, quote.id, NOON)
    assert mailed(session, "mail.quote_issued") is None


@pytest.mark.each_database
def test_a_reminder_comes_once_in_the_last_three_days_of_a_quote_that_can_be_accepted(session):
    world = build(session)
    quote, other, ended = ask_quote(session, world), ask_quote(session, world), ask_quote(session, world)
    settle(session, session.get_one(Order, accept_quote(session, world, other).order_id))
    end_unpaid(session, session.get_one(Order, accept_quote(session, world, ended).order_id))
    last = quote.valid_until - lapsing.REMIND_BEFORE
    assert lapsing.remind_due(session, last - timedelta(microseconds=1)) == 0
    assert lapsing.remind_due(session, last) == 2
    assert lapsing.remind_due(session, last + DAY) == 0
    reminded = select(SeatQuote.id).where(SeatQuote.reminded_at.is_not(None)).order_by(SeatQuote.id)
    assert session.scalars(reminded).all() == [quote.id, ended.id]
    assert mailed(session, "mail.quote_ends", last).values["quote"]["until"] != ""


def test_nobody_is_reminded_of_a_quote_that_is_new_or_over(session):
    world = build(session)
    quote = ask_quote(session, world)
    quote.valid_until = NOON + 2 * DAY
    session.flush()
    assert lapsing.remind_due(session, NOON + timedelta(hours=23)) == 0
    assert lapsing.remind_due(session, NOON + 2 * DAY) == 0


def anonymised(session, world: QuoteWorld) -> None:
    email = session.get_one(Learner, world.owner).email
    other = factories.learner(session, "Otto Owner").id
    factories.member(session, other, world.tenant.organisation_id, role="owner")
    anonymise_account(session, world.owner, email, Context(NOON, OrderSettings()))


@pytest.mark.each_database
def test_quotes_are_exported_and_name_nobody_once_the_account_is_deleted(session):
    world = build(session)
    values = {**ADDRESS, "billing.name": "Olga", "billing.purchase_order": "PO-7"}
    quote, paid = ask_quote(session, world, values=values), ask_quote(session, world, values=values)
    settle(session, session.get_one(Order, accept_quote(session, world, paid).order_id))
    rows = export(session, world.owner, NOON, USD)["quotes"]
    assert [(row["number"], row["organisation"], row["total"], row["purchaseOrder"]) for row in rows] == [
        (quote.number, "Northwind", 99_000, "PO-7"),
        (paid.number, "Northwind", 99_000, "PO-7"),
    ]
    anonymised(session, world)
    assert (quote.state, quote.billing, quote.purchase_order) == ("withdrawn", {"country": "US"}, "")
    assert quote.body["buyer"] == {"number": "", "address": [], "email": "", "vat_id": ""}
    assert (quote.digest, quote.body["total_minor"]) == (digest_of(quote.body), 99_000)
    # What was paid stays as long as its invoice.
    assert (paid.state, paid.billing["name"]) == ("accepted", "Olga")


def test_old_quotes_are_erased_once_and_those_of_orders_with_them(session):
    world = build(session)
    quote, paid = ask_quote(session, world), ask_quote(session, world)
    order = session.get_one(Order, accept_quote(session, world, paid).order_id)
    settle(session, order)
    before = datetime(NOON.year + 10, 1, 1, tzinfo=UTC)
    assert own_quotes.erase_old(session, NOON, before) == 0
    assert own_quotes.erase_old(session, before, before) == 1
    assert (quote.billing, paid.billing == {}) == ({"country": "US"}, False)
    order.email_key = ""
    session.flush()
    assert own_quotes.erase_old(session, before, before) == 1
    assert own_quotes.erase_old(session, before, before) == 0
    assert paid.billing == {"country": "US"}
