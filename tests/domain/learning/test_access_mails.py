"""Mails that tell learners of courses that were opened to them, and of the end of their access."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from adapters import mail_templates
from contracts.tasks import OutboxKind
from domain import mail
from domain.display_text import day_text
from domain.learning import grants
from domain.learning.gifts import storing as gift_storing
from domain.learning.gifts.storing import StaffGift
from domain.learning.grants import GrantSource
from domain.mail import MailSite
from domain.outbox.leases import Lease
from domain.tables import Learner, Outbox
from tests.support import factories
from tests.support.factories import NOON

DAY = timedelta(days=1)
SITE = MailSite("Meridian", "https://shop.example", "staff@example.test")
SEAT = GrantSource("seat", 7)


@pytest.fixture
def ids(session) -> tuple[int, int]:
    """The ids of a learner and a course."""
    category = factories.category(session)
    return factories.learner(session).id, factories.course(session, category.id, "vat", name="VAT").id


def due(session) -> list[tuple[str, datetime]]:
    return [tuple(row) for row in session.execute(select(Outbox.kind, Outbox.next_at).order_by(Outbox.id))]


def sent(session) -> list[str | None]:
    """The whole texts of all mails of the outbox, None for those that are not sent."""
    texts = []
    for row in session.scalars(select(Outbox).order_by(Outbox.id)):
        made = mail.compose(session, Lease(row.id, row.kind, row.body, row.created_at, 1, "t"), SITE)
        letter = made and mail_templates.render(made.template, made.values)
        texts.append(letter and f"{letter.subject}\n{letter.text}")
    return texts


def test_who_is_given_a_course_by_staff_reads_why_and_where_it_is(session, ids):
    learner, staff = session.get_one(Learner, ids[0]), factories.learner(session, "Sara Staff")
    gift_storing.give_by_staff(session, learner, StaffGift(staff.id, ids[1], "Sorry for <the> delay."), NOON)
    assert due(session) == [(OutboxKind.ENROLLED, NOON)]
    [text] = sent(session)
    assert text.startswith("Your course: VAT\nHello Ada Lovelace,\n\nour staff have opened a course to you.")
    assert "They wrote: Sorry for <the> delay." in text
    assert "https://shop.example/user-dashboard?course=vat&lesson=next" in text


def test_what_staff_wrote_is_no_html(session, ids):
    learner = session.get_one(Learner, ids[0])
    gift_storing.give_by_staff(session, learner, StaffGift(ids[0], ids[1], "<b>Sorry</b>"), NOON)
    row = session.scalars(select(Outbox)).one()
    made = mail.compose(session, Lease(row.id, row.kind, row.body, row.created_at, 1, "t"), SITE)
    assert "&lt;b&gt;Sorry&lt;/b&gt;" in mail_templates.render(made.template, made.values).html


def test_a_seat_of_two_courses_is_one_mail_with_the_end_of_the_access(session, ids):
    other = factories.course(session, factories.category(session, "pay").id, "payroll", name="Payroll").id
    grants.grant(session, ids[0], [ids[1], other], SEAT, NOON, until=NOON + 90 * DAY)
    grants.enqueue_mail(session, SEAT, NOON)
    text = sent(session)[-1]
    assert text.startswith("You have 2 new courses\n")
    assert "your organisation has given you a seat." in text
    assert text.index("Payroll\nhttps://shop.example") < text.index("VAT\nhttps://shop.example")
    assert f"You can study until {day_text(NOON + 90 * DAY, SITE.locale)} (UTC)." in text


def test_a_course_that_was_taken_back_meanwhile_is_not_told(session, ids):
    grants.grant(session, ids[0], [ids[1]], SEAT, NOON)
    grants.enqueue_mail(session, SEAT, NOON)
    grants.end(session, SEAT, NOON, "seat")
    assert sent(session) == [None]


def test_the_end_of_access_is_mailed_fourteen_days_before_it(session, ids):
    grants.grant(session, ids[0], [ids[1]], SEAT, NOON, until=NOON + 90 * DAY)
    assert due(session) == [(OutboxKind.ACCESS_ENDS, NOON + 76 * DAY)]
    [text] = sent(session)
    end = day_text(NOON + 90 * DAY, SITE.locale)
    assert text.startswith(f"Your access to VAT ends on {end}\n")
    assert f'you can study "VAT" until {end} (UTC).' in text


def test_an_end_that_changed_is_mailed_at_its_own_time_alone(session, ids):
    grants.grant(session, ids[0], [ids[1]], SEAT, NOON, until=NOON + 90 * DAY)
    grants.extend(session, SEAT, NOON + 120 * DAY)
    assert [at for _, at in due(session)] == [NOON + 76 * DAY, NOON + 106 * DAY]
    assert [text is not None for text in sent(session)] == [False, True]
    grants.grant(session, ids[0], [ids[1]], GrantSource("order", 1), NOON)
    assert sent(session) == [None, None]


def test_when_the_grant_without_end_goes_the_end_of_the_other_is_mailed(session, ids):
    order = GrantSource("order", 1)
    grants.grant(session, ids[0], [ids[1]], order, NOON)
    grants.grant(session, ids[0], [ids[1]], SEAT, NOON, until=NOON + 90 * DAY)
    assert due(session) == []
    grants.end(session, order, NOON + DAY, "refund")
    assert due(session) == [(OutboxKind.ACCESS_ENDS, NOON + 76 * DAY)]


def test_an_end_that_is_near_from_the_beginning_or_has_come_is_mailed_by_no_mail_of_its_own(session, ids):
    grants.grant(session, ids[0], [ids[1]], SEAT, NOON, until=NOON + 10 * DAY)
    grants.end(session, SEAT, NOON + DAY, "seat")
    assert due(session) == []


def test_who_has_deleted_their_account_gets_none(session, ids):
    grants.grant(session, ids[0], [ids[1]], SEAT, NOON, until=NOON + 90 * DAY)
    grants.enqueue_mail(session, SEAT, NOON)
    session.get_one(Learner, ids[0]).email = ""
    assert sent(session) == [None, None]
