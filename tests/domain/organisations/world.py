"""An organisation with a contract, an owner, a manager, a member, and somebody outside."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from contracts.payloads import InvitationItem, encode
from contracts.tasks import OutboxKind
from domain.database.database import Database
from domain.organisations.joining import inviting
from domain.organisations.joining import offers as joining_offers
from domain.organisations.joining import sending as joining_sending
from domain.organisations.joining import tokens as joining_tokens
from domain.organisations.joining.accepting import Joiner
from domain.organisations.joining.inviting import NewInvitation
from domain.organisations.joining.offers import JoiningPerson, Offers
from domain.outbox.leases import Lease
from domain.permissions import Actor
from domain.tables import Contract, Invitation, Learner, Membership
from tests.support import factories
from tests.support.factories import NOON

KEY = b"k" * 32


@dataclass(frozen=True)
class World:
    database: Database
    organisation: int
    contract: int
    owner: int
    manager: int
    member: int
    outsider: int

    def actor(self, role: str = "manager", at: datetime = NOON) -> Actor:
        who = {"owner": self.owner, "manager": self.manager}[role]
        return factories.actor(who, role, area="organisation", organisation_id=self.organisation, at=at)

    def invite(self, email: str = "new@example.test", role: str = "manager", at: datetime = NOON, **about) -> int:
        """The id of an invitation by somebody with this role."""
        actor = self.actor(role, at)
        return self.database.write_as_sync(actor, inviting.invite, actor, NewInvitation(email, **about), at)

    def send(self, invitation_id: int, at: datetime = NOON, send: int = 1) -> str:
        """Its token, as the mail has it."""
        body = encode(InvitationItem(invitation_id=invitation_id, send=send))
        lease = Lease(1, str(OutboxKind.INVITATION), body, at, 1, token="")
        assert self.database.write_sync(joining_sending.open_link, lease, KEY, at) is None
        return joining_tokens.token_of(KEY, invitation_id)

    def as_outsider(self, change, *about, at: datetime = NOON, shares: bool = False):
        actor = factories.actor(self.outsider, area="learner", at=at)
        return self.database.write_as_sync(actor, change, Joiner(self.outsider, at, shares), *about)

    def offers(self, at: datetime = NOON, **link: str) -> Offers:
        with self.database.read_session() as session:
            row = session.get_one(Learner, self.outsider)
            return joining_offers.offers(session, JoiningPerson(row.id, row.email, row.email_verified), at, **link)

    def invitation(self, invitation_id: int) -> Invitation:
        with self.database.read_session() as session:
            return session.get_one(Invitation, invitation_id)

    def membership(self, learner_id: int) -> Membership | None:
        own = (Membership.learner_id == learner_id, Membership.organisation_id == self.organisation)
        with self.database.read_session() as session:
            return session.scalar(select(Membership).where(*own))

    def change(self, table: type, row_id: int, **values) -> None:
        with self.database.write_session() as session:
            row = session.get_one(table, row_id)
            for name, value in values.items():
                setattr(row, name, value)


def make_world(database: Database) -> World:
    with database.write_session() as session:
        organisation = factories.organisation(session, domains=["northwind.example"]).id
        category = factories.category(session).id
        course = factories.course(session, category).id
        contract = factories.contract(session, organisation, course).id
        people = {}
        for role in ("owner", "manager", "member"):
            address = f"{role}@northwind.example"
            learner = factories.learner(session, name=f"{role.title()} Person", email=address, email_verified=True)
            people[role] = learner.id
            factories.member(session, learner.id, organisation, role=role)
        outsider = factories.learner(session, name="Nora New", email="nora@example.test", email_verified=True)
        return World(database, organisation, contract, outsider=outsider.id, **people)


__all__ = ["KEY", "Contract", "World", "make_world"]
