"""`python -m host seo-audit`: check every page of a running site against the SEO contract."""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from config.parsers import origin
from config.settings import Settings
from seo_audit.breaches import Breach, Report
from seo_audit.crawl import Options, Progress, SiteDown, audit

# Interval of progress lines without a terminal.
EVERY_S = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Crawl the running site from its sitemaps and links and report every breach of the SEO contract, with page and "
        "rule. Status: 0 none, 1 warnings only, 2 errors. The site must run with ROBOTS=open."
    )
    parser.add_argument("--url", type=_origin, metavar="ORIGIN", help="origin to fetch from; default SITE_ORIGIN")
    parser.add_argument(
        "--sitemap-only", action="store_true", help="only addresses in the sitemaps, not links of pages"
    )
    parser.add_argument("--jobs", type=_jobs, default=8, help="pages to fetch at a time; default 8")


def run(args: argparse.Namespace, settings: Settings) -> int:
    report = Report(on_breach=_print_breach)
    options = Options(args.url or settings.site_origin, args.jobs, args.sitemap_only, settings.language)
    try:
        with _progress() as on_progress:
            progress = Progress(on_progress)
            asyncio.run(audit(options, report, progress))
    except SiteDown as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 2
    elapsed_s = time.monotonic() - progress.started_at
    speed = f"{progress.done:,} pages in {elapsed_s:.0f} s, {progress.per_second:.0f} pages/s"
    print(f"{speed}: {report.total:,} breaches.")
    for (rule, severity), count in sorted(report.counts.items()):
        print(f"  {severity:7} {rule:22} {count:,}")
    return report.status


def _print_breach(breach: Breach) -> None:
    print(breach, flush=True)


@contextmanager
def _progress() -> Iterator[Callable[[Progress], None]]:
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _ProgressLines()
        return
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]} pages/s"), TimeElapsedColumn())
    with Bar(*columns, console=console) as bar:
        task = bar.add_task("", total=None, rate="0")
        yield lambda now: bar.update(task, completed=now.done, total=now.known, rate=f"{now.per_second:.0f}")


class _ProgressLines:
    def __init__(self) -> None:
        self._next = time.monotonic() + EVERY_S

    def __call__(self, now: Progress) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY_S
            text = f"{now.done:,} of {now.known:,} pages, {now.per_second:.0f} pages/s"
            print(text, file=sys.stderr, flush=True)


def _origin(text: str) -> str:
    try:
        return origin(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not {error}") from None


def _jobs(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 64")
    return int(text)
