"""Who may review a course, and what a review may say."""

import pytest
from sqlalchemy import func, select, update

from domain.errors import InvalidInput, NotFound, Refused
from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.learning.reviews import counting, moderation, writing
from domain.learning.reviews.texts import ReviewDraft
from domain.learning.reviews.writing import ReviewOptions
from domain.tables import Course, Enrolment, Learner, Product, Review
from tests.domain.learning.reviews.world import GOOD, LATER, SOON, finish, make_course, make_learner, put, stars
from tests.support import factories


def count(session) -> int:
    return session.scalars(select(func.count(Review.id))).one()


def test_a_learner_reviews_a_course_with_first_name_and_initial(session):
    course = make_course(session)
    learner = make_learner(session, course)
    own = put(session, learner, course)
    assert (own.author, own.state, own.rating, own.title, own.text) == ("Ada L.", "published", 5, *_texts(GOOD))
    assert (own.reviewed_at, own.edited_at) == (SOON, None)
    row = session.scalars(select(Review)).one()
    assert (row.learner_id, row.is_verified) == (learner, True)


def _texts(draft: ReviewDraft) -> tuple[str, str]:
    return draft.title, draft.text


def test_the_name_follows_no_rename(session):
    course = make_course(session)
    learner = make_learner(session, course)
    put(session, learner, course)
    session.execute(update(Learner).where(Learner.id == learner).values(name="Augusta King"))
    assert put(session, learner, course, ReviewDraft(4), LATER).author == "Ada L."


def test_who_has_no_name_is_a_learner(session):
    course = make_course(session)
    learner = make_learner(session, course)
    session.execute(update(Learner).where(Learner.id == learner).values(name=" "))
    assert put(session, learner, course).author == "A learner"


@pytest.mark.each_database
def test_one_review_for_each_learner_and_course(session):
    course, other = make_course(session), make_course(session, slug="payroll")
    learner = make_learner(session, course)
    grants.grant(session, learner, [other], GrantSource("gift", 9), SOON)
    finish(session, learner, other, 1)
    put(session, learner, course)
    put(session, learner, other)
    edited = put(session, learner, course, ReviewDraft(2, "Less clear"), LATER)
    assert (edited.rating, edited.title, edited.text, edited.reviewed_at, edited.edited_at) == (
        *(2, "Less clear", ""),
        *(SOON, LATER),
    )
    assert count(session) == 2


def test_the_same_again_changes_nothing(session):
    course = make_course(session)
    learner = make_learner(session, course)
    put(session, learner, course)
    session.execute(update(Course).values(reviews_changed_at=None))
    assert put(session, learner, course, at=LATER).edited_at is None
    assert session.scalars(select(Course.reviews_changed_at)).one() is None


def test_a_fifth_of_the_required_lessons_comes_first(session):
    course = make_course(session)
    learner = make_learner(session, course, done=0)
    with pytest.raises(Refused, match=r"Finish 1 required lesson first: you have finished 0\."):
        put(session, learner, course)
    assert count(session) == 0
    finish(session, learner, course, 1)
    assert writing.options(session, learner, course, SOON) == ReviewOptions(None, None)
    put(session, learner, course)


def test_after_the_end_of_access_only_who_completed_it_may_review(session):
    course = make_course(session)
    learner = make_learner(session, course)
    grants.end(session, GrantSource("order", learner), SOON, "refund")
    with pytest.raises(Refused, match="You no longer have access"):
        put(session, learner, course, at=LATER)
    session.execute(update(Enrolment).values(completed_at=SOON))
    session.expire_all()
    assert put(session, learner, course, at=LATER).state == "published"


def test_staff_write_no_reviews(session):
    course = make_course(session)
    learner = make_learner(session, course)
    factories.staff(session, learner, "support")
    with pytest.raises(Refused, match="Staff"):
        put(session, learner, course)


def test_who_never_had_the_course_finds_none(session):
    course = make_course(session)
    stranger = factories.learner(session, "Grace Hopper").id
    for change in (lambda: put(session, stranger, course), lambda: writing.delete(session, stranger, course, SOON)):
        with pytest.raises(NotFound, match=r"There is no such course\."):
            change()
    assert writing.options(session, stranger, course, SOON) is None


def test_a_retired_course_gets_no_new_review_but_keeps_the_old_one(session):
    course = make_course(session)
    first, late = make_learner(session, course), make_learner(session, course, "Grace Hopper")
    put(session, first, course)
    session.execute(update(Product).values(status="retired"))
    with pytest.raises(Refused, match="no longer sold"):
        put(session, late, course)
    assert put(session, first, course, ReviewDraft(3), LATER).rating == 3


