"""L6: what a certificate's PDF and its credential cost, and how long a recount that completes 10,000 people takes and
locks.

`python -m bench.learning.certificates FOLDER` recounts a generated course there, and prints what it took as JSON.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from uuid import uuid4

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from bench.comparison import ResultLine
from bench.processes import ROOT
from config.settings import Settings
from domain.database.database import Database, database_url
from domain.learning import recount
from domain.learning.certificates.certificate_views import CertificateView
from domain.migrations import runner
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import Enrolment, Learner, Lesson, LessonProgress, QuizAttempt
from host.documents.certificates import certificate_pdf, credentials
from host.documents.certificates.certificate_pdf import Sheet
from host.documents.certificates.credentials import Issuer
from host.documents.certificates.signing_keys import signing_key
from tests.support import factories

ROUNDS = 30
PEOPLE, TEXTS, QUIZZES = 10_000, 16, 3
MAX_PDF_MS, MAX_CREDENTIAL_MS, MAX_RECOUNT_S, MAX_LOCK_MS = 25.0, 3.0, 30.0, 200.0
AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
ISSUER = Issuer("https://shop.example", "Meridian Learning", "hello@shop.example")
QUESTION = {"id": "q", "kind": "number", "text": "How many?", "value": "1", "tolerance": "0", "unit": ""}
QUIZ = {"text": "Try it.", "questions": [{**QUESTION, "explanation": "One."}], "attempts": None, "wait_min": 0}


def l6() -> list[ResultLine]:
    view, address = _certificate(), "https://shop.example/verify-certificate/c"
    pdf_ms = _cpu_ms(lambda: certificate_pdf.render(Sheet(view, ISSUER.name, address, "S-1042", "en-US")))
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as folder:
        key = signing_key(replace(Settings.from_environment({}), var_dir=Path(folder)))
        credential_ms = _cpu_ms(lambda: key.sign(credentials.claims(credentials.credential(ISSUER, view))))
        command = [sys.executable, "-m", "bench.learning.certificates", folder]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    took = json.loads(ended.stdout)
    return [
        _line("a certificate as PDF, CPU", pdf_ms, MAX_PDF_MS, "ms"),
        _line("a credential, CPU", credential_ms, MAX_CREDENTIAL_MS, "ms"),
        _line(f"a recount that completes {PEOPLE:,}", took["seconds"], MAX_RECOUNT_S, "s"),
        _line("its longest transaction, without waiting for a core", took["longest_ms"], MAX_LOCK_MS, "ms"),
        ResultLine("L6", "the longest by the clock", "", f"{took['longest_wall_ms']:.1f} ms", "", None, None),
        ResultLine("L6", "the most CPU of one", "", f"{took['most_cpu_ms']:.1f} ms", "", None, None),
        ResultLine("L6", "the same recount again", "", f"{took['again_s']:.1f} s", "", None, None),
    ]


def _line(what: str, figure: float, limit: float, unit: str) -> ResultLine:
    return ResultLine("L6", what, f"<= {limit:g} {unit}", f"{figure:.1f} {unit}", "", None, figure <= limit)


def _cpu_ms(work: Callable[[], object]) -> float:
    work()
    times: list[float] = []
    for _round in range(ROUNDS):
        began = time.process_time()
        work()
        times.append((time.process_time() - began) * 1000)
    return median(times)


def _certificate() -> CertificateView:
    return CertificateView(
        code="c",
        number=1,
        course_id=7,
        course_slug="vat-basics",
        course_name="VAT Fundamentals for Finance Teams",
        holder_name="J\u00f6rg M\u00fcller",
        credits=12.5,
        minutes=420,
        rule_text="Finish all 19 lessons and pass 3 quizzes with 70 %.",
        completed_at=AT,
        issued_at=AT,
        expires_at=AT + timedelta(days=730),
        revoked_at=None,
        reason="",
        status_index=42,
        state="valid",
        can_correct_name=True,
        renewable_from=AT + timedelta(days=640),
    )


def _recount(folder: Path) -> dict[str, float]:
    db = Database(database_url(None, folder), deadline_s=60, busy_ms=60_000)
    runner.upgrade(db.engine)
    with db.write_session() as session:
        course_id = _fill(session)
    first, again = _slices(db, course_id), _slices(db, course_id)
    if first[1] != PEOPLE or again[1]:
        raise RuntimeError(f"{first[1]}, then {again[1]} people were completed")
    times = first[0]
    return {
        "seconds": sum(each.wall for each in times),
        "longest_ms": max(each.wall - each.waited for each in times) * 1000,
        "longest_wall_ms": max(each.wall for each in times) * 1000,
        "most_cpu_ms": max(each.cpu for each in times) * 1000,
        "again_s": sum(each.wall for each in again[0]),
    }


@dataclass(frozen=True)
class Times:
    """Seconds of one transaction, its commit included. `waited`: it could have gone on, but other programs had the
    cores. What the disk takes is not in it."""

    wall: float
    cpu: float
    waited: float


def _slices(db: Database, course_id: int) -> tuple[list[Times], int]:
    """The times of each transaction; how many people were completed."""
    times: list[Times] = []
    completed, limit = 0, recount.FIRST_SLICE
    after_id: int | None = 0
    while after_id is not None:
        began, cpu, waited = time.perf_counter(), *_scheduled()
        done = db.write_sync(recount.recount, course_id, after_id, datetime.now(UTC), limit)
        cpu_after, waited_after = _scheduled()
        times.append(Times(time.perf_counter() - began, cpu_after - cpu, waited_after - waited))
        completed, after_id, limit = completed + done.completed, done.last_id, done.next_limit
    return times, completed


def _scheduled() -> tuple[float, float]:
    """Seconds that this thread has run, and that it waited for a core (Linux)."""
    ran, waited, _turns = Path("/proc/thread-self/schedstat").read_text().split()
    return int(ran) / 1e9, int(waited) / 1e9


def _fill(session: Session) -> int:
    """A course of 19 lessons that everybody has done, and nobody has completed yet."""
    course_id = factories.course(session, factories.category(session).id).id
    texts = tuple(LessonRecord(f"Lesson {place}", 5) for place in range(TEXTS))
    quizzes = tuple(LessonRecord(f"Quiz {place}", 5, kind="quiz", body=QUIZ) for place in range(QUIZZES))
    publishing_lessons.put_lessons(session, course_id, (SectionRecord("All", (*texts, *quizzes)),), AT)
    lessons = session.execute(select(Lesson.id, Lesson.kind).where(Lesson.course_id == course_id)).all()
    people = range(1, PEOPLE + 1)
    session.execute(insert(Learner), [_learner(number) for number in people])
    session.execute(
        insert(Enrolment), [{"learner_id": number, "product_id": course_id, "enrolled_at": AT} for number in people]
    )
    for first in range(1, PEOPLE + 1, 1000):
        part = range(first, first + 1000)
        session.execute(
            insert(LessonProgress), [_done(person, course_id, row.id) for person in part for row in lessons]
        )
        passed = [_passed(person, row.id) for person in part for row in lessons if row.kind == "quiz"]
        session.execute(insert(QuizAttempt), passed)
    return course_id


def _learner(number: int) -> dict[str, object]:
    facts = {"student_number": f"s-{number}", "issuer": "bench", "subject": str(number), "created_at": AT}
    return {**facts, "id": number, "name": f"Learner {number}", "email": f"{number}@example.test"}


def _done(person: int, course_id: int, lesson_id: int) -> dict[str, object]:
    keys = {"learner_id": person, "course_id": course_id, "lesson_id": lesson_id}
    return {**keys, "is_done": True, "done_at": AT, "opened_at": AT}


def _passed(person: int, lesson_id: int) -> dict[str, object]:
    keys = {"event_id": str(uuid4()), "learner_id": person, "lesson_id": lesson_id, "number": 1, "revision": 1}
    return {**keys, "answers": {"q": "1"}, "marks": {"q": 1000}, "score": 1000, "is_passed": True, "attempted_at": AT}


if __name__ == "__main__":
    print(json.dumps(_recount(Path(sys.argv[1]))))
