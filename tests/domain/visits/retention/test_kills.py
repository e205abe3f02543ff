"""A run of retention that is killed at any point ends, when it is started again, as an undisturbed one."""

import signal

import pytest

from domain.tables import VisitDay
from domain.visits.days import storage
from tests.domain.visits.days.worlds import builder
from tests.domain.visits.retention import killed_process
from tests.domain.visits.retention.killed_process import AT
from tests.domain.visits.retention.worlds import COUNTS, DAYS, figures, hours_of, retain, rollups, visits_by_day

POINTS = [
    *("retention.computed", "retention.computed:3", "rollup.written:2", "retention.finalised", "retention.finalised:6"),
    *(
        "retention.deleted",
        "retention.deleted:2",
        "retention.deleted:8",
        "retention.hours",
        "retention.hours:4",
        "retention.visitors",
    ),
]


@pytest.fixture
def run_killed(filled, children):
    """`run_killed(point)` is a run in another process that is killed there."""

    def run(point: str, is_guarded: bool = True) -> None:
        url = filled.url.render_as_string(hide_password=False)
        code = children.run(killed_process.run, url=url, point=point, is_guarded=is_guarded)
        assert code == -signal.SIGKILL

    return run


def deleted(database) -> list[int]:
    return [row.deleted_visits for row in rollups(database).values()]


@pytest.mark.faults
@pytest.mark.parametrize("point", POINTS)
def test_a_killed_run_that_is_started_again_ends_as_an_undisturbed_one(filled, run_killed, point):
    found, undisturbed = state_after_kill(filled, run_killed, point)
    assert found == undisturbed


@pytest.mark.faults
@pytest.mark.each_database
def test_a_run_killed_while_it_deletes_ends_as_an_undisturbed_one_on_each_database(filled, run_killed):
    found, undisturbed = state_after_kill(filled, run_killed, "retention.deleted:3")
    assert found == undisturbed


def state_after_kill(filled, run_killed, point):
    """Rows, days and report once a killed run was followed by a whole one; and those of a run that nothing killed."""
    before, hours = figures(filled, VisitDay), [hours_of(filled, day) for day in DAYS]
    run_killed(point)
    # The lease of a killed process ends by itself.
    at = AT + storage.LEASE
    report = retain(filled, at)
    found = {
        "visits": (visits_by_day(filled), deleted(filled)),
        "figures": (figures(filled, VisitDay), [hours_of(filled, day) for day in DAYS]),
        "days": [builder(filled, at).is_stored(day) for day in DAYS],
        "report": (report.open_days, report.late, report.is_whole),
    }
    undisturbed = {
        "visits": ({}, [COUNTS[0] + 1, COUNTS[1] + 1, *COUNTS[2:]]),
        "figures": (before, [0, 0, *hours[2:]]),
        "days": [True] * 6,
        "report": ([], [], True),
    }
    return found, undisturbed


@pytest.mark.faults
def test_visits_that_are_counted_in_a_second_transaction_are_missing_after_a_kill(filled, run_killed):
    """The negative control."""
    run_killed("retention.deleted", is_guarded=False)
    retain(filled, AT + storage.LEASE)
    assert deleted(filled) == [COUNTS[0] + 1 - 2, COUNTS[1] + 1, *COUNTS[2:]]
