"""Breaches of the SEO contract, the rules that find them, and the report that counts them."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from seo_audit.page import Page

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
    """The values that pages are checked against. `origin`: the public one, also when the audit fetches from another."""

    origin: str
    locale: str


@dataclass(frozen=True)
class Rule:
    """`check` yields a sentence for every breach. `for_indexable`: only for pages that search engines may index."""

    name: str
    severity: Severity
    check: Callable[[Page, Contract], Iterator[str]]
    for_indexable: bool = True


@dataclass
class Report:
    """Counts breaches and passes each to `on_breach`. `status`: 0 none, 1 only warnings, 2 errors."""

    on_breach: Callable[[Breach], None]
    counts: Counter[tuple[str, Severity]] = field(default_factory=Counter)

    def add(self, page: str, rule: str, severity: Severity, text: str) -> None:
        self.counts[rule, severity] += 1
        self.on_breach(Breach(page, rule, severity, text))

    def check(self, page: Page, contract: Contract, rules: tuple[Rule, ...]) -> None:
        for rule in rules:
            if page.is_indexable or not rule.for_indexable:
                for text in rule.check(page, contract):
                    self.add(page.path, rule.name, rule.severity, text)

    @property
    def total(self) -> int:
        return self.counts.total()

    @property
    def status(self) -> int:
        severities = {severity for _, severity in self.counts}
        return 2 if "error" in severities else 1 if severities else 0
