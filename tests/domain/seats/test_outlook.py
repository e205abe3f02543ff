"""What managers read of idle seats to come, on both databases: from what they see anyway, and from nothing else."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from random import Random

import pytest
from sqlalchemy import func, literal, select

from domain.permissions import Tenant
from domain.seats import seat_rows
from domain.seats.assign import assign
from domain.seats.forecast import Forecast, Range
from domain.seats.views import outlook as outlook_module
from domain.seats.views.outlook import CourseOutlook, seat_outlook
from domain.tables import CountedLearner, Enrolment, Lesson, LessonProgress, Membership, Seat
from tests.domain.seats.world import DAY, World, build, study
from tests.support.factories import NOON

# Half a day after the seats were given; the end of the next month is 60 days later.
GIVEN = NOON - 90 * DAY
TERMS = {"starts_at": GIVEN, "start_days": 30, "idle_days": 60}
LAST_DAY = datetime(2026, 4, 30, tzinfo=NOON.tzinfo)


def give(session, seats: int = 6, **about) -> World:
    """Each of so many members has a seat for the first course, of ten lessons, since GIVEN; nobody shares anything."""
    world = build(session, seats=seats, members=seats, **{"shows_names": True, **TERMS, **about})
    for course in world.courses:
        session.add_all(
            Lesson(course_id=course, position=at, source_key=f"{at}", title=f"{at}", kind="text", updated_at=NOON)
            for at in range(10)
        )
    for member in world.members:
        assign(session, world.contract, member, world.courses[:1], GIVEN)
    session.flush()
    return world


def share(session, members: Iterable[int]) -> None:
    for row in session.scalars(select(Membership).where(Membership.learner_id.in_(members))):
        row.shares_progress = True
    session.flush()


def finish_lessons(session, world: World, member: int, days: Iterable[datetime], course: int = 0) -> None:
    """One lesson of the course on each of the days."""
    product = world.courses[course]
    lessons = session.scalars(select(Lesson.id).where(Lesson.course_id == product).order_by(Lesson.id)).all()
    done = select(func.count()).where(LessonProgress.learner_id == member, LessonProgress.course_id == product)
    first = session.scalar(done)
    for lesson, day in zip(lessons[first:], days, strict=False):
        about = {"learner_id": member, "course_id": product, "lesson_id": lesson}
        session.add(LessonProgress(**about, is_done=True, done_at=day, opened_at=day))
        study(session, member, product, day)
        session.scalars(
            select(Enrolment).where(Enrolment.learner_id == member, Enrolment.product_id == product)
        ).one().done_lessons += 1
    session.flush()


def of(session, world: World, at: datetime = NOON) -> outlook_module.SeatOutlook:
    return seat_outlook(session, Tenant(world.organisation), at)


def ago(*days: float) -> list[datetime]:
    return [NOON - day * DAY for day in days]


@pytest.mark.each_database
def test_seats_are_told_apart_by_what_their_holders_did(session):
    world = give(session)
    never, stopped, quick, slow, hidden, paused = world.members
    finish_lessons(session, world, stopped, ago(80, 70, 40))
    finish_lessons(session, world, quick, ago(24, 20, 16, 8, 2))
    finish_lessons(session, world, slow, ago(80, 20))
    finish_lessons(session, world, hidden, ago(80))
    session.scalars(select(Seat).where(Seat.learner_id == paused)).one().paused_until = NOON + 40 * DAY
    share(session, (never, stopped, quick, slow, paused))
    found = of(session, world)
    assert found.courses == (
        CourseOutlook(
            contract_id=world.contract,
            contract_since=GIVEN,
            course="Vat",
            last_day=LAST_DAY,
            ends_with_contract=False,
            seats=6,
            shared=5,
            others_at_most=1,
            forecast=Forecast(Range(1, 1, 1), Range(0, 1, 3), Range(0, 1, 1)),
        ),
    )
    # The Monday of the week in which it was last used.
    week = datetime(2026, 1, 19, tzinfo=NOON.tzinfo)
    assert [(row.number, row.person, row.course, row.is_started, row.unused_since) for row in found.expected] == [
        (1, "Member 0", "Vat", False, GIVEN),
        (2, "Member 1", "Vat", True, week),
    ]


@pytest.mark.each_database
def test_seats_for_people_go_by_the_course_that_is_furthest(session):
    world = give(session, seats=2, seat_kind="person")
    ada, grace = world.members
    for course in (0, 1):
        assign(session, world.contract, ada, world.courses, GIVEN)
        finish_lessons(session, world, ada, ago(70, 60, 50, 40, 35)[: 5 - 4 * course], course)
    # A little of another course does not finish the first.
    finish_lessons(session, world, ada, ago(9), 1)
    finish_lessons(session, world, grace, ago(20, 15, 10, 5))
    share(session, world.members)
    [row] = of(session, world).courses
    assert (row.course, row.seats) == (None, 2)
    assert row.forecast == Forecast(idle=Range(0, 0, 2), finished=Range(0, 1, 1))


def test_spent_free_and_reserved_seats_are_none_in_use(session):
    world = give(session, seats=3)
    share(session, world.members)
    spent, reserved, _ = session.scalars(select(Seat).order_by(Seat.number)).all()
    seat_rows.change(spent, state="spent")
    seat_rows.change(reserved, state="reserved", learner_id=None)
    session.flush()
    found = of(session, world)
    assert (found.seats, found.forecast) == (1, Forecast(not_started=Range(1, 1, 1)))


def test_without_seats_in_use_there_is_nothing_to_tell(session):
    world = build(session, seats=4, members=1)
    found = of(session, world)
    assert (found.courses, found.expected, found.seats, found.forecast) == ((), (), 0, Forecast())
    assert found.last_day == LAST_DAY


def test_of_a_contract_that_ends_sooner_the_forecast_ends_with_it(session):
    ends_at = NOON + 5 * DAY
    world = give(session, seats=1, ends_at=ends_at)
    finish_lessons(session, world, world.members[0], ago(40))
    share(session, world.members)
    [row] = of(session, world).courses
    assert (row.last_day, row.ends_with_contract) == (ends_at, True)
    assert row.forecast == Forecast()
    assert of(session, world, ends_at).courses == ()


def test_another_organisation_sees_nothing_of_it(session):
    world = give(session)
    assert seat_outlook(session, Tenant(world.organisation + 1), NOON).courses == ()


def live_at_random(session, world: World, member: int, chance: Random) -> None:
    finish_lessons(session, world, member, sorted(ago(*(chance.uniform(0, 89) for _ in range(chance.randrange(10))))))


@pytest.mark.each_database
@pytest.mark.parametrize("why", ["not agreed", "no names in the contract", "counted in a group"])
def test_whatever_others_do_the_forecast_stays_the_same(session, why):
    """Nobody learns from it, nor from two of it, what a person did who does not share it."""
    world = give(session, shows_names=why != "no names in the contract")
    named = world.members if why == "no names in the contract" else world.members[:2]
    share(session, world.members if why == "counted in a group" else named)
    if why == "counted in a group":
        about = {"organisation_id": world.organisation, "product_id": world.courses[0], "team": "", "since": "2026-01"}
        session.add_all(CountedLearner(**about, learner_id=member, is_named=False) for member in world.members[2:])
    finish_lessons(session, world, world.members[0], ago(40))
    before = of(session, world)
    chance = Random(1)
    others = world.members if why == "no names in the contract" else world.members[2:]
    for member in others * 3:
        live_at_random(session, world, member, chance)
        assert of(session, world) == before
    assert before.shared == (0 if why == "no names in the contract" else 2)


def test_if_everybody_were_named_it_would_tell(session, monkeypatch):
    """The negative control."""
    monkeypatch.setattr(outlook_module, "IS_SHARED", literal(value=True))
    world = give(session)
    before = of(session, world)
    live_at_random(session, world, world.members[5], Random(1))
    assert of(session, world) != before


def test_the_longest_unused_are_listed_and_no_more_than_help(session, monkeypatch):
    monkeypatch.setattr(outlook_module, "MAX_LISTED", 2)
    world = give(session, seats=4)
    for number, member in enumerate(world.members):
        finish_lessons(session, world, member, [GIVEN + timedelta(days=30 - 7 * number)])
    share(session, world.members)
    found = of(session, world)
    assert ([row.number for row in found.expected], found.forecast.idle) == ([4, 3], Range(4, 4, 4))
