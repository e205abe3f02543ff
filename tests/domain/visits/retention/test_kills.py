"""A run of retention that is killed at any point ends, when it is started again, as an undisturbed one."""

import signal
import subprocess
import sys

import pytest

from config.settings import ROOT
from domain.tables import VisitDay
from domain.visits.days import storage
from tests.domain.visits.days.worlds import builder
from tests.domain.visits.retention.killed_process import AT
from tests.domain.visits.retention.worlds import COUNTS, DAYS, figures, fill, hours_of, retain, rollups, visits_by_day

POINTS = [
    *("retention.computed", "retention.computed:3", "rollup.written:2", "retention.finalised", "retention.finalised:6"),
    *("retention.deleted", "retention.deleted:2", "retention.deleted:8", "retention.hours", "retention.hours:4"),
]


@pytest.fixture
def filled(database):
    fill(database)
    return database


def run_killed(database, point: str, *options: str) -> None:
    url = database.url.render_as_string(hide_password=False)
    command = [sys.executable, "-m", "tests.domain.visits.retention.killed_process", url, point, *options]
    assert subprocess.run(command, cwd=ROOT, check=False, timeout=120).returncode == -signal.SIGKILL


def deleted(database) -> list[int]:
    return [row.deleted_visits for row in rollups(database).values()]


@pytest.mark.faults
@pytest.mark.parametrize("point", POINTS)
def test_a_killed_run_that_is_started_again_ends_as_an_undisturbed_one(filled, point):
    before, hours = figures(filled, VisitDay), [hours_of(filled, day) for day in DAYS]
    run_killed(filled, point)
    # The lease of a killed process ends by itself.
    at = AT + storage.LEASE
    report = retain(filled, at)
    assert (visits_by_day(filled), deleted(filled)) == ({}, [COUNTS[0] + 1, COUNTS[1] + 1, *COUNTS[2:]])
    assert (figures(filled, VisitDay), [hours_of(filled, day) for day in DAYS]) == (before, [0, 0, *hours[2:]])
    assert [builder(filled, at).is_stored(day) for day in DAYS] == [True] * 6
    assert (report.open_days, report.late, report.is_whole) == ([], [], True)


@pytest.mark.faults
def test_visits_that_are_counted_in_a_second_transaction_are_missing_after_a_kill(filled):
    """The negative control."""
    run_killed(filled, "retention.deleted", "unguarded")
    retain(filled, AT + storage.LEASE)
    assert deleted(filled) == [COUNTS[0] + 1 - 2, COUNTS[1] + 1, *COUNTS[2:]]
