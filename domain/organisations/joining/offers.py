"""What a learner may join, with all that is told before: the cards of the dashboard."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Text, or_, select, type_coerce
from sqlalchemy.orm import Session

from domain.organisations import email_domains
from domain.organisations.joining import codes
from domain.organisations.joining.tokens import digest_of
from domain.seats import joining
from domain.tables import Contract, Invitation, Learner, Membership, Organisation, Product
from domain.tables.areas.person_keys import email_key

# Whoever has more open invitations sees the newest.
MAX_OFFERS = 5


@dataclass(frozen=True)
class JoinOffer:
    """An organisation that may be joined. `invitation_id` None: by `code`, or by the email domain ("").

    `token`: of the link that was followed, "" for none. `shows_names`: managers see how far the member is, if the
    member agrees. `is_restricted`: the member sees in the shop what the contract covers alone. `courses`: names of
    those that are assigned on joining. `role`: in the organisation.
    """

    kind: str
    organisation: str
    organisation_id: int
    contract_id: int
    logo: str
    role: str
    shows_names: bool
    is_restricted: bool
    courses: tuple[str, ...] = ()
    invitation_id: int | None = None
    token: str = ""
    code: str = ""
    team: str = ""


@dataclass(frozen=True)
class JoiningPerson:
    """Whose offers are read, as their session knows them."""

    learner_id: int
    email: str
    is_verified: bool


@dataclass(frozen=True)
class Offers:
    """`has_unknown_link`: the token or code in the address opens nothing."""

    offers: tuple[JoinOffer, ...]
    has_unknown_link: bool = False


def offers(session: Session, person: JoiningPerson, at: datetime, token: str = "", code: str = "") -> Offers:
    """What a person can join: by the link that was followed first, then what the person's verified address is
    offered."""
    found = [*_by_token(session, token, at), *_by_code(session, code, at)]
    has_unknown_link = bool(token or code) and not found
    if person.is_verified and person.email:
        found += _by_address(session, person, at)
        found += _by_domain(session, person, at)
    unique: dict[tuple[int, int | None], JoinOffer] = {}
    for offer in found:
        # An invitation by its link and by its address is one; a code is as good as the domain.
        unique.setdefault((offer.organisation_id, offer.invitation_id), offer)
    return Offers(tuple(unique.values())[:MAX_OFFERS], has_unknown_link)


def open_invitation(at: datetime) -> tuple[ColumnElement[bool], ...]:
    """The conditions of an invitation that can still be accepted, for a statement that joins its organisation and
    contract."""
    return (Invitation.state == "sent", Invitation.expires_at > at, *open_contract(at))


def open_contract(at: datetime) -> tuple[ColumnElement[bool], ...]:
    ends = or_(Contract.ends_at.is_(None), Contract.ends_at > at)
    return (Organisation.state == "approved", Contract.starts_at <= at, ends)


def _invitations(session: Session, *conditions: ColumnElement[bool]) -> list[tuple[Invitation, Contract, Organisation]]:
    query = (
        select(Invitation, Contract, Organisation)
        .join(Contract, Contract.id == Invitation.contract_id)
        .join(Organisation, Organisation.id == Invitation.organisation_id)
        .where(*conditions)
        .order_by(Invitation.id.desc())
        .limit(MAX_OFFERS)
    )
    return [(row[0], row[1], row[2]) for row in session.execute(query)]


def _by_token(session: Session, token: str, at: datetime) -> list[JoinOffer]:
    if not token:
        return []
    rows = _invitations(session, Invitation.token == digest_of(token), *open_invitation(at))
    return [_of_invitation(session, row, token) for row in rows]


def _by_address(session: Session, person: JoiningPerson, at: datetime) -> list[JoinOffer]:
    rows = _invitations(session, Invitation.email_key == email_key(person.email), *open_invitation(at))
    return [_of_invitation(session, row, "") for row in rows]


def _of_invitation(session: Session, row: tuple[Invitation, Contract, Organisation], token: str) -> JoinOffer:
    invitation, contract, organisation = row
    return JoinOffer(
        kind="invitation",
        organisation=organisation.name,
        organisation_id=organisation.id,
        contract_id=contract.id,
        logo=organisation.logo,
        role=invitation.role,
        shows_names=contract.shows_names,
        is_restricted=contract.is_restricted and invitation.role == "member",
        courses=_names(session, invitation.product_ids),
        invitation_id=invitation.id,
        token=token,
        team=invitation.team,
    )


def _names(session: Session, product_ids: Collection[int]) -> tuple[str, ...]:
    query = select(Product.name).where(Product.id.in_(product_ids)).order_by(Product.name)
    return tuple(session.scalars(query)) if product_ids else ()


def contract_of_code(session: Session, code: str, at: datetime) -> tuple[Contract, Organisation] | None:
    plain = codes.normalised(code)
    if not plain:
        return None
    query = select(Contract, Organisation).join(Organisation, Organisation.id == Contract.organisation_id)
    row = session.execute(query.where(Contract.join_code == plain, *open_contract(at))).one_or_none()
    return None if row is None else (row[0], row[1])


def contract_of_domain(
    session: Session, learner: Learner, organisation_id: int, at: datetime
) -> tuple[Contract, Organisation] | None:
    """The contract that a learner may join for the domain of their verified address."""
    domain = email_domains.domain_of(learner.email) if learner.email_verified else ""
    rows = _contracts_for(session, domain, at)
    return next(((contract, own) for contract, own in rows if own.id == organisation_id), None)


def _by_code(session: Session, code: str, at: datetime) -> list[JoinOffer]:
    found = contract_of_code(session, code, at)
    return [] if found is None else [_of_contract(session, "code", *found, code=codes.normalised(code))]


def _by_domain(session: Session, person: JoiningPerson, at: datetime) -> list[JoinOffer]:
    rows = _contracts_for(session, email_domains.domain_of(person.email), at)
    if not rows:
        return []
    own = (Membership.learner_id == person.learner_id, Membership.ended_at.is_(None))
    members_of = set(session.scalars(select(Membership.organisation_id).where(*own)))
    found: dict[int, JoinOffer] = {}
    for contract, organisation in rows:
        if organisation.id not in members_of:
            found.setdefault(organisation.id, _of_contract(session, "domain", contract, organisation))
    return list(found.values())


def _contracts_for(session: Session, domain: str, at: datetime) -> list[tuple[Contract, Organisation]]:
    """The contracts that people with an address of this domain may join, the newest first."""
    if not domain or email_domains.problem(domain):
        return []
    query = select(Contract, Organisation).join(Organisation, Organisation.id == Contract.organisation_id)
    # The list is text in both databases; a domain has no sign that LIKE or JSON would read differently.
    names_domain = type_coerce(Organisation.domains, Text).like(f'%"{domain}"%')
    rows = session.execute(
        query.where(Contract.join_policy == "domain", names_domain, *open_contract(at)).order_by(Contract.id.desc())
    )
    return [(contract, organisation) for contract, organisation in rows if domain in organisation.domains]


def _of_contract(
    session: Session, kind: str, contract: Contract, organisation: Organisation, code: str = ""
) -> JoinOffer:
    return JoinOffer(
        kind=kind,
        organisation=organisation.name,
        organisation_id=organisation.id,
        contract_id=contract.id,
        logo=organisation.logo,
        role="member",
        shows_names=contract.shows_names,
        is_restricted=contract.is_restricted,
        courses=_names(session, joining.opened_courses(session, contract)),
        code=code,
    )
