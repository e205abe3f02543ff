"""A running demo shop with many learners, their courses and progress; one of them is measured."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from bench.client import Load
from bench.measured_database import database_settings, own_database
from bench.processes import Side
from bench.selling.order_floor import text_of
from domain.database.database import Database
from domain.learning import grants, progress
from domain.learning.grants import GrantSource
from domain.learning.progress_merge import ProgressChange
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import Lesson, Product
from host.auth.private_pages import TOKEN_COOKIE
from tests.support.site import Site, running

FEW, MANY = 1_000, 100_000
COURSES_EACH, DONE_EACH = 2, 5
OWN_COURSES, OWN_DONE = 20, 3
# Whose lessons are of every kind.
WRITTEN = "sql-for-spreadsheet-people"
WIDE_LESSONS, USUAL_LESSONS, LONG_BYTES = 100, 19, 10_000
SHORT = {"text": "Short."}
SETTINGS = {"LIMITS": "off", "PAGE_CACHE": "off", "SSR_WORKERS": "1", "DATABASE_DEADLINE_MS": "20000"}


@dataclass(frozen=True)
class School:
    """`slugs`: the measured learner's courses, first the written one, last the one whose first lesson is `long`.
    `wide`: ids of the many lessons of one course more."""

    site: Site
    learner_id: int
    cookie: str
    bearer: str
    slugs: Sequence[str]
    long: int
    wide: Sequence[int]

    @property
    def host(self) -> Side:
        return Side("host", self.site.port, lambda: self.site.pids()["host"])

    def page(self, path: str, requests: int) -> Load:
        """A GET of the learner's; of what only learners may have as data with the token, as their browser sends it."""
        bearer = self.bearer if path.startswith("/data/user-dashboard") else ""
        return Load(self.site.port, path, requests, cookie=self.cookie, bearer=bearer)

    def call(self, name: str, body: str, requests: int) -> Load:
        """A PUT of the learner's."""
        path = f"/api/{name}"
        return Load(self.site.port, path, requests, body=body, method="PUT", cookie=self.cookie, bearer=self.bearer)


@contextmanager
def school(learners: int) -> Iterator[School]:
    """With so many learners beside the measured one."""
    with database_settings() as database, running(**SETTINGS, **database) as site:
        token = json.loads(site.dev("token", "student"))
        db = own_database(site)
        with db.write_session() as session:
            slugs, long, wide = _study(session, token["AAUserID"])
        _add_learners(db, learners)
        db.engine.dispose()
        user = {"AAUserID": token["AAUserID"], "Email": ""}
        user_info = quote(json.dumps({"accessToken": token["accessToken"], "user": user}))
        cookie = f"{token['cookie']}; {TOKEN_COOKIE}={user_info}"
        yield School(site, token["AAUserID"], cookie, token["accessToken"], slugs, long, wide)


