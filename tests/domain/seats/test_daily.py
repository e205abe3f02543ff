"""The daily run on both databases: what the rules ask for is done once, mailed, and seen by manager and holder."""

import pytest
from sqlalchemy import select

from contracts.tasks import OutboxKind
from domain import mail
from domain.database.list_page import ListQuery, of_tenant, read_list_page
from domain.errors import NotFound, Refused
from domain.mail import MailSite
from domain.outbox.leases import Lease
from domain.permissions import Tenant
from domain.seats import activity, daily, holding, mails, requests
from domain.seats.assign import assign
from domain.seats.views import seat_list
from domain.seats.views.seat import seat_view
from domain.tables import Contract, Enrolment, Membership, Outbox, Seat
from tests.domain.seats import world as seat_world
from tests.domain.seats.world import DAY, END, accept_reminders, build, events, has_access, states, study
from tests.support.factories import NOON

SITE = MailSite("Meridian", "https://shop.example", "staff@example.test")


def sent_mail(session, kind: OutboxKind) -> mail.OutgoingMail | None:
    """The last mail of a kind, as workers send it."""
    row = session.scalars(select(Outbox).where(Outbox.kind == str(kind)).order_by(Outbox.id.desc())).first()
    return mail.compose(session, Lease(row.id, row.kind, row.body, row.created_at, 1, "t"), SITE)


def run(session, world, day: int) -> int:
    return daily.run_contract(session, world.contract, NOON + day * DAY)


@pytest.mark.each_database
def test_a_seat_that_nobody_starts_goes_to_whoever_waits_after_two_mails_that_were_taken(session):
    world = build(session, seats=1)
    ada, grace, _ = world.members
    assign(session, world.contract, ada, world.courses[:1], NOON)
    requests.ask(session, grace, world.courses[0], NOON + DAY)
    assert [run(session, world, day) for day in (6, 7, 7)] == [0, 1, 0]
    # The second reminder follows the first that the server has taken, however late.
    assert run(session, world, 40) == 0
    accept_reminders(session)
    assert [run(session, world, 40), run(session, world, 41)] == [1, 0]
    accept_reminders(session)
    assert run(session, world, 41) == 2
    assert states(session, world.contract) == [(1, "active", grace)]
    assert (has_access(session, ada, world.courses[0], NOON + 41 * DAY), run(session, world, 41)) == (False, 0)
    assert events(session) == [
        ("assigned", ada),
        ("reminded", ada),
        ("reminded", ada),
        ("reclaimed", ada),
        ("assigned", grace),
    ]
    ended = sent_mail(session, OutboxKind.SEAT_ENDED)
    assert ended is not None
    assert (ended.to, ended.values["seat"]["courses"]) == ("member-0@example.test", ["Vat"])
    assert ended.values["seat"]["reason"].startswith("It was not started within 30 days")


def test_the_mail_of_a_seat_leads_to_its_lesson_or_to_all_courses(session):
    world = build(session, seat_kind="person")
    for member, courses in zip(world.members, (world.courses[:1], world.courses), strict=False):
        assign(session, world.contract, member, courses, NOON)
        assigned = sent_mail(session, OutboxKind.SEAT_ASSIGNED)
        assert assigned is not None
        page = "/user-dashboard%3Fcourse%3Dvat%26lesson%3Dnext" if len(courses) == 1 else "/user-dashboard"
        assert assigned.values["seat"]["link"].endswith(f"/login?returnTo={page}")


def test_a_reminder_counts_once_however_often_its_acceptance_is_recorded(session):
    world = build(session, seats=1)
    assign(session, world.contract, world.members[0], world.courses[:1], NOON)
    run(session, world, 7)
    row = session.scalars(select(Outbox).where(Outbox.kind == str(OutboxKind.SEAT_REMINDER))).one()
    for _ in range(2):
        mails.record_reminder(session, Lease(row.id, row.kind, row.body, row.created_at, 1, "t"), row.created_at)
    assert session.scalars(select(Seat.reminders)).all() == [1]


def test_an_idle_seat_gets_a_notice_and_14_days_and_any_activity_ends_it(session):
    world = build(session, seats=1)
    ada, grace, _ = world.members
    assign(session, world.contract, ada, world.courses[:1], NOON)
    study(session, ada, world.courses[0], NOON + DAY)
    requests.ask(session, grace, world.courses[0], NOON + 2 * DAY)
    assert [run(session, world, day) for day in (90, 91, 104)] == [0, 1, 0]
    notice = sent_mail(session, OutboxKind.SEAT_NOTICE)
    assert notice is not None
    assert notice.values["seat"]["until"] == "June 14, 2026"
    assert notice.values["seat"]["link"].endswith("/login?returnTo=/user-dashboard")
    study(session, ada, world.courses[0], NOON + 104 * DAY)
    assert (run(session, world, 105), session.scalars(select(Seat.grace_until)).one()) == (1, None)
    assert sent_mail(session, OutboxKind.SEAT_NOTICE) is None
    assert [run(session, world, day) for day in (194, 208)] == [1, 2]
    assert states(session, world.contract) == [(1, "active", grace)]


