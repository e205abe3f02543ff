"""What is found, and how it is told."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from host.seo_audit.page import Page

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Breach:
    page: str
    rule: str
    severity: Severity
    text: str

    def __str__(self) -> str:
        return f"{self.severity.upper():7} {self.rule:22} {self.page}  {self.text}"


@dataclass(frozen=True)
class Contract:
    """What pages are held to. `origin` is the public one, wherever the audit fetches from."""

    origin: str
    locale: str


@dataclass(frozen=True)
class Rule:
    """`check` yields a sentence for every breach. Rules about pages that search engines keep are `of_kept`."""

    name: str
    severity: Severity
    check: Callable[[Page, Contract], Iterator[str]]
    of_kept: bool = True


@dataclass
class Report:
    """Hands every breach on as it is found, and counts. `status`: 0 nothing, 1 warnings, 2 errors."""

    tell: Callable[[Breach], None]
    counts: Counter[tuple[str, Severity]] = field(default_factory=Counter)

    def add(self, page: str, rule: str, severity: Severity, text: str) -> None:
        self.counts[rule, severity] += 1
        self.tell(Breach(page, rule, severity, text))

    def judge(self, page: Page, contract: Contract, rules: tuple[Rule, ...]) -> None:
        for rule in rules:
            if page.is_kept or not rule.of_kept:
                for text in rule.check(page, contract):
                    self.add(page.path, rule.name, rule.severity, text)

    @property
    def total(self) -> int:
        return self.counts.total()

    @property
    def status(self) -> int:
        severities = {severity for _, severity in self.counts}
        return 2 if "error" in severities else 1 if severities else 0
