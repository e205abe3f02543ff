"""Findings about rows of a file, limited in number."""

from collections.abc import Callable
from dataclasses import dataclass, field

# Limits the memory for a file of a million bad rows.
MAX_LISTED = 1000


class BadRow(Exception):
    """This row cannot be imported; the text gives the reason."""


@dataclass(frozen=True)
class Finding:
    line: int
    reason: str


@dataclass
class ImportReport:
    """The first MAX_LISTED findings and the total number. `listener` is told each of them."""

    findings: list[Finding] = field(default_factory=list)
    total: int = 0
    listener: Callable[[Finding], None] | None = None

    def add(self, line: int, reason: str) -> None:
        self.total += 1
        if self.listener is not None:
            self.listener(Finding(line, reason))
        if len(self.findings) < MAX_LISTED:
            self.findings.append(Finding(line, reason))
