"""`python -m host import FILE`: import courses or shop items from a CSV or JSON file."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from domain.catalogue_import import validate as import_validate
from domain.catalogue_import import write as import_writing
from domain.catalogue_import.columns import FIELDS, ColumnRules
from domain.catalogue_import.presets import PRESETS
from domain.catalogue_import.read_lines import UTF8, Encoding, ImportRefused
from domain.catalogue_import.refused_rows import RefusedFile
from domain.catalogue_import.report import ImportReport
from domain.catalogue_import.validate import ImportPlan, Progress
from domain.catalogue_import.write import ImportResult
from domain.database.database import Database, database_url
from domain.money import Currency
from domain.typed_values import DecimalSign

# The rest of a longer list is only counted, so that the report stays readable.
MAX_LISTED = 50
DECIMALS: dict[str, DecimalSign] = {"point": ".", "comma": ",", ".": ".", ",": ","}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Import courses or shop items from a CSV or JSON file. Importing a file again changes only rows that differ."
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="CSV, a JSON document, or one JSON object per line")
    parser.add_argument(
        "--kind", choices=("courses", "items"), help="kind of the rows: courses, or what the preset is for"
    )
    parser.add_argument(
        "--from",
        dest="preset",
        choices=tuple(PRESETS),
        default="",
        help="the program that wrote the file, whose columns are known",
    )
    parser.add_argument("--dry-run", action="store_true", help="check the file and report, without changes")
    parser.add_argument(
        "--map",
        action="append",
        default=[],
        type=_pair,
        metavar="COLUMN=FIELD",
        help="import a column of the file as a field; may be repeated. Fields of courses: "
        + ", ".join(FIELDS["courses"])
        + ". Fields of items: "
        + ", ".join(FIELDS["items"]),
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        type=_constant,
        metavar="FIELD=VALUE",
        help="the value of a field in rows that have none, such as category=Accounting; may be repeated",
    )

    parser.add_argument(
        "--ignore", action="append", default=[], metavar="COLUMN", help="leave a column out; may be repeated"
    )
    parser.add_argument(
        "--word",
        action="append",
        default=[],
        type=_word,
        metavar="FIELD:WORD=MEANING",
        help="what a word of the file means, such as level:Undergraduate=beginner or list_price:Paid=49; without a "
        "meaning it counts as empty; may be repeated",
    )
    parser.add_argument(
        "--decimal", choices=tuple(DECIMALS), default="point", help="the sign before the decimals of numbers and prices"
    )
    parser.add_argument(
        "--encoding",
        choices=get_args(Encoding),
        default=UTF8,
        help="how the file is written; UTF-16 is known by itself",
    )
    parser.add_argument(
        "--refused", type=Path, metavar="FILE", help="write the rows that are not imported into a file, with the reason"
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0 when the valid rows are imported, 1 with one sentence on stderr when the file or the database refused."""
    try:
        plan = _check(args, settings.shop.currency)
        _report_file(plan)
        if plan.good == 0:
            raise ImportRefused(f"None of the {plan.rows} rows of {args.file.name} can be imported.")
        if args.dry_run:
            print("Dry run: nothing was changed.")
            return 0
        return _write_plan(plan, settings)
    except ImportRefused as error:
        print(error, file=sys.stderr)
    except DBAPIError as error:
        print(f"The database cannot be written: {error.orig}", file=sys.stderr)
    except KeyboardInterrupt:
        print("Stopped. Imported rows stay; run the command again for the rest.", file=sys.stderr)
    return 1


def _check(args: argparse.Namespace, currency: Currency) -> ImportPlan:
    rules = ColumnRules(
        mapping=dict(args.map),
        constants=dict(args.set),
        ignored=tuple(args.ignore),
        words=_words(args.word),
        decimal=DECIMALS[args.decimal],
        encoding=args.encoding,
        preset=args.preset,
    )
    kind = args.kind or (PRESETS[args.preset].kind if args.preset else "courses")
    with progress_bar("Checking") as report_progress:
        if args.refused is None:
            return import_validate.check(args.file, kind, currency, rules, report_progress)
        try:
            with RefusedFile(args.refused) as refused:
                return import_validate.check(args.file, kind, currency, rules, report_progress, refused=refused.add)
        except OSError as error:
            raise ImportRefused(f"{args.refused} cannot be written: {error.strerror or error}.") from error


def _write_plan(plan: ImportPlan, settings: Settings) -> int:
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        with progress_bar("Importing") as report_progress:
            result = import_writing.write_plan(plan, database.write_session, datetime.now(UTC), report_progress)
    finally:
        database.engine.dispose()
    _report_result(result)
    return 0


@contextmanager
def progress_bar(title: str) -> Iterator[Progress]:
    """A function to call with the finished and the total number; shows a bar on a terminal, else a line every 10 %."""
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
        self._printed = 0

    def __call__(self, done: int, total: int) -> None:
        tenths = done * 10 // total if total else 10
        if tenths > self._printed:
            self._printed = tenths
            print(f"{self._title}: {tenths * 10} %", file=sys.stderr, flush=True)


def _pair(text: str) -> tuple[str, str]:
    column, equals, field = text.rpartition("=")
    if not equals or not column.strip() or not field.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form COLUMN=FIELD")
    return column, field


def _constant(text: str) -> tuple[str, str]:
    field, equals, value = text.partition("=")
    if not equals or not field.strip() or not value.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form FIELD=VALUE")
    return field, value


def _word(text: str) -> tuple[str, str, str]:
    field, colon, rest = text.partition(":")
    word, equals, meaning = rest.rpartition("=")
    if not colon or not equals or not field.strip() or not word.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form FIELD:WORD=MEANING")
    return field, word, meaning


def _words(rules: list[tuple[str, str, str]]) -> dict[str, dict[str, str]]:
    words: dict[str, dict[str, str]] = {}
    for field, word, meaning in rules:
        words.setdefault(field, {})[word] = meaning
    return words


def _report_file(plan: ImportPlan) -> None:
    print(f"{plan.path.name}: {plan.rows} rows, {plan.good} {plan.kind} to import.")
    if plan.unused_columns:
        print(f"Columns not used: {', '.join(plan.unused_columns)}")
    _list("repeated; the first of each is imported", plan.repeats)
    _list("variants or pictures of other rows, which a product of this shop does not have", plan.variants)
    _list("imported with warnings", plan.doubts)
    _list("not imported", plan.bad)


def _report_result(result: ImportResult) -> None:
    print(f"Added {result.added}, changed {result.changed}, unchanged {result.unchanged}.")
    _list("stored as drafts, because their pages would be incomplete", result.kept_as_draft)
    _list("with a state that staff decided, which stays", result.withheld)
    _list("refused by the database", result.refused)


def _list(title: str, findings: ImportReport) -> None:
    if not findings.total:
        return
    print(f"{findings.total} {title}:")
    for finding in findings.findings[:MAX_LISTED]:
        print(f"  line {finding.line}: {finding.reason}")
    if findings.total > MAX_LISTED:
        print(f"  … and {findings.total - MAX_LISTED} more")
