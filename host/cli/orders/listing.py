"""`orders list`."""

import argparse
from datetime import UTC, datetime
from typing import Any

from config.settings import Settings
from domain.database.database import Database
from domain.orders.explanation import order_rows
from domain.orders.explanation.order_rows import OrderFilter
from domain.orders.states import STATES
from host.cli.arguments import integer
from host.cli.orders.texts import amount, print_table, time
from host.cli.visits import parse_period


def add_actions(actions: "argparse._SubParsersAction[Any]") -> None:
    parser = actions.add_parser("list", help="list the newest orders as a table")
    parser.add_argument("--state", choices=STATES, help="only orders in this state")
    parser.add_argument("--email", metavar="ADDRESS", help="only orders of this address")
    parser.add_argument("--since", type=parse_period, help="only orders of this period, such as 30m, 1h or 7d")
    parser.add_argument("--limit", type=integer, default=50, help="maximum number of rows; default 50")
    parser.set_defaults(run_action=run)


def run(args: argparse.Namespace, database: Database, _settings: Settings) -> int:
    since = None if args.since is None else datetime.now(UTC) - args.since
    with database.read_session() as session:
        orders = order_rows.newest(session, OrderFilter(args.state, args.email, since), args.limit)
    rows = [
        (
            *(order.code, time(order.placed_at), order.state),
            amount(order.total_minor, order.currency),
            amount(order.refunded_minor, order.currency) if order.refunded_minor else "",
            order.email,
        )
        for order in orders
    ]
    print_table(("Code", "Placed (UTC)", "State", "Total", "Refunded", "Email"), rows)
    print(f"{len(rows):,} {'order' if len(rows) == 1 else 'orders'}")
    return 0
