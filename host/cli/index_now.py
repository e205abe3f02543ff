"""`python -m host index-now`: submit changed courses and items to search engines."""

import argparse
import asyncio
import sys
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from config.settings import Settings
from domain.catalogue import sitemap
from domain.database.database import Database, database_url
from host.cli.visits import parse_period
from host.seo.index_now import SubmissionRefused, submit
from host.urls import COURSE_PATH, ITEM_PATH


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Submit changed courses and items to search engines with IndexNow. Run it regularly."
    parser.add_argument(
        "--since", type=parse_period, default=timedelta(days=1), help="period, such as 30m, 1h or 7d; default 1d"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the addresses without submitting them")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0 when submitted or nothing changed, 1 when the submission failed, 2 without a key or with a closed site."""
    if not args.dry_run and (not settings.indexnow_key or settings.robots == "closed"):
        print("IndexNow needs INDEXNOW_KEY and ROBOTS=open.", file=sys.stderr)
        return 2
    addresses = _changed_addresses(settings, args.since)
    if args.dry_run:
        print(*addresses, sep="\n")
        return 0
    try:
        asyncio.run(submit(settings, addresses))
    except SubmissionRefused as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(addresses):,} addresses submitted.")
    return 0


def _changed_addresses(settings: Settings, period: timedelta) -> list[str]:
    db = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=10_000)
    now = datetime.now(UTC)
    try:
        with db.read_session() as session:
            entries = sitemap.changed_since(session, now - period, now)
    finally:
        db.engine.dispose()
    paths = (
        COURSE_PATH + quote(entry.slug) if entry.kind == "course" else f"{ITEM_PATH}{entry.id}" for entry in entries
    )
    return [settings.site_origin + path for path in paths]
