"""`python -m host searches`: show what visitors searched for, how often, and what they found."""

import argparse
from datetime import UTC, datetime, timedelta

from rich.console import Console
from rich.table import Table
from rich.text import Text

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.search import query_log
from host.cli.arguments import integer
from host.cli.visits import parse_period


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--since", type=parse_period, default=timedelta(days=7), help="period, such as 30m, 1h or 7d; default 7d"
    )
    parser.add_argument("--nothing", action="store_true", help="only searches without results")
    parser.add_argument("--limit", type=integer, default=50, help="maximum number of rows; default 50")


def run(args: argparse.Namespace, settings: Settings) -> int:
    db = Database(database_url(settings.database, settings.var_dir), deadline_s=10, busy_ms=10_000)
    with db.read_session() as session:
        queries = query_log.query_stats(session, datetime.now(UTC) - args.since, args.limit, nothing_only=args.nothing)
    if not queries:
        print(f"No such searches in the last {args.since}.")
        return 0
    table = Table("Query", "Times", "Results", "Answer", "Last (UTC)")
    for query in queries:
        # Text, because a query may contain rich's markup.
        cells = (Text(query.query), str(query.times), str(query.results), query.answer, f"{query.last:%Y-%m-%d %H:%M}")
        table.add_row(*cells)
    Console().print(table)
    return 0
