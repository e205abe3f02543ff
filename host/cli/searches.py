"""`python -m host searches`: what people searched for, how often, and whether they found it."""

import argparse
from datetime import UTC, datetime, timedelta

from rich.console import Console
from rich.table import Table
from rich.text import Text

from domain import search
from domain.db import Database
from host.commands.visits import span
from host.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--since", type=span, default=timedelta(days=7), help="30m, 1h, 7d; default 7d")
    parser.add_argument("--nothing", action="store_true", help="only those that found nothing")
    parser.add_argument("--limit", type=int, default=50, help="rows at most; default 50")


def run(args: argparse.Namespace, settings: Settings) -> int:
    db = Database(settings.database_url, deadline_s=10, busy_ms=10_000)
    with db.reading() as session:
        found = search.asked(session, datetime.now(UTC) - args.since, args.limit, nothing_only=args.nothing)
    if not found:
        print(f"No such searches in the last {args.since}.")
        return 0
    table = Table("Query", "Times", "Results", "Answer", "Last (UTC)")
    for one in found:
        # A query is anybody's text: it must not be read as markup of the table.
        row = (Text(one.query), str(one.times), str(one.results), one.answer, f"{one.last:%Y-%m-%d %H:%M}")
        table.add_row(*row)
    Console().print(table)
    return 0
