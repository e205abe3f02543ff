"""`python -m host index-now`: tells search engines which courses and items changed."""

import argparse
import asyncio
import sys
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from domain import sitemap
from domain.db import Database
from host.commands.visits import span
from host.index_now import NotTaken, tell
from host.loaders.cards import COURSE_PATH, ITEM_PATH
from host.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Tell search engines that take IndexNow which courses and items changed. Run it now and then."
    parser.add_argument("--since", type=span, default=timedelta(days=1), help="30m, 1h, 7d; default 1d")
    parser.add_argument("--dry-run", action="store_true", help="print the addresses and tell nobody")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0 when they were taken or nothing changed, 1 when nobody took them, 2 when there is no key or no open site."""
    if not args.dry_run and (not settings.indexnow_key or settings.robots == "closed"):
        print("IndexNow needs INDEXNOW_KEY, and a site that lets search engines in (ROBOTS=open).", file=sys.stderr)
        return 2
    addresses = _changed(settings, args.since)
    if args.dry_run:
        print(*addresses, sep="\n")
        return 0
    try:
        asyncio.run(tell(settings, addresses))
    except NotTaken as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(addresses):,} addresses told.")
    return 0


def _changed(settings: Settings, span: timedelta) -> list[str]:
    db, at = Database(settings.database_url, deadline_s=60, busy_ms=10_000), datetime.now(UTC)
    try:
        with db.reading() as session:
            found = sitemap.changed_since(session, at - span, at)
    finally:
        db.engine.dispose()
    paths = (COURSE_PATH + quote(one.slug) if one.kind == "course" else f"{ITEM_PATH}{one.id}" for one in found)
    return [settings.site_origin + path for path in paths]
