"""Courses with lessons on a site, and learners who study them."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select, update

from domain.learning import grants, progress
from domain.learning.grants import GrantSource
from domain.learning.progress_merge import ProgressChange
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import Enrolment, Lesson
from tests.host.signing import Learner
from tests.host.site import Site

COURSE = "vat-basics"
# Section -> its lessons.
OUTLINE = {"First": ("Rates", "Exempt"), "Then": ("Returns", "Deadlines")}


def publish(site: Site, slug: str = COURSE, outline: dict[str, tuple[str, ...]] | None = None) -> dict[str, int]:
    """Lessons of five minutes each, by their titles; returns their ids."""
    sections = tuple(
        SectionRecord(title, tuple(LessonRecord(name, 5, body={"text": f"All about **{name}**."}) for name in names))
        for title, names in (OUTLINE if outline is None else outline).items()
    )
    course_id = site.id_of(slug)
    with site.db.write_session() as session:
        publishing_lessons.put_lessons(session, course_id, sections, datetime.now(UTC) - timedelta(days=2))
        query = select(Lesson.title, Lesson.id).where(Lesson.course_id == course_id, Lesson.withdrawn_at.is_(None))
        return dict(session.execute(query).all())


def enrol(site: Site, learner: Learner, slug: str = COURSE, *, until: datetime | None = None) -> None:
    """Give access by an order line of its own for each course."""
    course_id = site.id_of(slug)
    with site.db.write_session() as session:
        source = GrantSource("order", 1_000 * learner.id + course_id)
        grants.grant(session, learner.id, [course_id], source, datetime.now(UTC) - timedelta(days=1), until=until)


def finish(site: Site, learner: Learner, *lesson_ids: int) -> None:
    now = datetime.now(UTC)
    with site.db.write_session() as session:
        progress.record(session, learner.id, [ProgressChange(lesson, now, True) for lesson in lesson_ids], now)


def end_access(site: Site, learner: Learner) -> None:
    with site.db.write_session() as session:
        ended = datetime.now(UTC) - timedelta(hours=1)
        session.execute(update(Enrolment).where(Enrolment.learner_id == learner.id).values(access_until=ended))
