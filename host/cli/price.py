"""`python -m host price SLUG AMOUNT`: changes one price, with the function the admin screens call."""

import argparse
import sys
from datetime import UTC, datetime
from decimal import Decimal

from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from domain import money, publishing
from domain.db import Database
from domain.errors import DomainError
from host.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Change the price of a course or shop item."
    parser.add_argument("slug", metavar="SLUG", help="as in its address; course:SLUG or item:SLUG where both have it")
    parser.add_argument("amount", metavar="AMOUNT", type=_price, help="the list price, such as 129.00")
    parser.add_argument(
        "--sale",
        metavar="AMOUNT|none",
        type=_sale,
        default=argparse.SUPPRESS,
        help="a sale price from now on, or none to end a sale; left out, a sale stays as it is",
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0 when the price stands, 1 with one sentence on stderr when it was refused."""
    database = Database(settings.database_url, deadline_s=60, busy_ms=60_000)
    try:
        with database.session() as session:
            print(_changed(session, args, datetime.now(UTC)))
    except DomainError as refused:
        print(refused, file=sys.stderr)
        return 1
    except DBAPIError as error:
        print(f"The records cannot be written: {error.orig}", file=sys.stderr)
        return 1
    finally:
        database.engine.dispose()
    return 0


def _changed(session: Session, args: argparse.Namespace, at: datetime) -> str:
    product = publishing.product_called(session, args.slug)
    before = _shown(product.list_price, product.sale_price)
    sale = getattr(args, "sale", product.sale_price)
    publishing.change_price(session, args.slug, args.amount, sale, at)
    return f"{product.name}: {before} -> {_shown(product.list_price, product.sale_price)}"


def _shown(price: Decimal, sale: Decimal | None) -> str:
    return f"{price}" if sale is None else f"{price}, on sale for {sale}"


def _price(text: str) -> Decimal:
    try:
        return money.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _sale(text: str) -> Decimal | None:
    return None if text.casefold() == "none" else _price(text)
