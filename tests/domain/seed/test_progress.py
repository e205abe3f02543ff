"""The progress of the demo's learners: what pages count from it is true, and equal in every load."""

from datetime import timedelta

from sqlalchemy import func, select

from domain.identity import learners
from domain.learning import recount
from domain.learning.certificates import certificate_views as certificate_reading
from domain.seed.progress import invented
from domain.seed.progress import load as seed_progress_load
from domain.seed.progress.named import NOTE
from domain.tables import (
    Certificate,
    Enrolment,
    Learner,
    LessonNote,
    LessonProgress,
    Outbox,
    Product,
    QuizAttempt,
)
from tests.support.factories import NOON


def courses_of(session, subject):
    learner = learners.find_by_identity(session, learners.DEVELOPMENT_ISSUER, subject)
    query = select(Product.slug, Enrolment.done_lessons, Enrolment.completed_at)
    rows = session.execute(
        query.join(Product, Product.id == Enrolment.product_id).where(
            Enrolment.learner_id == learner.id, Enrolment.started_at.is_not(None)
        )
    )
    return {slug: (done, completed_at) for slug, done, completed_at in rows}


def test_ada_has_completed_courses_and_half_of_another_and_has_a_retired_one_for_a_time(demo):
    ethics, conflicts, completed_at = (NOON - timedelta(days=days) for days in (410, 140, 15))
    assert courses_of(demo, "ada") == {
        "anti-bribery-gifts-third-parties": (17, ethics),
        "conflicts-of-interest-in-an-hour": (9, conflicts),
        "delegation-that-holds": (13, completed_at),
        "distance-selling-one-stop-shop": (4, None),
        "sql-for-spreadsheet-people": (9, None),
    }
    ending = select(Enrolment.access_until).join(Product).join(Learner).where(Product.status == "retired")
    assert demo.scalars(ending.where(Learner.subject == "ada")).all() == [NOON + timedelta(days=12)]


def test_of_the_certificates_of_ada_one_is_over_one_ends_and_one_does_not(demo):
    learner = learners.find_by_identity(demo, learners.DEVELOPMENT_ISSUER, "ada")
    issued = certificate_reading.of_learner(demo, learner.id, NOON).issued
    assert [(row.course_name, row.holder_name, row.state, row.expires_at is None) for row in issued] == [
        ("Delegation That Holds", "Ada Lindqvist", "valid", True),
        ("Conflicts of Interest in an Hour", "Ada Lindqvist", "valid", False),
        ("Anti-Bribery: Gifts, Hospitality & Third Parties", "Ada Lindqvist", "expired", False),
    ]


def test_member_is_on_the_way_in_one_course_has_a_retired_one_and_one_that_is_over(demo):
    assert courses_of(demo, "member") == {
        "gdpr-everyday-decisions": (6, None),
        "statistics-for-decisions": (2, None),
        "speak-up-channels": (0, None),
    }
    own = select(Product.slug, Product.status, Enrolment.access_until).join(Product).join(Learner)
    assert {tuple(row) for row in demo.execute(own.where(Learner.subject == "member"))} == {
        ("gdpr-everyday-decisions", "published", None),
        ("distance-selling-one-stop-shop", "retired", None),
        ("statistics-for-decisions", "published", NOON - timedelta(days=4)),
        ("speak-up-channels", "published", None),
    }
    assert demo.scalars(select(LessonNote.body)).all() == [NOTE]


def test_ada_passed_her_first_quiz_at_the_second_attempt(demo):
    attempts = select(QuizAttempt.number, QuizAttempt.is_passed).join(Learner).where(Learner.subject == "ada")
    passed = [tuple(row) for row in demo.execute(attempts.order_by(QuizAttempt.attempted_at))]
    assert passed == [(1, False), (2, True), (1, True), (1, True), (1, False), (2, True)]


def test_two_hundred_learners_studied_for_months(demo):
    people = select(func.count(LessonProgress.learner_id.distinct())).join(Learner)
    invented_people = select(func.count()).select_from(Learner).where(Learner.subject.contains("."))
    assert demo.scalar(invented_people) == invented.COUNT
    assert 150 < demo.scalar(people) <= invented.COUNT + 2
    first, last = demo.execute(select(func.min(LessonProgress.done_at), func.max(LessonProgress.done_at))).one()
    assert first < NOON - timedelta(days=200)
    assert NOON - timedelta(days=1) < last <= NOON


def test_counting_every_course_anew_changes_nothing(own_demo):
    def counted(session):
        columns = (Enrolment.id, Enrolment.done_lessons, Enrolment.completed_at, Enrolment.rule_version)
        columns += (Enrolment.done_lesson_ids,)
        done = select(LessonProgress.learner_id, LessonProgress.lesson_id, LessonProgress.is_done)
        begun = select(*columns).where(Enrolment.started_at.is_not(None)).order_by(Enrolment.id)
        return session.execute(begun).all(), sorted(session.execute(done).all())

    with own_demo.write_session() as session:
        before = counted(session)
        for course_id in session.scalars(select(Enrolment.product_id).distinct()).all():
            assert recount.recount(session, course_id, 0, NOON).completed == 0
        session.flush()
        assert counted(session) == before


def test_every_completion_has_its_certificate_and_no_mail_is_sent(demo):
    completed = set(demo.scalars(select(Enrolment.id).where(Enrolment.completed_at.is_not(None))))
    assert set(demo.scalars(select(Certificate.enrolment_id))) == completed
    assert len(completed) > 20
    assert demo.scalar(select(func.count()).select_from(Outbox)) == 0


def test_no_progress_is_older_than_the_access_or_newer_than_the_load(demo):
    wrong = (
        select(func.count())
        .select_from(LessonProgress)
        .join(
            Enrolment,
            (Enrolment.learner_id == LessonProgress.learner_id) & (Enrolment.product_id == LessonProgress.course_id),
        )
        .where((LessonProgress.opened_at < Enrolment.enrolled_at) | (LessonProgress.opened_at > NOON))
    )
    assert demo.scalar(wrong) == 0


def test_a_shop_with_progress_gets_none(own_demo):
    with own_demo.write_session() as session:
        before = session.scalar(select(func.count()).select_from(LessonProgress))
        seed_progress_load.add(session, NOON)
        assert session.scalar(select(func.count()).select_from(LessonProgress)) == before
