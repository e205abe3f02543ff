"""Calls of areas that are refused leave an event: a wrong area, a missing permission, a sign-in of long ago."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from domain.audit.recording import EVENTS
from tests.host.signing import learner

LONG_AGO = timedelta(minutes=11)


def events(site, person):
    columns = (EVENTS.c.action, EVENTS.c.subject_id, EVENTS.c.after, EVENTS.c.area)
    with site.db.read_session() as session:
        return [tuple(row) for row in session.execute(select(*columns).where(EVENTS.c.actor_id == person.id))]


REFUSED = {
    "signed in to another area": ("learner", [], "admin/audit/verify", {"area": "admin"}),
    "without the permission": ("admin", ["marketer"], "admin/audit/verify", {"permission": "audit.read"}),
    "signed in too long ago": ("admin", ["administrator"], "admin/staff", {"sign_in": "of the last 600 s"}),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_a_refused_call_is_an_event_of_whoever_made_it(own_site, case):
    area, roles, name, lack = REFUSED[case]
    person = learner(own_site, "Eve Mallory", datetime.now(UTC) - LONG_AGO, area=area, roles=roles)
    status, _ = await person.call(name)
    assert (status, events(own_site, person)) == (403, [("call.refuse", f"POST {name}", lack, area)])
