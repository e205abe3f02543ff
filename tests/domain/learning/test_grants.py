"""Access to a course: exactly while one of its grants lives, whatever ends first and however many end at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import permutations
from threading import Barrier

import pytest
from sqlalchemy import select

from domain.database.database import Database
from domain.learning import bundles, grants
from domain.learning.grants import GrantSource, access_until, owned_ids
from domain.tables import Enrolment, EnrolmentGrant
from tests.support import factories
from tests.support.factories import NOON

DAY = timedelta(days=1)
SOURCES = (GrantSource("order", 7), GrantSource("seat", 7), GrantSource("gift", 7))


def course_and_learner(session) -> tuple[int, int]:
    category = factories.category(session)
    return factories.course(session, category.id).id, factories.learner(session).id


def has_access(session, learner: int, course: int, at=NOON + DAY) -> bool:
    return owned_ids(session, learner, [course], at) == {course}


CASES = {
    "one without an end": ([(None, None)], None),
    "one with an end": ([(3, None)], 3),
    "one without an end lives": ([(2, None), (None, None), (None, 1)], None),
    "the latest end": ([(2, None), (5, None)], 5),
    "an ended one": ([(None, 4)], 4),
    "ended before its end": ([(9, 4), (3, None)], 4),
    "its end came before it was ended": ([(2, 6)], 2),
}


@pytest.mark.parametrize("case", CASES)
def test_access_ends_with_the_last_grant(case):
    rows, expected = CASES[case]

    def day(number: int | None):
        return None if number is None else NOON + number * DAY

    assert access_until(EnrolmentGrant(until=day(until), ended_at=day(ended)) for until, ended in rows) == day(expected)


@pytest.mark.each_database
@pytest.mark.parametrize("order", list(permutations(SOURCES)), ids=lambda order: "-".join(s.kind for s in order))
def test_access_lasts_until_the_last_of_order_seat_and_gift_ends(session, order):
    course, learner = course_and_learner(session)
    for source in SOURCES:
        grants.grant(session, learner, [course], source, NOON)
    for source in order:
        assert has_access(session, learner, course)
        grants.end(session, source, NOON + DAY, "refund")
    assert not has_access(session, learner, course)
    assert has_access(session, learner, course, NOON + DAY / 2)


@pytest.mark.each_database
def test_the_source_of_an_enrolment_is_that_of_the_oldest_living_grant_then_of_the_one_that_ended_last(session):
    course, learner = course_and_learner(session)
    shown = []
    for source in SOURCES:
        grants.grant(session, learner, [course], source, NOON)
        shown.append(session.scalars(select(Enrolment.source)).one())
    for days, source in enumerate((SOURCES[0], SOURCES[2], SOURCES[1]), 1):
        grants.end(session, source, NOON + days * DAY, "refund")
        shown.append(session.scalars(select(Enrolment.source)).one())
    assert shown == ["order", "order", "order", "seat", "seat", "seat"]
    grants.grant(session, learner, [course], SOURCES[2], NOON + 4 * DAY, is_renewed=True)
    assert session.scalars(select(Enrolment.source)).one() == "gift"


def test_the_same_source_again_changes_nothing(session):
    course, learner = course_and_learner(session)
    source = SOURCES[0]
    for at in (NOON, NOON + DAY):
        grants.grant(session, learner, [course], source, at)
    (row,) = session.scalars(select(EnrolmentGrant))
    assert (row.granted_at, row.until) == (NOON, None)
    for at in (NOON + DAY, NOON + 2 * DAY):
        grants.end(session, source, at, "refund")
    grants.grant(session, learner, [course], source, NOON + 3 * DAY)
    assert (row.ended_at, row.reason) == (NOON + DAY, "refund")
    assert not has_access(session, learner, course, NOON + 4 * DAY)


def test_a_grant_with_an_end_can_be_extended_until_it_is_ended(session):
    course, learner = course_and_learner(session)
    seat = GrantSource("seat", 1)
    grants.grant(session, learner, [course], seat, NOON, until=NOON + DAY)
    assert not has_access(session, learner, course)
    grants.extend(session, seat, NOON + 2 * DAY)
    assert has_access(session, learner, course)
    grants.end(session, seat, NOON + DAY, "seat")
    grants.extend(session, seat, None)
    assert not has_access(session, learner, course)


def test_a_bundle_opens_its_courses_and_their_grants_end_together(session):
    category = factories.category(session)
    vat, payroll = (factories.course(session, category.id, slug).id for slug in ("vat", "payroll"))
    bundle = factories.item(session, category.id, "bundle", item_kind="bundle").id
    learner = factories.learner(session).id
    for ids in ([payroll], [vat, payroll]):
        bundles.put_courses(session, bundle, ids)
    assert bundles.course_ids(session, bundle) == (vat, payroll)
    assert bundles.course_ids(session, vat) == (vat,)
    grants.grant(session, learner, bundles.course_ids(session, bundle), SOURCES[0], NOON)
    grants.grant(session, learner, [vat], SOURCES[1], NOON)
    grants.end(session, SOURCES[0], NOON, "refund")
    assert owned_ids(session, learner, [vat, payroll], NOON) == {vat}


def test_sources_of_another_kind_with_the_same_id_are_others(session):
    course, learner = course_and_learner(session)
    grants.grant(session, learner, [course], GrantSource("seat", 7), NOON)
    grants.end(session, GrantSource("order", 7), NOON, "refund")
    assert has_access(session, learner, course)


THREADS, GRANTS = 8, 40
MANY = [GrantSource(kind, number) for number in range(1, GRANTS) for kind in ("order", "seat", "gift")][:GRANTS]


@pytest.fixture
def enrolled(database: Database) -> tuple[Database, int, int]:
    with database.write_session() as session:
        return database, *course_and_learner(session)


def at_once(work: Callable[[GrantSource], object], sources: list[GrantSource]) -> None:
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(work, sources))


def stored_access(database: Database):
    with database.read_session() as session:
        return session.scalars(select(Enrolment.access_until)).one()


@pytest.mark.each_database
def test_forty_grants_begun_and_ended_at_once_give_access_exactly_while_one_lives(enrolled):
    database, course, learner = enrolled
    at_once(lambda source: database.write_sync(grants.grant, learner, [course], source, NOON), MANY)
    assert stored_access(database) is None
    at_once(lambda source: database.write_sync(grants.end, source, NOON + DAY, "refund"), MANY[: GRANTS // 2])
    assert stored_access(database) is None
    at_once(lambda source: database.write_sync(grants.end, source, NOON + DAY, "refund"), MANY[GRANTS // 2 :])
    assert stored_access(database) == NOON + DAY
    with database.read_session() as session:
        assert len(session.scalars(select(EnrolmentGrant)).all()) == GRANTS


@pytest.mark.each_database
def test_without_the_locks_access_outlives_its_last_grant(enrolled):
    """The negative control: both read the grants before one of them writes."""
    database, course, learner = enrolled
    both = SOURCES[:2]
    for source in both:
        database.write_sync(grants.grant, learner, [course], source, NOON)
    gate = Barrier(len(both))

    def end_unguarded(source: GrantSource) -> None:
        with database.read_session() as session:
            rows = session.scalars(select(EnrolmentGrant)).all()
        gate.wait()
        with database.write_session() as session:
            for row in rows:
                if row.source == source.kind:
                    row.ended_at = NOON + DAY
                    session.merge(row)
            session.scalars(select(Enrolment)).one().access_until = access_until(rows)

    at_once(end_unguarded, list(both))
    assert stored_access(database) is None


def source_of(session, learner: int) -> str | None:
    return session.scalars(select(Enrolment.source).where(Enrolment.learner_id == learner)).one()
