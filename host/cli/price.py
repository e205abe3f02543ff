"""`python -m host price SLUG AMOUNT`: change the price of a course or shop item."""

import argparse
import sys
from datetime import UTC, datetime
from decimal import Decimal

from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from domain import money
from domain.database.database import Database, database_url
from domain.errors import DomainError
from domain.money import Currency
from domain.permissions import SystemActor
from domain.publishing.editing import price_history
from domain.publishing.editing.price_history import SalePrice
from host.cli.arguments import amount


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Change the price of a course or shop item."
    parser.add_argument("slug", metavar="SLUG", help="slug of the product; course:SLUG or item:SLUG when both exist")
    parser.add_argument("amount", metavar="AMOUNT", help="list price, such as 129.00")
    parser.add_argument(
        "--sale",
        metavar="AMOUNT|none",
        default=argparse.SUPPRESS,
        help="sale price from now on, or none to end a sale; without it a sale is unchanged",
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0 when the price was changed, 1 with one sentence on stderr when refused."""
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    currency, now = settings.shop.currency, datetime.now(UTC)
    try:
        actor = SystemActor("command", now)
        price = amount(args.amount, currency), _sale(args, currency)
        step = database.write_as_sync(actor, price_history.change_now, actor, args.slug, price, currency)
        print(f"{step.name}: {_price_text(*step.before, currency)} -> {_price_text(*step.after, currency)}")
    except DomainError as error:
        print(error, file=sys.stderr)
        return 1
    except DBAPIError as error:
        print(f"The database cannot be written: {error.orig}", file=sys.stderr)
        return 1
    finally:
        database.engine.dispose()
    return 0


def _price_text(price: Decimal, sale: Decimal | None, currency: Currency) -> str:
    text = money.to_text(price, currency)
    return text if sale is None else f"{text}, on sale for {money.to_text(sale, currency)}"


def _sale(args: argparse.Namespace, currency: Currency) -> SalePrice:
    if "sale" not in args:
        return "unchanged"
    return None if args.sale.casefold() == "none" else amount(args.sale, currency)