def _study(session: Session, learner_id: int) -> tuple[list[str], int, list[int]]:
    now = datetime.now(UTC)
    query = select(Product.id, Product.slug).where(Product.kind == "course", Product.status == "published")
    courses = session.execute(query.order_by(Product.slug != WRITTEN, Product.id).limit(OWN_COURSES + 1)).all()
    grants.grant(session, learner_id, [row.id for row in courses], GrantSource("gift", 1_000_000_000), now)
    long = {"text": "A sentence of a lesson. " * (LONG_BYTES // 24)}
    [long_id, *_] = _put_lessons(session, courses[-2].id, [long] + [SHORT] * (USUAL_LESSONS - 1))
    wide = _put_lessons(session, courses[-1].id, [SHORT] * WIDE_LESSONS)
    for row in courses[:-1]:
        lessons = session.scalars(select(Lesson.id).where(Lesson.course_id == row.id, Lesson.withdrawn_at.is_(None)))
        # Not before the lessons were written, which would have changed since.
        done_at = datetime.now(UTC)
        changes = [ProgressChange(lesson_id, done_at, True) for lesson_id in sorted(lessons)[:OWN_DONE]]
        progress.record(session, learner_id, changes, done_at)
    return [slug for _, slug in courses[:-1]], long_id, wide


def _put_lessons(session: Session, course_id: int, bodies: Sequence[dict[str, str]]) -> list[int]:
    """Replace the lessons of a course by one for each body; their ids."""
    records = tuple(LessonRecord(f"Lesson {place}", 5, body=body) for place, body in enumerate(bodies, 1))
    publishing_lessons.put_lessons(session, course_id, (SectionRecord("All", records),), datetime.now(UTC))
    is_shown = (Lesson.course_id == course_id, Lesson.withdrawn_at.is_(None))
    return list(session.scalars(select(Lesson.id).where(*is_shown).order_by(Lesson.position)))


def _add_learners(db: Database, count: int) -> None:
    with db.write_session() as session:
        _speak_alike(session)
        session.execute(text(_LEARNERS), {"count": count, "at": text_of(datetime.now(UTC) - timedelta(days=30))})
    add_progress(db, count)


def _speak_alike(session: Session) -> None:
    """Let MariaDB read the statements below as SQLite does, until the engine is disposed of."""
    if session.connection().dialect.name != "sqlite":
        session.execute(
            text("SET sql_mode = CONCAT(@@sql_mode, ',PIPES_AS_CONCAT'), max_recursive_iterations = 4294967295")
        )


def add_progress(db: Database, count: int) -> None:
    """For each of so many learners of this benchmark two courses, of which five lessons are done."""
    values = {"at": text_of(datetime.now(UTC) - timedelta(days=30)), "done": DONE_EACH}
    with db.write_session() as session:
        _speak_alike(session)
        session.execute(text(_COURSES))
        session.execute(text(_ENROLMENTS), values)
        session.execute(text(_GRANTS), values)
        session.execute(text(_PROGRESS), values)
        session.execute(text(_DONE_IDS))
        session.execute(text("DROP TABLE bench_courses"))
        rows = session.execute(text(_PROGRESS_ROWS)).scalar_one()
    if rows != count * COURSES_EACH * DONE_EACH:
        raise RuntimeError(f"only {rows} rows of progress were added")


_COURSES = """
CREATE TEMPORARY TABLE bench_courses AS
SELECT row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS number, id
FROM products WHERE kind = 'course' AND status = 'published'
"""
_LEARNERS = """
INSERT INTO learners (student_number, issuer, subject, email, name, created_at)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count)
SELECT 's-bench-' || n, 'bench', 'bench-' || n, '', 'Learner ' || n, :at FROM numbers
"""
_ENROLMENTS = """
INSERT INTO enrolments
(learner_id, product_id, enrolled_at, source, started_at, last_active_at, done_lessons, rule_version)
SELECT learners.id, courses.id, :at, 'gift', :at, :at, :done, 1
FROM learners CROSS JOIN (SELECT 0 AS step UNION SELECT 7) AS steps JOIN bench_courses AS courses
ON courses.place = (learners.id + step) % courses.number WHERE learners.issuer = 'bench'
"""
_BENCH_ENROLMENTS = "enrolments JOIN learners ON learners.id = enrolments.learner_id AND learners.issuer = 'bench'"
_GRANTS = f"""
INSERT INTO enrolment_grants (enrolment_id, source, source_id, granted_at, reason)
SELECT enrolments.id, 'gift', 2000000000 + enrolments.id, :at, '' FROM {_BENCH_ENROLMENTS}
"""
_PROGRESS = f"""
INSERT INTO lesson_progress (learner_id, course_id, lesson_id, is_done, done_at, position, furthest, opened_at)
SELECT learner_id, product_id, begun.id, 1, :at, 0, 0, :at FROM {_BENCH_ENROLMENTS}
JOIN (SELECT id, course_id, row_number() OVER (PARTITION BY course_id ORDER BY id) AS place FROM lessons) AS begun
ON begun.course_id = product_id AND begun.place <= :done ORDER BY 1, 2, 3
"""
_PROGRESS_ROWS = """
SELECT count(*) FROM lesson_progress JOIN learners ON learners.id = learner_id WHERE learners.issuer = 'bench'
"""
_DONE_IDS = """
UPDATE enrolments SET done_lesson_ids = (SELECT group_concat(lesson_id) FROM lesson_progress
WHERE lesson_progress.learner_id = enrolments.learner_id AND course_id = product_id AND is_done)
WHERE done_lesson_ids IS NULL
"""
