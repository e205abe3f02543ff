"""Inviting people by mail, one by one or from a file, and sending a mail again."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, case, func, or_, select
from sqlalchemy.orm import Session

from contracts.payloads import InvitationItem
from contracts.tasks import OutboxKind
from domain import email_addresses
from domain.audit import recording
from domain.audit.recording import Subject
from domain.display_text import count_text
from domain.errors import InvalidInput, NotFound, Refused
from domain.organisations.joining.closing import close, locked
from domain.organisations.joining.sending import HOUR, VALID_FOR
from domain.organisations.members import ROLES
from domain.organisations.memberships import team_name
from domain.outbox import queue as outbox_queue
from domain.permissions import Actor, Tenant
from domain.seats import invitations as seats
from domain.seats.seat_rows import is_running
from domain.tables import Contract, ContractProduct, Invitation, Learner, Membership, Organisation, Product
from domain.tables.areas.person_keys import MAX_ADDRESS, email_key

MAX_SENDS = 3
# Also of those whose first mail waits for its hour.
MAX_OPEN = 10_000
MAX_NAME = 255
NO_CONTRACT = "Your organisation has no running contract that people could join through."
OFTEN = f"This address had {MAX_SENDS} mails within two weeks. More would be a nuisance."


@dataclass(frozen=True)
class NewInvitation:
    """As typed. `contract_id` None: the newest contract that runs. `courses`: slugs that are assigned on joining."""

    email: str
    name: str = ""
    team: str = ""
    role: str = "member"
    courses: tuple[str, ...] = ()
    contract_id: int | None = None


@dataclass(frozen=True)
class CheckedInvitation:
    """An invitation that may be sent."""

    email_key: str
    name: str
    team: str
    role: str
    product_ids: tuple[int, ...]
    contract_id: int

    @property
    def open_key(self) -> str:
        return f"{self.contract_id}:{self.email_key}"


def invite(session: Session, actor: Actor, new: NewInvitation, at: datetime) -> int:
    """The id of the invitation, for `Database.write_as`; its mail is sent when fewer than MAX_AN_HOUR were in the last
    hour. Raises InvalidInput, and Refused beyond MAX_OPEN, without a contract, and while no seat is free."""
    # Locked, so that invitations at the same time count each other.
    session.execute(select(Organisation.id).where(Organisation.id == actor.tenant.organisation_id).with_for_update())
    checked = check(session, actor, new, at)
    require_room(session, actor.tenant)
    row = store(session, actor, checked, at)
    about = {"role": checked.role, "team": checked.team, "email": checked.email_key}
    recording.record(session, "invitation.send", Subject("invitation", row.id), after=about)
    return row.id


def store(session: Session, actor: Actor, checked: CheckedInvitation, at: datetime) -> Invitation:
    """Set seats aside for its courses, and send it. Raises Refused while no seat is free."""
    row = Invitation(
        organisation_id=actor.tenant.organisation_id,
        contract_id=checked.contract_id,
        email_key=checked.email_key,
        name=checked.name,
        team=checked.team,
        role=checked.role,
        product_ids=list(checked.product_ids),
        open_key=checked.open_key,
        sent_at=at,
        sends=0,
        expires_at=at + VALID_FOR,
        invited_by=actor.learner_id,
    )
    session.add(row)
    session.flush()
    if checked.product_ids:
        seats.reserve(session, checked.contract_id, row.id, checked.product_ids, at)
    outbox_queue.enqueue(session, OutboxKind.INVITATION, InvitationItem(invitation_id=row.id), at)
    return row


def resend(session: Session, actor: Actor, invitation_id: int, at: datetime) -> None:
    """Send the mail of an open invitation again, with the same link, valid for 14 days more. For `Database.write_as`.
    Raises NotFound, and Refused for a closed one and beyond the limits."""
    row = locked(session, actor.tenant, invitation_id)
    if row.state != "sent" or row.expires_at <= at:
        raise Refused("This invitation is closed. Invite the person again.")
    if row.sends == 0 or max(row.sent_at, row.reminded_at or row.sent_at) > at - HOUR:
        raise Refused("It was sent less than an hour ago, or waits to be sent.")
    if _sends_to(session, actor.tenant, row.email_key, at) >= MAX_SENDS:
        raise Refused(OFTEN)
    row.reminded_at = at
    session.flush()
    outbox_queue.enqueue(session, OutboxKind.INVITATION, InvitationItem(invitation_id=row.id, send=row.sends + 1), at)
    recording.record(session, "invitation.resend", Subject("invitation", row.id), after={"send": row.sends + 1})


def require_room(session: Session, tenant: Tenant) -> None:
    """Raises Refused."""
    open_ones = (Invitation.organisation_id == tenant.organisation_id, Invitation.state == "sent")
    if session.scalars(select(func.count(Invitation.id)).where(*open_ones)).one() >= MAX_OPEN:
        raise Refused(
            f"Your organisation has {count_text(MAX_OPEN)} open invitations. Wait for answers, or take some back."
        )


def check(session: Session, actor: Actor, new: NewInvitation, at: datetime) -> CheckedInvitation:
    """Closes an invitation of the same address that is too old. Raises InvalidInput, Refused."""
    contract = running_contract(session, actor.tenant, new.contract_id, at)
    errors: dict[str, str] = {}
    email_key = email_key_of(new.email)
    if not email_key:
        errors["email"] = "Enter an email address."
    if new.role not in ROLES:
        errors["role"] = f"Choose one of {', '.join(ROLES)}."
    elif new.role != "member" and "owner" not in actor.roles:
        errors["role"] = "An owner invites managers and owners."
    name = " ".join(new.name.split())
    if len(name) > MAX_NAME:
        errors["name"] = f"Use at most {MAX_NAME} characters."
    product_ids, wrong_courses = _products(session, contract, new.courses)
    if wrong_courses:
        errors["courses"] = wrong_courses
    if errors:
        raise InvalidInput(errors)
    checked = CheckedInvitation(email_key, name, team_name(new.team), new.role, product_ids, contract.id)
    if refusal := _refusal_of_address(session, actor.tenant, checked, at):
        raise InvalidInput({"email": refusal})
    return checked


def email_key_of(text: str) -> str:
    """An address as it is compared and stored; "" for what is none."""
    plain = text.strip()
    return email_key(plain) if len(plain) <= MAX_ADDRESS and email_addresses.is_valid(plain) else ""


def running_contract(session: Session, tenant: Tenant, contract_id: int | None, at: datetime) -> Contract:
    """Raises NotFound for a contract of others, Refused without a running one."""
    own = (Contract.organisation_id == tenant.organisation_id,)
    if contract_id is not None:
        found = session.scalar(select(Contract).where(*own, Contract.id == contract_id))
        if found is None:
            raise NotFound("Your organisation has no such contract.")
        if not is_running(found, at):
            raise Refused("This contract does not run at the moment.")
        return found
    running = (Contract.starts_at <= at, or_(Contract.ends_at.is_(None), Contract.ends_at > at))
    newest = session.scalar(select(Contract).where(*own, *running).order_by(Contract.id.desc()).limit(1))
    if newest is None:
        raise Refused(NO_CONTRACT)
    return newest


def _products(session: Session, contract: Contract, slugs: tuple[str, ...]) -> tuple[tuple[int, ...], str | None]:
    """The ids of courses that the contract covers, and what is wrong with the first other slug."""
    wanted = dict.fromkeys(slug.strip().casefold() for slug in slugs if slug.strip())
    if not wanted:
        return (), None
    named = select(ContractProduct.product_id).where(ContractProduct.contract_id == contract.id)
    is_covered: ColumnElement[bool] = Product.id.in_(named)
    if contract.has_all_courses:
        is_covered = is_covered | (Product.status == "published")
    query = select(Product.slug, Product.id).where(Product.slug.in_(wanted), Product.kind == "course", is_covered)
    ids: dict[str, int] = dict(session.execute(query).all())
    wrong = next((slug for slug in wanted if slug not in ids), None)
    if wrong is not None:
        return (), f"The contract covers no course “{wrong[:80]}”."
    return tuple(ids[slug] for slug in wanted), None


def _refusal_of_address(session: Session, tenant: Tenant, checked: CheckedInvitation, at: datetime) -> str | None:
    """Tells nothing but what the organisation's own lists tell."""
    query = select(Invitation).where(Invitation.open_key == checked.open_key).with_for_update()
    open_one = session.scalar(query.execution_options(populate_existing=True))
    if open_one is not None and open_one.expires_at > at:
        return "This address has an open invitation already."
    if open_one is not None:
        close(session, open_one, "expired", at)
    member = select(Membership.id).join(Learner, Learner.id == Membership.learner_id)
    is_member = member.where(
        Membership.organisation_id == tenant.organisation_id,
        Membership.ended_at.is_(None),
        func.lower(Learner.email) == checked.email_key,
    )
    if session.scalar(is_member.limit(1)) is not None:
        return "This address is a member's already."
    return OFTEN if _sends_to(session, tenant, checked.email_key, at) >= MAX_SENDS else None


def _sends_to(session: Session, tenant: Tenant, email_key: str, at: datetime) -> int:
    recent = (Invitation.organisation_id == tenant.organisation_id, Invitation.sent_at > at - VALID_FOR)
    # One that waits for its first mail counts already.
    mails = case((Invitation.sends == 0, 1), else_=Invitation.sends)
    total = select(func.coalesce(func.sum(mails), 0)).where(*recent, Invitation.email_key == email_key)
    return int(session.scalars(total).one())
