"""Months of organisations are frozen once and shown in steps; members who agreed are named where contracts say so."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from domain.permissions import Tenant
from domain.reports import organisation_months
from domain.reports import organisation_report as organisation_report_module
from domain.reports.organisation_months import DueMonth, end_of
from domain.reports.organisation_report import MonthFigures, named_progress, organisation_report
from domain.seats import holding
from domain.seats.assign import assign
from domain.tables import Enrolment, Membership, OrganisationMonth
from tests.domain.seats.world import DAY, build, study
from tests.support.factories import NOON

MARCH = "2026-03"


def fill(session, **about):
    """Ten members with seats in March, eight of one team; seven have started, six completed."""
    world = build(session, seats=12, members=10, **about)
    for number, member in enumerate(world.members):
        assign(session, world.contract, member, world.courses[:1], NOON)
        row = session.scalars(select(Membership).where(Membership.learner_id == member)).one()
        row.team = "Sales" if number < 8 else ""
        if number < 7:
            study(session, member, world.courses[0], NOON + DAY)
        if number < 6:
            enrolment = select(Enrolment).where(Enrolment.learner_id == member)
            session.scalars(enrolment).one().completed_at = NOON + 2 * DAY
    session.flush()
    return world


def freeze_all(session, at) -> list[str]:
    due = organisation_months.due_months(session, at)
    for month in due:
        organisation_months.freeze(session, month)
    return [month.month for month in due]


@pytest.mark.each_database
def test_a_month_is_frozen_when_it_is_over_and_never_again(session):
    world = fill(session)
    assert freeze_all(session, datetime(2026, 3, 31, 23, 59, tzinfo=UTC)) == []
    assert freeze_all(session, datetime(2026, 4, 1, tzinfo=UTC)) == [MARCH]
    rows = session.scalars(select(OrganisationMonth).order_by(OrganisationMonth.cell_key)).all()
    assert [(row.team, row.learners, row.started, row.completed) for row in rows] == [
        ("", 2, 0, 0),
        ("Sales", 8, 7, 6),
        (None, 10, 7, 6),
    ]
    assert organisation_months.freeze(session, DueMonth(world.organisation, MARCH)) == 0
    assert freeze_all(session, datetime(2026, 5, 2, tzinfo=UTC)) == ["2026-04"]


def test_whoever_left_still_counts(session):
    world = fill(session)
    holding.release_of_member(session, world.members[0], world.organisation, NOON + 3 * DAY)
    freeze_all(session, datetime(2026, 4, 1, tzinfo=UTC))
    [everybody] = session.scalars(select(OrganisationMonth.learners).where(OrganisationMonth.team.is_(None)))
    assert everybody == 10


def test_managers_see_steps_of_large_groups_alone(session):
    world = fill(session)
    freeze_all(session, datetime(2026, 4, 1, tzinfo=UTC))
    report = organisation_report(session, Tenant(world.organisation), 3)
    # 7 of 8 learners started and 6 completed: never more than 8 - 3, in steps of 3.
    assert report.courses == (MonthFigures("Vat", MARCH, 8, 3, 3, None),)
    assert report.teams == (
        MonthFigures("Sales", MARCH, 8, 3, 3, None),
        MonthFigures("Without a team", MARCH, None, None, None, None),
    )
    assert organisation_report(session, Tenant(world.organisation + 1), 3).months == ()


def test_members_are_named_where_the_contract_says_so_and_they_agreed(session):
    world = fill(session, shows_names=True)
    for member in world.members[:2]:
        session.scalars(select(Membership).where(Membership.learner_id == member)).one().shares_progress = True
    session.flush()
    named, _ = named_progress(session, Tenant(world.organisation))
    assert [(row.name, row.course, row.is_started, row.percent) for row in named] == [
        ("Member 0", "Vat", True, 100),
        ("Member 1", "Vat", True, 100),
    ]


def test_nobody_is_named_where_the_contract_does_not_say_so(session):
    world = fill(session)
    for row in session.scalars(select(Membership)):
        row.shares_progress = True
    session.flush()
    assert named_progress(session, Tenant(world.organisation)) == ((), False)


def test_named_members_have_pages(session, monkeypatch):
    monkeypatch.setattr(organisation_report_module, "NAMED_MEMBERS", 4)
    world = fill(session, shows_names=True)
    for row in session.scalars(select(Membership)):
        row.shares_progress = True
    session.flush()
    pages = [named_progress(session, Tenant(world.organisation), page) for page in (1, 2, 3, 4)]
    assert [[row.name[-1] for row in page.rows] for page in pages] == [[*"0123"], [*"4567"], [*"89"], []]
    assert [page.is_more for page in pages] == [True, True, False, False]


def test_the_end_of_a_year_is_the_end_of_its_last_month():
    assert [end_of("2026-12"), end_of("2026-02")] == [
        datetime(2027, 1, 1, tzinfo=UTC),
        datetime(2026, 3, 1, tzinfo=UTC),
    ]
