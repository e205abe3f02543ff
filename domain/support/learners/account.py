"""What staff change about the account of a learner, and the copy of their data, each recorded. An account is deleted
when another administrator has confirmed it."""

from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.account import anonymise, open_purchases
from domain.account import export as account_export
from domain.account.export import ExportedData
from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import NotFound, Refused
from domain.identity import sessions
from domain.identity.sessions import ProviderTokens
from domain.money import Currency
from domain.orders.settings import Context
from domain.staff import confirmations
from domain.staff.confirmations import ConfirmedChange, GraveChange, GraveRequest, Waiting
from domain.support.learners.courses import lock_person, required_reason
from domain.tables import Membership, Order, StaffRole


def restrict(session: Session, learner_id: int, membership_id: int, reason: str, *, is_restricted: bool) -> bool:
    """Whether a member sees and buys only what their organisation's contract has; False when it was so before. For
    `Database.write_as`. Raises NotFound, InvalidInput."""
    text = required_reason(reason)
    is_theirs = (Membership.id == membership_id, Membership.learner_id == learner_id, Membership.ended_at.is_(None))
    membership = session.scalar(select(Membership).where(*is_theirs).with_for_update())
    if membership is None:
        raise NotFound("This learner has no such membership.")
    if membership.is_restricted is is_restricted:
        recording.no_change(session)
        return False
    membership.is_restricted = is_restricted
    before, after = {"is_restricted": not is_restricted}, {"is_restricted": is_restricted}
    recording.record(
        session,
        "learner.restrict",
        Subject("learner", learner_id),
        before=before,
        after=after,
        reason=text,
        organisation_id=membership.organisation_id,
    )
    return True


def end_sessions(session: Session, learner_id: int, reason: str, at: datetime) -> list[ProviderTokens]:
    """Sign a learner out everywhere; the provider's tokens of those sessions. For `Database.write_as`. Raises NotFound,
    InvalidInput."""
    text = required_reason(reason)
    lock_person(session, learner_id)
    ended = [sessions.end(session, row.id, at) for row in sessions.active(session, learner_id, at)]
    if not ended:
        recording.no_change(session)
        return []
    subject = Subject("learner", learner_id)
    recording.record(session, "learner.sign_out", subject, after={"sessions": len(ended)}, reason=text)
    return ended


def export(session: Session, learner_id: int, at: datetime, currency: Currency) -> ExportedData:
    """All stored data of a learner, as they would get it themselves. For `Database.write_as`. Raises NotFound."""
    lock_person(session, learner_id)
    data = account_export.export(session, learner_id, at, currency)
    recording.record(session, "learner.export", Subject("learner", learner_id))
    return data


def erase(  # noqa: PLR0913 whose, the two confirmations, and how
    session: Session, learner_id: int, confirm: str, reason: str, context: Context, *, keep_certificates: bool
) -> list[ProviderTokens]:
    """Delete the account of a learner; the provider's tokens of their sessions. For `Database.write_as`. Raises
    NotFound, InvalidInput, and Refused as `account.anonymise_account`."""
    text = required_reason(reason)
    lock_person(session, learner_id)
    tokens = anonymise.anonymise_account(
        session, learner_id, confirm, context, keep_certificates=keep_certificates, is_by_staff=True
    )
    about = {"keeps_certificates": keep_certificates}
    recording.record(session, "learner.erase", Subject("learner", learner_id), after=about, reason=text)
    return tokens


def ask_to_erase(
    session: Session, wanted: GraveRequest, confirm: str, context: Context
) -> Waiting | list[ProviderTokens]:
    """Delete the account of a learner when another administrator has confirmed it; at once where there is none, and
    then the provider's tokens of their sessions. `confirm`: the account's email address, as typed. For
    `Database.write_as`. Raises as `erase` and `confirmations.ask`."""
    required_reason(wanted.reason)
    anonymise.require_address(lock_person(session, wanted.learner_id), confirm)
    asked = confirmations.ask(session, wanted, context)
    return asked if isinstance(asked, Waiting) else list(asked.ended)


def _check_erasing(session: Session, wanted: GraveRequest) -> None:
    if (refusal := open_purchases.first_refusal(session, wanted.learner_id)) is not None:
        raise Refused(refusal)


def _seen(session: Session, wanted: GraveRequest) -> dict[str, Any]:
    """Another address, role or order since then, or an account that was deleted, is another decision."""
    learner_id = wanted.learner_id
    learner = lock_person(session, learner_id)
    orders = session.scalar(select(func.count(Order.id)).where(Order.learner_id == learner_id))
    roles = session.scalars(select(StaffRole.role).where(StaffRole.learner_id == learner_id).order_by(StaffRole.role))
    return {"email": learner.email, "orders": orders, "roles": list(roles)}


def _erase(session: Session, wanted: GraveRequest, context: Context) -> ConfirmedChange:
    """The address was typed when it was asked for."""
    email, keeps = lock_person(session, wanted.learner_id).email, bool(wanted.values["keeps_certificates"])
    return ConfirmedChange(
        ended=erase(session, wanted.learner_id, email, wanted.reason, context, keep_certificates=keeps)
    )


confirmations.declare("learner.erase", GraveChange(_check_erasing, _seen, _erase))
