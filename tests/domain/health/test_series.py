"""Samples of all host processes come to half hours: levels at most, counters by what was added."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from domain.health import jobs as health_jobs
from domain.health import samples as health_samples
from domain.health import series as health_series
from domain.health.samples import KEEP
from domain.tables import HealthSample, Job
from tests.support import factories
from tests.support.factories import NOON

# Near the end of a half hour.
AT = NOON.replace(minute=29)


def sample(session, minutes_ago, process="a:1", **values):
    health_samples.store(session, process, values, AT - timedelta(minutes=minutes_ago))


def values_of(session, name):
    return [bucket.values.get(name) for bucket in health_series.series(session, AT)]


def test_a_second_sample_of_a_process_in_a_half_minute_is_left_out(session):
    for _ in range(2):
        sample(session, 1, queued=3)
    sample(session, 1, "b:1", queued=5)
    assert session.scalar(select(func.count()).select_from(HealthSample)) == 2
    assert {
        process: values["queued"]
        for process, (_, values) in health_series.newest(session, AT - timedelta(minutes=1)).items()
    } == {
        "a:1": 3,
        "b:1": 5,
    }


@pytest.mark.each_database
def test_levels_are_the_highest_of_a_half_hour_and_free_space_the_lowest(session):
    for minutes, queued, free in ((10, 4, 50.5), (5, 9, 40.0), (1, 2, 60.0), (35, 1, 70.0)):
        sample(session, minutes, queued=queued, disk_free=free, parts={"database": "up"})
    assert values_of(session, "queued")[-2:] == [1, 9]
    assert values_of(session, "disk_free")[-2:] == [70.0, 40.0]
    assert values_of(session, "queued")[:-2] == [None] * 46


@pytest.mark.each_database
def test_counters_are_what_was_added_also_when_a_process_began_anew(session):
    for minutes, failures in ((50, 10), (40, 12), (20, 15), (10, 2), (5, 3)):
        sample(session, minutes, render_failures=failures)
    sample(session, 20, "b:1", render_failures=100)
    sample(session, 5, "b:1", render_failures=101)
    assert values_of(session, "render_failures")[-2:] == [2, 3 + 2 + 1 + 1]


def test_a_process_without_a_sample_of_the_last_minutes_is_gone(session):
    sample(session, 2, queued=1)
    assert health_series.newest(session, AT) == {}


@pytest.mark.each_database
def test_old_samples_are_deleted(session):
    sample(session, 60 * 24 * 9, queued=1)
    sample(session, 1, queued=1)
    assert [health_samples.delete_old(session, AT - KEEP) for _ in range(2)] == [1, 0]


STATES = {
    "new": ({"state": "queued", "minutes": 1}, (1, 0, 0)),
    "never begun": ({"state": "queued", "minutes": 6}, (1, 0, 1)),
    "alive": ({"state": "running", "minutes": 60, "heartbeat": 1}, (0, 1, 0)),
    "silent": ({"state": "running", "minutes": 60, "heartbeat": 6}, (0, 1, 1)),
    "done": ({"state": "done", "minutes": 60}, (0, 0, 0)),
}


@pytest.mark.parametrize("case", STATES)
def test_a_job_that_nobody_works_at_is_stalled(session, case):
    about, expected = STATES[case]
    beat = about.get("heartbeat")
    job = Job(kind="import", state=about["state"], input={}, report={}, idempotency_key="k", processed=0)
    job.started_by = factories.learner(session).id
    job.created_at = NOON - timedelta(minutes=about["minutes"])
    job.heartbeat_at = None if beat is None else NOON - timedelta(minutes=beat)
    session.add(job)
    session.flush()
    counts = health_jobs.count_jobs(session, NOON)
    assert (counts.waiting, counts.running, counts.stalled) == expected
