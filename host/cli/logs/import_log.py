"""`python -m host visits import-log FILE…`: import access logs of other sites as visits, and compute their days."""

import argparse
import re
import sys
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from config import secret_key
from config.settings import Settings
from domain.database.database import Database, database_url
from domain.log_import import classes, importing, storing
from domain.log_import.addresses import host_key
from domain.log_import.classes import VisitorClass
from domain.log_import.formats import AUTO, FORMATS
from domain.log_import.forms.line_fields import LogRefused
from domain.log_import.forms.templates import template_format
from domain.log_import.importing import CheckedFiles, ImportOptions, LogImport
from domain.log_import.lines import open_files
from domain.log_import.log_reader import Rules
from domain.log_import.visitors import Agents, Visitors
from host.cli.import_catalogue import progress_bar
from host.cli.logs import report
from host.cli.logs.line_progress import line_progress
from host.http.user_agents import browser_family, visitor_class
from host.warehouse import warehouse_of

DEFAULT_SITE = "imported"
_SITE = re.compile(r"[a-z0-9][a-z0-9.-]{0,63}")
_GOES_ON = "What was stored stays; the same command goes on."
_LEAVE_OUT = "What was read is stored; files after this one were not read: leave this file out to import them."


@dataclass(frozen=True)
class _Plan:
    """`truth`: what is known of visitors."""

    checked: CheckedFiles
    site: str
    rules: Rules
    truth: dict[str, str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Import access logs of another site, also compressed by gzip: their pages become visits of that site, whose"
        " days are computed. A line is stored once, however often and in whichever order files are imported."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument(
        "--site",
        type=_site,
        metavar="NAME",
        help=f"default the first --own-host without www. and port, else {DEFAULT_SITE}",
    )
    parser.add_argument("--format", choices=(AUTO, *FORMATS), default=AUTO, help="default auto: found out by each file")
    parser.add_argument(
        "--log-format", metavar="TEMPLATE", help="LogFormat of Apache or log_format of nginx that wrote the files"
    )
    parser.add_argument(
        "--own-host", action="append", default=[], metavar="HOST", help="a host of the site; may be repeated"
    )
    parser.add_argument(
        "--map",
        action="append",
        default=[],
        type=_pair,
        metavar="PATH=PATH",
        help="beginning of the site's paths, and that of this shop which it stands for; may be repeated",
    )
    parser.add_argument(
        "--page",
        action="append",
        default=[],
        metavar="PATTERN",
        help="paths that count as pages besides, such as '/download/*.pdf'; may be repeated",
    )
    parser.add_argument(
        "--classes", type=Path, metavar="OUT", help="write the traffic class of each visitor, with evidence, as CSV"
    )
    parser.add_argument(
        "--truth", type=Path, metavar="FILE", help="CSV of visitor and human or bot: say how far the classes agree"
    )
    parser.add_argument("--dry-run", action="store_true", help="count only, without changes")
    parser.add_argument("--json", action="store_true", help="write the counts as JSON")


def _site(text: str) -> str:
    if not _SITE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a name of lower case letters, digits, dots and hyphens")
    return text


def _pair(text: str) -> tuple[str, str]:
    former, equals, new = text.partition("=")
    if not equals or not former.startswith("/") or not new.startswith("/"):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form /path=/path")
    return former, new


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0; 1 when the import was refused or stopped, or days are left to compute. Broken lines are reported alone."""
    try:
        options = _options(args)
        plan = _plan(options, args, settings)
        return (_count if args.dry_run else _import)(plan, args, settings)
    except LogRefused as error:
        print(error, file=sys.stderr)
        return 1


def _show_classes(found: dict[str, VisitorClass], args: argparse.Namespace, truth: dict[str, str]) -> None:
    if args.classes:
        classes.write_classes(args.classes, found)
        print(f"Classes of {len(found):,} visitors are in {args.classes}.", file=sys.stderr)
    if truth:
        # Counts as JSON stay alone on stdout.
        report.show_agreement(classes.agreement_of(truth, found), sys.stderr if args.json else sys.stdout)


def _plan(options: ImportOptions, args: argparse.Namespace, settings: Settings) -> _Plan:
    truth = classes.read_truth(args.truth) if args.truth else {}
    visitors = _visitors(options.site, settings)
    if args.classes or args.truth:
        visitors.names = {}
    return _Plan(importing.check(open_files(args.files), options), options.site, options.rules(visitors), truth)


def _options(args: argparse.Namespace) -> ImportOptions:
    if args.log_format and args.format != AUTO:
        raise LogRefused("--format and --log-format exclude each other. Nothing was changed.")
    form = template_format(args.log_format) if args.log_format else FORMATS.get(args.format)
    # One site, with and without www.
    site = args.site or (host_key(args.own_host[0]) if args.own_host else DEFAULT_SITE)
    if not _SITE.fullmatch(site):
        raise LogRefused(f"{site!r} cannot name a site: give another with --site. Nothing was changed.")
    return ImportOptions(site, form, args.own_host, args.map, args.page)


def _visitors(site: str, settings: Settings) -> Visitors:
    secret = secret_key.secret_key(settings.secret_key, settings.var_dir)
    return importing.visitors_of(site, secret, Agents(visitor_class, browser_family))


def _log_import(settings: Settings) -> LogImport:
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    return LogImport(database, settings.day_rules, lambda: datetime.now(UTC), files=warehouse_of(settings))


def _count(plan: _Plan, args: argparse.Namespace, settings: Settings) -> int:
    log_import = _log_import(settings)
    with line_progress("Reading") as show:
        log_import.only_count(plan.checked, plan.rules, show)
    report.show(log_import.counts, None, is_json=args.json)
    print("Dry run: nothing was changed.", file=sys.stderr)
    return 0


def _import(plan: _Plan, args: argparse.Namespace, settings: Settings) -> int:
    log_import = _log_import(settings)
    try:
        is_whole = _store(plan, log_import)
        report.show(log_import.counts, plan.site, is_json=args.json)
        missed = _compute_days(plan, log_import, is_json=args.json)
        if plan.rules.visitors.names is not None:
            _show_classes(log_import.classes(plan.site, plan.rules.visitors), args, plan.truth)
        return 1 if missed or not is_whole else 0
    except KeyboardInterrupt:
        print(f"Stopped after {log_import.counts.lines:,} lines. {_GOES_ON}", file=sys.stderr)
        return 1
    except LogRefused as error:
        print(f"{error}. {_GOES_ON}", file=sys.stderr)
        return 1
    except storing.SiteRemoved:
        print(f"{plan.site} was removed meanwhile: the same command imports it anew.", file=sys.stderr)
        return 1
    except DBAPIError as error:
        print(f"The database cannot be written: {error.orig}. {_GOES_ON}", file=sys.stderr)
        return 1
    finally:
        log_import.database.engine.dispose()


def _store(plan: _Plan, log_import: LogImport) -> bool:
    """Whether all files could be read. The days of what was read are computed nevertheless."""
    try:
        with line_progress("Importing") as show:
            log_import.store(plan.checked, plan.rules, show)
    except LogRefused as error:
        print(f"{error}. {_LEAVE_OUT}", file=sys.stderr)
        return False
    return True


def _compute_days(plan: _Plan, log_import: LogImport, *, is_json: bool) -> list[date]:
    """Compute the days of the import; the days that another process computes now."""
    with progress_bar("Computing days") as show:
        computed, missed = log_import.compute_days(plan.site, show)
    print(f"{computed} days of {plan.site} were computed.", file=sys.stderr if is_json else sys.stdout)
    for day in missed:
        print(f"{day}: computed by another process now; run the command again.", file=sys.stderr)
    return missed
