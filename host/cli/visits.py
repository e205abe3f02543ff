"""`python -m host visits`: show the latest visits, or the touchpoints of one learner, as a table; compute days; delete
what is too old; import logs of other sites."""

import argparse
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.visits import touchpoints, visits
from domain.visits.days.channels import NO_CAMPAIGN, NONE
from domain.visits.touchpoints import LearnerTouchpoint
from host.cli.arguments import integer
from host.cli.csv_output import open_csv
from host.cli.logs import import_log, remove_site
from host.cli.visit_days import erase, retention, rollups

VISIT_COLUMNS = (
    *("time", "class", "source", "page", "url", "referrer", "session", "learner", "claimed_learner", "coupon"),
    *("student", "special_offer", "partner", "utm_source", "utm_medium", "utm_campaign"),
)
TOUCHPOINT_COLUMNS = (
    *("time", "signed_in", "channel", "source", "campaign", "term", "content", "referrer", "landing", "coupon"),
    *("student", "special_offer", "partner"),
)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--since", type=parse_period, help="period, such as 30m, 1h or 7d; default 1h, with --touches 90d"
    )
    parser.add_argument("--limit", type=integer, default=50, help="maximum number of rows; default 50")
    parser.add_argument("--csv", action="store_true", help="write CSV, with more columns, instead of a table")
    parser.add_argument("--touches", type=integer, metavar="LEARNER", help="show this learner's touchpoints instead")
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
            seen = visits.latest(session, since, args.limit)
            table, rows = _visit_table(seen), [VISIT_COLUMNS, *map(_visit_cells, seen)]
        else:
            touches = touchpoints.of_learners(session, {args.touches}, since)[: -args.limit - 1 : -1]
            table, rows = _touchpoint_table(touches), [TOUCHPOINT_COLUMNS, *map(_touch_cells, touches)]
    if args.csv:
        write = open_csv()
        for cells in rows:
            write(cells)
    elif table.row_count:
        Console().print(table)
    else:
        what = "visits" if args.touches is None else "touchpoints that a day has counted"
        print(f"No {what} in the last {period}.")
    return 0


def _visit_table(rows: Sequence[visits.StoredVisit]) -> Table:
    """It fits into 80 columns: what few visits have stands below the address."""
    table = Table("Time (UTC)", "Class", "Session", "Learner", Column("Visit", overflow="fold"))
    for visit in rows:
        learner = str(visit.learner_id or "") or (f"({visit.claimed_id})" if visit.claimed_id else "")
        about = {
            "source": "" if visit.source == "browser" else visit.source,
            "from": visit.referrer,
            "coupon": visit.coupon_id,
            "campaign": _campaign(visit.campaign),
        }
        cells = (_time(visit.visited_at), visit.visitor_class, visit.session_id[:8], learner)
        table.add_row(*cells, _address(visit.url, about))
    return table


def _touchpoint_table(rows: Sequence[LearnerTouchpoint]) -> Table:
    table = Table("Time (UTC)", "Signed in", "Channel", Column("Touchpoint", overflow="fold"))
    for touch in rows:
        row = touch.row
        about = {
            "from": row.referrer,
            "coupon": row.coupon,
            "student": row.student,
            "special offer": row.special,
            "partner": row.partner,
            "campaign": "" if row.campaign == NO_CAMPAIGN else row.campaign,
        }
        shown = {name: value for name, value in about.items() if value != NONE}
        table.add_row(_time(touch.at), _signed_in(touch), row.channel, _address(row.landing, shown))
    return table


def _signed_in(touch: LearnerTouchpoint) -> str:
    return "not yet" if touch.row.was_anonymous else "yes"


def _address(url: str, about: dict[str, str]) -> Text:
    """Text, because an address may contain rich's markup."""
    known = ", ".join(f"{name} {value}" for name, value in about.items() if value)
    return Text(f"{url}\n{known}" if known else url)


def _visit_cells(visit: visits.StoredVisit) -> tuple[str, ...]:
    learner, claimed = (str(number or "") for number in (visit.learner_id, visit.claimed_id))
    return (
        *(visit.visited_at.isoformat(), visit.visitor_class, visit.source, visit.page, visit.url, visit.referrer),
        *(visit.session_id, learner, claimed, visit.coupon_id, visit.student_number, visit.special_coupon),
        *(visit.partner, *_campaign_cells(visit.campaign)),
    )


def _touch_cells(touch: LearnerTouchpoint) -> tuple[str, ...]:
    row = touch.row
    source = (row.channel, row.source, row.campaign, row.term, row.content, row.referrer, row.landing)
    return (touch.at.isoformat(), _signed_in(touch), *source, row.coupon, row.student, row.special, row.partner)


def _campaign_cells(parameters: dict[str, str]) -> tuple[str, ...]:
    return tuple(parameters.get(name, "") for name in ("utm_source", "utm_medium", "utm_campaign"))


def _time(at: datetime) -> str:
    return at.strftime("%m-%d %H:%M:%S")


def _campaign(parameters: dict[str, str]) -> str:
    return parameters.get("utm_campaign") or parameters.get("utm_source", "")
