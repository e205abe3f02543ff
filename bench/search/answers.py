"""The table of queries (tests/agreements/search-answers.json) asked of a large catalogue: what comes, and how soon."""

import json
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy.orm import Session

from bench.processes import ROOT, site
from bench.search_courses import AT
from domain import search
from domain.catalogue import ShopQuery
from domain.db import Database

TABLE = ROOT / "tests" / "agreements" / "search-answers.json"
ROUNDS = 20
# Over HTTP: enough for a 99th percentile.
PAGE_ROUNDS = 5
# Until no compiler is measured.
WARM_ROUNDS = 4
Case = dict[str, Any]


@dataclass
class Judged:
    """How many cases there are, what is wrong with which, and the milliseconds of every search."""

    cases: int
    wrong: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


def cases() -> list[Case]:
    found: list[Case] = json.loads(TABLE.read_text("utf-8"))["cases"]
    return found


def judge(db: Database) -> Judged:
    judged = Judged(len(cases()))
    with db.reading() as session:
        for case in cases():
            if wrong := _wrong(session, case):
                judged.wrong.append(wrong)
    for _ in range(ROUNDS):
        for case in cases():
            began = time.perf_counter()
            with db.reading() as session:
                _found(session, case)
            judged.times.append((time.perf_counter() - began) * 1000)
    return judged


def _found(session: Session, case: Case) -> search.Found:
    return search.search(session, case["typed"], ShopQuery(sort=search.RELEVANCE), AT)


def _wrong(session: Session, case: Case) -> str | None:
    """In words what is not as the table has it. In a crowd the demo shop's products are not the first ones."""
    found = _found(session, case)
    first = [] if case.get("crowded") else case["first"]
    names = [row.name for row in found.rows][: len(first)]
    meant = case.get("understood", found.understood)
    if (found.answer, found.understood, names) == (case["answer"], meant, first):
        return None
    return f"{case['typed']!r}: {found.answer} {found.understood!r} {names}, not {case['answer']} {meant!r} {first}"


def page_times(var_dir: Path) -> list[float]:
    """Milliseconds of every query of the table as a whole page: host, records and render worker, nothing kept."""
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
    """The status of the whole answer. While a large file of records is first read, it may be 503."""
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    return answer.status
