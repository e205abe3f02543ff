"""mail.send_pending: sends the mails of the outbox (adapters/mail.py)."""

import logging

from celery.signals import worker_ready

from adapters import mail
from adapters.mail import MailAccount
from config.secret_key import secret_key
from config.worker_settings import WorkerSettings
from contracts.tasks import Task, Topic
from workers import outbox
from workers.app import SETTINGS, database, task

log = logging.getLogger("coursefront.workers.mail")


@task(Task.SEND_MAIL)
def send_pending() -> int:
    """Send pending mails for a few seconds. Returns how many were sent."""
    settings = WorkerSettings.from_environment()
    if not settings.smtp_url:
        return 0
    account = MailAccount(
        url=settings.smtp_url,
        ca_file=settings.smtp_ca_file,
        site_name=settings.site_name,
        site_email=settings.site_email,
        site_origin=settings.site_origin,
        staff_email=settings.payments.staff_email,
        locale=settings.locale,
        secret=secret_key(settings.secret_key, settings.var_dir),
        has_withdrawal=settings.shop.follows_union_rules,
        bank=settings.payments.bank_account,
    )
    return outbox.run(Topic.MAIL, account.open_server, mail.handlers(database(), account))


@worker_ready.connect
def _report_missing_server(**_details: object) -> None:
    if not SETTINGS.smtp_url:
        log.warning("SMTP_URL is not set: no mail is sent, mails wait in the outbox")
