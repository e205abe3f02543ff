"""Changing and ending memberships: never the last owner, never oneself, never in another organisation."""

import contextlib
import threading

import pytest

from domain.errors import InvalidInput, NotFound, Refused
from domain.organisations import memberships
from domain.organisations.joining import accepting, codes
from domain.organisations.joining.accepting import Joiner
from domain.permissions import Tenant
from tests.domain.organisations.world import World, make_world
from tests.support import factories
from tests.support.factories import NOON


@pytest.fixture
def world(database) -> World:
    return make_world(database)


def id_of(world: World, person: str) -> int:
    return world.membership(getattr(world, person)).id


def remove(world: World, actor: str, person: str) -> None:
    who = world.actor(actor)
    world.database.write_as_sync(who, memberships.remove, who, id_of(world, person), "They left", NOON)


def put_role(world: World, actor: str, person: str, role: str) -> None:
    who = world.actor(actor)
    world.database.write_as_sync(who, memberships.change_role, who, id_of(world, person), role, "")


def test_a_removed_member_keeps_the_row_and_can_join_again(world):
    remove(world, "manager", "member")
    assert world.membership(world.member).ended_at == NOON
    with pytest.raises(NotFound):
        remove(world, "manager", "member")
    number = world.invite("member@northwind.example")
    actor = factories.actor(world.member, area="learner")
    joiner = Joiner(world.member, NOON)
    assert world.database.write_as_sync(actor, accepting.accept, joiner, number, "").is_new
    assert world.membership(world.member).ended_at is None


@pytest.mark.parametrize(
    ("actor", "person"), [("owner", "owner"), ("manager", "manager"), ("manager", "owner")], ids=str
)
def test_nobody_removes_themselves_and_a_manager_no_owner(world, actor, person):
    with pytest.raises(Refused):
        remove(world, actor, person)
    assert world.membership(getattr(world, person)).ended_at is None


def test_nobody_changes_their_own_role_and_another_owner_changes_it(world):
    with pytest.raises(Refused):
        put_role(world, "owner", "owner", "member")
    with pytest.raises(InvalidInput):
        put_role(world, "owner", "member", "king")
    put_role(world, "owner", "manager", "owner")
    assert world.membership(world.manager).role == "owner"
    remove(world, "owner", "manager")
    assert world.membership(world.owner).role == "owner"


@pytest.mark.each_database
def test_of_two_owners_who_remove_each_other_at_once_one_stays(world):
    put_role(world, "owner", "manager", "owner")
    owners = {"owner": id_of(world, "manager"), "manager": id_of(world, "owner")}
    outcomes: list[str] = []
    barrier = threading.Barrier(2)

    def act(role: str) -> None:
        who = factories.actor(getattr(world, role), "owner", area="organisation", organisation_id=world.organisation)
        barrier.wait()
        try:
            world.database.write_as_sync(who, memberships.remove, who, owners[role], "", NOON)
            outcomes.append("removed")
        except (Refused, NotFound):
            outcomes.append("refused")

    threads = [threading.Thread(target=act, args=(role,)) for role in owners]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["refused", "removed"]


@pytest.mark.each_database
def test_of_two_who_join_as_the_same_person_at_once_one_is_new(world, monkeypatch):
    actor = world.actor("owner")
    code = world.database.write_as_sync(actor, codes.change, Tenant(world.organisation), world.contract, is_on=True)
    outcomes: list[object] = []
    looked, look = threading.Barrier(2), memberships._own

    def look_together(session, new):
        """Both have seen that there is no membership, where the database lets both look at once."""
        row = look(session, new)
        with contextlib.suppress(threading.BrokenBarrierError):
            looked.wait(0.5)
        return row

    def act() -> None:
        try:
            outcomes.append(world.as_outsider(accepting.join_by_code, code).is_new)
        except Exception as error:
            outcomes.append(error)

    monkeypatch.setattr(memberships, "_own", look_together)
    threads = [threading.Thread(target=act) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes, key=str) == [False, True]


def test_a_member_of_another_organisation_is_not_found(world):
    with world.database.write_session() as session:
        other = factories.organisation(session, "other").id
        theirs = factories.member(session, world.outsider, other).id
    who = world.actor("owner")
    for change, about in (
        (memberships.remove, ("", NOON)),
        (memberships.change_role, ("owner", "")),
        (memberships.change_team, ("Sales",)),
    ):
        with pytest.raises(NotFound):
            world.database.write_as_sync(who, change, who, theirs, *about)


@pytest.mark.each_database
def test_a_team_is_put_and_taken(world):
    who = world.actor()
    for team in (" Sales  North ", "Sales North", ""):
        world.database.write_as_sync(who, memberships.change_team, who, id_of(world, "member"), team)
    assert world.membership(world.member).team == ""
