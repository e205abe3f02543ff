"""mail.send_pending: sends the mails of the outbox. A row is done when the mail server has accepted its mail.

A mail is sent twice, both times with the same Message-ID, when its worker is killed, frozen for a minute or cut off
from the database between the server's acceptance and the commit, or when the server's acceptance does not arrive.
"""

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

from config.worker_settings import WorkerSettings
from contracts.tasks import Task, Topic
from domain import email_addresses
from domain import mail as domain_mail
from domain.mail import OutgoingMail
from domain.outbox import Later, Lease, Undeliverable
from workers import outbox
from workers.app import database, task
from workers.mail_server import ConnectionBroken, MailRefused, MailServer

# A mail that the server refuses for now is tried again after its own age, within these bounds.
FIRST_RETRY, LONGEST_RETRY = timedelta(minutes=1), timedelta(hours=1)
GIVE_UP_AFTER = timedelta(hours=72)


@task(Task.SEND_MAIL)
def send_pending() -> int:
    """Send pending mails for a few seconds. Returns how many were sent."""
    settings = WorkerSettings.from_environment()
    if not settings.smtp_url:
        return 0

    def handle(lease: Lease, server: MailServer) -> None:
        send(lease, server, settings)

    handlers = dict.fromkeys(domain_mail.COMPOSERS, handle)
    return outbox.run(Topic.MAIL, lambda: MailServer(settings.smtp_url), handlers)


def send(lease: Lease, server: MailServer, settings: WorkerSettings) -> None:
    """No transaction is open while the mail server is called: SQLite allows one writer at a time."""
    with database().read_session() as session:
        mail = domain_mail.compose(session, lease, settings.site_name)
    if mail is None:
        return
    try:
        recipient = email_addresses.parse(mail.to)
    except email_addresses.InvalidAddress as error:
        raise Undeliverable(f"the address is invalid: {error}") from None
    sender = email_addresses.parse(settings.site_email)
    try:
        server.send(message_of(mail, sender, recipient), sender, recipient)
    except MailRefused as refusal:
        if refusal.is_permanent:
            raise Undeliverable(str(refusal)) from refusal
        raise _later(lease, str(refusal)) from refusal
    except ConnectionBroken as error:
        raise _later(lease, str(error)) from error


def _later(lease: Lease, reason: str) -> Exception:
    age = datetime.now(UTC) - lease.created_at
    if age > GIVE_UP_AFTER:
        return Undeliverable(f"given up after {GIVE_UP_AFTER.total_seconds() / 3600:g} hours: {reason}")
    return Later(min(max(age, FIRST_RETRY), LONGEST_RETRY).total_seconds(), reason)


def message_of(outgoing: OutgoingMail, sender: str, recipient: str) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, recipient, outgoing.subject
    mail["Message-ID"] = f"<outbox-{outgoing.number}@{sender.rpartition('@')[2]}>"
    mail["Date"] = datetime.now(UTC)
    mail["Auto-Submitted"] = "auto-replied"
    mail.set_content(outgoing.text)
    return mail
