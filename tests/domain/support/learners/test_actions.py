"""What staff change about a learner is done once, recorded, and leaves everything else as it was."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
from sqlalchemy import select

from contracts.tasks import OutboxKind
from domain.audit.recording import Subject
from domain.errors import InvalidInput, NotFound, Refused
from domain.identity import sessions
from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.orders.settings import Context
from domain.staff.recorded_events import subject_entries
from domain.support.learners import account, courses, learner_page
from domain.tables import Certificate, ContactMessage, Enrolment, EnrolmentGrant, Learner, Outbox
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

# When the holder can no longer correct their name.
LATER = NOON + timedelta(days=100)


@pytest.fixture
def world(database):
    with database.write_session() as session:
        staff = factories.learner(session, name="Grace Hopper", email="grace@example.test")
        ada = factories.learner(session, name="Ada Lovelace", email="ada@example.test")
        course = factories.course(session, factories.category(session).id, "vat-basics")
        organisation = factories.organisation(session)
        member = factories.member(session, ada.id, organisation.id)
        session.flush()
        ids = {"learner": ada.id, "course": course.id, "membership": member.id}
        actor = factories.actor(staff.id, "administrator", at=NOON)
    return SimpleNamespace(db=database, actor=actor, **ids)


def do(world, function, *args, **options):
    return world.db.write_as_sync(world.actor, function, world.learner, *args, **options)


def recorded(world) -> list[tuple[str, str]]:
    with world.db.read_session() as session:
        entries = subject_entries(session, Subject("learner", world.learner))
        return [(entry.action, entry.reason) for entry in reversed(entries)]


def owned(world) -> set[int]:
    with world.db.read_session() as session:
        return grants.owned_ids(session, world.learner, [world.course], NOON + timedelta(seconds=1))


def live_grant(world) -> int:
    with world.db.read_session() as session:
        return session.scalars(select(EnrolmentGrant.id).order_by(EnrolmentGrant.id.desc())).first()


def enrol(world, reason="Paid by bank transfer"):
    return do(world, courses.enrol, "course:vat-basics", reason, world.actor)


def test_who_is_enrolled_by_hand_has_the_course_and_a_second_press_gives_nothing(world):
    assert [enrol(world), enrol(world)] == [True, False]
    assert owned(world) == {world.course}
    assert recorded(world) == [("learner.enrol", "Paid by bank transfer")]


@pytest.mark.parametrize("product", ["unknown", "course:unknown", ""])
def test_an_unknown_product_is_named_at_its_field(world, product):
    with pytest.raises(InvalidInput) as raised:
        do(world, courses.enrol, product, "Because", world.actor)
    assert list(raised.value.errors) == ["product"]
    assert recorded(world) == []


def test_the_end_of_one_grant_leaves_the_other(world):
    enrol(world)
    with world.db.write_session() as session:
        grants.grant(session, world.learner, [world.course], GrantSource("order", 77), NOON)
    assert do(world, courses.end_grant, live_grant(world), "Paid back", NOON)
    assert owned(world) == {world.course}
    with world.db.read_session() as session:
        first = session.scalars(select(EnrolmentGrant.id).order_by(EnrolmentGrant.id)).first()
    assert [do(world, courses.end_grant, first, "Fraud", NOON) for _ in range(2)] == [True, False]
    assert owned(world) == set()
    assert recorded(world)[1:] == [("learner.end_access", "Paid back"), ("learner.end_access", "Fraud")]


def test_a_seat_and_the_access_of_somebody_else_cannot_be_ended(world):
    with world.db.write_session() as session:
        grants.grant(session, world.learner, [world.course], GrantSource("seat", 5), NOON)
    with pytest.raises(Refused):
        do(world, courses.end_grant, live_grant(world), "Because", NOON)
    with pytest.raises(NotFound):
        world.db.write_as_sync(
            world.actor, courses.end_grant, world.actor.learner_id, live_grant(world), "Because", NOON
        )
    assert owned(world) == {world.course}


@pytest.mark.each_database
def test_a_course_completed_by_hand_has_a_certificate_that_can_be_revoked(world):
    enrol(world)
    assert do(world, courses.complete, world.course, "Sat the exam here", world.actor) == NOON
    with world.db.read_session() as session:
        (certificate,) = learner_page._page(session, world.learner, NOON).certificates.issued
    revoke = {"why": "fraud", "reason": "Somebody else sat it"}
    answers = [do(world, courses.revoke_certificate, certificate.code, NOON, **revoke) for _ in range(2)]
    assert answers == [True, False]
    with world.db.read_session() as session:
        page = learner_page._page(session, world.learner, NOON)
        assert page.certificates.issued[0].state == "revoked"
        assert session.scalar(select(Enrolment.completed_at)) == NOON
    assert recorded(world)[-1] == ("certificate.revoke", "Somebody else sat it")


def certificates_of(world) -> list[tuple[str, str, str]]:
    """Every certificate, in their order: its code, the name on it, and why it was revoked."""
    columns = (Certificate.code, Certificate.holder_name, Certificate.revoked_reason)
    with world.db.read_session() as session:
        return [tuple(row) for row in session.execute(select(*columns).order_by(Certificate.number))]


@pytest.fixture
def certified(world):
    """Her course is completed, so that she has its certificate."""
    enrol(world)
    do(world, courses.complete, world.course, "Sat the exam here", world.actor)
    return world


def correct(world, code: str, name: str, learner: int | None = None):
    actor = replace(world.actor, at=LATER)
    about = {"name": name, "reason": "She sent her passport"}
    return world.db.write_as_sync(actor, courses.correct_certificate, learner or world.learner, code, actor, **about)


def test_staff_correct_a_name_when_the_holder_no_longer_can_and_again(certified):
    names = ("Ada King", "Ada  King", "Ada King-Noel")
    answers = [correct(certified, certificates_of(certified)[-1][0], name) for name in names]
    assert answers == [True, False, True]
    rows = certificates_of(certified)
    assert [row[1:] for row in rows] == [("Ada Lovelace", "replaced"), ("Ada King", "replaced"), ("Ada King-Noel", "")]
    assert len({code for code, *_ in rows}) == 3
    assert recorded(certified)[1:] == [("certificate.correct_name", "She sent her passport")] * 2


def test_the_record_of_a_corrected_name_holds_neither_name(certified):
    correct(certified, certificates_of(certified)[0][0], "Ada King")
    with certified.db.read_session() as session:
        event = subject_entries(session, Subject("learner", certified.learner))[0]
    assert (event.before.keys(), event.after.keys()) == ({"certificate"}, {"certificate", "course"})


def test_a_corrected_certificate_keeps_its_dates_and_is_mailed(certified):
    correct(certified, certificates_of(certified)[0][0], "Ada King")
    with certified.db.read_session() as session:
        right = session.scalars(select(Certificate).where(Certificate.number == 2)).one()
        assert (right.completed_at, right.issued_at) == (NOON, LATER)
        mails = session.scalars(select(Outbox.body).where(Outbox.kind == OutboxKind.CERTIFICATE_ISSUED))
        assert [body["certificate_id"] for body in mails][1:] == [right.id]


def test_a_revoked_certificate_and_that_of_somebody_else_get_no_other_name(certified):
    [(code, *_)] = certificates_of(certified)
    for unknown in ("no-such-code", "Ä"):
        with pytest.raises(NotFound):
            correct(certified, unknown, "Ada King")
    with pytest.raises(NotFound):
        correct(certified, code, "Ada King", learner=certified.actor.learner_id)
    with pytest.raises(InvalidInput):
        correct(certified, code, "")
    do(certified, courses.revoke_certificate, code, NOON, why="fraud", reason="Somebody else sat it")
    with pytest.raises(Refused):
        correct(certified, code, "Ada King")
    assert certificates_of(certified) == [(code, "Ada Lovelace", "fraud")]


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501])
def test_nothing_is_done_without_a_reason(world, reason):
    with pytest.raises(InvalidInput):
        enrol(world, reason)
    with pytest.raises(InvalidInput):
        do(world, account.restrict, world.membership, reason, is_restricted=True)
    assert (owned(world), recorded(world)) == (set(), [])


def test_a_member_is_restricted_once_and_the_organisation_is_in_the_event(world):
    changes = [do(world, account.restrict, world.membership, "As agreed", is_restricted=True) for _ in range(2)]
    assert changes == [True, False]
    with world.db.read_session() as session:
        (event,) = subject_entries(session, Subject("learner", world.learner))
    assert (event.before, event.after, event.organisation) == (
        {"is_restricted": False},
        {"is_restricted": True},
        "Northwind",
    )


def test_whoever_is_signed_out_has_no_session_left(world):
    with world.db.write_session() as session:
        for _ in range(2):
            sessions.open_session(session, world.learner, NOON, "learner", sessions.NO_TOKENS)
    assert len(do(world, account.end_sessions, "Lost the laptop", NOON)) == 2
    assert do(world, account.end_sessions, "Lost the laptop", NOON) == []
    with world.db.read_session() as session:
        assert sessions.active(session, world.learner, NOON) == []


def test_opening_a_page_and_exporting_are_recorded(world):
    do(world, learner_page.open_page, NOON)
    assert do(world, account.export, NOON, USD)["profile"]["email"] == "ada@example.test"
    assert [action for action, _ in recorded(world)] == ["learner.open", "learner.export"]


def test_an_erased_person_is_nowhere_and_a_wrong_address_erases_nothing(world):
    with world.db.write_session() as session:
        for email in ("ADA@example.test", "other@example.test"):
            session.add(ContactMessage(sent_at=NOON, name="A", email=email, subject="S", message="M"))
    with pytest.raises(InvalidInput):
        do(world, account.erase, "grace@example.test", "Asked us", Context(NOON), keep_certificates=False)
    do(world, account.erase, "ada@example.test", "Asked us", Context(NOON), keep_certificates=False)
    with world.db.read_session() as session:
        learner = session.get_one(Learner, world.learner)
        assert (learner.name, learner.email, learner.name_key, learner.email_key) == ("", "", "", "")
        assert session.scalars(select(ContactMessage.email)).all() == ["other@example.test"]
        assert learner_page.person(session, world.learner).is_erased
    assert recorded(world) == [("learner.erase", "Asked us")]
    with pytest.raises(NotFound):
        enrol(world)
