"""`python -m host visits`: show the latest visits, or the touchpoints of one learner, as a table; compute days; delete
what is too old; import logs of other sites."""

import argparse
import re
from datetime import UTC, datetime, timedelta

from rich.console import Console
from rich.table import Table

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.visits import touchpoints, visits
from domain.visits.touchpoints import Touchpoint
from host.cli.logs import import_log, remove_site
from host.cli.visit_days import erase, retention, rollups

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--since", type=parse_period, help="period, such as 30m, 1h or 7d; default 1h, with --touches 90d"
    )
    parser.add_argument("--limit", type=int, default=50, help="maximum number of rows; default 50")
    parser.add_argument("--touches", type=int, metavar="LEARNER", help="show this learner's touchpoints instead")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    rollups.add_arguments(actions.add_parser("rollup", help="compute days of visits again, or check them"))
    retention.add_arguments(actions.add_parser("retain", help="make old days final and delete their visits"))
    erase.add_arguments(actions.add_parser("erase", help="take a learner out of all visits"))
    remove_site.add_arguments(actions.add_parser("remove-site", help="remove a site whose logs were imported"))
    import_log.add_arguments(actions.add_parser("import-log", help="import access logs of other sites"))


def parse_period(text: str) -> timedelta:
    """A period such as 30m. Raises argparse.ArgumentTypeError."""
    match = re.fullmatch(r"(\d{1,5})([smhd])", text)
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r} is not a period such as 30m, 1h or 7d")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def run(args: argparse.Namespace, settings: Settings) -> int:
    actions = {
        "rollup": rollups.run,
        "import-log": import_log.run,
        "retain": retention.run,
        "erase": erase.run,
        "remove-site": remove_site.run,
    }
    return actions.get(args.action, _show)(args, settings)


def _show(args: argparse.Namespace, settings: Settings) -> int:
    db = Database(database_url(settings.database, settings.var_dir), deadline_s=10, busy_ms=10_000)
    period = args.since or (timedelta(hours=1) if args.touches is None else timedelta(days=90))
    since = datetime.now(UTC) - period
    with db.read_session() as session:
        if args.touches is None:
            table = _visit_table(visits.latest(session, since, args.limit))
        else:
            table = _touchpoint_table(
                touchpoints.learner_touchpoints(session, args.touches, since)[: -args.limit - 1 : -1]
            )
    if not table.row_count:
        print(f"No {'visits' if args.touches is None else 'touchpoints'} in the last {period}.")
        return 0
    Console().print(table)
    return 0


def _visit_table(rows: list[visits.StoredVisit]) -> Table:
    table = Table("Time (UTC)", "Class", "Source", "Page", "Url", "Session", "Learner", "Coupon", "Campaign")
    for visit in rows:
        learner = str(visit.learner_id or "") or (f"({visit.claimed_id})" if visit.claimed_id else "")
        cells = (visit.url, visit.session_id[:8], learner, visit.coupon_id, _campaign(visit.campaign))
        table.add_row(_time(visit.visited_at), visit.visitor_class, visit.source, visit.page, *cells)
    return table


def _touchpoint_table(rows: list[Touchpoint]) -> Table:
    table = Table(
        "Time (UTC)", "Signed in", "Url", "Referrer", "Coupon", "Student", "Special offer", "Partner", "Campaign"
    )
    for touch in rows:
        cells = (touch.coupon_id, touch.student_number, touch.special_coupon, touch.partner, _campaign(touch.campaign))
        signed_in = "not yet" if touch.was_anonymous else "yes"
        table.add_row(_time(touch.at), signed_in, touch.url, touch.referrer, *cells)
    return table


def _time(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S")


def _campaign(parameters: dict[str, str]) -> str:
    return parameters.get("utm_campaign") or parameters.get("utm_source", "")
