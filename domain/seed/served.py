"""What the demo shop's visits and crawls say of the pages that it has served, with some that no script has seen."""

import uuid
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from domain.crawlers.fetches import READ, machine_kind, read_attributes
from domain.database.database import insert_ignoring
from domain.seed.visits import DAYS
from domain.tables import Visit
from domain.visits.evidence_bits import OF_LOADED_DOCUMENT
from domain.visits.served_documents import BROWSER, COUNTS, PROGRAM, agent_class, as_text

_NAMESPACE = uuid.UUID("c1b7c1a4-0b0e-4a33-9a53-7f2f5d0e4b61")
# One in so many pages that browsers get is closed before its script runs.
_CLOSED_EARLY = 14
# A link leads to a page, and is none itself.
_LINKS = ("/d?", "/s?")


class _Served(NamedTuple):
    """`seen`: the ids of the first visits of documents; `documents`: of a day, by class of agent."""

    seen: list[int]
    documents: dict[date, Counter[str]]


def add_served(session: Session, at: datetime) -> None:
    """Add a row of counts for each day before `at`, unless there are any. After visits and crawls."""
    if session.scalar(select(Visit.id).where(Visit.visitor_class == COUNTS).limit(1)) is not None:
        return
    served = _read(session)
    seen = [{"id": visit_id, "evidence": OF_LOADED_DOCUMENT} for visit_id in served.seen]
    if seen:
        session.execute(update(Visit), seen)
    insert_ignoring(session, Visit, list(_rows(served, at)))


def _read(session: Session) -> _Served:
    columns = (Visit.id, Visit.visited_at, Visit.session_id, Visit.url, Visit.visitor_class, Visit.agent)
    query = select(*columns, Visit.attributes).order_by(Visit.visited_at, Visit.id)
    found, sessions = _Served([], {}), set[str]()
    for visit_id, at, session_id, url, visitor_class, agent, attributes in session.execute(query):
        if visitor_class == "crawler":
            if machine_kind(url.partition("?")[0]) is not None or read_attributes(attributes).status not in READ:
                continue
        elif session_id in sessions or url.startswith(_LINKS):
            continue
        else:
            sessions.add(session_id)
            found.seen.append(visit_id)
        found.documents.setdefault(at.date(), Counter())[agent_class(visitor_class, agent)] += 1
    return found


def _rows(served: _Served, at: datetime) -> Iterator[dict[str, Any]]:
    for days_ago in range(DAYS):
        day = at.date() - timedelta(days=days_ago)
        documents = served.documents.get(day)
        if documents is None:
            continue
        documents[BROWSER] += documents[BROWSER] // _CLOSED_EARLY + days_ago % 2
        documents[PROGRAM] += 2 + days_ago % 5
        yield {
            "event_id": str(uuid.uuid5(_NAMESPACE, f"{days_ago}")),
            "visited_at": datetime.combine(day, time(), at.tzinfo),
            "visitor_class": COUNTS,
            "source": "host",
            "attributes": as_text(documents),
        }
