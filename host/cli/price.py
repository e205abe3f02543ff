"""`python -m host price SLUG AMOUNT`: change the price of a course or shop item."""

import argparse
import sys
from datetime import UTC, datetime
from decimal import Decimal

from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from config.settings import Settings
from domain import money, publishing
from domain.database.database import Database, database_url
from domain.errors import DomainError, Refused
from domain.money import Currency


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
    try:
        with database.write_session() as session:
            print(_change_price(session, args, datetime.now(UTC), settings.shop.currency))
    except DomainError as error:
        print(error, file=sys.stderr)
        return 1
    except DBAPIError as error:
        print(f"The database cannot be written: {error.orig}", file=sys.stderr)
        return 1
    finally:
        database.engine.dispose()
    return 0


def _change_price(session: Session, args: argparse.Namespace, at: datetime, currency: Currency) -> str:
    product = publishing.product_by_slug(session, args.slug)
    before = _price_text(product.list_price, product.sale_price, currency)
    sale = _sale(args.sale, currency) if "sale" in args else product.sale_price
    publishing.change_price(session, args.slug, _price(args.amount, currency), sale, at, currency)
    return f"{product.name}: {before} -> {_price_text(product.list_price, product.sale_price, currency)}"


def _price_text(price: Decimal, sale: Decimal | None, currency: Currency) -> str:
    text = money.to_text(price, currency)
    return text if sale is None else f"{text}, on sale for {money.to_text(sale, currency)}"


def _price(text: str, currency: Currency) -> Decimal:
    try:
        return money.parse(text, currency)
    except ValueError as error:
        raise Refused(f"{error}.") from None


def _sale(text: str, currency: Currency) -> Decimal | None:
    return None if text.casefold() == "none" else _price(text, currency)
