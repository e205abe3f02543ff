"""Invitations: who may send which, how many, and how they end."""

from datetime import timedelta

import pytest

from domain import mail as domain_mail
from domain.errors import InvalidInput, NotFound, Refused
from domain.mail import MailSite
from domain.organisations.joining import closing, inviting, sending
from domain.organisations.joining import inviting as joining_inviting
from domain.organisations.joining.inviting import NewInvitation
from domain.outbox.leases import Lease
from domain.tables import Contract, Invitation, Outbox
from tests.domain.organisations.world import KEY, World, make_world
from tests.support import factories
from tests.support.factories import NOON

SITE = MailSite("Coursefront", "https://shop.test", "staff@shop.test", token_key=KEY)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def world(database) -> World:
    return make_world(database)


def resend(world: World, invitation_id: int, at) -> None:
    actor = world.actor(at=at)
    world.database.write_as_sync(actor, joining_inviting.resend, actor, invitation_id, at)


def cancel(world: World, invitation_id: int) -> None:
    actor = world.actor()
    world.database.write_as_sync(actor, closing.cancel, actor.tenant, invitation_id, NOON)


def test_a_mail_says_who_invites_and_has_the_link_that_opens_it(world):
    number = world.invite(name="Nora")
    token = world.send(number)
    with world.database.read_session() as session:
        row = session.query(Outbox).filter(Outbox.kind == "mail.invitation").one()
        mail = domain_mail.compose(session, Lease(row.id, row.kind, row.body, NOON, 1, token=""), SITE)
    about = mail.values["organisation"]
    assert (mail.to, about["inviter"], about["person"]) == ("new@example.test", "Manager P.", "Nora")
    assert about["link"] == f"https://shop.test/user-dashboard?inviteToken={token}"
    shown = world.invitation(number)
    assert (shown.sends, shown.expires_at, token in str(vars(shown))) == (1, NOON + 14 * DAY, False)


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"email": "nobody"}, "email"),
        ({"email": "Member@northwind.example"}, "email"),
        ({"role": "king"}, "role"),
        ({"role": "owner"}, "role"),
        ({"courses": ("payroll",)}, "courses"),
        ({"team": "x" * 101}, "team"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_sent(world, about, field):
    new = NewInvitation(**{"email": "new@example.test", **about})
    actor = world.actor()
    with pytest.raises(InvalidInput) as raised:
        world.database.write_as_sync(actor, joining_inviting.invite, actor, new, NOON)
    assert list(raised.value.errors) == [field]
    with world.database.read_session() as session:
        assert session.query(Invitation).count() == 0


def test_an_owner_invites_managers_and_a_course_of_the_contract_comes_with_it(world):
    shown = world.invitation(world.invite(role="owner", **{"courses": ("vat-basics",)}))
    assert (shown.role, len(shown.product_ids)) == ("member", 1)
    actor = world.actor("owner")
    new = NewInvitation("boss@example.test", role="manager")
    number = world.database.write_as_sync(actor, joining_inviting.invite, actor, new, NOON)
    assert world.invitation(number).role == "manager"


@pytest.mark.each_database
def test_one_address_has_one_open_invitation_until_it_is_closed(world):
    first = world.invite()
    with pytest.raises(InvalidInput):
        world.invite("NEW@example.test")
    cancel(world, first)
    cancel(world, first)
    second = world.invite()
    assert (world.invitation(first).state, world.invitation(second).state) == ("cancelled", "sent")
    third = world.invite(at=NOON + 15 * DAY)
    assert (world.invitation(second).state, world.invitation(third).state) == ("expired", "sent")


@pytest.mark.each_database
def test_an_address_gets_three_mails_within_two_weeks_an_hour_apart(world):
    number = world.invite()
    world.send(number)
    with pytest.raises(Refused):
        resend(world, number, NOON + timedelta(minutes=59))
    for send in (2, 3):
        at = NOON + (send - 1) * 2 * HOUR
        resend(world, number, at)
        with pytest.raises(Refused):
            resend(world, number, at)
        world.send(number, at, send)
    assert world.invitation(number).sends == 3
    with pytest.raises(Refused):
        resend(world, number, NOON + DAY)
    cancel(world, number)
    with pytest.raises(InvalidInput):
        world.invite(at=NOON + DAY)
    assert world.invite(at=NOON + 15 * DAY)


def test_a_mail_that_is_tried_again_counts_once(world):
    number = world.invite()
    assert world.send(number) == world.send(number, NOON + HOUR)
    assert (world.invitation(number).sends, world.invitation(number).sent_at) == (1, NOON)


@pytest.mark.each_database
def test_the_five_hundred_and_first_mail_of_an_hour_waits_for_the_next(world, monkeypatch):
    monkeypatch.setattr(sending, "MAX_AN_HOUR", 2)
    first, second, third = (world.invite(f"n{number}@example.test") for number in range(3))
    world.send(first)
    world.send(second, NOON + timedelta(minutes=10))
    with pytest.raises(AssertionError):
        world.send(third, NOON + timedelta(minutes=20))
    assert world.invitation(third).sends == 0
    assert world.send(third, NOON + HOUR)


def test_an_organisation_has_so_many_open_invitations_and_no_more(world, monkeypatch):
    monkeypatch.setattr(inviting, "MAX_OPEN", 1)
    world.invite()
    with pytest.raises(Refused):
        world.invite("other@example.test")


def test_without_a_running_contract_nobody_is_invited(world):
    world.change(Contract, world.contract, ends_at=NOON)
    with pytest.raises(Refused):
        world.invite()


def test_an_organisation_sees_neither_the_contracts_nor_the_invitations_of_others(world):
    number = world.invite()
    with world.database.write_session() as session:
        other = factories.organisation(session, "other").id
        theirs = factories.contract(session, other).id
    with pytest.raises(NotFound):
        world.invite("x@example.test", contract_id=theirs)
    stranger = factories.actor(world.outsider, "owner", area="organisation", organisation_id=other)
    for change, about in (
        (joining_inviting.resend, (stranger, number, NOON)),
        (closing.cancel, (stranger.tenant, number, NOON)),
    ):
        with pytest.raises(NotFound):
            world.database.write_as_sync(stranger, change, *about)
    assert world.invitation(number).state == "sent"


def test_invitations_that_nobody_answered_are_closed(world):
    number = world.invite()
    at = NOON + 14 * DAY
    assert [world.database.write_sync(closing.expire_due, at) for _ in range(2)] == [1, 0]
    assert (world.invitation(number).state, world.invitation(number).open_key) == ("expired", None)


def test_an_address_that_the_mail_server_refuses_closes_its_invitation(world):
    number = world.invite()
    lease = Lease(1, "mail.invitation", {"invitation_id": number, "v": 1}, NOON, 1, token="")
    world.database.write_sync(closing.mark_refused, lease, NOON)
    assert world.invitation(number).state == "refused"
