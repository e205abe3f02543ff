"""`python -m host certificates`: certificates and the keys that sign them."""

from argparse import Namespace
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from config.settings import Settings
from domain.learning.certificates import keys
from domain.tables import AuditEvent, Certificate, Enrolment, SigningKey
from host.cli.learning import certificates
from tests.domain.learning import quiz_world
from tests.support import factories
from tests.support.factories import NOON

THUMBPRINT = "w" * 43


@pytest.fixture
def shop(sqlite_database, tmp_path) -> Settings:
    with sqlite_database.write_session() as session:
        quiz_world.fill(session)
        enrolment = session.scalars(select(Enrolment)).one()
        enrolment.completed_at = NOON
        factories.certificate(session, enrolment)
        keys.register(session, THUMBPRINT, {"kty": "RSA"}, NOON)
    return replace(Settings.from_environment({}), var_dir=tmp_path, database=None)


def revoke(shop: Settings, code: str = "c", reason: str = "Somebody else took the quizzes") -> int:
    return certificates.run(Namespace(action="revoke", code=code, why="fraud", reason=reason), shop)


def distrust(shop: Settings, thumbprint: str = THUMBPRINT, since: str = "2026-11-01", reason: str = "Lost.") -> int:
    return certificates.run(Namespace(action="distrust", thumbprint=thumbprint, since=since, reason=reason), shop)


def test_a_certificate_is_revoked_once_and_recorded(shop, sqlite_database, capsys):
    assert [revoke(shop), revoke(shop)] == [0, 0]
    assert capsys.readouterr().out.splitlines() == [
        "The certificate is revoked.",
        "It was revoked before: nothing changes.",
    ]
    with sqlite_database.read_session() as session:
        assert session.scalars(select(Certificate.revoked_reason)).one() == "fraud"
        events = session.execute(select(AuditEvent.action, AuditEvent.reason)).all()
        assert [tuple(row) for row in events] == [("certificate.revoke", "Somebody else took the quizzes")]


def test_a_key_is_marked_and_listed(shop, sqlite_database, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert distrust(shop) == 0
    assert capsys.readouterr().out.startswith("The key is marked. Set another CERTIFICATE_KEY now")
    assert certificates.run(Namespace(action="keys"), shop) == 0
    assert "2026-11-01" in capsys.readouterr().out
    with sqlite_database.read_session() as session:
        row = session.scalars(select(SigningKey)).one()
        assert (row.distrusted_since, row.distrust_reason) == (datetime(2026, 11, 1, tzinfo=UTC), "Lost.")
        assert session.scalars(select(AuditEvent.action)).one() == "signing_key.distrust"


@pytest.mark.parametrize(
    ("run", "text"),
    [
        (lambda shop: revoke(shop, code="x"), "There is no certificate with this code."),
        (lambda shop: revoke(shop, reason=" "), "Give a reason in at most 500 characters."),
        (lambda shop: distrust(shop, thumbprint="x"), "There is no such key."),
        (lambda shop: distrust(shop, since="yesterday"), "yesterday is no date such as 2026-11-29."),
        (lambda shop: distrust(shop, since="2999-01-01"), "Enter a time that is past."),
        (lambda shop: distrust(shop, reason=""), "Give a reason in at most 500 characters."),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(shop, capsys, run, text):
    assert run(shop) == 1
    assert capsys.readouterr().err == f"{text}\n"
