"""Imports of log files, for tests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.log_import import importing, storing
from domain.log_import.counts import ImportCounts
from domain.log_import.importing import ImportOptions, LogImport
from domain.log_import.lines import open_files
from domain.log_import.storing import Batch
from domain.log_import.visitors import Agents, Visitors
from domain.tables import ImportedVisit, VisitDay, VisitorSign, VisitRollup
from domain.visits.raw.local_days import DayRules
from tests.domain.log_import.log_files import AGENTS, HOST

RULES = DayRules()
NOW = datetime(2026, 3, 9, tzinfo=UTC)


def visitors(site: str = "school") -> Visitors:
    return importing.visitors_of(
        site, "secret", Agents(lambda agent: AGENTS.get(agent, "suspected"), lambda agent: agent[:7])
    )


def options(site: str = "school", **about) -> ImportOptions:
    return ImportOptions(site, **{"own_hosts": [HOST], **about})


@contextmanager
def stopped_after(number: int) -> Iterator[list[Batch]]:
    """Whoever imports presses Ctrl-C when so many batches are stored; these are in the list."""
    original: Callable[..., Any] = storing.store
    stored_batches: list[Batch] = []

    def store(session: Session, site: int, batch: Batch, *rest: Any) -> Any:
        if len(stored_batches) == number:
            raise KeyboardInterrupt
        stored_batches.append(batch)
        return original(session, site, batch, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storing, "store", store)
        yield stored_batches


def import_files(database, *paths: Path, **about) -> ImportCounts:
    """Store and compute, as the command does."""
    chosen = options(**about)
    found = LogImport(database, RULES, lambda: NOW)
    checked = importing.check(open_files([*paths]), chosen)
    found.store(checked, chosen.rules(visitors(chosen.site)), lambda done, size, lines: None)
    assert found.compute_days(chosen.site, lambda done, days: None)[1] == []
    return found.counts


def stored(database) -> tuple[list, list, list]:
    """All rows of visits, signs and days."""
    with database.read_session() as session:
        return (
            sorted(map(tuple, session.execute(select(ImportedVisit.__table__)))),
            sorted(map(tuple, session.execute(select(VisitorSign.__table__)))),
            sorted(map(tuple, session.execute(select(VisitDay.__table__)))),
        )


def digests(database) -> list[tuple]:
    with database.read_session() as session:
        rows = select(VisitRollup.site, VisitRollup.day, VisitRollup.visits, VisitRollup.digest)
        return sorted(map(tuple, session.execute(rows)))
