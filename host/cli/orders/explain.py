"""`orders explain CODE…`."""

import argparse
from decimal import Decimal
from typing import Any

from config.settings import Settings
from domain import money
from domain.database.database import Database
from domain.orders.explanation import explain
from domain.orders.explanation.explain import Explanation
from domain.orders.explanation.order_rows import LineRow
from domain.pricing.engine_versions import UnknownEngine
from domain.pricing.quote import PricedLine
from host.cli.orders.texts import print_table


def add_actions(actions: "argparse._SubParsersAction[Any]") -> None:
    parser = actions.add_parser("explain", help="compute orders again and compare; ends with 1 on a difference")
    parser.add_argument("codes", metavar="CODE", nargs="+")
    parser.set_defaults(run_action=run)


def run(args: argparse.Namespace, database: Database, _settings: Settings) -> int:
    """0 when everything agrees to the minor unit, 1 when anything differs."""
    is_equal = True
    for code in args.codes:
        with database.read_session() as session:
            try:
                explained = explain.explain(session, code)
            except UnknownEngine as error:
                print(f"{code}: {error}")
                is_equal = False
                continue
            _print(explained)
        is_equal = is_equal and not explained.differences
    return 0 if is_equal else 1


def _print(explained: Explanation) -> None:
    order, quote = explained.rows.order, explained.quote
    place = quote.place.text if quote.place is not None else "no place"
    print(f"Order {order.code}, {order.state}: {quote.price_mode} prices in {quote.currency}, taxed in {place}.")
    cells: list[tuple[str, ...]] = []
    for line, priced in zip(explained.rows.lines, quote.lines, strict=False):
        cells += _steps(line, priced, money.currency(quote.currency))
    print_table(("Line", "Name", "Step", "Change", "Total", "Tax in it"), cells)
    for rates in explained.rates:
        print(f"Tax of class {rates.tax_class}: {rates.text}.")
    if not explained.differences:
        documents = ", ".join(document.number for document in explained.rows.documents) or "no documents"
        print(f"Equal: engine {quote.engine_version}, {len(quote.lines)} lines, {documents}.")
    for difference in explained.differences:
        print(f"Different: {difference.where}: stored {difference.stored!r}, computed {difference.computed!r}")


def _steps(line: LineRow, priced: PricedLine, currency: money.Currency) -> list[tuple[str, ...]]:
    """A row for each step, and one for each offer that was not used."""

    def text(value: Decimal) -> str:
        return money.to_text(value, currency) if value else ""

    name = line.name if line.quantity == 1 else f"{line.quantity} \u00d7 {line.name}"
    rows: list[tuple[str, ...]] = []
    for number, step in enumerate(priced.steps):
        about = (str(line.number), name) if number == 0 else ("", "")
        what = " ".join(part for part in (step.step, step.name) if part)
        rows.append((*about, what, text(step.change), money.to_text(step.total, currency), text(step.included)))
    rows += [("", "", f"not used: {offer.message}", "", "", "") for offer in priced.rejected_offers]
    return rows
