"""`python -m host visits`: the last visits as a table."""

import argparse
import re
from datetime import UTC, datetime, timedelta

from rich.console import Console
from rich.table import Table

from domain import visits
from domain.db import Database
from host.settings import Settings

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--since", type=span, default=timedelta(hours=1), help="30m, 1h, 7d; default 1h")
    parser.add_argument("--limit", type=int, default=50, help="rows at most; default 50")


def span(text: str) -> timedelta:
    """30m -> half an hour; raises argparse.ArgumentTypeError."""
    found = re.fullmatch(r"(\d{1,5})([smhd])", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not a span such as 30m, 1h or 7d")
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


def run(args: argparse.Namespace, settings: Settings) -> int:
    db = Database(settings.database_url, deadline_s=10, busy_ms=10_000)
    with db.reading() as session:
        found = visits.latest(session, datetime.now(UTC) - args.since, args.limit)
    if not found:
        print(f"No visits in the last {args.since}.")
        return 0
    table = Table("Time (UTC)", "Class", "Source", "Page", "Url", "Session", "Learner", "Coupon", "Campaign")
    for one in found:
        learner = str(one.learner_id or "") or (f"({one.claimed_id})" if one.claimed_id else "")
        campaign = one.campaign.get("utm_campaign") or one.campaign.get("utm_source", "")
        at = one.at.strftime("%Y-%m-%d %H:%M:%S")
        table.add_row(
            at, one.visitor_class, one.source, one.page, one.url, one.session_id[:8], learner, one.coupon_id, campaign
        )
    Console().print(table)
    return 0
