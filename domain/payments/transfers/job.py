"""The job that checks a statement, or books its entries, each in a transaction of its own."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from domain.audit import recording
from domain.bank_transfers import files
from domain.bank_transfers.account import account_number
from domain.bank_transfers.statements import Statement, StatementEntry, StatementRefused, keys_of
from domain.jobs.claims import Claim, JobStep
from domain.jobs.starters import starter_of
from domain.orders.settings import Context, OrderSettings
from domain.payments.transfers import booking, matching
from domain.payments.transfers.matching import Outcome
from domain.permissions import Permission

KIND = "bank_statement"
CHECKED_A_STEP = 50
OTHER_ACCOUNT = "This statement is of the account {0}, and the shop's is {1}."


@dataclass(frozen=True)
class StatementInput:
    """What a job begins with. `is_check`: nothing is booked."""

    upload_id: int
    name: str
    is_check: bool

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def steps(claim: Claim, path: Path, settings: OrderSettings, now: Callable[[], datetime]) -> Iterator[JobStep]:
    """Raises StatementRefused for a file that cannot be read, and for one of another account."""
    about, statement = StatementInput(**claim.input), files.read_statement(path)
    require_own_account(statement, settings)
    keys = keys_of(statement)
    size = CHECKED_A_STEP if about.is_check else 1
    report: Mapping[str, Any] = {"skipped": statement.skipped, **claim.report}
    for first in range(claim.processed, len(keys), size):
        part = [*zip(statement.entries, keys, strict=True)][first : first + size]

        def work(
            session: Session, part: list[tuple[StatementEntry, str]] = part, before: Mapping[str, Any] = report
        ) -> Mapping[str, Any]:
            nonlocal report
            at = now()
            if about.is_check:
                outcomes = [_check(session, entry, key) for entry, key in part]
            else:
                actor = starter_of(session, claim.id, Permission.PAYMENTS_WRITE, at)
                context = Context(at, settings)
                outcomes = [recording.run(session, actor, booking.book, *row, claim.id, context) for row in part]
            report = _counted(before, [*zip(part, outcomes, strict=True)])
            return report

        yield JobStep(work, min(first + size, len(keys)), len(keys))


def require_own_account(statement: Statement, settings: OrderSettings) -> None:
    """Raises StatementRefused for a statement of another account than the shop's. Nothing is compared where one of the
    two has no IBAN."""
    own, other = "" if settings.bank is None else settings.bank.iban, account_number(statement.account)
    if own and other[:2].isalpha() and other != own:
        raise StatementRefused(OTHER_ACCOUNT.format(other[:40], own))


def _check(session: Session, entry: StatementEntry, key: str) -> Outcome:
    return "known" if matching.is_known(session, key) else matching.match(session, entry).outcome


def _counted(before: Mapping[str, Any], done: list[tuple[tuple[StatementEntry, str], Outcome]]) -> Mapping[str, Any]:
    """How many entries had each outcome, and the sum of what pays orders, by currency."""
    counts, sums = dict(before.get("outcomes", {})), dict(before.get("sums", {}))
    for (entry, _), outcome in done:
        counts[outcome] = counts.get(outcome, 0) + 1
        if outcome in ("settled", "more"):
            sums[entry.currency] = sums.get(entry.currency, 0) + entry.amount_minor
    return {**before, "outcomes": counts, "sums": sums}
