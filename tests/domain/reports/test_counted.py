"""Nobody moves from one group of a report to another: by a change of team, by agreeing, by leaving or by deletion."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from sqlalchemy import delete, select, update

from domain.database.list_page import ListQuery, of_tenant, read_list_page
from domain.permissions import Tenant
from domain.reports import organisation_months
from domain.reports.organisation_report import MonthFigures, named_progress, organisation_report
from domain.seats.views.seat import seat_view
from domain.seats.views.seat_list import SEATS
from domain.tables import CountedLearner, Membership, OrganisationMonth, Seat
from tests.domain.reports.test_organisation_months import MARCH, fill, freeze_all

APRIL, MAY = datetime(2026, 4, 1, tzinfo=UTC), datetime(2026, 5, 1, tzinfo=UTC)


def membership(session, learner: int) -> Membership:
    return session.scalars(select(Membership).where(Membership.learner_id == learner)).one()


def is_shared(session, world, number: int) -> bool:
    """Whether managers see the progress of the member's seat."""
    tenant, taken = Tenant(world.organisation), Seat.learner_id == world.members[number]
    seat = session.scalars(select(Seat).where(taken)).first()
    listed = read_list_page(session, of_tenant(SEATS, tenant), ListQuery(100)).rows
    found = {row.is_shared for row in listed if row.id == seat.id} | {
        seat_view(session, tenant, seat.id, MAY).is_shared
    }
    assert len(found) == 1
    return found.pop()


def test_a_change_of_team_shows_in_no_table(session):
    world = fill(session)
    freeze_all(session, APRIL)
    before = organisation_report(session, Tenant(world.organisation), 3)
    membership(session, world.members[0]).team = ""
    membership(session, world.members[9]).team = "Sales"
    session.flush()
    freeze_all(session, MAY)
    after = organisation_report(session, Tenant(world.organisation), 3)
    april = [figures for figures in after.teams if figures.month == "2026-04"]
    assert [vars(row) | {"month": MARCH} for row in april] == [vars(row) for row in before.teams]


def groups_of_now(_session, _organisation, _month, people):
    return {(person.learner_id, person.group.course_id): person.group for person in people}


@pytest.mark.parametrize("is_sticky", [True, False], ids=["as built", "negative control"])
def test_two_months_do_not_tell_what_whoever_moved_had_done(session, monkeypatch, is_sticky):
    """Three of four of a team have completed: nothing is shown. With the one who moves in, the control shows three."""
    world = fill(session)
    for number, member in enumerate(world.members):
        membership(session, member).team = "Small" if number in (3, 4, 5, 9) else "Sales"
    session.flush()
    freeze_all(session, APRIL)
    membership(session, world.members[0]).team = "Small"
    session.flush()
    if not is_sticky:
        monkeypatch.setattr(organisation_months, "groups_of", groups_of_now)
    freeze_all(session, MAY)
    small = [row for row in organisation_report(session, Tenant(world.organisation), 3).teams if row.name == "Small"]
    shown = [(row.learners, row.completed) for row in small]
    assert shown == ([(4, None), (4, None)] if is_sticky else [(5, None), (4, None)])


def test_named_people_are_added_exactly_and_leave_no_trace_in_the_steps(session):
    world = fill(session, shows_names=True)
    for member in world.members[:4]:
        membership(session, member).shares_progress = True
    session.flush()
    freeze_all(session, APRIL)
    report = organisation_report(session, Tenant(world.organisation), 3)
    # Four named ones have completed. Of the other four of the team two have: too few to show.
    assert report.teams[0] == MonthFigures("Sales", MARCH, 8, 4, 4, None)
    assert len(named_progress(session, Tenant(world.organisation)).rows) == 4
    # Who agrees later is not named where months have counted them; who withdraws is counted no more.
    membership(session, world.members[5]).shares_progress = True
    membership(session, world.members[0]).shares_progress = False
    session.flush()
    freeze_all(session, MAY)
    assert len(named_progress(session, Tenant(world.organisation)).rows) == 3
    # Nor is their seat shown as that of somebody who is named, in the list or alone.
    assert [is_shared(session, world, number) for number in (1, 5)] == [True, False]
    newest = organisation_report(session, Tenant(world.organisation), 3).teams[0]
    assert (newest.month, newest.learners, newest.completed) == ("2026-04", 7, 3)


def test_a_month_of_the_build_before_counts_nobody_twice(session):
    """Its groups held those who are named now."""
    world = fill(session, shows_names=True)
    freeze_all(session, APRIL)
    session.execute(update(OrganisationMonth).values(seats=None))
    session.execute(delete(CountedLearner))
    for member in world.members[:4]:
        membership(session, member).shares_progress = True
    session.flush()
    freeze_all(session, MAY)
    newest = organisation_report(session, Tenant(world.organisation), 3).teams[0]
    assert (newest.month, newest.name, newest.learners) == ("2026-04", "Sales", 8)


def test_no_figure_falls_when_an_account_is_deleted(session):
    world = fill(session)
    freeze_all(session, APRIL)
    before = organisation_report(session, Tenant(world.organisation), 3).courses[0]
    gone = world.members[:3]
    session.execute(delete(Membership).where(Membership.learner_id.in_(gone)))
    freeze_all(session, MAY)
    after = organisation_report(session, Tenant(world.organisation), 3).courses[0]
    assert (after.month, after.learners, after.completed) == ("2026-04", before.learners, before.completed)


def test_the_cost_of_all_seats_is_shared_by_the_completions_that_are_shown(session):
    world = fill(session, seat_price=Decimal("30.00"))
    freeze_all(session, APRIL)
    [costs] = organisation_report(session, Tenant(world.organisation), 3).costs
    # Six have completed, three are shown; of twelve seats two are free.
    assert (costs.seats, costs.unused, costs.cost, costs.completed) == (12, 2, Decimal(360), 3)
    assert costs.per_completion == Decimal(120)


@pytest.mark.each_database
def test_without_a_price_or_completions_no_cost_is_shown(session):
    world = fill(session)
    freeze_all(session, APRIL)
    [costs] = organisation_report(session, Tenant(world.organisation), 3).costs
    assert (costs.cost, costs.per_completion) == (None, None)
