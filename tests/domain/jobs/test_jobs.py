"""Jobs in slices: started once, done by one process at a time, stopped between two steps. SQLite and MariaDB."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from adapters import jobs as running
from adapters.jobs import JobRunner
from domain.errors import NotFound, Refused
from domain.jobs import claims as job_claims
from domain.jobs import job_rows
from domain.jobs.claims import LEASE, STUCK, JobLost, JobStep
from domain.jobs.job_rows import NewJob
from domain.tables import DeadLetter, Job
from tests.domain.jobs import killed_process
from tests.domain.jobs.killed_process import STEPS, guarded
from tests.support import factories
from tests.support.factories import NOON

LATER = NOON + timedelta(seconds=5)
KIND = "guarded"


@pytest.fixture
def learner_id(database):
    with database.write_session() as session:
        return factories.learner(session).id


@pytest.fixture
def start(database, learner_id):
    def begin(key="key-1", kind=KIND):
        return database.write_sync(job_rows.start, NewJob(kind, {"from": 0}, key, learner_id), NOON)

    return begin


@pytest.fixture
def view(database):
    def read(job_id, kind=KIND):
        with database.read_session() as session:
            return job_rows.job_view(session, job_id, [kind])

    return read


def letters(database):
    with database.read_session() as session:
        return session.scalar(select(func.count(DeadLetter.id)))


def step(number):
    return JobStep(lambda session: killed_process.write_letter(session, number), number + 1, STEPS)


@pytest.mark.each_database
def test_a_key_starts_one_job(database, start):
    assert start() == start()
    assert start("key-2") != start()
    with database.read_session() as session:
        assert session.scalar(select(func.count(Job.id))) == 2


@pytest.mark.each_database
def test_a_job_is_done_in_steps_and_then_has_its_report(database, start, view):
    job_id = start()
    assert view(job_id).state == "queued"
    assert JobRunner(database, {KIND: guarded}).run_slice() is True
    done = view(job_id)
    assert (done.state, done.processed, done.total, done.report) == ("done", STEPS, STEPS, {"last": 4})
    assert done.ended_at >= done.started_at
    assert JobRunner(database, {KIND: guarded}).run_slice() is False


def test_a_slice_ends_in_time_and_the_next_one_goes_on(database, start, view):
    job_id, runner = start(), JobRunner(database, {KIND: guarded})
    for processed in range(1, STEPS + 1):
        assert runner.run_slice(0) is True
        assert (view(job_id).state, view(job_id).processed) == ("running", processed)
    runner.run_slice(0)
    assert (view(job_id).state, letters(database)) == ("done", STEPS)


def test_a_slice_goes_on_with_the_steps_that_were_begun(database, start, view):
    begun = []

    def counted(claim):
        begun.append(claim.processed)
        yield from guarded(claim)

    start()
    runner, other = JobRunner(database, {KIND: counted}), JobRunner(database, {KIND: counted})
    runner.run_slice(0)
    runner.run_slice(0)
    assert begun == [0]
    other.run_slice(0)
    runner.run_slice()
    assert begun == [0, 2, 3]
    assert letters(database) == STEPS


@pytest.mark.each_database
def test_two_processes_never_have_one_job(database, start):
    start()
    first = database.write_sync(job_claims.claim, [KIND], NOON)
    assert database.write_sync(job_claims.claim, [KIND], LATER) is None
    after = NOON + LEASE + timedelta(seconds=1)
    second = database.write_sync(job_claims.claim, [KIND], after)
    assert second.id == first.id
    with pytest.raises(JobLost):
        database.write_sync(job_claims.do_step, first, step(0), after)
    assert letters(database) == 0
    database.write_sync(job_claims.do_step, second, step(0), after)
    assert letters(database) == 1


@pytest.mark.each_database
def test_each_of_two_processes_has_a_job_of_its_own(database, start):
    ids = [start("a"), start("b")]
    claims = [database.write_sync(job_claims.claim, [KIND], NOON) for _ in range(3)]
    assert [None if claim is None else claim.id for claim in claims] == [*ids, None]


def test_a_stopped_job_does_no_further_step_and_stays_stopped(database, start, view):
    job_id = start()
    claim = database.write_sync(job_claims.claim, [KIND], NOON)
    claim = database.write_sync(job_claims.do_step, claim, step(0), NOON)
    assert database.write_sync(job_rows.stop, job_id, [KIND], LATER) is True
    for act in (
        lambda: database.write_sync(job_claims.do_step, claim, step(1), LATER),
        lambda: database.write_sync(job_claims.finish, claim, LATER),
        lambda: database.write_sync(job_claims.release, claim),
    ):
        with pytest.raises(JobLost):
            act()
    assert (view(job_id).state, view(job_id).processed, letters(database)) == ("stopped", 1, 1)
    assert database.write_sync(job_rows.stop, job_id, [KIND], LATER) is False
    assert JobRunner(database, {KIND: guarded}).run_slice() is False


@pytest.mark.parametrize(
    ("error", "text"), [(Refused("The file is gone."), "The file is gone."), (KeyError("x"), running.UNEXPECTED)]
)
def test_a_job_that_fails_says_why_and_keeps_what_is_done(start, view, database, error, text):
    def failing(_claim):
        yield step(0)
        raise error

    job_id = start()
    assert JobRunner(database, {KIND: failing}).run_slice() is True
    failed = view(job_id)
    assert (failed.state, failed.processed, failed.report) == ("failed", 1, {"last": 0, "error": text})
    assert letters(database) == 1


def test_kinds_of_a_newer_build_are_left_to_it(database, start):
    start(kind="newer")
    assert JobRunner(database, {KIND: guarded}).run_slice() is False


def test_a_job_of_another_kind_is_not_found(database, start, view):
    job_id = start()
    for wrong in ((job_id, "other"), (job_id + 1, KIND)):
        with pytest.raises(NotFound):
            view(*wrong)
    assert database.write_sync(job_rows.stop, job_id, ["other"], LATER) is False


def test_the_rate_is_that_since_the_start(database, start, view):
    job_id = start()
    assert view(job_id).rate(LATER) is None
    claim = database.write_sync(job_claims.claim, [KIND], NOON)
    database.write_sync(job_claims.do_step, claim, JobStep(lambda _session: {}, 50), LATER)
    assert view(job_id).rate(LATER) == 10


def claimed_after_silence(database, times):
    """A process claims the job and falls silent, so many times in a row; the time of the last claim, and the claim."""
    at, claim = NOON, None
    for _ in range(times):
        at += LEASE + timedelta(seconds=1)
        claim = database.write_sync(job_claims.claim, [KIND], at)
    return at, claim


@pytest.mark.each_database
def test_a_job_that_ends_its_process_each_time_has_failed_after_five_tries(database, start, view):
    job_id = start()
    _, fifth = claimed_after_silence(database, 5)
    assert fifth is not None
    _, sixth = claimed_after_silence(database, 6)
    assert (sixth, view(job_id).state, view(job_id).report) == (None, "failed", {"error": STUCK})


def test_a_job_that_gets_further_may_be_begun_again_as_often(database, start, view):
    job_id = start()
    at, claim = claimed_after_silence(database, 5)
    database.write_sync(job_claims.do_step, claim, step(0), at)
    later = [at + number * timedelta(minutes=1) for number in range(1, 7)]
    assert [database.write_sync(job_claims.claim, [KIND], at) is None for at in later] == [*[False] * 5, True]
    assert view(job_id).state == "failed"


def test_a_job_that_begins_anew_each_time_gets_further_only_beyond_where_it_was(database, start, view):
    job_id = start()
    at, claim = claimed_after_silence(database, 1)
    database.write_sync(job_claims.do_step, claim, step(3), at)
    for number in range(1, 6):
        claim = database.write_sync(job_claims.claim, [KIND], at + number * timedelta(minutes=1))
        database.write_sync(job_claims.do_step, claim, step(1), at + number * timedelta(minutes=1))
    assert database.write_sync(job_claims.claim, [KIND], at + timedelta(hours=1)) is None
    assert view(job_id).state == "failed"


def restarting(claim):
    """A kind that reads from its first row each time."""
    return guarded(replace(claim, processed=0))


def test_two_processes_do_not_take_a_job_from_each_other_that_begins_anew(database, start, view):
    job_id = start()
    first, second = (JobRunner(database, {KIND: restarting}, [KIND]) for _ in range(2))
    for _ in range(STEPS + 1):
        first.run_slice(0)
        assert second.run_slice(0) is False
    assert (view(job_id).state, letters(database)) == ("done", STEPS)


def test_a_job_that_is_kept_lets_others_have_their_turn(database, start, view):
    kept, other = start(), start("b", kind="other")
    runner = JobRunner(database, {KIND: restarting, "other": guarded}, [KIND])
    for _ in range(3):
        runner.run_slice(0)
    with database.read_session() as session:
        states = [session.get_one(Job, job_id).processed for job_id in (kept, other)]
    assert states == [2, 1]
