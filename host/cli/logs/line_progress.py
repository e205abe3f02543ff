"""Progress of reading large files: lines a second and time left."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from domain.log_import.importing import ShowProgress
from host.cli.import_catalogue import progress_bar


@contextmanager
def line_progress(title: str) -> Iterator[ShowProgress]:
    """A function to call with the bytes that were read, all bytes, and the lines; a bar on a terminal, else a line
    every 10 %."""
    console = Console(stderr=True)
    if not console.is_terminal:
        with progress_bar(title) as show:
            yield lambda done, size, lines: show(done, size)
        return
    shown = TextColumn("{task.fields[lines]:,} lines, {task.fields[rate]:,} a second")
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), shown, TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        task, start = bar.add_task(title, total=None, lines=0, rate=0), time.monotonic()

        def update(done: int, size: int, lines: int) -> None:
            rate = round(lines / max(time.monotonic() - start, 0.001))
            bar.update(task, completed=done, total=size, lines=lines, rate=rate)

        yield update
