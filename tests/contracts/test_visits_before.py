"""Visits between this build and earlier ones, in both directions. The build before sends batches of version 1, whose
rows are objects; the one before it knows neither `referral_id` nor `partner`.

`recorded/visit_batch_*.json` are a message and a spool file as that one wrote them. The worker of test_build_before.py
stores the message.
"""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import column, insert, select, table

from contracts.payloads import VisitBatch, decode_visits, encode
from contracts.redis_keys import BATCHES, BATCHES_SINCE, CLAIMED_BATCHES, PENDING_BATCHES, PENDING_SINCE
from contracts.tasks import QUEUE_OF, Task
from domain.tables import DeadLetter, Visit
from domain.visits import visits
from domain.visits.batches import COLUMNS, row_of
from domain.visits.visits import NewVisit
from tests.support.factories import NOON
from tests.support.waiting import until

RECORDED = Path(__file__).parent / "recorded"
MESSAGE: dict[str, Any] = json.loads((RECORDED / "visit_batch_message.json").read_bytes())
SPOOL_FILE = RECORDED / "visit_batch_spool_file.json"
ROWS: list[dict[str, Any]] = json.loads(SPOOL_FILE.read_bytes())["rows"]
URLS = ["/shop?utm_source=news&q=📚", "/s?n=S-ADA2-LQ27&c=SPRING&to=/shop"]
# With what the earlier build does not know.
NEW = NewVisit(ROWS[0]["event_id"], NOON.isoformat(), referral_id=ROWS[1]["event_id"], partner="northwind")


def stored(database) -> list[tuple[str, str | None, str]]:
    with database.read_session() as session:
        assert session.scalars(select(DeadLetter)).first() is None
        columns = (Visit.url, Visit.referral_id, Visit.partner)
        return [tuple(row) for row in session.execute(select(*columns).order_by(Visit.event_id))]


def test_the_recorded_message_has_the_rows_of_the_recorded_spool_file():
    assert json.loads(base64.b64decode(MESSAGE["body"]))[1] == {"batch": {"rows": ROWS, "v": 1}}


async def test_a_host_sends_a_spool_file_of_the_build_before(open_site, tmp_path):
    (tmp_path / "spool").mkdir()
    (tmp_path / "spool" / "1873fe7a19a8422ea81e3ec80970d917.json").write_bytes(SPOOL_FILE.read_bytes())
    site = await open_site()
    await until(lambda: len(site.visits()) == 2)
    assert [(visit.url, visit.referral_id, visit.partner) for visit in site.visits()] == [
        (url, None, "") for url in URLS
    ]


def test_the_build_before_leaves_batches_of_this_one_to_it():
    """It refuses a higher version: in the spool the file stays, and its workers know neither queue nor keys."""
    batch = encode(VisitBatch(columns=list(COLUMNS), rows=[row_of(NEW)]))
    assert (batch["v"], set(NEW.as_dict()) - set(ROWS[0])) == (2, {"referral_id", "partner"})
    assert str(QUEUE_OF[Task.STORE_VISIT_BATCHES]) not in ("coupons", "visits", "health", "mail", "payments")
    assert not {BATCHES, BATCHES_SINCE, CLAIMED_BATCHES} & {PENDING_BATCHES, PENDING_SINCE}


@pytest.mark.each_database
def test_a_batch_of_the_build_before_is_stored_as_it_was_by_its_workers(database):
    with database.write_session() as session:
        visits.store_visits(session, decode_visits({"v": 1, "rows": [NEW.as_dict()]}).rows, NOON)
    assert stored(database) == [("", NEW.referral_id, "northwind")]


@pytest.mark.each_database
@pytest.mark.parametrize("row", ROWS, ids=["trace", "share link"])
def test_a_worker_of_the_build_before_inserts_into_the_table_of_this_one(database, row):
    values = {name: value for name, value in visits._record(row).items() if name not in ("referral_id", "partner")}
    # Without the defaults of this build's class.
    former_table = table("visits", *(column(name, Visit.__table__.c[name].type) for name in values))
    with database.write_session() as session:
        session.execute(insert(former_table).values(values))
    assert stored(database) == [(row["url"], None, "")]
