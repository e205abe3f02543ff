"""How long it takes to be refused says nothing about an order: one of somebody else takes as long as an unknown one.

The CPU time of the reading thread is compared, which a busy machine does not change; the statements are the same too
(tests/domain/orders/views/test_orders.py). The control tests the owner after the query.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from statistics import median
from time import thread_time

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.orders.expiry import UNKNOWN_ORDER
from domain.orders.lines import lines_of
from domain.orders.views import order as order_view
from domain.orders.views import status as order_status
from domain.tables import Order
from tests.host.signing import learner
from tests.support import order_rows

CODE, UNKNOWN = "BADECUFIGOHAKELIMONU", "BADECUFIGOHAKELIMONA"
LINES = 20
# Samples of each code, in turns.
SAMPLES = 150
TOLERANCE = 0.1
# A sample in a thousand is far off: a second measurement decides.
ATTEMPTS = 3

Read = Callable[[Session, int, str, datetime], object]


def owner_tested_afterwards(session: Session, learner_id: int, code: str, _at: datetime) -> object:
    order = session.scalar(select(Order).where(Order.code == code.upper()))
    lines = [] if order is None else lines_of(session, order.id)
    if order is None or order.learner_id != learner_id:
        raise NotFound(UNKNOWN_ORDER)
    return lines


READS: dict[str, Read] = {"the order": order_view.order_view, "its state": order_status.status_view}


@pytest.fixture
def strangers(bare_site) -> tuple[Session, int]:
    """A session, and a learner who is not the owner of the order CODE."""
    ada, eve = learner(bare_site), learner(bare_site, "Eve")
    with bare_site.db.write_session() as session:
        order = order_rows.order(session, ada.id, CODE, billing={"name": "Ada"})
        for number in range(1, LINES + 1):
            order_rows.order_line(session, order.id, number)
    with bare_site.db.read_session() as session:
        yield session, eve.id


def difference(strangers: tuple[Session, int], read: Read) -> float:
    """The difference of the medians for a foreign and an unknown order, as a part of the latter."""
    session, eve = strangers
    times: dict[str, list[float]] = {CODE: [], UNKNOWN: []}
    now = datetime.now(UTC)
    for _sample in range(SAMPLES):
        for code, measured in times.items():
            began = thread_time()
            with pytest.raises(NotFound):
                read(session, eve, code, now)
            measured.append(thread_time() - began)
            session.expunge_all()
    foreign, unknown = (median(measured) for measured in times.values())
    return abs(foreign - unknown) / unknown


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_a_foreign_order_is_refused_as_fast_as_an_unknown_one(strangers, read):
    assert any(difference(strangers, read) <= TOLERANCE for _attempt in range(ATTEMPTS))


def test_an_owner_who_is_tested_after_the_query_shows_in_the_time(strangers):
    assert all(difference(strangers, owner_tested_afterwards) > TOLERANCE for _attempt in range(ATTEMPTS))
