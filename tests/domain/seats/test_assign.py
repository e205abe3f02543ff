"""Seats are given, set aside and returned, on both databases; access follows them."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.errors import NotFound, Refused
from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.seats import holding, numbers, requests, seat_rows
from domain.seats.assign import assign
from domain.seats.seat_rows import NoFreeSeat
from domain.tables import Contract, EnrolmentGrant
from tests.domain.seats.world import DAY, END, build, events, has_access, mails, states
from tests.support import factories
from tests.support.factories import NOON


@pytest.mark.each_database
def test_a_seat_opens_its_course_until_14_days_after_the_contract(session):
    world = build(session)
    [ada, *_] = world.members
    [seat] = assign(session, world.contract, ada, [world.courses[0]], NOON)
    assert (seat.number, seat.state, seat.learner_id, seat.product_id) == (1, "active", ada, world.courses[0])
    assert has_access(session, ada, world.courses[0], END + 14 * DAY - timedelta(seconds=1))
    assert not has_access(session, ada, world.courses[0], END + 14 * DAY)
    assert not has_access(session, ada, world.courses[1])
    assert (events(session), mails(session)) == ([("assigned", ada)], ["seat_assigned"])


def test_assigning_twice_changes_nothing(session):
    world = build(session)
    for _ in range(2):
        assign(session, world.contract, world.members[0], world.courses[:1], NOON)
    assert states(session, world.contract) == [(1, "active", world.members[0]), (2, "free", None)]
    assert mails(session) == ["seat_assigned"]


def test_without_enough_free_seats_nobody_gets_any(session):
    world = build(session, seats=1)
    with pytest.raises(NoFreeSeat), session.begin_nested():
        assign(session, world.contract, world.members[0], world.courses, NOON)
    assert states(session, world.contract) == [(1, "free", None)]


def test_a_seat_for_a_person_opens_all_their_courses_and_is_one(session):
    world = build(session, seat_kind="person", seats=1)
    [ada, grace, *_] = world.members
    first = assign(session, world.contract, ada, world.courses[:1], NOON)
    assert assign(session, world.contract, ada, world.courses[1:], NOON) == first
    assert all(has_access(session, ada, course) for course in world.courses)
    with pytest.raises(NoFreeSeat):
        assign(session, world.contract, grace, world.courses[:1], NOON)


def test_whoever_owns_the_course_needs_no_seat(session):
    world = build(session)
    grants.grant(session, world.members[0], world.courses[:1], GrantSource("order", 1), NOON)
    assert assign(session, world.contract, world.members[0], world.courses[:1], NOON) == []
    assert states(session, world.contract) == [(1, "free", None), (2, "free", None)]


def test_a_contract_without_a_number_makes_seats_as_they_are_assigned(session):
    world = build(session, seats=None)
    for member in world.members:
        assign(session, world.contract, member, world.courses[:1], NOON)
    assert [number for number, *_ in states(session, world.contract)] == [1, 2, 3]


@pytest.mark.parametrize("reason", ["ended", "foreign course", "no member", "former member"])
def test_what_the_contract_does_not_give_is_refused(session, reason):
    world = build(session)
    member, course, at = world.members[0], world.courses[0], NOON
    if reason == "ended":
        at = END
    elif reason == "foreign course":
        course = factories.course(session, factories.category(session, "other", "Other").id, "foreign").id
    elif reason == "no member":
        member = factories.learner(session, "Outsider").id
    else:
        former = session.scalars(select(factories.Membership).where(factories.Membership.learner_id == member)).one()
        former.ended_at = NOON
        session.flush()
    with pytest.raises(Refused):
        assign(session, world.contract, member, [course], at)
    assert states(session, world.contract) == [(1, "free", None), (2, "free", None)]


def test_a_member_who_leaves_loses_seats_and_requests_and_keeps_the_enrolment(session):
    world = build(session, seats=1)
    [ada, grace, lin] = world.members
    assign(session, world.contract, ada, world.courses[:1], NOON)
    requests.ask(session, grace, world.courses[0], NOON)
    assert holding.release_of_member(session, ada, world.organisation, NOON + DAY) == 1
    assert not has_access(session, ada, world.courses[0], NOON + DAY)
    # Whoever waited has it now.
    assert states(session, world.contract) == [(1, "active", grace)]
    requests.ask(session, lin, world.courses[0], NOON)
    holding.release_of_member(session, lin, world.organisation, NOON + DAY)
    assert requests.waiting_of(session, world.contract) == []


def test_a_seat_that_comes_back_to_the_same_person_opens_the_course_again(session):
    world = build(session, seats=1)
    ada = world.members[0]
    assign(session, world.contract, ada, world.courses[:1], NOON)
    holding.release_of_member(session, ada, world.organisation, NOON + DAY)
    assign(session, world.contract, ada, world.courses[:1], NOON + 2 * DAY)
    assert has_access(session, ada, world.courses[0], NOON + 3 * DAY)
    assert len(session.scalars(select(EnrolmentGrant)).all()) == 1


@pytest.mark.each_database
def test_a_lower_number_removes_free_seats_alone(session):
    world = build(session, seats=3)
    assign(session, world.contract, world.members[0], world.courses[:1], NOON)
    contract = seat_rows.lock_contract(session, world.contract)
    numbers.set_number(session, contract, 1, NOON)
    assert [state for _, state, _ in states(session, world.contract)] == ["active", "removed", "removed"]
    with pytest.raises(Refused, match="None of the seats is free"):
        numbers.set_number(session, contract, 0, NOON)
    numbers.set_number(session, contract, 2, NOON)
    assert states(session, world.contract)[-1] == (4, "free", None)
    assert session.get_one(Contract, world.contract).seats == 2


@pytest.mark.each_database
def test_a_member_waits_in_turn_and_whoever_lost_a_seat_comes_first_once(session):
    world = build(session, seats=1)
    [ada, grace, lin] = world.members
    assert requests.ask(session, ada, world.courses[0], NOON).is_granted
    assert requests.ask(session, grace, world.courses[0], NOON + DAY).place == 1
    [seat] = seat_rows.lock_seats(session, world.contract)
    holding.free(session, seat, "reclaimed", seat_rows.Cause(NOON + 2 * DAY))
    requests.serve(session, seat_rows.lock_contract(session, world.contract), NOON + 2 * DAY)
    assert states(session, world.contract) == [(1, "active", grace)]
    assert requests.ask(session, lin, world.courses[0], NOON + 3 * DAY).place == 1
    # Ada lost her seat: she comes before Lin, who waits for longer.
    assert requests.ask(session, ada, world.courses[0], NOON + 4 * DAY).place == 1
    holding.release_of_member(session, grace, world.organisation, NOON + 5 * DAY)
    assert states(session, world.contract) == [(1, "active", ada)]


def test_a_request_of_somebody_else_is_not_found(session):
    world = build(session, seats=0)
    asked = requests.ask(session, world.members[0], world.courses[0], NOON)
    with pytest.raises(NotFound):
        requests.withdraw(session, world.members[1], asked.request_id, NOON)
    requests.withdraw(session, world.members[0], asked.request_id, NOON)
    assert requests.waiting_of(session, world.contract) == []
