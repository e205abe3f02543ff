"""Checks and times the queries of contracts/cases/search-answers.json in a large catalogue."""

import json
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy.orm import Session

from bench.processes import ROOT, site
from bench.search.courses import AT
from domain.catalogue.listing import ShopQuery
from domain.database.database import Database
from domain.search import search as search_search
from domain.search.search import RELEVANCE, SearchResult

TABLE = ROOT / "contracts" / "cases" / "search-answers.json"
ROUNDS = 20
# Over HTTP: enough for a 99th percentile.
PAGE_ROUNDS = 5
# So that just-in-time compilation is not measured.
WARM_ROUNDS = 4
Case = dict[str, Any]


@dataclass
class CheckedAnswers:
    """The number of cases, a text for each wrong one, and the milliseconds of every search."""

    cases: int
    wrong: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


def cases() -> list[Case]:
    rows: list[Case] = json.loads(TABLE.read_text("utf-8"))["cases"]
    return rows


def check_all(db: Database) -> CheckedAnswers:
    result = CheckedAnswers(len(cases()))
    with db.read_session() as session:
        for case in cases():
            if wrong := _wrong(session, case):
                result.wrong.append(wrong)
    for _ in range(ROUNDS):
        for case in cases():
            began = time.perf_counter()
            with db.read_session() as session:
                _found(session, case)
            result.times.append((time.perf_counter() - began) * 1000)
    return result


def _found(session: Session, case: Case) -> SearchResult:
    return search_search.search(session, case["typed"], ShopQuery(sort=RELEVANCE), AT)


def _wrong(session: Session, case: Case) -> str | None:
    """What differs from the expected answer, in words. The first hits of `crowded` cases are not compared."""
    result = _found(session, case)
    first = [] if case.get("crowded") else case["first"]
    names = [row.name for row in result.rows][: len(first)]
    expected_query = case.get("normalisedQuery", result.normalised_query)
    if (result.answer, result.normalised_query, names) == (case["answer"], expected_query, first):
        return None
    actual, expected = (result.answer, result.normalised_query, names), (case["answer"], expected_query, first)
    return f"{case['typed']!r}: {actual}, not {expected}"


def page_times(var_dir: Path) -> list[float]:
    """Milliseconds of every query of the table as a whole page, without the page cache."""
    paths = [f"/search?q={quote(case['typed'])}" for case in cases()]
    with site("search", var_dir, LIMITS="off", PAGE_CACHE="off") as running:
        connection = HTTPConnection("127.0.0.1", running.port, timeout=30)
        for path in WARM_ROUNDS * paths:
            _ask(connection, path)
        return [_timed(connection, path) for _ in range(PAGE_ROUNDS) for path in paths]


def _timed(connection: HTTPConnection, path: str) -> float:
    began = time.perf_counter()
    if (status := _ask(connection, path)) != 200:
        raise RuntimeError(f"{path} answered {status}")
    return (time.perf_counter() - began) * 1000


def _ask(connection: HTTPConnection, path: str) -> int:
    """The status of the complete response. It may be 503 while a large database is first read."""
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    return response.status
