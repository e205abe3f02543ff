"""The tasks of payments: outbox rows that need the gateway, and what is done regularly (adapters/payments/runner.py).

Each is safe to run twice and beside another: leases decide who does what.
"""

import logging
from dataclasses import replace

from celery.signals import worker_ready

from adapters.payments.runner import NotPrepared, PaymentRunner
from config.worker_settings import WorkerSettings
from contracts.tasks import Task, Topic
from domain.payments.gateway import GatewayError
from workers import outbox
from workers.app import SETTINGS, database, task

log = logging.getLogger("coursefront.workers.payments")

# The gateway lists 100 transactions at a time.
RECONCILE_LIMIT_S = 1_800
# Polls and then orders, each for some seconds and a last call; less than the time after which another worker gets it.
POLL_LIMIT_S = 45
# PAYMENTS_DEADLINE_MS may be longer, for the host. A task that is killed at its limit counts as a failed attempt.
MAX_DEADLINE_S = 8.0


@task(Task.CALL_GATEWAY)
def call_gateway() -> int:
    """Handle due rows for a few seconds. Returns how many are done."""
    runner = _runner()
    try:
        return 0 if runner is None else outbox.run(Topic.PAYMENTS, runner.open_service, runner.handlers())
    except NotPrepared:
        return 0


@task(Task.POLL_PAYMENTS, time_limit=POLL_LIMIT_S)
def poll() -> None:
    """Retrieve payments that are due, and end orders past their time."""
    runner = _runner()
    try:
        if runner is not None:
            runner.poll()
    except NotPrepared:
        log.warning("no payments are polled before `prepare` has run")


@task(Task.ADD_MISSED_EVENTS)
def add_missed_events() -> None:
    runner = _runner()
    try:
        if runner is not None and (added := runner.add_missed_events()):
            log.warning("%d events of the payment gateway had not arrived", added)
    except GatewayError as error:
        log.info("events of the payment gateway are listed later: %s", error)


# Acknowledged when it begins: a run takes longer than the broker waits for an acknowledgement, and may be lost.
@task(Task.RECONCILE_PAYMENTS, acks_late=False, time_limit=RECONCILE_LIMIT_S)
def reconcile() -> None:
    runner = _runner()
    try:
        if runner is not None and (findings := runner.reconcile().findings):
            log.error("the payment gateway and this shop differ in %d transactions", len(findings))
    except (GatewayError, NotPrepared) as error:
        log.info("payments are reconciled later: %s", error)


def _runner() -> PaymentRunner | None:
    """None without a gateway."""
    settings = WorkerSettings.from_environment()
    account = settings.payments.gateway_account
    if account is None:
        return None
    account = replace(account, deadline_s=min(account.deadline_s, MAX_DEADLINE_S))
    return PaymentRunner(database(), account, settings.orders)


@worker_ready.connect
def _report_missing_gateway(**_details: object) -> None:
    if SETTINGS.payments.gateway_account is None:
        log.warning("PAYMENTS_API_BASE or PAYMENTS_KEY is not set: payments and refunds wait in the outbox")
