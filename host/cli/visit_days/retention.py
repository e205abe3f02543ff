"""`python -m host visits retain`: make days final and delete what is too old, as the background worker does."""

import argparse
import json
import sys
from datetime import UTC, datetime

from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.visits.retention.dry_run import dry_run
from domain.visits.retention.finalising import OpenReason
from domain.visits.retention.run import Retention, RetentionReport
from host.cli.import_catalogue import progress_bar
from host.warehouse import warehouse_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Compute days a last time that are older than VISITS_KEEP_DAYS, and delete their visits when all of them were"
        " counted; delete hours, search queries and imported visits by the same settings. Also while the site runs;"
        " stopped at any time, the same command goes on."
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, without changes")
    parser.add_argument("--json", action="store_true", help="write the result as JSON")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0; 1 when a day should be final and is not; 2 when the database cannot be used, or the command was stopped."""
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        report = _dry_run(database, settings) if args.dry_run else _run(database, settings)
    except DBAPIError as error:
        print(f"The database cannot be used: {error.orig}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped. What was done stays; the same command goes on.", file=sys.stderr)
        return 2
    finally:
        database.engine.dispose()
    print(json.dumps(_as_json(report)) if args.json else "\n".join(_as_text(report, is_dry=args.dry_run)))
    return 1 if report.open_days else 0


def _dry_run(database: Database, settings: Settings) -> RetentionReport:
    with database.read_session() as session:
        return dry_run(session, settings.day_rules, settings.periods, datetime.now(UTC))


def _run(database: Database, settings: Settings) -> RetentionReport:
    about = (database, settings.day_rules, settings.periods)
    return Retention(*about, lambda: datetime.now(UTC), files=warehouse_of(settings)).run(progress_bar)


def _as_text(report: RetentionReport, *, is_dry: bool) -> list[str]:
    final, deleted = ("would become final", "would be deleted") if is_dry else ("became final", "were deleted")
    lines = [
        f"{len(report.final):,} days {final}.",
        f"{report.visits:,} visits, {report.touchpoints:,} touchpoints and learners of days,"
        f" {report.hours:,} figures by the hour and {report.searches:,} searches {deleted}.",
    ]
    if report.crawls:
        lines.append(f"{report.crawls:,} changes of pages, and what crawlers knew of pages, {deleted}.")
    lines += [
        f"{_name(site, day)} stays: {reason}. {_HINTS.get(reason, '')}".rstrip()
        for site, day, reason in report.open_days
    ]
    lines += [f"{_name(late.site, late.day)}: {late.visits:,} visits came after it was final." for late in report.late]
    return lines


_HINTS = {
    OpenReason.CHANGED: "`visits rollup` computes it from its visits.",
    OpenReason.FEWER: "`visits rollup` computes it from those that are left.",
    OpenReason.BUSY: "Run the command again.",
    OpenReason.GROWING: "Run the command again.",
    OpenReason.FAILED: "Its figures and visits are as before; the others went on.",
}


def _name(site: int, day: object) -> str:
    return f"{day} of imported site {site}" if site else str(day)


def _as_json(report: RetentionReport) -> dict[str, object]:
    return {
        "final": [{"site": site, "day": str(day)} for site, day in report.final],
        "open": [
            {"site": site, "day": str(day), "reason": reason.name.lower()} for site, day, reason in report.open_days
        ],
        "late": [{"site": late.site, "day": str(late.day), "visits": late.visits} for late in report.late],
        "visits": report.visits,
        "signs": report.signs,
        "touchpoints": report.touchpoints,
        "hours": report.hours,
        "searches": report.searches,
        "crawls": report.crawls,
    }
