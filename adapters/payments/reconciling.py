"""Compares the gateway's transactions with ours (domain/payments/reconciliation.py), a page of 100 at a time."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from adapters.payments.transactions import Transactions
from domain.payments import reconciliation
from domain.payments.gateway import PaymentGateway
from domain.payments.reconciliation import MoneyFinding

# What is younger may still be on its way to us.
SETTLED_AFTER = timedelta(minutes=30)
CLOCK_DIFFERENCE = timedelta(minutes=5)
# A daily run repeats two days: a transaction may come late.
DAILY = timedelta(days=3)
# Payments that a run looks up one by one, because their movements are older than its pages.
LOOKED_UP = 200


@dataclass(frozen=True)
class Report:
    """What a run compared. `until`: what is younger and missing on one side is no finding. `foreign`: transactions of
    other shops. `waiting`: new ones that are not stored here yet."""

    until: datetime
    transactions: int
    foreign: int
    waiting: int
    findings: tuple[MoneyFinding, ...]


async def reconcile(
    db: Transactions, gateway: PaymentGateway, shop_uid: str, since: datetime, *, is_dry: bool = False
) -> Report:
    """Compare what happened since then, and each payment of any age that no run has found yet. `is_dry`: nothing is
    stored.

    Of the last half hour nothing counts as missing, on either side: it may be under way.

    Raises GatewayUnavailable or GatewayRefused; what was compared before is stored, and a repeated run is harmless.
    """
    at = datetime.now(UTC)
    until = at - SETTLED_AFTER
    count, foreign, waiting, cursor = 0, 0, 0, None
    findings: list[MoneyFinding] = []
    charges: set[str] = set()
    refunds: set[str] = set()
    while True:
        # Ours are only missing there if the gateway does not list them: its newest count too, by its own clock.
        page = await gateway.list_transactions(since - SETTLED_AFTER, at + CLOCK_DIFFERENCE, cursor)
        report = await db.read(reconciliation.compare_page, shop_uid, page.transactions, until)
        if not is_dry:
            await db.write(reconciliation.store_page, report, at)
        count += len(page.transactions) - report.waiting
        foreign, waiting = foreign + report.foreign, waiting + report.waiting
        findings.extend(report.findings)
        charges |= {row.id for row in page.transactions if row.kind == "charge"}
        refunds |= {row.id for row in page.transactions if row.kind == "refund"}
        cursor = page.cursor
        if cursor is None:
            break
    lost = await db.read(reconciliation.missing_refunds, gateway.name, since, until, refunds)
    for payment in await db.read(reconciliation.unreconciled_payments, gateway.name, until, charges, LOOKED_UP):
        movements = await gateway.list_transactions_of(payment.charge_id) if payment.charge_id else ()
        if not movements:
            lost.append(payment.missing)
            continue
        report = await db.read(reconciliation.compare_page, shop_uid, movements, until)
        if not is_dry:
            await db.write(reconciliation.store_page, report, at)
        count += len(movements)
        findings.extend(report.findings)
    if not is_dry:
        await db.write(reconciliation.store_findings, lost, at)
    return Report(until, count, foreign, waiting, (*findings, *lost))
