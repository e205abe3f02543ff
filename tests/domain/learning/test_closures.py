"""Ending access to a course for legal reasons: never before 30 days, never for some alone, and cancelled for all."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from adapters import mail_templates
from contracts.tasks import OutboxKind
from domain import mail
from domain.audit import recording
from domain.display_text import day_text
from domain.errors import InvalidInput, NotFound, Refused
from domain.learning import closures, grants
from domain.learning.grants import GrantSource
from domain.mail import MailSite
from domain.outbox.leases import Lease
from domain.publishing.editing import publication
from domain.publishing.editing.stored_course import Edit
from domain.tables import AuditEvent, CourseClosure, Enrolment, Outbox, Product
from tests.support import factories
from tests.support.factories import NOON

DAY = timedelta(days=1)
END = NOON + 30 * DAY
SITE = MailSite("Meridian", "https://shop.example", "staff@example.test")
REASON = "A court has ruled on its pictures."


@pytest.fixture
def actor(session):
    return factories.actor(factories.learner(session, "Adele Admin").id, "administrator", at=NOON)


@pytest.fixture
def course(session) -> int:
    """Retired."""
    row = factories.course(session, factories.category(session).id, "vat", name="VAT")
    session.get_one(Product, row.id).status = "retired"
    session.flush()
    return row.id


@pytest.fixture
def owners(session, course) -> dict[str, int]:
    """Who bought the course, has it until before the end, and until long after it."""
    ends = {"bought": None, "short": NOON + 10 * DAY, "long": NOON + 300 * DAY}
    ids = {}
    for number, (name, until) in enumerate(ends.items(), start=1):
        ids[name] = factories.learner(session, name).id
        grants.grant(session, ids[name], [course], GrantSource("seat", number), NOON, until=until)
    return ids


def announce(session, actor, course, ends_at=END, reason=REASON):
    recording.run(session, actor, closures.announce, actor, course, ends_at, reason)


def apply(session, course, at=NOON):
    """As the periodic work does."""
    while closures.apply_slice(session, course, at):
        pass


def ends(session, course, owners):
    query = select(Enrolment.access_until).where(Enrolment.product_id == course)
    return {name: session.scalar(query.where(Enrolment.learner_id == key)) for name, key in owners.items()}


def kinds(session):
    told = (OutboxKind.COURSE_CLOSES, OutboxKind.COURSE_STAYS)
    return [*session.scalars(select(Outbox.kind).where(Outbox.kind.in_(told)).order_by(Outbox.id))]


@pytest.mark.each_database
def test_access_ends_for_all_and_who_has_it_longer_is_told_once(session, actor, course, owners):
    announce(session, actor, course)
    for _ in range(2):
        apply(session, course)
    assert ends(session, course, owners) == {"bought": END, "short": NOON + 10 * DAY, "long": END}
    assert kinds(session) == [OutboxKind.COURSE_CLOSES] * 2
    assert session.scalars(select(AuditEvent.action)).all() == ["course.close"]


def test_people_are_told_in_slices(session, actor, course, owners, monkeypatch):
    monkeypatch.setattr(closures, "SLICE", 1)
    announce(session, actor, course)
    assert [closures.apply_slice(session, course, NOON) for _ in range(3)] == [1, 1, 0]


def test_who_gets_the_course_later_has_it_until_that_day_too(session, actor, course):
    announce(session, actor, course)
    late = factories.learner(session, "Late").id
    grants.grant(session, late, [course], GrantSource("gift", 9), NOON)
    assert ends(session, course, {"late": late}) == {"late": END}


@pytest.mark.each_database
def test_a_cancelled_end_gives_everybody_what_they_had_and_tells_them(session, actor, course, owners):
    announce(session, actor, course)
    apply(session, course)
    recording.run(session, actor, closures.cancel, actor, course, "The ruling was lifted.")
    apply(session, course)
    assert ends(session, course, owners) == {"bought": None, "short": NOON + 10 * DAY, "long": NOON + 300 * DAY}
    assert kinds(session)[2:] == [OutboxKind.COURSE_STAYS] * 2
    assert session.get(CourseClosure, course) is None
    announce(session, actor, course)


def test_another_day_is_announced_once_everybody_knows_that_the_first_was_cancelled(session, actor, course, owners):
    announce(session, actor, course)
    apply(session, course)
    recording.run(session, actor, closures.cancel, actor, course, "A slip of the month.")
    with pytest.raises(Refused, match="Try again in a minute"):
        announce(session, actor, course, END + 60 * DAY)
    apply(session, course)
    announce(session, actor, course, END + 60 * DAY)
    apply(session, course)
    assert ends(session, course, owners)["bought"] == END + 60 * DAY


def test_whose_own_access_ends_at_that_moment_hides_nobody_else(session, actor, course, monkeypatch):
    monkeypatch.setattr(closures, "SLICE", 1)
    same, longer = (factories.learner(session, name).id for name in ("same", "longer"))
    grants.grant(session, same, [course], GrantSource("seat", 1), NOON, until=END)
    grants.grant(session, longer, [course], GrantSource("seat", 2), NOON)
    announce(session, actor, course)
    apply(session, course)
    recording.run(session, actor, closures.cancel, actor, course, "Lifted.")
    apply(session, course)
    assert ends(session, course, {"same": same, "longer": longer}) == {"same": END, "longer": None}


def test_mails_say_what_happens_and_only_what_is_still_true(session, actor, course, owners):
    announce(session, actor, course)
    apply(session, course)

    def texts():
        rows = session.scalars(select(Outbox).where(Outbox.kind.like("mail.course%")).order_by(Outbox.id))
        made = [mail.compose(session, Lease(row.id, row.kind, row.body, NOON, 1, "t"), SITE) for row in rows]
        letters = [each and mail_templates.render(each.template, each.values) for each in made]
        return [letter and f"{letter.subject}\n{letter.text}" for letter in letters]

    first, _ = texts()
    day = day_text(END, SITE.locale)
    assert first.startswith(f"The course VAT ends on {day}\n")
    assert f"The reason: {REASON}" in first
    recording.run(session, actor, closures.cancel, actor, course, "Lifted.")
    apply(session, course)
    closes, stays = texts()[:2], texts()[2:]
    assert closes == [None, None]
    assert all(text.startswith("You keep the course VAT\n") for text in stays)


WRONG = {
    "too soon": ({"ends_at": END - timedelta(seconds=1)}, InvalidInput),
    "without a reason": ({"reason": " "}, InvalidInput),
    "a reason that is too long": ({"reason": "x" * 501}, InvalidInput),
    "an unknown course": ({"course": 10**6}, NotFound),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_announces_nothing(session, actor, course, case):
    change, error = WRONG[case]
    with pytest.raises(error):
        announce(session, actor, **{"course": course, **change})
    assert closures.all_ids(session) == []


def test_a_course_that_is_sold_is_retired_first_and_not_sold_again(session, actor, course):
    product = session.get_one(Product, course)
    product.status = "published"
    session.flush()
    with pytest.raises(Refused, match="Retire the course first"):
        announce(session, actor, course)
    product.status = "retired"
    session.flush()
    announce(session, actor, course)
    with pytest.raises(Refused, match="announced already"):
        announce(session, actor, course)
    with pytest.raises(Refused):
        publication.publish(session, Edit(actor, course), None)


def test_what_is_over_is_not_undone(session, actor, course):
    with pytest.raises(Refused, match="No end"):
        closures.cancel(session, actor, course, "Lifted.")
    announce(session, actor, course)
    late = factories.actor(actor.learner_id, "administrator", at=END)
    with pytest.raises(Refused, match="cannot be undone"):
        closures.cancel(session, late, course, "Lifted.")
