"""Sends the mails of the outbox in this process, when there is no broker and so no worker (REDIS_URL=none)."""

import asyncio
import logging

from sqlalchemy.exc import InterfaceError, OperationalError

from adapters import mail
from adapters.mail import MailAccount
from adapters.outbox import PAUSE_S, handle_rows, has_due
from config.secret_key import secret_key
from config.settings import Settings
from contracts.tasks import PERIODIC, Task, Topic
from domain.database.database import Database
from domain.outbox.errors import ServiceDown
from host.resilience.background_loop import BackgroundLoop
from host.resilience.woken_thread import WokenPart, WokenThread

log = logging.getLogger("coursefront.outbox")

EVERY_S = PERIODIC[Task.SEND_MAIL].every_s


def mail_account(settings: Settings) -> MailAccount:
    return MailAccount(
        url=settings.smtp_url,
        ca_file=settings.smtp_ca_file,
        site_name=settings.site_name,
        site_email=settings.site_email,
        site_origin=settings.site_origin,
        staff_email=settings.staff_email,
        locale=settings.locale,
        secret=secret_key(settings.secret_key, settings.var_dir),
        has_withdrawal=settings.shop.follows_union_rules,
        bank=settings.bank_account,
    )


class InlineOutbox(WokenPart):
    """Handles due rows every EVERY_S and after `wake`. Several hosts may do so: the lease of a row decides."""

    tasks = (Task.SEND_MAIL,)

    def __init__(self, database: Database, account: MailAccount):
        self._database, self._account = database, account
        self._thread = WokenThread("outbox")
        self.loop = BackgroundLoop("sending mail", self._send)

    def wake(self, _topic: Topic) -> None:
        """Call it after the commit."""
        self._thread.wake()

    async def _send(self) -> None:
        try:
            await self._thread.turn(EVERY_S, self._handle_rows)
        except ServiceDown as error:
            log.warning("mail pauses for %g s: %s", PAUSE_S, error)
            await asyncio.sleep(PAUSE_S)
        except (OperationalError, InterfaceError) as error:
            log.info("mail waits for the database: %s", error.orig)

    def _handle_rows(self) -> None:
        handlers = mail.handlers(self._database, self._account)
        if has_due(self._database, Topic.MAIL, handlers):
            with self._account.open_server() as server:
                handle_rows(self._database, Topic.MAIL, server, handlers)
