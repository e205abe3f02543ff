"""`python -m host outbox`: show what waits in the outbox and what is dead, and replay dead rows."""

import argparse
import sys
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

from config.settings import Settings
from contracts.tasks import Topic
from domain.database.database import Database, database_url
from domain.errors import DomainError
from domain.outbox import outbox_rows
from domain.permissions import SystemActor
from domain.support import replays
from host.cli.arguments import integer
from host.cli.orders.texts import time


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, about in (("list", "show the waiting rows"), ("dead", "show the dead rows, each with its error")):
        shown = actions.add_parser(name, help=about)
        shown.add_argument("--topic", choices=list(Topic), help="only rows of this topic")
        shown.add_argument("--limit", type=integer, default=50, help="maximum number of rows; default 50")
    replayed = actions.add_parser("replay", help="queue dead rows again")
    replayed.add_argument("ids", nargs="*", type=integer, metavar="ID", help="ids that `outbox dead` shows")
    replayed.add_argument("--all", action="store_true", help="all dead rows")
    replayed.add_argument("--topic", choices=list(Topic), help="with --all: only rows of this topic")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0, or 1 when a row cannot be replayed, 2 when nothing was chosen."""
    db = Database(database_url(settings.database, settings.var_dir), deadline_s=10, busy_ms=10_000)
    try:
        return _replay(db, args) if args.action == "replay" else _show(db, args)
    finally:
        db.engine.dispose()


def _show(db: Database, args: argparse.Namespace) -> int:
    is_dead = args.action == "dead"
    with db.read_session() as session:
        rows = outbox_rows.list_rows(session, is_dead=is_dead, topic=args.topic, limit=args.limit)
        states = outbox_rows.topic_states(session)
    if rows:
        table = Table("Id", "Kind", "Written (UTC)", "Attempts", "Dead since" if is_dead else "Next attempt", "Error")
        for row in rows:
            cells = (time(row.created_at), str(row.attempts), time(row.dead_at or row.next_at))
            table.add_row(str(row.id), row.kind, *cells, Text(row.error or ""))
        Console().print(table)
    for topic, state in states.items():
        print(f"{topic}: {state.waiting:,} waiting, {state.dead:,} dead")
    return 0


def _replay(db: Database, args: argparse.Namespace) -> int:
    if bool(args.ids) == args.all:
        print("Name the ids of dead rows, or use --all.", file=sys.stderr)
        return 2
    now = datetime.now(UTC)
    try:
        chosen = None if args.all else args.ids
        count = db.write_as_sync(SystemActor("command", now), replays.replay_rows, chosen, args.topic, now)
    except DomainError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{count:,} {'row' if count == 1 else 'rows'} queued again.")
    return 0
