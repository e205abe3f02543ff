"""kill -9 of the host while a group of gateway events is stored, on both databases: all of them are there, each with
its row of the outbox, or none; and the gateway, which got no answer, sends them again and none is stored twice."""

import json
import signal
import time
from typing import Any

import pytest
from sqlalchemy import select

from domain.database.database import Database
from domain.tables import GatewayEvent, Outbox
from standins.payments.deliveries.signatures import sign
from tests.faults.conftest import StepProcess
from tests.standins.payments.shop import SECRET

pytestmark = pytest.mark.faults
NAMES = ("evt_1", "evt_2", "evt_3")
# As the gateway repeats and mixes them: the second comes twice, the last first.
GROUP = ("evt_3", "evt_2", "evt_1", "evt_2")


def signed(event_id: str) -> tuple[str, str]:
    event = {"id": event_id, "object": "event", "type": "checkout.session.completed", "created": 1_770_000_000}
    body = json.dumps({**event, "data": {"object": {"id": "cs_1"}}})
    return body, sign(body.encode(), [SECRET], int(time.time()))


class Host:
    """A host to which the gateway delivers a group."""

    def __init__(self, database: Database, process: StepProcess):
        self._database, self._process = database, process

    async def receive(self, step: str = "group", point: str = "") -> int:
        """The exit code of the host, or the signal that ended it."""
        about: dict[str, Any] = {"events": [signed(name) for name in GROUP]}
        url = self._database.url.render_as_string(hide_password=False)
        nowhere = {"origin": "http://127.0.0.1:9", "smtp": "smtp://127.0.0.1:9"}
        return await self._process.run(
            {"form": "host", "step": step, "point": point, "url": url, "about": about, **nowhere}
        )

    def stored(self) -> tuple[list[str], list[str]]:
        """The events, and the events of the rows of the outbox."""
        with self._database.read_session() as session:
            events = session.execute(select(GatewayEvent.id, GatewayEvent.event_id))
            names = {row.id: row.event_id for row in events}
            rows = session.scalars(select(Outbox.body).where(Outbox.kind == "payments.event"))
            return sorted(names.values()), sorted(names[row["event_id"]] for row in rows)


@pytest.fixture
def host(database, process) -> Host:
    return Host(database, process)


NOTHING, EVERYTHING = ([], []), ([*NAMES], [*NAMES])


@pytest.mark.each_database
@pytest.mark.parametrize(
    ("step", "point", "left"),
    [
        ("group", "event.verified:3", NOTHING),
        ("torn group", "", NOTHING),
        ("group", "event.stored", EVERYTHING),
        ("group", "event.stored:3", EVERYTHING),
    ],
)
async def test_a_killed_host_leaves_all_of_a_group_or_nothing_and_each_event_is_stored_once(host, step, point, left):
    assert await host.receive(step, point) == -signal.SIGKILL
    assert host.stored() == left
    assert await host.receive() == 0
    assert host.stored() == EVERYTHING


async def test_a_host_that_commits_events_before_their_rows_would_lose_them(host):
    """The negative control: they count as stored when they come again, and nothing retrieves what they name."""
    assert await host.receive("split group") == -signal.SIGKILL
    assert await host.receive() == 0
    assert host.stored() == ([*NAMES], [])
