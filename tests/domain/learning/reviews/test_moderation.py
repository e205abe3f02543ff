"""Reports of reviews, and what moderators decide."""

import pytest
from sqlalchemy import func, select

from contracts.tasks import OutboxKind
from domain import mail
from domain.database.list_page import ListQuery, read_list_page
from domain.errors import InvalidInput, NotFound, Refused
from domain.learning.reviews import counting, writing
from domain.learning.reviews import moderation as review_moderation
from domain.learning.reviews.texts import ReviewDraft
from domain.mail import MailSite
from domain.outbox.leases import Lease
from domain.support import moderation
from domain.tables import Outbox, Review, ReviewReport
from tests.domain.learning.reviews.world import LATER, SOON, make_course, make_learner, put, stars, state_of
from tests.support import factories

SITE = MailSite("Meridian", "https://shop.example", "staff@example.test")


@pytest.fixture
def shown(session) -> tuple[int, int]:
    """Ids of a published review and of its course."""
    course = make_course(session, 4)
    return put(session, make_learner(session, course), course).id, course


def report(session, review: int, *learners: int) -> None:
    for learner in learners:
        review_moderation.report(session, review, learner, "It is an advertisement.", LATER)


def strangers(session, count: int, name: str = "Reader") -> list[int]:
    return [factories.learner(session, f"{name} {number}").id for number in range(count)]


def readers(session, course: int, count: int) -> list[int]:
    """Who have the course."""
    return [make_learner(session, course, f"Owner {number}", done=0) for number in range(count)]


def mails(session) -> list[mail.OutgoingMail]:
    rows = session.scalars(select(Outbox).order_by(Outbox.id))
    return [mail.compose(session, Lease(row.id, row.kind, row.body, SOON, 1, "t"), SITE) for row in rows]


@pytest.mark.each_database
def test_three_reports_of_different_learners_take_a_review_from_the_page(session, shown):
    review, course = shown
    first, second, third = readers(session, course, 3)
    report(session, review, first, first, first, second)
    assert state_of(session, review) == "published"
    report(session, review, third)
    assert [row.id for row in review_moderation.list_pending(session)] == [review]
    counting.update_ratings(session)
    assert stars(session, course) == (4.0, 1)
    with pytest.raises(NotFound):
        report(session, review, *strangers(session, 1, "Late"))


def test_accounts_without_the_course_hide_nothing_and_are_heard_by_moderators(session, shown):
    review, course = shown
    report(session, review, *strangers(session, 5), *readers(session, course, 2))
    author = session.scalars(select(Review.learner_id).where(Review.id == review)).one()
    assert put(session, author, course, ReviewDraft(4, "Edited"), LATER).state == "published"
    listed = read_list_page(session, moderation.REVIEWS, ListQuery(size=10, filters={"state": "reported"}))
    assert [(row.id, row.reports) for row in listed.rows] == [(review, 7)]
    report(session, review, make_learner(session, course, "Third", done=0))
    assert state_of(session, review) == "pending"


def test_nobody_reports_their_own_review_or_one_that_is_not_shown(session, shown):
    review, course = shown
    author = session.scalars(select(Review.learner_id).where(Review.id == review)).one()
    with pytest.raises(Refused, match="your own"):
        report(session, review, author)
    hidden = put(session, make_learner(session, course, "Grace Hopper"), course, ReviewDraft(1, "", "www.x.test")).id
    (reader,) = strangers(session, 1)
    for unknown in (hidden, 999):
        with pytest.raises(NotFound, match=r"There is no such review\."):
            report(session, unknown, reader)
    assert session.scalars(select(func.count()).select_from(ReviewReport)).one() == 0


def test_an_imported_review_can_be_reported_too(session, shown):
    _, course = shown
    imported = session.scalars(select(Review.id).where(Review.is_verified.is_(False))).one()
    report(session, imported, *readers(session, course, 3))
    counting.update_ratings(session)
    assert stars(session, course) == (5.0, 1)


def test_an_edit_does_not_publish_what_was_reported(session, shown):
    review, course = shown
    report(session, review, *readers(session, course, 3))
    author = session.scalars(select(Review.learner_id).where(Review.id == review)).one()
    assert put(session, author, course, ReviewDraft(5, "Harmless"), LATER).state == "pending"


def test_a_moderator_publishes_and_settles_the_reports(session, shown):
    review, course = shown
    people = readers(session, course, 3)
    report(session, review, *people)
    for _ in range(2):
        review_moderation.publish(session, review, LATER)
    counting.update_ratings(session)
    assert (state_of(session, review), stars(session, course)) == ("published", (4.5, 2))
    report(session, review, *people[:2])
    assert state_of(session, review) == "published"
    (sent,) = mails(session)
    assert (sent.template, sent.to) == ("review_published", "ada-lovelace@example.test")


def test_the_author_is_told_why_a_review_is_hidden(session, shown):
    review, course = shown
    for _ in range(2):
        review_moderation.hide(session, review, "It names a person.", LATER)
    (sent,) = mails(session)
    assert (sent.template, sent.to) == ("review_hidden", "ada-lovelace@example.test")
    assert sent.values["review"] == {
        "author": "Ada Lovelace",
        "course": "Vat Basics",
        "reason": "It names a person.",
        "link": "https://shop.example/login?returnTo=/user-dashboard%3Fcourse%3Dvat-basics",
    }
    author = session.scalars(select(Review.learner_id).where(Review.id == review)).one()
    own = writing.options(session, author, course, LATER).own
    assert (own.state, own.hidden_reason) == ("hidden", "It names a person.")
    assert put(session, author, course, ReviewDraft(5, "Better"), LATER).state == "pending"


def test_a_mail_of_a_decision_that_was_changed_is_not_sent(session, shown):
    review, _ = shown
    review_moderation.hide(session, review, "It names a person.", LATER)
    review_moderation.publish(session, review, LATER)
    assert [None if one is None else one.template for one in mails(session)] == [None, "review_published"]
    assert [row.kind for row in session.scalars(select(Outbox).order_by(Outbox.id))] == [
        OutboxKind.REVIEW_HIDDEN,
        OutboxKind.REVIEW_PUBLISHED,
    ]


def test_a_review_is_hidden_only_with_a_reason(session, shown):
    with pytest.raises(InvalidInput):
        review_moderation.hide(session, shown[0], " ", LATER)
    assert state_of(session, shown[0]) == "published"
