"""kill -9 in the middle of a job: another process goes on where it was, and every step counts once."""

import signal
from datetime import timedelta

import pytest
from sqlalchemy import select

from adapters.jobs import JobRunner
from domain.jobs import claims, job_rows
from domain.jobs.job_rows import NewJob
from domain.tables import DeadLetter
from tests.domain.jobs import killed_process
from tests.domain.jobs.killed_process import STEPS
from tests.support import factories
from tests.support.factories import NOON

pytestmark = [pytest.mark.faults, pytest.mark.each_database]
ONCE = [f"letter {number}" for number in range(STEPS)]


@pytest.fixture
def dead_letters_of_killed_job(children, database, monkeypatch):
    """Called with a kind and a point: the dead letters that a job has written which was killed at the point and then
    done by this process, with the state of the job and how far it was when it was killed."""

    def written():
        with database.read_session() as session:
            return list(session.scalars(select(DeadLetter.task).order_by(DeadLetter.id)))

    def run(kind, point):
        with database.write_session() as session:
            learner_id = factories.learner(session).id
            job_id = job_rows.start(session, NewJob(kind, {}, "key-1", learner_id), NOON)
        url = database.url.render_as_string(hide_password=False)
        assert children.run(killed_process.run, url=url, kind=kind, point=point) == -signal.SIGKILL
        with database.read_session() as session:
            killed = job_rows.job_view(session, job_id, [kind])
        runner = JobRunner(database, {kind: killed_process.kinds(database)[kind]})
        assert runner.run_slice() is False, "the lease of the killed process has not ended yet"
        monkeypatch.setattr(claims, "LEASE", timedelta(0))
        assert runner.run_slice() is True
        with database.read_session() as session:
            ended = job_rows.job_view(session, job_id, [kind])
        return killed, ended, written()

    return run


@pytest.mark.parametrize(("point", "processed"), [("job.worked:3", 2), ("job.committed:3", 3), ("job.worked:1", 0)])
def test_a_job_of_a_killed_process_ends_as_if_nothing_had_happened(dead_letters_of_killed_job, point, processed):
    killed, ended, letters = dead_letters_of_killed_job("guarded", point)
    assert (killed.state, killed.processed) == ("running", processed)
    assert (ended.state, ended.processed, ended.total, ended.report) == ("done", STEPS, STEPS, {"last": STEPS - 1})
    assert letters == ONCE


def test_work_outside_of_the_step_would_count_twice(dead_letters_of_killed_job):
    """The negative control."""
    _, ended, letters = dead_letters_of_killed_job("unguarded", "job.worked:3")
    assert ended.state == "done"
    assert letters == [*ONCE[:3], ONCE[2], *ONCE[3:]]
