"""A change and its events are committed together, in one chain, or not at all."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from decimal import Decimal
from random import Random

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from domain.audit import changes, recording, verification
from domain.audit import recording as audit_recording
from domain.audit.recording import NotAudited, Subject, UnrecordedChange
from domain.audit.verification import Verification
from domain.database.database import Database
from domain.permissions import Permission, SystemActor
from domain.tables import AuditEvent, Learner
from tests.support import factories
from tests.support.factories import NOON

ADA = factories.actor(7, request_id="0123456789abcdef", ip_network="192.0.2.0/24")


def rename(session: Session, learner_id: int, name: str, *, says: str = "record") -> str:
    learner = session.get_one(Learner, learner_id)
    before, learner.name = learner.name, name
    if says == "record":
        subject = Subject("learner", learner_id)
        audit_recording.record(
            session, "learner.rename", subject, before={"name": before}, after={"name": name}, reason=" Asked "
        )
    elif says == "nothing to say":
        audit_recording.no_change(session)
    return name


@pytest.fixture
def grace(database) -> int:
    with database.write_session() as session:
        return factories.learner(session, name="Grace").id


@pytest.fixture
async def site_database(database) -> AsyncIterator[Database]:
    """The database as a host uses it, with connections of this test's event loop."""
    db = Database(database.url, pool_size=20, deadline_s=60, busy_ms=60_000)
    yield db
    await db.close()


def events(db: Database) -> list[AuditEvent]:
    with db.read_session() as session:
        return list(session.scalars(select(AuditEvent).order_by(AuditEvent.number)))


def name_of(db: Database, learner_id: int) -> str:
    with db.read_session() as session:
        return session.get_one(Learner, learner_id).name


@pytest.mark.each_database
async def test_a_change_is_committed_with_the_event_of_its_actor(database, site_database, grace):
    assert await site_database.write_as(ADA, rename, grace, "Grace H.") == "Grace H."
    (event,) = events(database)
    assert (event.number, event.occurred_at, event.actor_id, event.area) == (1, NOON, 7, "admin")
    assert (event.roles, event.request_id, event.ip_network) == (["administrator"], ADA.request_id, ADA.ip_network)
    assert (event.action, event.subject_type, event.subject_id) == ("learner.rename", "learner", str(grace))
    assert (event.before, event.after, event.reason) == ({"name": "changed"}, {"name": "changed"}, "Asked")
    assert (event.previous_hash, len(event.hash)) == ("", 64)


async def test_a_change_that_records_nothing_is_not_committed(database, site_database, grace):
    with pytest.raises(UnrecordedChange, match="rename recorded nothing"):
        await site_database.write_as(ADA, rename, grace, "Nobody", says="nothing")
    with pytest.raises(UnrecordedChange, match="rename recorded nothing"):
        database.write_as_sync(ADA, rename, grace, "Nobody", says="nothing")
    assert (name_of(database, grace), events(database)) == ("Grace", [])


def test_a_function_may_say_that_it_has_nothing_to_record(database, grace):
    database.write_as_sync(ADA, rename, grace, "Grace", says="nothing to say")
    assert events(database) == []


async def test_nothing_is_recorded_where_nobody_is_known_to_act(database, site_database, grace):
    with pytest.raises(NotAudited):
        await site_database.write(rename, grace, "Grace H.")
    assert (name_of(database, grace), events(database)) == ("Grace", [])


@pytest.mark.each_database
def test_a_change_that_fails_leaves_no_event(database, grace):
    def fail(session: Session) -> None:
        rename(session, grace, "Grace H.")
        raise RuntimeError("after the record")

    with pytest.raises(RuntimeError, match="after the record"):
        database.write_as_sync(ADA, fail)
    database.write_as_sync(SystemActor("command", NOON), rename, grace, "Grace M.")
    (event,) = events(database)
    assert (event.number, event.actor_id, event.area, event.roles) == (1, None, "command", [])


def test_a_read_is_recorded_like_a_change(database):
    database.write_as_sync(ADA, audit_recording.record, "learner.open", Subject("learner", 3), organisation_id=5)
    (event,) = events(database)
    assert (event.action, event.before, event.after, event.organisation_id) == ("learner.open", None, None, 5)


