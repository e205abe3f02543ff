"""`python -m host coupons …`: coupons made, listed, paused and exported by people who look after the shop."""

import argparse
import csv
import sys
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from rich.console import Console
from rich.table import Table
from sqlalchemy.exc import DBAPIError

from domain import coupons, money
from domain.coupons import Listed, New
from domain.db import Database
from domain.errors import DomainError
from host.settings import Settings

_STATES = {"pause": "paused", "resume": "active", "end": "ended"}
# Unique codes are handed out one to a person.
BATCH_USES = 1
WIDE = 220


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    create = actions.add_parser("create", help="one coupon, or a batch of unique codes as CSV")
    create.add_argument("code", nargs="?", default="", metavar="CODE")
    create.add_argument("--batch", type=int, metavar="N", help="so many codes of our making, at most 10,000")
    create.add_argument("--prefix", default="", help="what the codes of a batch begin with")
    worth = create.add_mutually_exclusive_group(required=True)
    worth.add_argument("--percent", type=_amount, metavar="P", help="off the price after sale")
    worth.add_argument("--amount", type=_amount, metavar="A", help="off each unit of a line, or once off a cart")
    create.add_argument("--minimum", type=_amount, default=Decimal(0), metavar="A", help="of what it covers")
    create.add_argument("--covers", default="all", metavar="WHAT", help="all, course, item or a category's slug")
    create.add_argument("--product", action="append", default=[], metavar="SLUG", help="only these; may be repeated")
    create.add_argument("--from", dest="since", type=_day, metavar="YYYY-MM-DD", help="first day, UTC")
    create.add_argument("--until", type=_day, metavar="YYYY-MM-DD", help="last day, UTC")
    create.add_argument("--uses", type=int, metavar="N", help="of each code in all; of a batch's codes 1 unless said")
    create.add_argument("--per-learner", type=int, metavar="N", help="uses of one learner")
    create.add_argument("--organisation", default="", metavar="SLUG", help="for its members alone")
    create.add_argument("--special", action="store_true", help="the special offer, shown to everyone")
    create.add_argument("--campaign", default="", metavar="NAME")
    create.add_argument("--draft", action="store_true", help="not usable before it is resumed")
    for action, about in (("list", "coupons as a table"), ("export", "coupons as CSV")):
        reading = actions.add_parser(action, help=about)
        reading.add_argument("--campaign", default="", metavar="NAME")
        reading.add_argument("--state", default="", choices=("", "draft", "active", "paused", "ended"), metavar="STATE")
        reading.add_argument("--code", default="", metavar="CODE")
    for action, state in _STATES.items():
        changing = actions.add_parser(action, help=f"a code, or a whole campaign, becomes {state}")
        changing.add_argument("which", metavar="CODE-OR-CAMPAIGN")


def _amount(text: str) -> Decimal:
    try:
        return money.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day such as 2026-03-31") from None


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0 when it was done, 1 with one sentence on stderr when it was refused."""
    database = Database(settings.database_url, deadline_s=60, busy_ms=60_000)
    try:
        if args.action == "create":
            _create(database, args)
        elif args.action in _STATES:
            with database.session() as session:
                number = coupons.set_state(session, args.which, _STATES[args.action])
            print(f"{number} {'coupon is' if number == 1 else 'coupons are'} {_STATES[args.action]} now.")
        else:
            with database.reading() as session:
                rows = coupons.listed(session, args.campaign, args.state, args.code)
                _table(rows) if args.action == "list" else _csv(rows)
    except DomainError as refused:
        print(refused, file=sys.stderr)
        return 1
    except DBAPIError as error:
        print(f"The records cannot be used: {error.orig}", file=sys.stderr)
        return 1
    finally:
        database.engine.dispose()
    return 0


def _create(database: Database, args: argparse.Namespace) -> None:
    now = datetime.now(UTC)
    with database.session() as session:
        if args.batch is None:
            made = [coupons.create(session, args.code, _new(args, args.uses), now).shown]
        else:
            uses = BATCH_USES if args.uses is None else args.uses
            made = coupons.create_batch(session, args.batch, args.prefix or args.code, _new(args, uses), now)
    # Only what is committed is told.
    writer = csv.writer(sys.stdout)
    writer.writerows([["code"], *([one] for one in made)])


def _new(args: argparse.Namespace, uses: int | None) -> New:
    return New(
        kind="amount" if args.percent is None else "percent",
        value=args.amount if args.percent is None else args.percent,
        minimum=args.minimum,
        covers=args.covers,
        products=tuple(args.product),
        starts_at=None if args.since is None else _midnight(args.since),
        ends_at=None if args.until is None else _midnight(args.until + timedelta(days=1)),
        total_limit=uses,
        learner_limit=args.per_learner,
        organisation=args.organisation,
        is_special=args.special,
        campaign=args.campaign,
        state="draft" if args.draft else "active",
    )


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _csv(rows: Iterable[Listed]) -> None:
    writer = csv.writer(sys.stdout)
    writer.writerow(Listed.__dataclass_fields__)
    writer.writerows([_cell(value) for value in vars(row).values()] for row in rows)


def _cell(value: object) -> object:
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, datetime) else value


def _table(rows: Iterable[Listed]) -> None:
    table = Table("code", "off", "minimum", "covers", "for", "from", "until", "uses", "campaign", "state")
    for row in rows:
        limit = "" if row.total_limit is None else f" of {row.total_limit}"
        off = f"{row.value.normalize():f} %" if row.kind == "percent" else f"{row.value}"
        window = ("" if at is None else f"{at:%Y-%m-%d %H:%M}" for at in (row.starts_at, row.ends_at))
        whose = row.organisation or ("everyone, special" if row.is_special else "everyone")
        cells = (row.code, off, f"{row.minimum}", row.covers, whose, *window, f"{row.uses}{limit}", row.campaign)
        table.add_row(*cells, row.state)
    # Into a file or pipe nothing is cut to the width of a terminal.
    Console(width=None if sys.stdout.isatty() else WIDE).print(table)
