"""The progress of the demo's learners: what pages count from it is true, and equal in every load."""

from datetime import timedelta

from sqlalchemy import func, select

from domain.identity import learners
from domain.learning import recount
from domain.seed import progress
from domain.seed.progress import invented
from domain.tables import Certificate, Enrolment, Learner, LessonProgress, Outbox, Product, QuizAttempt
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


def test_ada_has_completed_one_course_and_half_of_another(demo):
    completed_at = NOON - timedelta(days=15)
    assert courses_of(demo, "ada") == {
        "delegation-that-holds": (13, completed_at),
        "sql-for-spreadsheet-people": (9, None),
    }
    certificates = select(Certificate.course_name, Certificate.holder_name, Certificate.issued_at).join(Learner)
    issued = demo.execute(certificates.where(Learner.subject == "ada")).all()
    assert [tuple(row) for row in issued] == [("Delegation That Holds", "Ada Lindqvist", completed_at)]


def test_member_is_on_the_way(demo):
    assert courses_of(demo, "member") == {"gdpr-everyday-decisions": (6, None)}


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
        progress.add(session, NOON)
        assert session.scalar(select(func.count()).select_from(LessonProgress)) == before
