"""/admin/mail and /admin/mail/{id}: the mails of the outbox; what one says, without secrets, and sending it again."""

import re
from collections.abc import Mapping

from sqlalchemy.orm import Session

from adapters import mail_templates
from contracts.payloads import MalformedPayload, NewerPayload
from contracts.tasks import OutboxKind, Topic
from domain import mail as domain_mail
from domain import redaction
from domain.audit.recording import Subject
from domain.display_text import count_text
from domain.mail import MailSite, OutgoingMail
from domain.publishing.editing import mail_texts
from domain.routes import Page
from domain.staff.recorded_events import AuditEntry, subject_entries
from domain.support import mails
from domain.support.mails import MailRow
from host.api.admin.mail import send_again
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.areas.audit_table import events_table
from host.loaders.support.page_ids import number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_spec import TableSpec, choice
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/admin/mail"
STATES: dict[str, tuple[str, BadgeTone]] = {
    "waiting": ("Waiting", "info"),
    "sent": ("Sent", "good"),
    "failed": ("Failed", "bad"),
}
# What an order's mail says of the vouchers that were bought.
_VOUCHERS = re.compile(r"^(\s*Code:) .+$", re.MULTILINE)


def kind_text(kind: str) -> str:
    """In words, such as "Order received"."""
    return kind.partition(".")[2].replace("_", " ").capitalize()


KINDS = {str(kind): kind_text(kind) for kind in OutboxKind if kind.topic == Topic.MAIL}


def _error(row: MailRow) -> str | None:
    """Servers quote the address that they refuse."""
    return redaction.redact_lines(row.error) if row.error else None


_STATE: Column[MailRow] = cells.badge("state", "State", lambda row: STATES[row.state])
_WRITTEN: Column[MailRow] = cells.time("written", "Written", lambda row: row.created_at)
_SENT: Column[MailRow] = cells.time("sent", "Sent", lambda row: row.done_at)
_ATTEMPTS: Column[MailRow] = cells.count("attempts", "Attempts", lambda row: row.attempts)
_ERROR: Column[MailRow] = cells.text("error", "Last error", _error)

LIST = AreaList(
    TableSpec(
        caption="Mail",
        source=mails.MAILS,
        columns=(
            cells.link("number", "Mail", lambda row: (count_text(row.id), f"{PATH}/{row.id}")),
            cells.text("kind", "About", lambda row: kind_text(row.kind)),
            *(_STATE, _WRITTEN, _SENT, _ATTEMPTS, _ERROR),
        ),
        filters=(
            choice("state", "State", {state: text for state, (text, _) in STATES.items()}),
            choice("kind", "About", KINDS),
        ),
        empty={
            "title": "No mail yet",
            "text": "Every mail of the shop is listed here from the moment that it is written.",
            "action": None,
        },
    )
)
list_page("admin-mail", LIST)


@page("admin-mail-one")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    settings = request.settings
    # Without the key of real links: what is shown here opens nothing.
    staff = settings.staff_email or settings.site_email
    site = MailSite(settings.site_name, settings.site_origin, staff, settings.locale, b"shown to staff")
    row, outgoing, words, events = await request.db.read(_read, number(request), site)
    subject, text = _texts(outgoing, words)
    props: ActionPageProps = {
        "title": route.title,
        "heading": f"Mail {count_text(row.id)}",
        "backHref": PATH,
        "backText": "All mail",
        "facts": [
            *facts((_STATE,), row),
            {"label": "About", "cell": {"kind": "text", "text": kind_text(row.kind)}},
            {"label": "To", "cell": _recipient(outgoing)},
            {"label": "Subject", "cell": {"kind": "text", "text": subject} if subject else None},
            *facts((_WRITTEN, _SENT, _NEXT, _ATTEMPTS, _ERROR), row),
        ],
        "texts": [{"id": "text", "title": "Text", "text": text}],
        "tables": [events_table(events)],
        "actions": [],
    }
    if row.state != "waiting" and outgoing is not None:
        props["actions"] = [send_again.form(row.id, text=_HINTS[row.state])]
    return area_page.page(request, route, props)


_NEXT: Column[MailRow] = cells.time("next", "Next attempt", lambda row: row.next_at)
_HINTS = {
    "failed": "It begins anew, with all its attempts.",
    "sent": "The recipient gets it a second time, as it would be written today.",
}
_NOTHING = "Nothing would be sent: what it is about was deleted, or another decision followed."


def _read(
    session: Session, mail_number: int, site: MailSite
) -> tuple[MailRow, OutgoingMail | None, Mapping[str, str], list[AuditEntry]]:
    row = mails.mail(session, mail_number)
    outgoing = _composed(session, row, site)
    published = mail_texts.current(session).get(row.kind, {})
    words = published if outgoing is None or outgoing.words is None else outgoing.words
    return row, outgoing, words, [*subject_entries(session, Subject("mail", mail_number))]


def _composed(session: Session, row: MailRow, site: MailSite) -> OutgoingMail | None:
    """None too for a mail that only another build can read."""
    if row.kind not in domain_mail.mails():
        return None
    try:
        return domain_mail.compose(session, row.lease, site)
    except (NewerPayload, MalformedPayload):
        return None


def _texts(outgoing: OutgoingMail | None, words: Mapping[str, str]) -> tuple[str, str]:
    """Subject and text, without the secrets of links, voucher codes and addresses."""
    if outgoing is None:
        return "", _NOTHING
    rendered = mail_templates.render(outgoing.template, outgoing.values, words)
    text = _VOUCHERS.sub(r"\1 {code}", rendered.text)
    return redaction.redact_lines(rendered.subject), redaction.redact_lines(text)


def _recipient(outgoing: OutgoingMail | None) -> cells.Cell | None:
    if outgoing is None or not outgoing.to:
        return None
    return {"kind": "text", "text": redaction.masked_email(outgoing.to)}
