"""`python -m host visits rollup`: compute days of visits again, or check what is stored of them."""

import argparse
import sys
from datetime import UTC, date, datetime, timedelta

from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.log_import import storing
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import SHOP
from host.cli.arguments import day
from host.cli.import_catalogue import progress_bar
from host.warehouse import warehouse_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Compute days of visits again, also while the site runs: the same visits give the same figures."
    )
    parser.add_argument("--from", dest="first", type=day, required=True, metavar="DAY", help="such as 2026-11-01")
    parser.add_argument("--to", dest="last", type=day, metavar="DAY", help="the last day; default today")
    parser.add_argument("--site", metavar="NAME", help="of a site whose logs were imported; default this shop")
    parser.add_argument("--check", action="store_true", help="write nothing, and name the days whose figures differ")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0; 1 when a day differs or another process computes it; 2 for days that end before they begin, or when the
    database cannot be used."""
    last = args.last or settings.day_rules.day_of(datetime.now(UTC))
    days = [args.first + timedelta(days=number) for number in range((last - args.first).days + 1)]
    if not days:
        print(f"{last} is before {args.first}.", file=sys.stderr)
        return 2
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        site = _site(database, args.site)
        if site is None:
            return 2
        builder = DayBuilder(database, settings.day_rules, lambda: datetime.now(UTC), site, warehouse_of(settings))
        return _check(builder, days) if args.check else _compute(builder, days)
    except DBAPIError as error:
        print(f"The database cannot be used: {error.orig}", file=sys.stderr)
        return 2
    finally:
        database.engine.dispose()


def _site(database: Database, name: str | None) -> int | None:
    if name is None:
        return SHOP
    with database.read_session() as session:
        site, names = storing.find_site(session, name), storing.names_of_sites(session)
    if site is None:
        print(f"No log of {name} was imported. There is: {', '.join(names) or 'no other site'}.", file=sys.stderr)
    return site


def _compute(builder: DayBuilder, days: list[date]) -> int:
    final, missed = builder.final_days(days), []
    with progress_bar("Computing days") as report_progress:
        for number, day in enumerate(days, 1):
            if builder.is_of_shop:
                # Whoever computes a day has looked for changed orders just before: others rely on it.
                builder.find_changed()
            if day not in final and not builder.build(day):
                missed.append(day)
            report_progress(number, len(days))
    for day in missed:
        print(f"{day}: computed by another process now")
    if final:
        print(f"{len(final)} days are final and stay as they are: their visits are deleted or will be.")
    print(f"{len(days) - len(missed) - len(final)} of {len(days)} days were computed.")
    return 1 if missed else 0


def _check(builder: DayBuilder, days: list[date]) -> int:
    wrong = []
    with progress_bar("Checking days") as report_progress:
        for number, day in enumerate(days, 1):
            if not builder.is_stored(day):
                wrong.append(day)
            report_progress(number, len(days))
    final = builder.final_days(wrong)
    for day in wrong:
        print(f"{day}: other figures stored than {'were computed' if day in final else 'the visits give'}")
    print(f"{len(days) - len(wrong)} of {len(days)} days are right.")
    return 1 if wrong else 0
