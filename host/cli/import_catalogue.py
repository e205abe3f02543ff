"""`python -m host import FILE`: courses or shop items from a CSV or JSON file."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from sqlalchemy.exc import DBAPIError

from domain import imports
from domain.db import Database
from domain.imports import Findings, ImportRefused, Plan, Progress, Result
from host.settings import Settings

# A report is read by a person; the rest of a long list is counted.
MOST_SHOWN = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Import courses or shop items from a CSV or JSON file. A repeat changes only what differs."
    parser.add_argument("file", type=Path, metavar="FILE", help="CSV, a JSON array, or one JSON object per line; UTF-8")
    parser.add_argument("--kind", choices=("courses", "items"), default="courses", help="what the rows are")
    parser.add_argument("--dry-run", action="store_true", help="check the file and report, change nothing")
    parser.add_argument(
        "--map",
        action="append",
        default=[],
        type=_pair,
        metavar="theirs=ours",
        help="a column of the file and the field it is; may be repeated. Fields of courses: "
        + ", ".join(imports.FIELDS["courses"])
        + ". Fields of items: "
        + ", ".join(imports.FIELDS["items"]),
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0 when the good rows are in, 1 with one sentence on stderr when the file or the records refused."""
    try:
        plan = _checked(args)
        _report_file(plan)
        if plan.good == 0:
            raise ImportRefused(f"None of the {plan.rows} rows of {args.file.name} can be imported.")
        if args.dry_run:
            print("Dry run: nothing was changed.")
            return 0
        return _carried_out(plan, settings)
    except ImportRefused as refused:
        print(refused, file=sys.stderr)
    except DBAPIError as error:
        print(f"The records cannot be written: {error.orig}", file=sys.stderr)
    except KeyboardInterrupt:
        print("Stopped. What was imported so far stays; run the command again to do the rest.", file=sys.stderr)
    return 1


def _checked(args: argparse.Namespace) -> Plan:
    with progress_bar("Checking") as heard:
        return imports.check(args.file, args.kind, dict(args.map), heard)


def _carried_out(plan: Plan, settings: Settings) -> int:
    database = Database(settings.database_url, deadline_s=60, busy_ms=60_000)
    try:
        with progress_bar("Importing") as heard:
            result = imports.carry_out(plan, database.session, datetime.now(UTC), heard)
    finally:
        database.engine.dispose()
    _report_result(result)
    return 0


@contextmanager
def progress_bar(title: str) -> Iterator[Progress]:
    """What to call with the done and the whole; drawn on a terminal, else a line at every tenth."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Tenths(title)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Bar(*columns, console=console) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


class _Tenths:
    def __init__(self, title: str):
        self._title = title
        self._said = 0

    def __call__(self, done: int, total: int) -> None:
        tenths = done * 10 // total if total else 10
        if tenths > self._said:
            self._said = tenths
            print(f"{self._title}: {tenths * 10} %", file=sys.stderr, flush=True)


def _pair(text: str) -> tuple[str, str]:
    theirs, equals, ours = text.rpartition("=")
    if not equals or not theirs.strip() or not ours.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form theirs=ours")
    return theirs, ours


def _report_file(plan: Plan) -> None:
    print(f"{plan.path.name}: {plan.rows} rows, {plan.good} {plan.kind} to import.")
    if plan.unused_columns:
        print(f"Columns not used: {', '.join(plan.unused_columns)}")
    _list("repeated, the first of each is kept", plan.repeats)
    _list("kept, but worth a look", plan.doubts)
    _list("left out", plan.bad)


def _report_result(result: Result) -> None:
    print(f"Added {result.added}, changed {result.changed}, unchanged {result.same}.")
    _list("stored as drafts, because their pages would lack something", result.held_back)
    _list("refused by the records", result.left_out)


def _list(title: str, findings: Findings) -> None:
    if not findings.total:
        return
    print(f"{findings.total} {title}:")
    for finding in findings.listed[:MOST_SHOWN]:
        print(f"  line {finding.line}: {finding.reason}")
    if findings.total > MOST_SHOWN:
        print(f"  … and {findings.total - MOST_SHOWN} more")
