"""Mails to administrators about changes that wait for them."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import ConfirmationItem, decode
from contracts.tasks import OutboxKind
from domain.display_text import moment_text
from domain.mail import ExampleCase, Mail, MailSite, Values, mail
from domain.outbox.leases import Lease
from domain.staff import pending_list
from domain.staff.confirmations import ADMINISTRATOR
from domain.tables import Learner, PendingAction, StaffRole

PATH = "/admin/confirmations"


def _example(case: ExampleCase) -> Values:
    confirmation = {
        "asker": "Grace Hopper",
        "what": "Erase the account of Ada Lovelace",
        "reason": "She asked for it by letter.",
        "until": case.moment(3),
        "link": f"{case.site.origin}{PATH}/1",
    }
    return {"confirmation": confirmation}


@mail("Staff", {OutboxKind.STAFF_CONFIRMATION: "A change waits for a second administrator."}, example=_example)
def _to_administrator(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    """None when it waits no longer, and for whoever is no administrator any more."""
    item = decode(ConfirmationItem, lease.body)
    learner, row = session.get(Learner, item.learner_id), session.get(PendingAction, item.pending_id)
    is_theirs = (StaffRole.learner_id == item.learner_id, StaffRole.role == ADMINISTRATOR)
    is_administrator = session.scalar(select(StaffRole.role).where(*is_theirs)) is not None
    if learner is None or row is None or row.state != "waiting" or not is_administrator:
        return None
    shown = pending_list.pending(session, row.id)
    values = {
        "what": shown.text,
        "asker": " ".join(shown.requester.split()),
        "reason": shown.reason,
        "until": moment_text(shown.expires_at, site.locale),
        # No secret: whoever follows the link signs in.
        "link": f"{site.origin}/adminlogin?returnTo={PATH}/{row.id}",
    }
    return Mail(learner.email, {"confirmation": values})
