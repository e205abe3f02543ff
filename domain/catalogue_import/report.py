"""What is said about rows, and how much of it is kept."""

from dataclasses import dataclass, field

# A file of a million bad rows must not fill the memory with a million reasons.
MOST_LISTED = 1000


class BadRow(Exception):
    """This row cannot be imported; the text says why. The others can."""


@dataclass(frozen=True)
class Finding:
    line: int
    reason: str


@dataclass
class Findings:
    """The first thousand, and the number of all."""

    listed: list[Finding] = field(default_factory=list)
    total: int = 0

    def add(self, line: int, reason: str) -> None:
        self.total += 1
        if len(self.listed) < MOST_LISTED:
            self.listed.append(Finding(line, reason))
