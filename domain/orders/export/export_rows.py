"""The rows of each export: a header, then cells. Text is `str`; numbers are `int` and `Decimal`, with the decimals of
their currency."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain import money
from domain.orders.export.pages import ExportedDocument, pages
from domain.orders.export.period import Period
from domain.tables import Order, Payment, Refund
from domain.tax.places import parse_place

Cell = str | int | Decimal
Cells = tuple[Cell, ...]
# The money is back with the learner.
PAID_BACK = ("succeeded", "manual")

DOCUMENTS_HEADER = (
    *("document", "kind", "issued_on", "order", "line", "name", "sku", "quantity", "net", "tax", "total"),
    *("currency", "country", "region", "tax_kind", "rates", "customer", "vat_id", "corrects", "purchase_order"),
)
PAYMENTS_HEADER = ("day", "gateway", "currency", "payments", "charged", "refunds", "refunded", "net")
TAX_HEADER = ("country", "region", "tax_kind", "label", "percent", "currency", "documents", "net", "tax")


def amount(minor: int, currency: str) -> Decimal:
    return money.from_minor(minor, money.currency(currency))


def document_rows(document: ExportedDocument) -> Iterator[Cells]:
    """A row for each line; those of a credit note are negative."""
    body, sign, place = document.body, document.sign, parse_place(document.tax_place)
    currency = body["currency"]
    about = (document.number, document.kind, document.issued_at.date().isoformat(), document.order)
    buyer = (body["buyer"]["number"], body["buyer"]["vat_id"])
    others = (body.get("invoice", {}).get("number", ""), body.get("purchase_order", ""))
    for number, line in enumerate(body["lines"], 1):
        amounts = (amount(sign * line[name], currency) for name in ("net_minor", "tax_minor", "total_minor"))
        rates = "; ".join(f"{tax['label']} {tax['percent']}%" for tax in line["taxes"])
        what = (number, line["name"], line["sku"], sign * line["quantity"])
        yield (
            *about,
            *what,
            *amounts,
            currency,
            place.country,
            place.region,
            document.tax_kind,
            rates,
            *buyer,
            *others,
        )


class TaxSums:
    """Net amounts and tax by place and rate. A line with two rates counts with its net amount for each of them."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)

    def add(self, document: ExportedDocument) -> None:
        place, sign = parse_place(document.tax_place), document.sign
        for tax in document.body["taxes"]:
            key = (place.country, place.region, document.tax_kind, tax["label"], tax["percent"])
            sums = self._sums[*key, document.body["currency"]]
            sums["documents"] += 1
            sums["net"] += sign * tax["net_minor"]
            sums["tax"] += sign * tax["tax_minor"]

    def rows(self) -> Iterator[Cells]:
        for (*place, percent, currency), sums in sorted(self._sums.items()):
            amounts = (amount(sums[name], currency) for name in ("net", "tax"))
            yield (*place, Decimal(percent), currency, sums["documents"], *amounts)


def payment_rows(session: Session, period: Period) -> Iterator[Cells]:
    """Charges by the day on which they settled, refunds by the day on which their money was back."""
    days: dict[tuple[date, str, str], Counter[str]] = defaultdict(Counter)
    _count(days, _charges(session, period), "payments", "charged")
    _count(days, _refunds(session, period), "refunds", "refunded")
    for (day, gateway, currency), sums in sorted(days.items()):
        charged, refunded = (amount(sums[name], currency) for name in ("charged", "refunded"))
        counts = (sums["payments"], charged, sums["refunds"], refunded)
        yield (day.isoformat(), gateway, currency, *counts, charged - refunded)


def _count(
    days: dict[tuple[date, str, str], Counter[str]],
    movements: Iterable[tuple[datetime, str, str, int]],
    number: str,
    sum_: str,
) -> None:
    for at, gateway, currency, minor in movements:
        sums = days[at.date(), gateway, currency]
        sums[number] += 1
        sums[sum_] += minor


def _charges(session: Session, period: Period) -> Iterator[Any]:
    query = select(Payment.id, Payment.paid_at, Payment.gateway, Payment.currency, Payment.amount_minor)
    in_period = (Payment.paid_at >= period.since, Payment.paid_at < period.until)
    for rows in pages(session, query.where(Payment.state == "paid", *in_period), Payment.id):
        yield from (row[1:] for row in rows)


def _refunds(session: Session, period: Period) -> Iterator[Any]:
    currency = func.coalesce(Payment.currency, Order.currency)
    query = select(Refund.id, Refund.changed_at, func.coalesce(Payment.gateway, ""), currency, Refund.amount_minor)
    joined = query.join(Order, Order.id == Refund.order_id).outerjoin(Payment, Payment.id == Refund.payment_id)
    in_period = (Refund.changed_at >= period.since, Refund.changed_at < period.until)
    for rows in pages(session, joined.where(Refund.state.in_(PAID_BACK), *in_period), Refund.id):
        yield from (row[1:] for row in rows)
