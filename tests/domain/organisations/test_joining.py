"""The four ways into an organisation, and that nothing else leads in."""

from datetime import timedelta

import pytest

from domain.errors import NotFound
from domain.organisations.joining import accepting, codes
from domain.organisations.joining.accepting import UNKNOWN, Joined
from domain.organisations.joining.offers import Offers
from domain.permissions import Tenant
from domain.tables import Contract, Learner, Organisation
from tests.domain.organisations.world import World, make_world
from tests.support import factories
from tests.support.factories import NOON

DAY = timedelta(days=1)


@pytest.fixture
def world(database) -> World:
    return make_world(database)


def new_code(world: World) -> str:
    actor = world.actor("owner")
    change = codes.change
    return world.database.write_as_sync(actor, change, Tenant(world.organisation), world.contract, is_on=True)


def decline(world: World, number: int, token: str) -> None:
    actor = factories.actor(world.outsider, area="learner")
    world.database.write_as_sync(actor, accepting.decline, world.outsider, number, token, NOON)


def test_an_invitation_is_accepted_with_its_link_and_again_it_changes_nothing(world):
    number = world.invite(team="Sales")
    token = world.send(number)
    offer = world.offers(token=token).offers[0]
    assert (offer.kind, offer.invitation_id, offer.role, offer.team) == ("invitation", number, "member", "Sales")
    assert world.as_outsider(accepting.accept, number, token) == Joined("Northwind", is_new=True)
    own = world.membership(world.outsider)
    assert (own.role, own.team, own.ended_at, own.shares_progress) == ("member", "Sales", None, False)
    assert world.as_outsider(accepting.accept, number, token) == Joined("Northwind", is_new=False)
    assert world.invitation(number).state == "accepted"
    assert world.offers(token=token) == Offers((), has_unknown_link=True)


def test_an_invitation_to_ones_own_verified_address_needs_no_link(world):
    number = world.invite("Nora@example.test")
    assert [offer.invitation_id for offer in world.offers().offers] == [number]
    assert world.as_outsider(accepting.accept, number, "").is_new


def test_an_address_that_is_not_verified_is_offered_nothing_and_opens_nothing(world):
    number = world.invite("nora@example.test")
    world.change(Learner, world.outsider, email_verified=False)
    assert world.offers().offers == ()
    with pytest.raises(NotFound):
        world.as_outsider(accepting.accept, number, "")


@pytest.mark.each_database
@pytest.mark.parametrize("token", ["", "wrong", "x" * 300])
def test_an_invitation_of_others_is_not_found_whatever_the_token(world, token):
    number = world.invite()
    world.send(number)
    for change in (accepting.accept,):
        with pytest.raises(NotFound, match=UNKNOWN):
            world.as_outsider(change, number, token)
    with pytest.raises(NotFound, match=UNKNOWN):
        decline(world, number, token)
    assert (world.invitation(number).state, world.membership(world.outsider)) == ("sent", None)


def test_what_is_declined_cancelled_or_too_old_opens_nothing(world):
    number = world.invite()
    token = world.send(number)
    with pytest.raises(NotFound):
        world.as_outsider(accepting.accept, number, token, at=NOON + 14 * DAY)
    decline(world, number, token)
    assert world.invitation(number).state == "declined"
    with pytest.raises(NotFound):
        world.as_outsider(accepting.accept, number, token)


@pytest.mark.each_database
def test_a_code_is_counted_and_a_new_one_ends_it(world):
    code = new_code(world)
    assert len(code) == 12
    typed = codes.shown(code).lower()
    assert [offer.kind for offer in world.offers(code=typed).offers] == ["code"]
    assert [world.as_outsider(accepting.join_by_code, typed).is_new for _ in range(2)] == [True, False]
    with world.database.read_session() as session:
        assert session.get_one(Contract, world.contract).join_code_uses == 1
    assert new_code(world) != code
    for wrong in (code, "", "ABC", "A" * 12):
        with pytest.raises(NotFound, match=UNKNOWN):
            world.as_outsider(accepting.join_by_code, wrong)


@pytest.mark.each_database
def test_the_exact_domain_of_a_verified_address_leads_in_where_a_contract_says_so(world):
    world.change(Learner, world.outsider, email="nora@northwind.example")
    assert world.offers().offers == ()
    world.change(Contract, world.contract, join_policy="domain")
    assert [offer.kind for offer in world.offers().offers] == ["domain"]
    for address in ("nora@sub.northwind.example", "nora@xnorthwind.example", "nora@northwind.example.test"):
        world.change(Learner, world.outsider, email=address)
        assert world.offers().offers == ()
        with pytest.raises(NotFound):
            world.as_outsider(accepting.join_by_domain, world.organisation)
    world.change(Learner, world.outsider, email="nora@northwind.example")
    assert world.as_outsider(accepting.join_by_domain, world.organisation).is_new
    assert world.offers().offers == ()


def test_a_public_mail_host_leads_nowhere_even_if_it_was_approved(world):
    world.change(Organisation, world.organisation, domains=["gmail.com"])
    world.change(Contract, world.contract, join_policy="domain")
    world.change(Learner, world.outsider, email="nora@gmail.com")
    assert world.offers().offers == ()
    with pytest.raises(NotFound):
        world.as_outsider(accepting.join_by_domain, world.organisation)


@pytest.mark.parametrize("about", [{"state": "declined"}, {"state": "submitted"}])
def test_an_organisation_that_is_not_approved_is_not_joined(world, about):
    number = world.invite("nora@example.test")
    code = new_code(world)
    world.change(Organisation, world.organisation, **about)
    assert world.offers(code=code) == Offers((), has_unknown_link=True)
    for change, key in ((accepting.accept, (number, "")), (accepting.join_by_code, (code,))):
        with pytest.raises(NotFound):
            world.as_outsider(change, *key)


def test_the_card_tells_what_is_shared_and_restricted_and_both_come_true(world):
    world.change(Contract, world.contract, shows_names=True, is_restricted=True)
    number = world.invite("nora@example.test")
    [offer] = world.offers().offers
    assert (offer.shows_names, offer.is_restricted) == (True, True)
    world.as_outsider(accepting.accept, number, "", shares=True)
    own = world.membership(world.outsider)
    assert (own.shares_progress, own.is_restricted) == (True, True)


def test_nothing_is_shared_where_the_contract_shows_no_names(world):
    number = world.invite("nora@example.test")
    world.as_outsider(accepting.accept, number, "", shares=True)
    assert world.membership(world.outsider).shares_progress is False
