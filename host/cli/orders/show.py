"""`orders show CODE`."""

import argparse
import json
from collections.abc import Mapping
from typing import Any

from config.settings import Settings
from domain.database.database import Database
from domain.documents.postal_lines import postal_lines
from domain.orders.explanation import order_rows
from domain.orders.explanation.order_rows import LineRow, OrderRow, OrderRows
from domain.orders.views.staff_order import doubts_of
from host.cli.orders.texts import amount, print_table, time


def add_actions(actions: "argparse._SubParsersAction[Any]") -> None:
    parser = actions.add_parser("show", help="show an order: lines, payments, refunds, documents and timeline")
    parser.add_argument("code", metavar="CODE")
    parser.set_defaults(run_action=run)


def run(args: argparse.Namespace, database: Database, _settings: Settings) -> int:
    with database.read_session() as session:
        rows = order_rows.rows_of(session, args.code)
        _print_order(rows.order)
        _print_lines(rows)
        _print_money(rows)
        _print_events(rows)
    return 0


def _print_order(order: OrderRow) -> None:
    currency = order.currency
    facts = {
        "Order": f"{order.code}, {order.state}",
        "Buyer": f"learner {order.learner_id}, {order.email or 'address erased'}",
        "Placed": time(order.placed_at),
        "Paid": time(order.paid_at),
        "Ended": time(order.ended_at),
        "Reserved until": time(order.reserved_until),
        "Disputed": time(order.disputed_at),
        "Total": amount(order.total_minor, currency),
        "Of it tax": f"{amount(order.tax_minor, currency)}, {order.tax_kind}, {order.tax_place}",
        "Refunded": amount(order.refunded_minor, currency) if order.refunded_minor else "",
        "Billing": ", ".join(postal_lines(order.billing)),
        "VAT id": _vat_id(order.billing),
        "Purchase order number": order.purchase_order,
        "Delivery": "" if order.delivery is None else ", ".join(postal_lines(order.delivery)),
        "Told to the buyer": " ".join(doubts_of(order.billing, order.delivery)),
    }
    for name, text in facts.items():
        if text:
            print(f"{name}: {text}")


def _vat_id(billing: Mapping[str, Any]) -> str:
    vat_id = billing.get("vat_id", "")
    return f"{vat_id}, its {billing['vat_checked']} is right" if vat_id and "vat_checked" in billing else vat_id


def _print_lines(rows: OrderRows) -> None:
    currency = rows.order.currency
    cells = [
        (
            *(str(line.number), line.name, str(line.quantity), line.line_code or line.cart_code),
            *(amount(line.tax_minor, currency), amount(line.total_minor, currency)),
            amount(line.refunded_minor, currency) if line.refunded_minor else "",
            _state_of(line),
        )
        for line in rows.lines
    ]
    print_table(("Line", "Name", "Quantity", "Code", "Tax", "Total", "Refunded", "State"), cells)


def _state_of(line: LineRow) -> str:
    if line.ended_at is not None:
        return f"ended {time(line.ended_at)}"
    if line.delivered_at is not None:
        return f"delivered {time(line.delivered_at)}"
    if line.shipped_at is not None:
        return f"shipped {time(line.shipped_at)}"
    return "to be sent" if line.fulfilment == "shipped" else ""


def _print_money(rows: OrderRows) -> None:
    payments = [
        (
            *(str(payment.number), payment.gateway, payment.state, amount(payment.amount_minor, payment.currency)),
            *(payment.method, payment.failure, time(payment.paid_at), payment.charge_id or payment.session_id or ""),
        )
        for payment in rows.payments
    ]
    print_table(("Payment", "Gateway", "State", "Amount", "Method", "Failure", "Paid (UTC)", "Id"), payments)
    refunds = [
        (
            *(str(refund.number), refund.state, amount(refund.amount_minor, rows.order.currency), refund.reason),
            *(refund.note, refund.failure, time(refund.changed_at), refund.gateway_id or ""),
        )
        for refund in rows.refunds
    ]
    print_table(("Refund", "State", "Amount", "Reason", "Note", "Failure", "Changed (UTC)", "Id"), refunds)
    documents = [
        (
            document.number,
            document.kind,
            time(document.issued_at),
            amount(document.body["total_minor"], document.body["currency"]),
        )
        for document in rows.documents
    ]
    print_table(("Document", "Kind", "Issued (UTC)", "Total"), documents)


def _print_events(rows: OrderRows) -> None:
    cells = [
        (
            *(str(event.number), time(event.occurred_at), event.kind, event.actor),
            event.to_state or "",
            json.dumps(event.facts, ensure_ascii=False) if event.facts else "",
        )
        for event in rows.events
    ]
    print_table(("Event", "Time (UTC)", "Kind", "By", "State", "Facts"), cells)