CHANGES = {
    "a changed field": ({"a": 1, "b": 2}, {"a": 1, "b": 3}, {"b": 2}, {"b": 3}),
    "a new subject": (None, {"a": 1, "b": None}, None, {"a": 1}),
    "a deleted subject": ({"a": 1}, None, {"a": 1}, None),
    "nothing": ({"a": 1}, {"a": 1}, None, None),
    "a value that is gone": ({"a": 1}, {"a": None}, {"a": 1}, None),
    "money": ({"price": Decimal("9.90")}, {"price": Decimal("12.00")}, {"price": "9.90"}, {"price": "12.00"}),
    "a time": (None, {"at": NOON}, None, {"at": "2026-03-01T12:00:00Z"}),
    "a day": (None, {"day": NOON.date()}, None, {"day": "2026-03-01"}),
    "a permission": (None, {"a": Permission.AUDIT_READ}, None, {"a": "audit.read"}),
    "a set": ({"a": {"y", "x"}}, {"a": ("z",)}, {"a": ["x", "y"]}, {"a": ["z"]}),
    "a name of a thing": ({"name": "VAT"}, {"name": "Tax"}, {"name": "VAT"}, {"name": "Tax"}),
    "an address": ({"email": "a@b.example"}, {"email": "c@d.example"}, {"email": "changed"}, {"email": "changed"}),
}


@pytest.mark.parametrize("case", CHANGES)
def test_an_event_has_the_changed_fields_alone(case):
    before, after, old, new = CHANGES[case]
    assert changes.changed_fields("course", before, after) == (old, new)


def test_a_value_without_a_form_in_json_is_refused():
    with pytest.raises(TypeError, match="cannot have a float"):
        changes.changed_fields("course", None, {"share": 0.5})


def test_no_personal_value_is_in_1000_events():
    random, secrets = Random(1), ["Ada Lovelace", "ada@example.test", "+44 20 7946 0000", "12 St James's Square"]
    for _ in range(1000):
        kind = random.choice(sorted(changes._PEOPLE))
        names = random.sample([*sorted(changes._PERSONAL), "name"], 4)
        before, after = ({name: f"{random.choice(secrets)} {random.random()}" for name in names} for _ in range(2))
        text = json.dumps(changes.changed_fields(kind, before, after))
        assert not [secret for secret in secrets if secret in text]


async def many_at_once(db: Database, count: int) -> list[object]:
    await db.write_as(ADA, audit_recording.record, "course.publish", Subject("course", 0))
    calls = (
        db.write_as(ADA, audit_recording.record, "course.publish", Subject("course", each)) for each in range(1, count)
    )
    return await asyncio.gather(*calls, return_exceptions=True)


@pytest.mark.each_database
async def test_200_at_once_are_one_chain(site_database, database):
    assert set(await many_at_once(site_database, 200)) == {None}
    with database.read_session() as session:
        assert verification.verify(session) == Verification(200, None, 200)
        assert session.scalar(select(func.count(AuditEvent.subject_id.distinct()))) == 200


@pytest.mark.each_database
@pytest.mark.parametrize("database", [pytest.param("mariadb", marks=pytest.mark.mariadb)], indirect=True)
async def test_without_the_lock_some_of_them_would_take_the_same_number(site_database, monkeypatch):
    """The negative control. SQLite lets one transaction write at a time, with or without the lock."""
    monkeypatch.setattr(recording, "_locked_end", unlocked_end)
    results = await many_at_once(site_database, 60)
    assert {type(result) for result in results} == {type(None), IntegrityError}


def unlocked_end(session: Session) -> tuple[int, str]:
    chain = recording.CHAIN
    row = session.execute(select(chain.c.number, chain.c.hash)).one_or_none()
    if row is None:
        session.execute(chain.insert().values(id=recording.CHAIN_ID, number=0, hash=""))
        return 0, ""
    return row.number, row.hash


@pytest.mark.each_database
def test_the_time_of_an_event_is_that_of_the_request(database):
    later = factories.actor(7, at=NOON + timedelta(microseconds=1))
    database.write_as_sync(later, audit_recording.record, "course.publish", Subject("course", 1))
    assert events(database)[0].occurred_at == later.at
