"""`python -m host orders refund`: send money back, and decide about requests of learners."""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from config.settings import Settings
from domain import money
from domain.database.database import Database
from domain.orders import by_command, events, locks
from domain.orders.locks import OrderRef
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.refunds.in_part import ChosenPart
from domain.orders.settings import Context
from domain.permissions import SystemActor
from host.cli.arguments import integer, line_units

STATES = {
    "approved": "approved; the gateway is told within seconds",
    "declined": "declined",
    "manual": "recorded as paid back outside the gateway",
    "succeeded": "done: nothing had to be sent",
}


class ShownRefund(Protocol):
    number: int
    state: str
    amount_minor: int


def add_actions(actions: "argparse._SubParsersAction[Any]") -> None:
    parser = actions.add_parser("refund", help="refund an order, lines of it or an amount; decide about a request")
    parser.add_argument("code", metavar="CODE")
    parser.add_argument(
        "--line",
        action="append",
        default=[],
        type=line_units,
        metavar="N[:QTY]",
        help="only this line, or QTY units of it",
    )
    parser.add_argument("--amount", metavar="A", help="an amount of one line, which keeps its access")
    parser.add_argument(
        "--request",
        type=integer,
        metavar="N",
        help="approve the learner's refund request N of the order, with --line N:QTY a part of it",
    )
    parser.add_argument("--decline", action="store_true", help="with --request: decline it")
    parser.add_argument("--overrule", action="store_true", help="with --request: against the rules of refunds")
    parser.add_argument("--keep-access", action="store_true", help="courses, codes and gifts stay valid")
    parser.add_argument("--restock", action="store_true", help="returned goods are for sale again")
    parser.add_argument(
        "--manual",
        action="store_true",
        help="the money was paid back outside the gateway; without --line and --request: that of failed refunds",
    )
    parser.add_argument("--reason", required=True, metavar="TEXT", help="for the records")
    parser.set_defaults(run_action=run)


def run(args: argparse.Namespace, database: Database, settings: Settings) -> int:
    """0; 2 for options that do not fit together. Raises DomainError."""
    if (problem := _conflict(args)) is not None:
        print(problem, file=sys.stderr)
        return 2
    with database.read_session() as session:
        ref = locks.ref_of(session, args.code)
    context = Context(datetime.now(UTC), settings.orders)
    refund = StaffRefund(
        actor=events.COMMAND,
        reason=args.reason,
        units=dict(args.line),
        amount=args.amount,
        keeps_access=args.keep_access,
        restocks=args.restock,
        is_manual=args.manual,
        overrules=args.overrule,
        part=ChosenPart(dict(args.line)) if args.request is not None and args.line else None,
    )
    rows = _write(database, args, ref, refund, context)
    for row in rows:
        print(_sentence(row, ref.currency))
    return 0


def _write(
    database: Database, args: argparse.Namespace, ref: OrderRef, refund: StaffRefund, context: Context
) -> Sequence[ShownRefund]:
    actor = SystemActor("command", context.at)
    if args.request is not None:
        decide = by_command.decline_request if args.decline else by_command.approve_request
        return database.write_as_sync(actor, decide, ref, args.request, refund, context)
    return database.write_as_sync(actor, by_command.refund, ref, refund, context)


def _conflict(args: argparse.Namespace) -> str | None:
    if args.decline and (args.request is None or args.manual):
        return "--decline needs --request, and no --manual."
    if args.overrule and args.request is None:
        return "--overrule needs --request."
    if args.request is not None and (args.amount or any(quantity is None for _, quantity in args.line)):
        return "A part of a request is --line N:QTY, without --amount."
    if args.decline and args.line:
        return "--decline declines all that was asked for: leave --line out."
    return None


def _sentence(refund: ShownRefund, currency_code: str) -> str:
    currency = money.currency(currency_code)
    amount = money.to_text(money.from_minor(refund.amount_minor, currency), currency)
    return f"Refund {refund.number} of {currency.code} {amount} is {STATES[refund.state]}."
