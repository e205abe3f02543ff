"""mail.send_pending: sends the mails of the outbox. A mail counts as sent when the server accepts it; its row is then
marked as done.

A worker that dies in between sends the mail twice, both times with the same Message-ID, by which mail programs can
detect the duplicate.
"""

import logging
import smtplib
from datetime import UTC, datetime
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

from config.worker_settings import WorkerSettings
from contracts.payloads import NewerPayload
from contracts.redis_keys import FORMER_MAIL_LOCK, MAIL_LOCK
from contracts.tasks import Task
from domain import mail as domain_mail
from domain.mail import OutgoingMail
from workers.app import database, redis, task

log = logging.getLogger("coursefront.workers.mail")

TIMEOUT_S = 10.0
# One run at a time over all processes. The lock of a worker that died expires after this.
MAIL_LOCK_S = 60
# Workers of the build before hold the former lock: both are taken for one release.
_LOCKS = (MAIL_LOCK, FORMER_MAIL_LOCK)


@task(Task.SEND_MAIL)
def send_pending() -> int:
    """Send every pending mail and return how many were sent. Mails that fail wait for the next run."""
    settings = WorkerSettings.from_environment()
    with database().read_session() as session:
        numbers = domain_mail.pending_ids(session)
    if not settings.smtp_url or not numbers:
        return 0
    locks: list[str] = []
    try:
        for lock in _LOCKS:
            if not redis().set(lock, "1", nx=True, ex=MAIL_LOCK_S):
                return 0
            locks.append(lock)
        return _send_all(settings, numbers)
    finally:
        if locks:
            redis().delete(*locks)


def _send_all(settings: WorkerSettings, numbers: list[int]) -> int:
    sent = 0
    try:
        with _connect(settings.smtp_url) as server:
            for number in numbers:
                sent += _send(server, number, settings)
    except (OSError, smtplib.SMTPException) as error:
        log.warning("the mail server could not be used: %s", error)
    return sent


def _connect(url: str) -> smtplib.SMTP:
    """A connection to smtp:// (with STARTTLS if the server offers it) or smtps://, signed in if the URL has a name."""
    parts = urlsplit(url)
    host = parts.hostname or "localhost"
    if parts.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, parts.port or 465, timeout=TIMEOUT_S)
    else:
        server = smtplib.SMTP(host, parts.port or 25, timeout=TIMEOUT_S)
        server.ehlo()
        if server.has_extn("starttls"):
            server.starttls()
            server.ehlo()
    if parts.username:
        server.login(unquote(parts.username), unquote(parts.password or ""))
    return server


def _send(server: smtplib.SMTP, number: int, settings: WorkerSettings) -> bool:
    """No transaction is open while the mail server is called: SQLite allows one writer at a time."""
    try:
        with database().write_session() as session:
            mail = domain_mail.load(session, number, settings.site_name)
    except NewerPayload as error:
        log.warning("outbox row %d waits for a newer worker: %s", number, error)
        return False
    if mail is not None:
        try:
            server.send_message(message_of(mail, settings.site_email))
        except smtplib.SMTPRecipientsRefused as error:
            # The address does not exist: a second try would fail too.
            log.warning("outbox row %d was refused: %s", number, [code for code, _ in error.recipients.values()])
    with database().write_session() as session:
        domain_mail.mark_sent(session, number, datetime.now(UTC))
    return mail is not None


def message_of(outgoing: OutgoingMail, sender: str) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, outgoing.to, outgoing.subject
    mail["Message-ID"] = f"<outbox-{outgoing.number}@{sender.rpartition('@')[2]}>"
    mail["Date"] = datetime.now(UTC)
    mail["Auto-Submitted"] = "auto-replied"
    mail.set_content(outgoing.text)
    return mail
