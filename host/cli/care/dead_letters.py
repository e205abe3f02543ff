"""`python -m host dead-letters`: show visits that could not be stored, and store them again."""

import argparse
import json
import sys
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.errors import DomainError
from domain.permissions import SystemActor
from domain.support import replays
from domain.visits import dead_letters
from host.cli.arguments import integer

MAX_BODY = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    shown = actions.add_parser("list", help="show the newest dead letters, each with its error")
    shown.add_argument("--limit", type=integer, default=50, help="maximum number of rows; default 50")
    replayed = actions.add_parser("replay", help="store their visits again; what was stored before changes nothing")
    replayed.add_argument("ids", nargs="*", type=integer, metavar="ID", help="ids that `dead-letters list` shows")
    replayed.add_argument("--all", action="store_true", help="all dead letters")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0, or 1 when a visit still cannot be stored or there is no such letter, 2 when nothing was chosen."""
    db = Database(database_url(settings.database, settings.var_dir), deadline_s=10, busy_ms=10_000)
    try:
        return _replay(db, args) if args.action == "replay" else _show(db, args.limit)
    finally:
        db.engine.dispose()


def _show(db: Database, limit: int) -> int:
    with db.read_session() as session:
        letters = dead_letters.newest(session, limit)
    if not letters:
        print("There are no dead letters.")
        return 0
    table = Table("Id", "Failed (UTC)", "Task", "Error", "Body")
    for letter in letters:
        body = json.dumps(letter.body, ensure_ascii=False)[:MAX_BODY]
        failed_at = letter.failed_at.strftime("%Y-%m-%d %H:%M:%S")
        table.add_row(str(letter.id), failed_at, letter.task, Text(letter.error), Text(body))
    Console().print(table)
    return 0


def _replay(db: Database, args: argparse.Namespace) -> int:
    if bool(args.ids) == args.all:
        print("Name the ids of dead letters, or use --all.", file=sys.stderr)
        return 2
    try:
        stored, failed = _replay_in_batches(db, None if args.all else args.ids)
    except DomainError as error:
        print(error, file=sys.stderr)
        return 1
    why = "; `dead-letters list` shows why" if failed else ""
    print(f"{stored:,} replayed, {failed:,} failed again{why}.")
    return 1 if failed else 0


def _replay_in_batches(db: Database, ids: list[int] | None) -> tuple[int, int]:
    """How many letters were replayed, and how many failed again."""
    if ids is not None:
        with db.read_session() as session:
            dead_letters.require_existing(session, ids)
    stored = failed = last_id = 0
    now = datetime.now(UTC)
    actor = SystemActor("command", now)
    while (batch := db.write_as_sync(actor, replays.replay_letters, ids, now, last_id)).last_id:
        stored, failed, last_id = stored + batch.stored, failed + batch.failed, batch.last_id
    return stored, failed
