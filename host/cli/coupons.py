"""`python -m host coupons …`: create, list, pause and export coupons."""

import argparse
import csv
import sys
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from rich.console import Console
from rich.table import Table
from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from domain import money
from domain.coupons import changes
from domain.coupons import listing as coupon_listing
from domain.coupons.changes import CouponAuthor
from domain.coupons.create import CouponDraft
from domain.coupons.listing import ListedCoupon
from domain.database.database import Database, database_url
from domain.errors import DomainError, InvalidInput
from domain.money import Currency
from domain.permissions import SystemActor
from domain.typed_values import read_day, read_percent
from host.cli.arguments import amount, integer
from host.cli.csv_output import cell_text

_STATES = {"pause": "paused", "resume": "active", "end": "ended"}
# Each unique code is for one person.
BATCH_USES = 1
TABLE_WIDTH = 220


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    create = actions.add_parser("create", help="create one coupon or a batch of unique codes; prints codes as CSV")
    create.add_argument("code", nargs="?", default="", metavar="CODE")
    create.add_argument("--batch", type=integer, metavar="N", help="create N generated codes, at most 10,000")
    create.add_argument("--prefix", default="", help="first characters of the codes of a batch")
    value = create.add_mutually_exclusive_group(required=True)
    value.add_argument("--percent", type=_percent, metavar="P", help="percentage off the price, after sale prices")
    value.add_argument("--amount", metavar="A", help="amount off an order, at most once")
    create.add_argument(
        "--per-piece", action="store_true", help="the amount counts for each piece of a line, not once per order"
    )
    create.add_argument("--minimum", default="0", metavar="A", help="smallest total of the products it applies to")
    create.add_argument(
        "--covers", default="all", metavar="WHAT", help="all, course, item or a category's slug; default all"
    )
    create.add_argument(
        "--product", action="append", default=[], metavar="SLUG", help="only this product; may be repeated"
    )
    create.add_argument("--from", dest="since", type=_day, metavar="YYYY-MM-DD", help="first day, UTC")
    create.add_argument("--until", type=_day, metavar="YYYY-MM-DD", help="last day, UTC")
    create.add_argument("--uses", type=integer, metavar="N", help="uses of each code in total; default in a batch: 1")
    create.add_argument("--per-learner", type=integer, metavar="N", help="uses per learner")
    create.add_argument("--organisation", default="", metavar="SLUG", help="only for members of this organisation")
    create.add_argument("--special", action="store_true", help="make it the special offer, shown to everyone")
    create.add_argument("--campaign", default="", metavar="NAME")
    create.add_argument("--draft", action="store_true", help="create it as a draft, unusable until it is resumed")
    for action, about in (("list", "list coupons as a table"), ("export", "write coupons as CSV")):
        reading = actions.add_parser(action, help=about)
        reading.add_argument("--campaign", default="", metavar="NAME")
        reading.add_argument("--state", default="", choices=("", "draft", "active", "paused", "ended"), metavar="STATE")
        reading.add_argument("--code", default="", metavar="CODE")
    for action, state in _STATES.items():
        changing = actions.add_parser(action, help=f"set a code or a whole campaign to {state}")
        changing.add_argument("target", metavar="CODE-OR-CAMPAIGN")
        changing.add_argument("--reason", default="", help="recorded with the change")


def _percent(text: str) -> Decimal:
    try:
        return read_percent(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a percentage such as 12.5") from None


def _day(text: str) -> date:
    try:
        return read_day(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day such as 2026-03-31") from None


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0 on success, 1 with one sentence on stderr when refused."""
    currency = settings.shop.currency
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        if args.action == "create":
            _create(database, args, currency)
        elif args.action in _STATES:
            _change(database, args)
        else:
            with database.read_session() as session:
                rows = coupon_listing.list_coupons(session, args.campaign, args.state, args.code)
                _print_table(rows, currency) if args.action == "list" else _write_csv(rows, currency)
    except DomainError as error:
        print(error.errors.get("form", error) if isinstance(error, InvalidInput) else error, file=sys.stderr)
        return 1
    except DBAPIError as error:
        print(f"The database cannot be used: {error.orig}", file=sys.stderr)
        return 1
    finally:
        database.engine.dispose()
    return 0


def _create(database: Database, args: argparse.Namespace, currency: Currency) -> None:
    now = datetime.now(UTC)
    actor, author = SystemActor("command", now), CouponAuthor.of_command(now)
    if args.batch is None:
        draft, codes = _draft(args, args.uses, currency), [args.code.strip()]
        database.write_as_sync(actor, changes.create_as_staff, args.code, draft, author)
    else:
        draft = _draft(args, BATCH_USES if args.uses is None else args.uses, currency)
        prefix = args.prefix or args.code
        codes = database.write_as_sync(actor, changes.create_codes, args.batch, prefix, draft, author)
    # After the commit, so that every printed code exists.
    csv.writer(sys.stdout).writerows([["code"], *([code] for code in codes)])


def _change(database: Database, args: argparse.Namespace) -> None:
    now, state = datetime.now(UTC), _STATES[args.action]
    actor, author = SystemActor("command", now), CouponAuthor.of_command(now)
    done = database.write_as_sync(actor, changes.change_states, args.target, args.action, author, args.reason)
    print(f"{done.number} {'coupon is' if done.number == 1 else 'coupons are'} {state} now.")
    if done.left:
        print(f"{done.left} of the campaign cannot become {state}: what has ended stays so.")


def _draft(args: argparse.Namespace, uses: int | None, currency: Currency) -> CouponDraft:
    return CouponDraft(
        kind="amount" if args.percent is None else "percent",
        value=amount(args.amount, currency) if args.percent is None else args.percent,
        currency=currency,
        once_per_order=not args.per_piece,
        minimum=amount(args.minimum, currency),
        applies_to=args.covers,
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


def _write_csv(rows: Iterable[ListedCoupon], currency: Currency) -> None:
    writer = csv.writer(sys.stdout)
    writer.writerow(ListedCoupon.__dataclass_fields__)
    writer.writerows([_cell(value) for value in _texts(row, currency).values()] for row in rows)


def _texts(row: ListedCoupon, currency: Currency) -> dict[str, object]:
    value = f"{row.value:.2f}" if row.kind == "percent" else money.to_text(row.value, currency)
    return {**vars(row), "value": value, "minimum": money.to_text(row.minimum, currency)}


def _cell(value: object) -> str:
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, datetime) else cell_text(str(value))


def _print_table(rows: Iterable[ListedCoupon], currency: Currency) -> None:
    table = Table("code", "off", "minimum", "applies to", "for", "from", "until", "uses", "campaign", "state")
    for row in rows:
        limit = "" if row.total_limit is None else f" of {row.total_limit}"
        times = "" if row.once_per_order else " per piece"
        amount = f"{money.to_text(row.value, currency)}{times}"
        off = f"{row.value.normalize():f} %" if row.kind == "percent" else amount
        window = ("" if at is None else f"{at:%Y-%m-%d %H:%M}" for at in (row.starts_at, row.ends_at))
        audience = row.organisation or ("everyone, special" if row.is_special else "everyone")
        cells = (
            row.code,
            off,
            money.to_text(row.minimum, currency),
            row.covers,
            audience,
            *window,
            f"{row.uses}{limit}",
            row.campaign,
        )
        table.add_row(*cells, row.state)
    # In a file or pipe no cell is truncated to the width of a terminal.
    Console(width=None if sys.stdout.isatty() else TABLE_WIDTH).print(table)
