"""Who becomes staff and who stays: the last administrator does, and nobody changes their own roles."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import select

from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.database import Database
from domain.errors import InvalidInput, NotFound
from domain.identity import sessions
from domain.identity.roles import roles_of
from domain.identity.sign_in import STAFF_SIGN_IN
from domain.staff import listing as staff_listing
from domain.staff import roles
from domain.staff import roles as staff_roles
from domain.staff.roles import LastAdministrator, OwnRoles, RoleChange
from domain.tables import AuditEvent, StaffRole
from tests.support import factories
from tests.support.factories import NOON

LATER = NOON + timedelta(hours=1)


@pytest.fixture
def people(session) -> tuple[int, int]:
    """An administrator, and somebody without a role."""
    ada, grace = factories.learner(session, name="Ada"), factories.learner(session, name="Grace")
    factories.staff(session, ada.id, "administrator")
    return ada.id, grace.id


def act(session, by: int, change: Callable[..., bool], learner_id: int, role: str) -> bool:
    actor = factories.actor(by, at=LATER)
    return recording.run(session, actor, change, RoleChange(learner_id, role, by, LATER, "Joined"))


def test_a_role_is_given_and_taken_once_and_recorded(session, people):
    ada, grace = people
    changes = (staff_roles.add_role, staff_roles.add_role, staff_roles.remove_role, staff_roles.remove_role)
    assert [act(session, ada, change, grace, "editor") for change in changes] == [True, False, True, False]
    events = session.scalars(select(AuditEvent).order_by(AuditEvent.number)).all()
    assert [(event.action, event.subject_id, event.before, event.after, event.reason) for event in events] == [
        ("staff.add", str(grace), {"roles": []}, {"roles": ["editor"]}, "Joined"),
        ("staff.remove", str(grace), {"roles": ["editor"]}, {"roles": []}, "Joined"),
    ]


def test_a_role_counts_at_once_and_says_who_gave_it(session, people):
    ada, grace = people
    act(session, ada, staff_roles.add_role, grace, "editor")
    assert roles_of(session, grace) == ("editor",)
    (granted,) = staff_listing.granted_roles(session, grace)
    assert (granted.role, granted.granted_at, granted.granted_by) == ("editor", LATER, "Ada")
    assert staff_listing.granted_roles(session, ada)[0].granted_by is None


def test_nobody_changes_their_own_roles(session, people):
    ada, _ = people
    for change, role in ((staff_roles.add_role, "finance"), (staff_roles.remove_role, "administrator")):
        with pytest.raises(OwnRoles, match="Nobody changes their own roles"):
            act(session, ada, change, ada, role)
    assert roles_of(session, ada) == ("administrator",)


def test_the_last_administrator_stays(session, people):
    ada, grace = people
    factories.staff(session, grace, "finance")
    with pytest.raises(LastAdministrator, match="This is the last administrator"):
        act(session, grace, staff_roles.remove_role, ada, "administrator")
    with pytest.raises(LastAdministrator):
        staff_roles.remove_all(session, ada, LATER)
    act(session, ada, staff_roles.add_role, grace, "administrator")
    assert act(session, grace, staff_roles.remove_role, ada, "administrator")
    assert roles_of(session, ada) == ()


def test_who_loses_the_last_role_is_signed_out_of_the_area(session, people):
    ada, grace = people
    factories.staff(session, grace, "finance", "editor")
    opened = {area: sessions.open_session(session, grace, NOON, area) for area in ("admin", "learner")}

    def active() -> list[str]:
        pairs = {area: (new.token, new.cookie_secret) for area, new in opened.items()}
        return [area for area, pair in pairs.items() if sessions.authenticated(session, *pair, NOON) is not None]

    act(session, ada, staff_roles.remove_role, grace, "finance")
    assert active() == ["admin", "learner"]
    act(session, ada, staff_roles.remove_role, grace, "editor")
    assert active() == ["learner"]


def test_a_deleted_account_has_no_role_and_this_is_recorded(session, people):
    _, grace = people
    factories.staff(session, grace, "finance")
    staff_roles.remove_all(session, grace, LATER)
    staff_roles.remove_all(session, grace, LATER)
    (event,) = session.scalars(select(AuditEvent))
    assert (event.area, event.action, event.before) == ("system", "staff.remove", {"roles": ["finance"]})


def test_unknown_people_and_roles_are_refused(session, people):
    ada, grace = people
    with pytest.raises(InvalidInput, match="role: Choose one of marketer, support"):
        act(session, ada, staff_roles.add_role, grace, "owner")
    with pytest.raises(NotFound, match="There is no such person"):
        act(session, ada, staff_roles.add_role, grace + 1000, "editor")
    with pytest.raises(InvalidInput, match="studentNumber: Nobody has this student number"):
        staff_roles.find_person(session, "S-0000-0000")


@pytest.mark.each_database
def test_the_list_shows_roles_and_the_last_sign_in(session, people):
    ada, grace = people
    factories.staff(session, grace, "support", "editor")
    for day, methods in ((0, ["pwd"]), (1, ["pwd", "email", "mfa"])):
        signs_in = factories.actor(grace, at=NOON + timedelta(days=day))
        recording.run(
            session, signs_in, recording.record, STAFF_SIGN_IN, Subject("staff", grace), after={"methods": methods}
        )
    first, second = staff_listing.all_members(session)
    assert (first.learner_id, first.roles, first.last_sign_in, first.amr) == (ada, ("administrator",), None, ())
    assert (second.roles, second.last_sign_in) == (("editor", "support"), NOON + timedelta(days=1))
    assert (second.amr, second.since) == (("pwd", "email", "mfa"), NOON)
    assert staff_listing.member(session, ada) == first
    with pytest.raises(NotFound):
        staff_listing.member(session, grace + 1000)


def test_the_list_names_who_gave_the_first_role(session, people):
    ada, grace = people
    act(session, ada, staff_roles.add_role, grace, "editor")
    assert [member.granted_by for member in staff_listing.all_members(session)] == [None, "Ada"]
    session.add(StaffRole(learner_id=grace, role="support", granted_at=NOON))
    session.flush()
    assert [member.granted_by for member in staff_listing.all_members(session)] == [None, None]


def two_administrators(database: Database) -> tuple[int, int]:
    with database.write_session() as session:
        ada, grace = (factories.learner(session, name=name).id for name in ("Ada", "Grace"))
        for learner_id in (ada, grace):
            factories.staff(session, learner_id, "administrator")
    return ada, grace


def remove_each_other(database: Database) -> list[object]:
    """Two administrators, each of whom removes the other at the same time: what happens to each."""
    ada, grace = two_administrators(database)
    db = Database(database.url, pool_size=2, deadline_s=60, busy_ms=60_000)
    gate = Barrier(2)

    def remove(by: int, whom: int) -> object:
        gate.wait()
        try:
            change = RoleChange(whom, "administrator", by, NOON, "Test")
            return db.write_as_sync(factories.actor(by), staff_roles.remove_role, change)
        except LastAdministrator as error:
            return type(error)

    with ThreadPoolExecutor(2) as threads:
        results = list(threads.map(remove, (ada, grace), (grace, ada)))
    db.engine.dispose()
    return results


def administrators(database: Database) -> int:
    with database.read_session() as session:
        return len(session.scalars(select(StaffRole.learner_id)).all())


@pytest.mark.each_database
def test_of_two_administrators_who_remove_each_other_one_stays(database):
    results = remove_each_other(database)
    assert sorted(map(str, results)) == sorted(map(str, [True, LastAdministrator]))
    assert administrators(database) == 1


@pytest.mark.each_database
@pytest.mark.parametrize("database", [pytest.param("mariadb", marks=pytest.mark.mariadb)], indirect=True)
def test_without_the_lock_neither_would_stay(database, monkeypatch):
    """The negative control: Ada is removed, and her own removal of Grace is committed between the look at the others
    and the deletion. SQLite lets one transaction write at a time."""
    ada, grace = two_administrators(database)

    def remove(by: int, whom: int) -> bool:
        change = RoleChange(whom, "administrator", by, NOON, "Test")
        return database.write_as_sync(factories.actor(by), staff_roles.remove_role, change)

    def unlocked(session, learner_id: int, _by: int | None) -> set[str]:
        query = select(StaffRole.role).where(StaffRole.learner_id == learner_id)
        return set(session.scalars(query))

    def look(session, learner_id: int) -> None:
        others = select(StaffRole.learner_id).where(StaffRole.learner_id != learner_id)
        if not session.scalars(others).all():
            raise LastAdministrator
        if learner_id == ada:
            assert remove(ada, grace)

    monkeypatch.setattr(roles, "_lock_roles", unlocked)
    monkeypatch.setattr(roles, "_require_another_administrator", look)
    assert remove(grace, ada)
    assert administrators(database) == 0
