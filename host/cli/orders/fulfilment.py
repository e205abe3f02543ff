"""`python -m host orders ship | arrived | voucher-used`: what becomes of goods and voucher codes."""

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from config.settings import Settings
from domain.database.database import Database
from domain.orders import events, locks, shipping, staff_changes
from domain.orders.shipping import PackedUnits, Parcel
from domain.permissions import SystemActor
from host.cli.arguments import integer, line_units


def add_actions(actions: "argparse._SubParsersAction[Any]") -> None:
    ship = actions.add_parser("ship", help="the goods of an order were sent; the learner gets a mail")
    ship.add_argument("code", metavar="CODE")
    chosen = {"action": "append", "default": [], "type": line_units, "metavar": "N[:QTY]"}
    ship.add_argument("--line", **chosen, help="only this line, or QTY units of it")
    ship.add_argument("--carrier", default="", metavar="NAME", help="who carries the parcel")
    ship.add_argument("--tracking", default="", metavar="NUMBER", help="the number by which it can be followed")
    ship.set_defaults(run_action=_ship)
    delivered = actions.add_parser("arrived", help="the goods reached the learner: the days to return them begin")
    delivered.add_argument("code", metavar="CODE")
    delivered.add_argument("--parcel", type=integer, metavar="N", help="only this parcel of the order")
    delivered.set_defaults(run_action=_deliver)
    used = actions.add_parser("voucher-used", help="a sitting was booked with a voucher code")
    used.add_argument("voucher", metavar="VOUCHER")
    used.set_defaults(run_action=_use_voucher)


def _ship(args: argparse.Namespace, database: Database, _settings: Settings) -> int:
    with database.read_session() as session:
        ref = locks.ref_of(session, args.code)
    now = datetime.now(UTC)
    parcel = Parcel(dict(args.line), args.carrier, args.tracking)
    actor = SystemActor("command", now)
    lines = database.write_as_sync(actor, staff_changes.ship, ref, events.COMMAND, now, parcel)
    _print_lines("Sent", lines)
    return 0


def _deliver(args: argparse.Namespace, database: Database, _settings: Settings) -> int:
    with database.read_session() as session:
        ref = locks.ref_of(session, args.code)
    now = datetime.now(UTC)
    actor = SystemActor("command", now)
    lines = database.write_as_sync(actor, staff_changes.deliver, ref, events.COMMAND, now, args.parcel)
    _print_lines("Delivered", lines)
    return 0


def _print_lines(what: str, lines: Sequence[PackedUnits]) -> None:
    for line in lines:
        print(f"{what}: {line.quantity} x {line.name}")


def _use_voucher(args: argparse.Namespace, database: Database, _settings: Settings) -> int:
    with database.read_session() as session:
        ref = shipping.ref_of_voucher(session, args.voucher)
    now = datetime.now(UTC)
    actor = SystemActor("command", now)
    database.write_as_sync(actor, staff_changes.use_voucher, ref, args.voucher, events.COMMAND, now)
    print("The voucher is used.")
    return 0
