"""Sends the mails of the outbox. A row is done when the mail server has accepted its mail.

A mail is sent twice, both times with the same Message-ID, when its process is killed, frozen for a minute or cut off
from the database between the server's acceptance and the commit, or when the server's acceptance does not arrive.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

from sqlalchemy.orm import Session

from adapters import mail_templates
from adapters.mail_server import ConnectionBroken, MailRefused, MailServer
from domain import email_addresses, fault_points
from domain import mail as domain_mail
from domain.bank_transfers.account import BankAccount
from domain.database.database import Database
from domain.display_text import DEFAULT_LOCALE
from domain.learning.gifts import tokens as gift_tokens
from domain.mail import MailSite, OutgoingMail
from domain.outbox.errors import Later, Undeliverable
from domain.outbox.leases import Lease
from domain.publishing.editing import mail_texts

# A mail that the server refuses for now is tried again after its own age, within these bounds.
FIRST_RETRY, LONGEST_RETRY = timedelta(minutes=1), timedelta(hours=1)
GIVE_UP_AFTER = timedelta(hours=72)


@dataclass(frozen=True)
class MailAccount:
    """Where and as whom mail is sent: the settings SMTP_URL, SMTP_CA_FILE, SITE_NAME and SITE_EMAIL. `site_origin`:
    where links lead; `staff_email` "": mails to the staff go to SITE_EMAIL. `locale`: of amounts and days. `secret`:
    the application's, from which tokens in links derive. `has_withdrawal` and `bank`: as of MailSite."""

    url: str
    ca_file: str
    site_name: str
    site_email: str
    site_origin: str = ""
    staff_email: str = ""
    locale: str = DEFAULT_LOCALE
    secret: str = field(default="", repr=False)
    has_withdrawal: bool = False
    bank: BankAccount | None = None

    @property
    def site(self) -> MailSite:
        staff_email = self.staff_email or self.site_email
        key = gift_tokens.derived_key(self.secret)
        return MailSite(self.site_name, self.site_origin, staff_email, self.locale, key, self.has_withdrawal, self.bank)

    def open_server(self) -> MailServer:
        return MailServer(self.url, self.ca_file)


class PublishedWords:
    """What staff have published for the parts of mails, read once for all mails of a run."""

    def __init__(self) -> None:
        self._words: Mapping[str, Mapping[str, str]] | None = None

    def of(self, session: Session, kind: str) -> Mapping[str, str]:
        if self._words is None:
            self._words = mail_texts.current(session)
        return self._words.get(kind, {})


def handlers(database: Database, account: MailAccount) -> Mapping[str, Callable[[Lease, MailServer], None]]:
    """By the kinds of rows that this build can send. For one run: it takes a few seconds (adapters/outbox.py)."""
    published = PublishedWords()

    def handle(lease: Lease, server: MailServer) -> None:
        send(database, lease, server, account, published)

    return dict.fromkeys(domain_mail.mails(), handle)


def send(database: Database, lease: Lease, server: MailServer, account: MailAccount, published: PublishedWords) -> None:
    """No transaction is open while the mail server is called: SQLite allows one writer at a time."""
    options = domain_mail.mails()[lease.kind].options
    if options.prepare is not None:
        database.write_sync(options.prepare, lease, account.site, datetime.now(UTC))
    with database.read_session() as session:
        mail = domain_mail.compose(session, lease, account.site)
        if mail is None:
            return
        words = published.of(session, lease.kind) if mail.words is None else mail.words
    try:
        recipient = email_addresses.parse(mail.to)
    except email_addresses.InvalidAddress as error:
        raise Undeliverable(f"the address is invalid: {error}") from None
    sender = email_addresses.parse(account.site_email)
    try:
        server.send(message_of(mail, sender, recipient, words), sender, recipient)
    except MailRefused as refusal:
        if refusal.is_permanent:
            if options.on_refused is not None:
                database.write_sync(options.on_refused, lease, datetime.now(UTC))
            raise Undeliverable(str(refusal)) from refusal
        raise _later(lease, str(refusal)) from refusal
    except ConnectionBroken as error:
        raise _later(lease, str(error)) from error
    fault_points.hit("email.accepted")
    if options.on_accepted is not None:
        database.write_sync(options.on_accepted, lease, datetime.now(UTC))


def _later(lease: Lease, reason: str) -> Exception:
    age = datetime.now(UTC) - lease.created_at
    if age > GIVE_UP_AFTER:
        return Undeliverable(f"given up after {GIVE_UP_AFTER.total_seconds() / 3600:g} hours: {reason}")
    return Later(min(max(age, FIRST_RETRY), LONGEST_RETRY).total_seconds(), reason)


def message_of(
    outgoing: OutgoingMail, sender: str, recipient: str, words: Mapping[str, str] | None = None
) -> EmailMessage:
    rendered = mail_templates.render(outgoing.template, outgoing.values, words)
    mail = EmailMessage()
    subject = rendered.subject if outgoing.words is None else f"Test: {rendered.subject}"
    mail["From"], mail["To"], mail["Subject"] = sender, recipient, subject
    mail["Message-ID"] = f"<outbox-{outgoing.number}@{sender.rpartition('@')[2]}>"
    mail["Date"] = datetime.now(UTC)
    # RFC 3834: only what answers somebody's message is a reply.
    mail["Auto-Submitted"] = "auto-replied" if outgoing.is_reply else "auto-generated"
    mail.set_content(rendered.text)
    mail.add_alternative(rendered.html, subtype="html")
    for file in outgoing.files:
        mail.add_attachment(file.text.encode(), maintype="text", subtype=file.subtype, filename=file.name)
    return mail
