"""kill -9 of the host between the commit of progress and its answer, on both databases: the browser has no answer and
sends again, and nothing is counted, completed or mailed twice."""

import signal
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import func, select

from domain.database.database import Database
from domain.identity import sessions
from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import Certificate, Enrolment, Lesson, LessonProgress, Outbox
from tests.faults.conftest import StepProcess
from tests.support import factories

pytestmark = pytest.mark.faults
POINT = "progress.recorded"
NOWHERE = {"origin": "http://127.0.0.1:9", "smtp": "smtp://127.0.0.1:9"}


class Browser:
    """Somebody who finishes the one lesson of a course: the message that completes it."""

    def __init__(self, database: Database, process: StepProcess):
        self._database, self._process = database, process
        now = datetime.now(UTC)
        with database.write_session() as session:
            course = factories.course(session, factories.category(session).id)
            publishing_lessons.put_lessons(session, course.id, (SectionRecord("All", (LessonRecord("One", 5),)),), now)
            learner = factories.learner(session)
            grants.grant(session, learner.id, [course.id], GrantSource("order", 1), now)
            opened = sessions.open_session(session, learner.id, now, "learner")
            lesson, at = session.scalars(select(Lesson.id)).one(), int(now.timestamp() * 1000)
        self.about = {
            "headers": {"Authorization": f"Bearer {opened.token}", "Cookie": f"sid={opened.cookie_secret}"},
            "message": {"learnerId": learner.id, "changes": [{"lesson": lesson, "at": at, "done": True}]},
        }

    async def send(self, step: str, point: str = "") -> int:
        """The exit code of the host, or the signal that ended it."""
        url = self._database.url.render_as_string(hide_password=False)
        job = {"form": "host", "step": step, "point": point, "url": url, "about": self.about, **NOWHERE}
        return await self._process.run(job)

    def stored(self) -> dict[str, Any]:
        """What must not be there twice."""
        with self._database.read_session() as session:
            row = session.scalars(select(Enrolment)).one()
            lesson = session.execute(select(LessonProgress.is_done, LessonProgress.done_at)).one()
            tables = (Certificate, Outbox)
            counts = [session.scalar(select(func.count()).select_from(table)) for table in tables]
            return {"lessons": row.done_lessons, "completed": row.completed_at, "lesson": lesson, "counts": counts}


@pytest.fixture
def browser(database, process) -> Browser:
    return Browser(database, process)


@pytest.mark.each_database
async def test_progress_that_was_stored_and_not_answered_counts_once_when_it_is_sent_again(browser):
    assert await browser.send("progress", POINT) == -signal.SIGKILL
    first = browser.stored()
    assert (first["lessons"], first["counts"]) == (1, [1, 1])
    assert await browser.send("progress") == 0
    assert browser.stored() == first


async def test_a_host_that_counts_messages_counts_the_same_change_twice(browser):
    """The negative control: what is done is added to, not counted anew."""
    assert await browser.send("added progress", POINT) == -signal.SIGKILL
    assert browser.stored()["lessons"] == 1
    assert await browser.send("added progress") == 0
    assert browser.stored()["lessons"] == 2
