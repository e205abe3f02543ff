"""What staff change about the account of a learner, and the copy of their data, each recorded."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.account import anonymise
from domain.account import export as account_export
from domain.account.export import ExportedData
from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import NotFound
from domain.identity import sessions
from domain.identity.sessions import ProviderTokens
from domain.money import Currency
from domain.orders.settings import Context
from domain.support.learners.courses import lock_person, required_reason
from domain.tables import Membership


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
