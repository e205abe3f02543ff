"""Which form the lines of a file have."""

from itertools import islice
from pathlib import Path

from domain.display_text import count_text
from domain.log_import.forms.cloudfront import CLOUDFRONT
from domain.log_import.forms.expressions import COMBINED, COMMON, VHOST
from domain.log_import.forms.json_lines import CADDY, JSON
from domain.log_import.forms.line_fields import BrokenLine, LogFormat, LogRefused, ReadLine
from domain.log_import.lines import TOO_LONG, LogFile

FORMATS = {known.name: known for known in (COMMON, COMBINED, VHOST, JSON, CADDY, CLOUDFRONT)}
AUTO = "auto"
# Lines that are looked at before anything is changed, and those among which they are looked for.
_MAX_FIRST = 50
_MAX_SEARCHED = 10_000


def format_of(file: LogFile, wanted: LogFormat | None) -> LogFormat | None:
    """`wanted`, or the form that most of the first lines have; None for an empty file. Raises LogRefused when half of
    them or more have another, or when there are only lines that cannot be read."""
    head = first_lines(file)
    if not head:
        return None
    candidates = [wanted] if wanted else [*FORMATS.values()]
    best = max(candidates, key=lambda candidate: _fitting(candidate, head))
    lines = [line for line in head if not best.is_header(line)]
    if lines and 2 * _fitting(best, head) <= len(lines):
        raise LogRefused(_refusal(file.path, wanted, head[0]))
    return best


def first_lines(file: LogFile) -> list[str]:
    """The first that are neither empty nor too long. Raises LogRefused when there are others alone."""
    found: list[str] = []
    empty = too_long = 0
    for line in islice(LogFile(file.path, file.size).lines(), _MAX_SEARCHED):
        if line:
            found.append(line)
        elif line is None:
            too_long += 1
        else:
            empty += 1
        if len(found) == _MAX_FIRST:
            break
    if not found and (too_long or empty == _MAX_SEARCHED):
        raise LogRefused(
            f"{file.path}: its first {count_text(empty + too_long)} lines are empty or {TOO_LONG}. Leave the file out."
            " Nothing was changed."
        )
    return found


def _fitting(candidate: LogFormat, lines: list[str]) -> int:
    read = candidate.open()
    return sum(_fits(read, line) for line in lines)


def _fits(read: ReadLine, line: str) -> bool:
    try:
        return read(line) is not None
    except BrokenLine:
        return False


def _refusal(path: Path, wanted: LogFormat | None, line: str) -> str:
    what = f"of the form {wanted.name}" if wanted else f"of a known form ({', '.join(FORMATS)})"
    return (
        f"{path}: most of the first lines are not {what}. The first is {line[:200]!r}. Name the form with --format, or"
        " describe it as the server's configuration does, with --log-format. Nothing was changed."
    )