def test_i_still_need_it_ends_a_notice_once_a_quarter(session):
    world = build(session, seats=1)
    ada, grace, _ = world.members
    [seat] = assign(session, world.contract, ada, world.courses[:1], NOON)
    study(session, ada, world.courses[0], NOON)
    requests.ask(session, grace, world.courses[0], NOON)
    run(session, world, 91)
    with pytest.raises(NotFound):
        holding.confirm(session, grace, seat.id, NOON + 92 * DAY, "en-US")
    for _ in range(2):
        holding.confirm(session, ada, seat.id, NOON + 92 * DAY, "en-US")
    assert (run(session, world, 110), seat.confirmed_at) == (0, NOON + 92 * DAY)
    with pytest.raises(Refused, match="once a quarter, next on August 30, 2026"):
        holding.confirm(session, ada, seat.id, NOON + 150 * DAY, "en-US")
    assert [run(session, world, day) for day in (182, 196)] == [1, 2]


def test_a_pause_protects_for_its_days_and_is_one(session):
    world = build(session, seats=1)
    ada = world.members[0]
    [seat] = assign(session, world.contract, ada, world.courses[:1], NOON)
    holding.pause(session, ada, seat.id, 90, NOON)
    assert run(session, world, 89) == 0
    holding.resume(session, ada, seat.id, NOON + 89 * DAY)
    assert seat.paused_until == NOON + 89 * DAY
    with pytest.raises(Refused):
        holding.pause(session, ada, seat.id, 1, NOON + 90 * DAY)


@pytest.mark.parametrize(("frees", "state"), [(False, "spent"), (True, "free")])
def test_a_completed_course_spends_its_seat_unless_the_contract_frees_it(session, frees, state):
    world = build(session, seats=1, frees_completed=frees)
    ada = world.members[0]
    assign(session, world.contract, ada, world.courses[:1], NOON)
    session.scalars(select(Enrolment)).one().completed_at = NOON + DAY
    study(session, ada, world.courses[0], NOON + DAY)
    assert [run(session, world, 2), run(session, world, 2)] == [1, 0]
    assert [row[1] for row in states(session, world.contract)] == [state]
    assert has_access(session, ada, world.courses[0], NOON + 3 * DAY) is not frees


def test_the_rules_are_asked_of_contracts_that_run(session):
    world = build(session, seats=2)
    assert daily.contracts_to_run(session, NOON) == [world.contract]
    assert daily.contracts_to_run(session, END) == []
    assert daily.run_contract(session, world.contract, END) == 0
    assert seat_world.mails(session) == []


def test_what_one_seat_needs_is_read_of_this_seat_alone(session, monkeypatch):
    world = build(session)
    [seat] = assign(session, world.contract, world.members[0], world.courses[:1], NOON)
    assign(session, world.contract, world.members[1], world.courses[:1], NOON)
    read, percent_of = [], activity.percent_of
    monkeypatch.setattr(activity, "percent_of", lambda *about: read.extend(about[1]) or percent_of(*about))
    activity.held_seats(session, session.get_one(Contract, world.contract), [seat])
    assert [course.seat_id for course in read] == [seat.id]


@pytest.mark.parametrize(("shows", "agrees"), [(True, True), (True, False), (False, True)])
def test_managers_see_the_last_activity_of_who_agreed_where_the_contract_shows_names(session, shows, agrees):
    world = build(session, seats=1, shows_names=shows)
    ada = world.members[0]
    [seat] = assign(session, world.contract, ada, world.courses[:1], NOON)
    study(session, ada, world.courses[0], NOON + DAY)
    run(session, world, 2)
    own = select(Membership).where(Membership.learner_id == ada)
    session.scalars(own).one().shares_progress = agrees
    session.flush()
    tenant = Tenant(world.organisation)
    [row] = read_list_page(session, of_tenant(seat_list.SEATS, tenant), ListQuery(size=5)).rows
    detail = seat_view(session, tenant, seat.id, NOON + 2 * DAY)
    expected = NOON + DAY if shows and agrees else None
    assert (row.last_active_at, detail.last_active_at) == (expected, expected)
