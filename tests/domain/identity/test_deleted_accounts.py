"""Names and sign-ins that the provider answers after its learner deleted the account here."""

import pytest
from sqlalchemy import func, select

from domain.account.anonymise import anonymise_account
from domain.identity import learners
from domain.identity.learners import Identity
from domain.identity.sessions import ProviderTokens
from domain.identity.sign_in import SignIn, sign_in
from domain.orders.settings import Context
from domain.tables import Learner, LearnerSession
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

ADA = Identity("https://id.example", "ada", "Ada Lovelace", "ada@example.test")


def delete_account(session, learner_id: int) -> None:
    anonymise_account(session, learner_id, ADA.email, Context(NOON))


def test_a_name_and_an_address_that_arrive_after_the_deletion_are_not_stored(session):
    ada = learners.create(session, ADA, NOON).id
    delete_account(session, ada)
    learners.relabel(session, ada, email="new@example.test", name="Ada King")
    row = session.get_one(Learner, ada)
    assert (row.email, row.name, row.email_verified) == ("", "", False)


def unlocked(session, learner_id: int) -> Learner:
    """The negative control."""
    return session.get_one(Learner, learner_id)


@pytest.mark.mariadb
@pytest.mark.parametrize(("lock", "sessions_of_deleted"), [(learners.lock_to_change, 0), (unlocked, 1)])
def test_a_sign_in_beside_the_deletion_opens_no_session_for_the_deleted_learner(
    mariadb_database, monkeypatch, lock, sessions_of_deleted
):
    find, pending = learners.find_by_identity, [ADA]

    def find_and_delete(session, issuer: str, subject: str):
        """The account is deleted after the sign-in has found its learner."""
        learner = find(session, issuer, subject)
        if pending.pop() if pending else None:
            mariadb_database.write_sync(delete_account, learner.id)
        return learner

    with mariadb_database.write_session() as session:
        ada = learners.create(session, ADA, NOON).id
    monkeypatch.setattr(learners, "find_by_identity", find_and_delete)
    monkeypatch.setattr(learners, "lock_to_change", lock)
    entered = mariadb_database.write_sync(sign_in, SignIn(ADA, "learner", ProviderTokens()), NOON)
    with mariadb_database.read_session() as session:
        own = select(func.count()).where(LearnerSession.learner_id == ada)
        assert session.scalars(own).one() == sessions_of_deleted
        row = session.get_one(Learner, entered.session.learner_id)
        assert (row.id == ada, row.issuer) == ((False, ADA.issuer) if sessions_of_deleted == 0 else (True, ""))
