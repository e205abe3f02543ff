"""A member reads what happened to their seats, as their managers do: by whom and why, and of nobody else."""

import pytest

from domain.permissions import Tenant
from domain.seats import holding, managing
from domain.seats.assign import assign
from domain.seats.seat_rows import Cause
from domain.seats.views.own import own_seats
from domain.seats.views.own_history import own_history
from domain.seats.views.seat import history_of
from tests.domain.seats.world import DAY, build, recorded
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database


def test_a_lost_seat_says_who_took_it_and_why(session):
    world = build(session, seats=1)
    ada, bea, _ = world.members
    manager = factories.learner(session, "Max Manager").id
    [seat] = assign(session, world.contract, ada, world.courses[:1], NOON, actor_id=manager)
    holding.confirm(session, ada, seat.id, NOON + DAY, "en-US")
    assert own_seats(session, ada, NOON + DAY).seats[0].number == 1
    tenant, cause = Tenant(world.organisation), Cause(NOON + 2 * DAY, manager, "Moved on")
    recorded(session, managing.reclaim, tenant, seat.id, cause)
    assign(session, world.contract, bea, world.courses[:1], NOON + 3 * DAY)
    assert [(event.kind, event.actor, event.reason) for event in own_history(session, ada)] == [
        ("reclaimed", "Max Manager", "Moved on"),
        ("confirmed", None, ""),
        ("assigned", "Max Manager", ""),
    ]
    assert own_seats(session, ada, NOON + 4 * DAY).seats == ()
    # The manager sees the same events, and those of the next holder.
    kinds = [event.kind for event in history_of(session, seat.id, ada)]
    assert kinds == ["assigned", "reclaimed", "confirmed", "assigned"]