REFUSED = {
    "no star": (ReviewDraft(0), {"rating"}),
    "six stars": (ReviewDraft(6), {"rating"}),
    "a long title": (ReviewDraft(5, "x" * 121), {"title"}),
    "a long text": (ReviewDraft(5, "", "x" * 4001), {"text"}),
    "everything": (ReviewDraft(9, "x" * 121, "x" * 4001), {"rating", "title", "text"}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_too_much_is_refused_by_field(session, case):
    draft, fields = REFUSED[case]
    course = make_course(session)
    learner = make_learner(session, course)
    with pytest.raises(InvalidInput) as error:
        put(session, learner, course, draft)
    assert (error.value.errors.keys(), count(session)) == (fields, 0)


STATES = {
    "plain": (ReviewDraft(5, "Good", "The VAT and SQL parts are short."), "published"),
    "stars alone": (ReviewDraft(1), "published"),
    "other scripts": (ReviewDraft(5, "とても良い講座でした", "很好的课程,非常清楚明白易懂"), "published"),
    "a link": (ReviewDraft(5, "", "See https://example.test/x"), "pending"),
    "a domain": (ReviewDraft(5, "", "Cheaper at Courses.com!"), "pending"),
    "a short link": (ReviewDraft(5, "", "More at bit.ly/abc"), "pending"),
    "a group": (ReviewDraft(5, "t.me/courses"), "pending"),
    "a link of any ending": (ReviewDraft(5, "", "Look: cheap.example/course, or x.museum?a=1"), "pending"),
    "a link with a port": (ReviewDraft(5, "", "cheap.example:8080/course"), "pending"),
    "wide signs": (ReviewDraft(5, "", "goo\N{FULLWIDTH FULL STOP}gl\N{FULLWIDTH SOLIDUS}abc"), "pending"),
    "a new ending": (ReviewDraft(5, "", "Try courses.app instead"), "pending"),
    "numbers and units": (ReviewDraft(5, "", "3.5 of 5, about 1.5/2 h a day and/or more."), "published"),
    "an address": (ReviewDraft(5, "", "Ask me: ada @ example.test"), "pending"),
    "capitals": (ReviewDraft(1, "", "THIS IS NOT WORTH IT!!"), "pending"),
    "a name in capitals": (ReviewDraft(5, "GDPR"), "published"),
    "a sentence without a space": (ReviewDraft(5, "", "I liked it.It was short."), "published"),
}


@pytest.mark.parametrize("case", STATES)
def test_links_addresses_and_capitals_are_looked_at_first(session, case):
    draft, state = STATES[case]
    course = make_course(session)
    learner = make_learner(session, course)
    assert put(session, learner, course, draft).state == state
    # Only what pages show is counted.
    counting.update_ratings(session)
    assert stars(session, course)[1] == (state == "published")


def test_the_text_is_plain_and_tidy(session):
    course = make_course(session)
    learner = make_learner(session, course)
    own = put(session, learner, course, ReviewDraft(5, "  Very\n clear ", "<b>Good</b> \r\n\r\n\r\n\r\nEnd\u202e\x00 "))
    assert (own.title, own.text) == ("Very clear", "<b>Good</b>\n\nEnd")


def test_a_deleted_review_can_be_written_again(session):
    course = make_course(session)
    learner = make_learner(session, course)
    put(session, learner, course)
    for _ in range(2):
        writing.delete(session, learner, course, LATER)
    assert count(session) == 0
    assert put(session, learner, course, at=LATER).reviewed_at == LATER


@pytest.mark.each_database
@pytest.mark.parametrize("decide", ["hidden", "pending", "hidden and edited"])
def test_what_was_hidden_or_had_to_be_looked_at_waits_when_it_is_deleted_and_written_again(session, decide):
    course = make_course(session)
    learner = make_learner(session, course)
    own = put(session, learner, course, GOOD if decide != "pending" else ReviewDraft(5, "", "www.example.test"))
    if decide != "pending":
        moderation.hide(session, own.id, "It is an advertisement.", SOON)
    if decide == "hidden and edited":
        assert put(session, learner, course, ReviewDraft(4, "Other"), SOON).state == "pending"
    for _ in range(2):
        writing.delete(session, learner, course, LATER)
    assert writing.options(session, learner, course, LATER) == ReviewOptions(None, None)
    assert session.scalars(select(Review.body)).all() == [""]
    with pytest.raises(NotFound):
        moderation.publish(session, own.id, LATER)
    again = put(session, learner, course, GOOD, LATER)
    assert (again.state, again.reviewed_at, again.edited_at, again.hidden_reason) == ("pending", LATER, None, "")
    assert [row.id for row in moderation.list_pending(session)] == [again.id]
