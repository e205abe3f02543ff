"""`python -m host visits`: the last visits as a table, or what brought one learner here."""

import argparse
import re
from datetime import UTC, datetime, timedelta

from rich.console import Console
from rich.table import Table

from domain import touches, visits
from domain.db import Database
from domain.tables import Visit
from domain.touches import Touch
from host.settings import Settings

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--since", type=span, help="30m, 1h, 7d; default 1h, of --touches 90d")
    parser.add_argument("--limit", type=int, default=50, help="rows at most; default 50")
    parser.add_argument("--touches", type=int, metavar="LEARNER", help="what brought this learner here")


def span(text: str) -> timedelta:
    """30m -> half an hour; raises argparse.ArgumentTypeError."""
    found = re.fullmatch(r"(\d{1,5})([smhd])", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not a span such as 30m, 1h or 7d")
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


def run(args: argparse.Namespace, settings: Settings) -> int:
    db = Database(settings.database_url, deadline_s=10, busy_ms=10_000)
    span = args.since or (timedelta(hours=1) if args.touches is None else timedelta(days=90))
    since = datetime.now(UTC) - span
    with db.reading() as session:
        if args.touches is None:
            table = _visits(visits.latest(session, since, args.limit))
        else:
            table = _touches(touches.of_learner(session, args.touches, since)[: -args.limit - 1 : -1])
    if not table.row_count:
        print(f"No {'visits' if args.touches is None else 'touches'} in the last {span}.")
        return 0
    Console().print(table)
    return 0


def _visits(found: list[Visit]) -> Table:
    table = Table("Time (UTC)", "Class", "Source", "Page", "Url", "Session", "Learner", "Coupon", "Campaign")
    for one in found:
        learner = str(one.learner_id or "") or (f"({one.claimed_id})" if one.claimed_id else "")
        about = (one.url, one.session_id[:8], learner, one.coupon_id, _campaign(one.campaign))
        table.add_row(_time(one.at), one.visitor_class, one.source, one.page, *about)
    return table


def _touches(found: list[Touch]) -> Table:
    table = Table("Time (UTC)", "Signed in", "Url", "Referrer", "Coupon", "Student", "Special offer", "Campaign")
    for one in found:
        marks = (one.coupon_id, one.student_number, one.special_coupon, _campaign(one.campaign))
        table.add_row(_time(one.at), "not yet" if one.is_joined else "yes", one.url, one.referrer, *marks)
    return table


def _time(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S")


def _campaign(marks: dict[str, str]) -> str:
    return marks.get("utm_campaign") or marks.get("utm_source", "")
