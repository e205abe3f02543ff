"""mail.sweep: sends what the outbox holds. A mail counts as sent when the server took it; then its row is done.

A worker that dies in between sends it again: its Message-ID is the same, so that readers can tell.
"""

import logging
import os
import smtplib
from datetime import UTC, datetime
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

from redis import Redis

from domain import mails
from domain.mails import Letter
from workers.app import app, database

log = logging.getLogger("coursefront.workers.mail")

TIMEOUT_S = 10.0
_DEFAULT_SENDER = "hello@meridian-learning.example"
_DEFAULT_SITE = "Meridian Learning"
# One sweep at a time, whichever process it runs in. One that died lets the next go after this.
TURN_KEY = "coursefront:mail"
TURN_S = 60


@app.task(name="mail.sweep")
def sweep() -> int:
    """How many mails went out. What could not be sent now waits for the next sweep."""
    url = os.environ.get("SMTP_URL", "")
    with database().reading() as session:
        numbers = mails.waiting(session)
    if not url or not numbers:
        return 0
    with Redis.from_url(os.environ["REDIS_URL"], socket_timeout=2, socket_connect_timeout=1) as redis:
        if not redis.set(TURN_KEY, "1", nx=True, ex=TURN_S):
            return 0
        try:
            return _send_all(url, numbers)
        finally:
            redis.delete(TURN_KEY)


def _send_all(url: str, numbers: list[int]) -> int:
    sent = 0
    try:
        with _connected(url) as server:
            for number in numbers:
                sent += _send(server, number)
    except (OSError, smtplib.SMTPException) as error:
        log.warning("the mail server could not be used: %s", error)
    return sent


def _connected(url: str) -> smtplib.SMTP:
    """smtp:// (with STARTTLS where the server offers it) or smtps://; name and password as in any address."""
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


def _send(server: smtplib.SMTP, number: int) -> bool:
    """The records are not held while the server thinks: SQLite has one writer."""
    with database().session() as session:
        letter = mails.take(session, number, os.environ.get("SITE_NAME") or _DEFAULT_SITE)
    if letter is not None:
        try:
            server.send_message(written(letter))
        except smtplib.SMTPRecipientsRefused as error:
            # Nobody there: trying again would not help.
            log.warning("outbox row %d was refused: %s", number, [code for code, _ in error.recipients.values()])
    with database().session() as session:
        mails.done(session, number, datetime.now(UTC))
    return letter is not None


def written(letter: Letter) -> EmailMessage:
    sender = os.environ.get("SITE_EMAIL") or _DEFAULT_SENDER
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, letter.to, letter.subject
    mail["Message-ID"] = f"<outbox-{letter.number}@{sender.rpartition('@')[2]}>"
    mail["Date"] = datetime.now(UTC)
    mail["Auto-Submitted"] = "auto-replied"
    mail.set_content(letter.text)
    return mail
