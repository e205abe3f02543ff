"""`orders cancel CODE`."""

import argparse
from datetime import UTC, datetime
from typing import Any

from config.settings import Settings
from domain.database.database import Database
from domain.errors import Refused
from domain.orders import events, locks, staff_changes
from domain.orders.explanation import order_rows
from domain.orders.settings import Context
from domain.permissions import SystemActor

# Why an order in another state than placed is not cancelled.
INSTEAD = {
    "processing": "a debit is under way; if it fails, the order can be cancelled",
    "paid": "refund it instead",
    "expired": "its time to pay is over already",
    "cancelled": "nothing changes",
    "refunded": "nothing changes",
}


def add_actions(actions: "argparse._SubParsersAction[Any]") -> None:
    parser = actions.add_parser("cancel", help="cancel an order that is not paid")
    parser.add_argument("code", metavar="CODE")
    parser.set_defaults(run_action=run)


def run(args: argparse.Namespace, database: Database, settings: Settings) -> int:
    """0 when it is cancelled. What it had reserved is free again; its page at the gateway is closed afterwards."""
    context = Context(datetime.now(UTC), settings.orders)
    with database.read_session() as session:
        ref = locks.ref_of(session, args.code)
    actor = SystemActor("command", context.at)
    if not database.write_as_sync(actor, staff_changes.cancel, ref, events.COMMAND, context):
        with database.read_session() as session:
            order = order_rows.order_by_code(session, args.code)
        raise Refused(f"Order {order.code} is {order.state}: {INSTEAD.get(order.state, 'try again')}.")
    print(f"Order {args.code.upper()} is cancelled.")
    return 0
