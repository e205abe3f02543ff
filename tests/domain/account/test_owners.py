"""An account and its organisations: the last owner stays while others belong to it, and addresses must be one's own."""

import pytest

from domain.account.anonymise import anonymise_account
from domain.errors import Refused
from domain.orders.settings import Context
from domain.tables import AuditEvent, Invitation, Membership
from tests.support import factories
from tests.support.factories import NOON


def organisation_of(session, *people: tuple[int, str], state: str = "approved") -> int:
    organisation = factories.organisation(session, state=state).id
    for learner_id, role in people:
        factories.member(session, learner_id, organisation, role=role)
    return organisation


@pytest.mark.parametrize(
    ("others", "state", "is_refused"),
    [
        (["member"], "approved", True),
        (["manager", "owner"], "approved", False),
        ([], "approved", False),
        (["member"], "declined", False),
    ],
)
def test_the_last_owner_of_others_deletes_no_account(session, others, state, is_refused):
    ada = factories.learner(session, email="ada@example.test").id
    people = [(factories.learner(session, f"Other {number}").id, role) for number, role in enumerate(others)]
    organisation = organisation_of(session, (ada, "owner"), *people, state=state)
    if is_refused:
        with pytest.raises(Refused, match="You are the last owner of Northwind"):
            anonymise_account(session, ada, "ada@example.test", Context(NOON))
        assert session.query(Membership).filter_by(learner_id=ada).count() == 1
    # Staff, whom somebody has asked, can.
    anonymise_account(session, ada, "ada@example.test", Context(NOON), is_by_staff=is_refused)
    assert session.query(Membership).filter_by(learner_id=ada).count() == 0
    # The organisation's record says that somebody left, and not who.
    [event] = session.query(AuditEvent).all()
    assert (event.action, event.before, event.organisation_id) == ("member.leave", {"role": "owner"}, organisation)


@pytest.mark.each_database
@pytest.mark.parametrize(("is_verified", "state"), [(True, "cancelled"), (False, "sent")])
def test_an_invitation_to_an_address_goes_with_the_account_that_has_verified_it(session, is_verified, state):
    ada = factories.learner(session, email="ada@example.test", email_verified=is_verified).id
    organisation = organisation_of(session)
    contract = factories.contract(session, organisation).id
    facts = {"email_key": "ada@example.test", "product_ids": [], "sent_at": NOON, "expires_at": NOON}
    row = Invitation(organisation_id=organisation, contract_id=contract, **facts)
    session.add(row)
    anonymise_account(session, ada, "ada@example.test", Context(NOON))
    assert (row.state, row.email_key) == (state, "" if is_verified else "ada@example.test")
