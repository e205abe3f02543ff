"""Days become final and lose their visits, and no figure of them moves; a day that is not as it was computed stays."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import delete, func, select, update

from domain.tables import Touchpoint, Visit, VisitDay, VisitHour, VisitRollup
from domain.visits.days import storage
from domain.visits.days.build import DayBuilder
from domain.visits.days.storage import DayLease
from domain.visits.raw.local_days import DayRules
from domain.visits.retention import deleting, finalising
from domain.visits.retention.deleting import Late
from domain.visits.retention.dry_run import dry_run
from domain.visits.retention.finalising import OpenReason
from domain.visits.retention.periods import Periods
from tests.domain.visits.days.worlds import MIDNIGHT, NOON, add, builder, visit
from tests.domain.visits.retention.worlds import (
    AT,
    COUNTS,
    DAYS,
    MINUTE,
    ONE_DAY,
    PERIODS,
    figures,
    final_days,
    hours_of,
    once,
    retain,
    rollups,
    visits_by_day,
)


@pytest.mark.each_database
def test_visits_of_old_days_are_deleted_and_no_figure_moves(filled):
    before = figures(filled)
    report = retain(filled)
    assert figures(filled) == before
    assert visits_by_day(filled) == dict(zip(DAYS[3:], COUNTS[3:], strict=True))
    # The next day is final too: it needed the visits around its midnight.
    assert final_days(filled) == DAYS[:4]
    assert (report.final, report.visits) == ([(0, day) for day in DAYS[:4]], sum(COUNTS[:3]) + 2)
    assert (report.open_days, report.late, report.is_whole) == ([], [], True)
    assert [row.deleted_visits for row in rollups(filled).values()] == [4, 6, 4, 0, 0, 0]


def test_a_second_run_finds_nothing(filled):
    retain(filled)
    report = retain(filled)
    assert (report.final, report.open_days, report.visits, report.hours) == ([], [], 0, 0)


def test_every_day_is_right_afterwards(filled):
    retain(filled)
    assert [builder(filled, AT).is_stored(day) for day in DAYS] == [True] * 6


@pytest.mark.each_database
def test_visits_are_deleted_in_parts_with_a_pause_after_each(filled, monkeypatch):
    monkeypatch.setattr(deleting, "PART", 2)
    pauses = []
    assert retain(filled, pause=pauses.append).visits == 14
    assert len(pauses) == 2 + 3 + 2
    assert min(pauses) > 0
    assert visits_by_day(filled) == dict(zip(DAYS[3:], COUNTS[3:], strict=True))


@pytest.mark.parametrize(
    ("periods", "days_left", "final"),
    [(Periods(0, 0), 6, 0), (Periods(10, 0), 3, 4), (Periods(0, 10), 6, 4), (Periods(13, 400), 6, 1)],
)
def test_0_keeps_visits_for_ever(filled, periods, days_left, final):
    """Hours alone make a day final too, as it would be computed with its hours again."""
    retain(filled, periods=periods)
    assert (len(visits_by_day(filled)), len(final_days(filled))) == (days_left, final)


def test_the_night_before_would_be_missed_if_it_were_deleted_first(filled, monkeypatch):
    """The negative control of the order: a session goes on over midnight with its source."""
    before = figures(filled)
    with filled.write_session() as session:
        session.execute(delete(Visit).where(Visit.visited_at < MIDNIGHT + ONE_DAY))
        session.execute(update(VisitRollup).where(VisitRollup.day == DAYS[0]).values(finalised_at=AT))
    retain(filled)
    assert figures(filled) != before


def tamper(database, table=VisitDay, day=DAYS[1]) -> None:
    with database.write_session() as session:
        one = (table.day == day, table.dimension == "all", table.audience == "people")
        session.execute(update(table).where(*one).values(visits=table.visits + 1))


@pytest.mark.parametrize("table", [VisitDay, VisitHour])
def test_a_day_that_was_tampered_with_stays_and_so_do_the_visits_around_it(filled, table):
    tamper(filled, table)
    before = figures(filled)
    report = retain(filled)
    assert report.open_days == [(0, DAYS[1], OpenReason.CHANGED)]
    assert (final_days(filled), figures(filled)) == ([DAYS[0], *DAYS[2:4]], before)
    assert visits_by_day(filled)[DAYS[1]] == COUNTS[1] + 1
    assert set(DAYS[:3]) <= visits_by_day(filled).keys()


def test_without_the_digest_it_would_not_be_seen(filled, monkeypatch):
    """The negative control of the test before."""
    monkeypatch.setattr(finalising, "is_intact", lambda session, row: True)
    with pytest.raises(AssertionError):
        test_a_day_that_was_tampered_with_stays_and_so_do_the_visits_around_it(filled, VisitDay)


def test_once_it_is_computed_from_its_visits_it_becomes_final(filled):
    tamper(filled)
    retain(filled)
    assert builder(filled, AT).build(DAYS[1])
    assert retain(filled).open_days == []
    assert visits_by_day(filled).keys() == set(DAYS[3:])


def test_a_day_that_has_lost_visits_keeps_its_figures(filled):
    before = figures(filled)
    with filled.write_session() as session:
        session.execute(delete(Visit).where(Visit.visited_at >= NOON, Visit.visited_at < MIDNIGHT + ONE_DAY - MINUTE))
        lost = select(Visit.id).where(Visit.visited_at >= MIDNIGHT + 2 * ONE_DAY).order_by(Visit.visited_at).limit(1)
        session.execute(delete(Visit).where(Visit.id == session.scalar(lost)))
    builder(filled, AT).build_due()
    assert retain(filled).open_days == [(0, DAYS[2], OpenReason.FEWER)]
    assert figures(filled) == before


def late(database, number: int = 2001, day: int = 1) -> None:
    with database.write_session() as session:
        add(session, visit(number, MIDNIGHT + day * ONE_DAY + 20 * 60 * MINUTE, session_id=f"late {number}"))


def test_a_late_visit_before_that_is_counted(filled):
    late(filled)
    retain(filled)
    assert rollups(filled)[DAYS[1]].visits == COUNTS[1] + 2


def test_a_late_visit_after_that_is_deleted_and_reported_and_moves_no_figure(filled):
    retain(filled)
    before = figures(filled)
    late(filled)
    builder(filled, AT).build_due()
    report = retain(filled)
    assert (report.visits, report.late, report.final) == (1, [Late(0, DAYS[1], 1)], [])
    assert figures(filled) == before
    assert DAYS[1] not in visits_by_day(filled)


def test_a_visit_that_comes_while_the_day_is_computed_keeps_it_open(filled, monkeypatch):
    monkeypatch.setattr(finalising, "compute", once(finalising.compute, lambda: late(filled, day=0)))
    assert retain(filled).open_days == [(0, DAYS[0], OpenReason.GROWING)]
    assert DAYS[0] not in final_days(filled)
    assert (retain(filled).open_days, rollups(filled)[DAYS[0]].visits) == ([], COUNTS[0] + 2)


def test_without_counting_it_again_the_visit_would_be_lost(filled, monkeypatch):
    """The negative control of the test before."""

    def store_final(self, session, lease, computed):
        storage.store(session, lease, computed, self.rules, AT)
        session.execute(update(VisitRollup).where(VisitRollup.day == lease.day).values(finalised_at=AT))

    monkeypatch.setattr(finalising.Finaliser, "_store_final", store_final)
    with pytest.raises(AssertionError):
        test_a_visit_that_comes_while_the_day_is_computed_keeps_it_open(filled, monkeypatch)


def test_a_day_that_another_process_computes_waits_for_the_next_run(filled):
    with filled.write_session() as session:
        assert storage.take(session, DayLease(DAYS[0], "other", AT))
    assert retain(filled).open_days == [(0, DAYS[0], OpenReason.BUSY)]
    assert retain(filled, AT + storage.LEASE).open_days == []


def test_a_final_day_is_never_computed_again(filled):
    retain(filled)
    before = rollups(filled)[DAYS[0]]
    other = DayBuilder(filled, DayRules(keys=5, idle_minutes=60), lambda: AT + ONE_DAY)
    assert not other.build(DAYS[0])
    assert other.final_days(DAYS) == set(DAYS[:4])
    other.build_due()
    with filled.write_session() as session:
        storage.mark_dirty(session, DAYS, AT)
    after = rollups(filled)[DAYS[0]]
    assert (after.digest, after.built_at, after.dirty_at) == (before.digest, before.built_at, None)


def test_hours_are_deleted_later_and_the_days_digest_goes_on(filled):
    before = figures(filled, VisitDay)
    assert hours_of(filled, DAYS[0]) > 0
    report = retain(filled, MIDNIGHT + 22 * ONE_DAY)
    assert [hours_of(filled, day) > 0 for day in DAYS] == [False, False, True, True, True, True]
    assert report.hours > 0
    assert figures(filled, VisitDay) == before
    assert [builder(filled, AT).is_stored(day) for day in DAYS] == [True] * 6
    tamper(filled)
    assert not builder(filled, AT).is_stored(DAYS[1])


def test_touchpoints_go_with_the_hours_and_the_digest_follows(filled):
    retain(filled)
    before = touchpoints_by_day(filled)
    report = retain(filled, MIDNIGHT + 22 * ONE_DAY)
    assert touchpoints_by_day(filled) == {day: count for day, count in before.items() if day not in DAYS[:2]}
    assert report.touchpoints == before[DAYS[0]] + before[DAYS[1]]
    assert [builder(filled, AT).is_stored(day) for day in DAYS] == [True] * 6


def test_touchpoints_that_were_tampered_with_leave_a_digest_that_does_not_fit(filled):
    retain(filled)
    with filled.write_session() as session:
        session.execute(update(Touchpoint).where(Touchpoint.day == DAYS[1]).values(channel="email"))
    retain(filled, MIDNIGHT + 22 * ONE_DAY)
    assert [builder(filled, AT).is_stored(day) for day in DAYS[:2]] == [True, False]


def touchpoints_by_day(database) -> dict:
    with database.read_session() as session:
        return dict(session.execute(select(Touchpoint.day, func.count()).group_by(Touchpoint.day)).all())


def test_hours_that_were_tampered_with_leave_a_digest_that_does_not_fit(filled):
    retain(filled)
    tamper(filled, VisitHour)
    retain(filled, MIDNIGHT + 22 * ONE_DAY)
    assert (hours_of(filled, DAYS[1]), builder(filled, AT).is_stored(DAYS[1])) == (0, False)


def test_a_dry_run_says_what_a_run_does_and_changes_nothing(filled):
    tamper(filled, day=DAYS[5])
    at = MIDNIGHT + 22 * ONE_DAY
    before = (figures(filled), visits_by_day(filled), final_days(filled))
    with filled.read_session() as session:
        expected = dry_run(session, DayRules(), PERIODS, at)
    assert (figures(filled), visits_by_day(filled), final_days(filled)) == before
    report = retain(filled, at)
    assert vars(expected) == vars(report)
    assert report.visits == sum(COUNTS[:4]) + 2


def test_a_run_without_time_says_that_more_is_left(filled):
    report = retain(filled, run_s=-1.0)
    assert (report.is_whole, report.final, report.visits) == (False, [], 0)
    assert retain(filled).is_whole


@pytest.mark.each_database
def test_two_runs_at_the_same_time_delete_and_count_each_visit_once(filled, monkeypatch):
    monkeypatch.setattr(deleting, "PART", 1)
    before = figures(filled)
    with ThreadPoolExecutor(2) as pool:
        reports = [run.result() for run in [pool.submit(retain, filled) for _ in range(2)]]
    reports.append(retain(filled))
    assert {reason for report in reports for _, _, reason in report.open_days} <= {OpenReason.BUSY}
    assert sum(report.visits for report in reports) == sum(COUNTS[:3]) + 2
    assert [row.deleted_visits for row in rollups(filled).values()] == [4, 6, 4, 0, 0, 0]
    assert (figures(filled), [report.late for report in reports]) == (before, [[], [], []])
