"""Grave changes by staff: another administrator confirms them, each step is recorded, and each is made once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import select

from adapters import mail_templates
from contracts.tasks import OutboxKind
from domain import mail
from domain.audit import recording
from domain.database.database import Database
from domain.errors import Conflict, InvalidInput, NotFound, Refused
from domain.identity.roles import roles_of
from domain.mail import MailSite
from domain.orders.settings import DEFAULT_SETTINGS, Context
from domain.outbox.leases import Lease
from domain.permissions import SystemActor
from domain.staff import confirmations, overview, pending_list, roles
from domain.staff.confirmations import WAITS, ConfirmedChange, GraveRequest, OwnChange, Waiting
from domain.staff.overview import WaitingCount
from domain.staff.roles import OwnRoles, RoleChange
from domain.support.learners import account
from domain.tables import AuditEvent, Learner, Outbox, PendingAction
from tests.support import factories
from tests.support.factories import NOON

LATER = NOON + timedelta(hours=1)
SITE = MailSite("Meridian", "https://shop.example", "staff@shop.example")


@pytest.fixture
def people(session):
    """Two administrators, and somebody without a role."""
    found = {name: factories.learner(session, name=name).id for name in ("Ada", "Grace", "Eve")}
    for name in ("Ada", "Grace"):
        factories.staff(session, found[name], "administrator")
    return found


def act(session, by: int, work: Callable, *about, at=NOON):
    return recording.run(session, factories.actor(by, at=at), work, *about)


def give(session, by: int, learner_id: int, at=NOON, reason="Joined the team"):
    return act(session, by, roles.give_by_staff, RoleChange(learner_id, "administrator", by, at, reason), at=at)


def confirm(session, by: int, number: int, at=LATER):
    return act(session, by, confirmations.confirm, number, factories.actor(by, at=at), None, at=at)


def recorded(session):
    events = session.scalars(select(AuditEvent).order_by(AuditEvent.number))
    return [(event.action, event.actor_id, event.subject_type, event.reason) for event in events]


def state(session, number: int) -> str:
    return session.get_one(PendingAction, number, populate_existing=True).state


@pytest.mark.each_database
def test_it_waits_until_another_administrator_confirms_it(session, people):
    waiting = give(session, people["Ada"], people["Eve"])
    assert waiting == Waiting(waiting.number, NOON + WAITS)
    assert roles_of(session, people["Eve"]) == ()
    assert confirm(session, people["Grace"], waiting.number) == ConfirmedChange()
    assert roles_of(session, people["Eve"]) == ("administrator",)
    assert recorded(session) == [
        ("confirmation.ask", people["Ada"], "staff", "Joined the team"),
        ("staff.add", people["Grace"], "staff", "Joined the team"),
        ("confirmation.confirm", people["Grace"], "staff", "Joined the team"),
    ]
    row = pending_list.pending(session, waiting.number)
    assert (row.text, row.state, row.requester, row.decider) == (
        "Make Eve an administrator",
        "confirmed",
        "Ada",
        "Grace",
    )


def test_the_others_are_told_by_mail_and_on_their_first_page(session, people):
    third = factories.learner(session, name="Linus").id
    factories.staff(session, third, "administrator")
    waiting = give(session, people["Ada"], people["Eve"])
    rows = session.scalars(select(Outbox).order_by(Outbox.id)).all()
    assert [row.kind for row in rows] == ["mail.staff_confirmation"] * 2
    lease = Lease(7, str(OutboxKind.STAFF_CONFIRMATION), rows[0].body, NOON, 1, "token")
    outgoing = mail.compose(session, lease, SITE)
    text = mail_templates.render(outgoing.template, outgoing.values).text
    assert outgoing.to == "grace@example.test"
    assert "Ada asks you to confirm: Make Eve an administrator\n\nWhy: Joined the team\n" in text
    assert f"https://shop.example/adminlogin?returnTo=/admin/confirmations/{waiting.number}\n" in text
    counts = {
        name: overview.waiting(session, overview.KINDS["confirmations"][:1], LATER, people[name]) for name in people
    }
    assert counts["Ada"] == []
    assert counts["Grace"] == [WaitingCount("confirmations", 1)]
    act(session, people["Ada"], confirmations.withdraw, waiting.number, factories.actor(people["Ada"]))
    assert mail.compose(session, lease, SITE) is None
    assert overview.waiting(session, overview.KINDS["confirmations"][:1], LATER, people["Grace"]) == []


def test_one_administrator_alone_makes_it_at_once_and_that_is_recorded(session, people):
    factories.staff(session, people["Grace"], "finance")
    assert give(session, people["Ada"], people["Eve"]) is True
    assert roles_of(session, people["Eve"]) == ("administrator",)
    assert [action for action, *_ in recorded(session)] == ["staff.add", "confirmation.skip"]
    assert session.scalars(select(PendingAction)).all() == []


def test_other_roles_and_what_is_so_already_wait_for_nobody(session, people):
    change = RoleChange(people["Eve"], "editor", people["Ada"], NOON, "Joined")
    assert act(session, people["Ada"], roles.give_by_staff, change) is True
    assert give(session, people["Ada"], people["Grace"]) is False
    assert session.scalars(select(PendingAction)).all() == []


def test_nobody_confirms_or_refuses_their_own_and_nobody_withdraws_anothers(session, people):
    number = give(session, people["Ada"], people["Eve"]).number
    with pytest.raises(OwnChange, match="Nobody confirms what they have asked for"):
        confirm(session, people["Ada"], number)
    with pytest.raises(OwnChange):
        act(session, people["Ada"], confirmations.refuse, number, "No", factories.actor(people["Ada"]))
    with pytest.raises(OwnChange, match="Only who has asked for it"):
        act(session, people["Grace"], confirmations.withdraw, number, factories.actor(people["Grace"]))
    with pytest.raises(NotFound):
        confirm(session, people["Grace"], number + 1)
    assert (state(session, number), roles_of(session, people["Eve"])) == ("waiting", ())


def test_it_is_refused_with_a_reason_that_who_asked_for_it_reads(session, people):
    number = give(session, people["Ada"], people["Eve"]).number
    grace = factories.actor(people["Grace"], at=LATER)
    with pytest.raises(InvalidInput):
        act(session, people["Grace"], confirmations.refuse, number, " ", grace)
    act(session, people["Grace"], confirmations.refuse, number, "Nobody told me.", grace)
    row = pending_list.pending(session, number)
    assert (row.state, row.answer, recorded(session)[-1][0]) == ("refused", "Nobody told me.", "confirmation.refuse")
    with pytest.raises(Conflict, match="Grace has refused it on"):
        confirm(session, people["Grace"], number)
    assert roles_of(session, people["Eve"]) == ()


def test_the_same_is_asked_for_once_and_again_after_its_time(session, people):
    first = give(session, people["Ada"], people["Eve"])
    with pytest.raises(Conflict, match="Ada has asked for the same on"):
        give(session, people["Grace"], people["Eve"])
    over = NOON + WAITS
    with pytest.raises(Conflict, match="Its time was over"):
        confirm(session, people["Grace"], first.number, at=over)
    assert confirmations.expired(session, over - timedelta(seconds=1)) == []
    second = give(session, people["Grace"], people["Eve"], at=over)
    assert (state(session, first.number), state(session, second.number)) == ("expired", "waiting")
    assert confirmations.expired(session, over + WAITS) == [second.number]
    run = [
        recording.run(session, SystemActor("system", over + WAITS), confirmations.expire, second.number, over + WAITS)
    ]
    run += [
        recording.run(session, SystemActor("system", over + WAITS), confirmations.expire, second.number, over + WAITS)
    ]
    assert (run, state(session, second.number)) == ([True, False], "expired")
    assert [action for action, *_ in recorded(session)].count("confirmation.expire") == 2


def test_a_role_that_was_lost_meanwhile_counts_no_more(session, people):
    number = give(session, people["Ada"], people["Eve"]).number
    factories.staff(session, people["Ada"], "finance")
    with pytest.raises(Conflict, match="Ada has asked for it and may not do it any more"):
        confirm(session, people["Grace"], number)
    session.rollback()


def test_who_is_no_administrator_any_more_confirms_nothing(session, people):
    number = give(session, people["Ada"], people["Eve"]).number
    factories.staff(session, people["Grace"], "finance")
    with pytest.raises(Refused, match=r"staff\.write"):
        confirm(session, people["Grace"], number)
    assert roles_of(session, people["Eve"]) == ()


def test_what_has_changed_since_is_not_confirmed(session, people):
    number = give(session, people["Ada"], people["Eve"]).number
    factories.staff(session, people["Eve"], "editor")
    with pytest.raises(Conflict, match="has changed since it was asked for"):
        confirm(session, people["Grace"], number)
    assert roles_of(session, people["Eve"]) == ("editor",)


def test_what_nobody_may_do_is_refused_before_it_waits(session, people):
    with pytest.raises(OwnRoles):
        act(
            session,
            people["Ada"],
            roles.take_by_staff,
            RoleChange(people["Ada"], "administrator", people["Ada"], NOON, "x"),
        )
    with pytest.raises(NotFound, match="There is no such person"):
        give(session, people["Ada"], 987654)
    with pytest.raises(InvalidInput):
        give(session, people["Ada"], people["Eve"], reason=" ")
    assert (session.scalars(select(PendingAction)).all(), recorded(session)) == ([], [])


def test_a_role_is_taken_when_its_holder_or_another_administrator_agrees(session, people):
    change = RoleChange(people["Grace"], "administrator", people["Ada"], NOON, "Left")
    number = act(session, people["Ada"], roles.take_by_staff, change).number
    assert roles_of(session, people["Grace"]) == ("administrator",)
    confirm(session, people["Grace"], number)
    assert roles_of(session, people["Grace"]) == ()


def erase(session, people, confirm="eve@example.test"):
    wanted = GraveRequest(
        "learner.erase", people["Eve"], people["Ada"], NOON, "At her wish", {"keeps_certificates": False}
    )
    return act(session, people["Ada"], account.ask_to_erase, wanted, confirm, Context(NOON, DEFAULT_SETTINGS))


def confirm_erasing(session, by: int, number: int):
    actor = factories.actor(by, at=LATER)
    return act(session, by, confirmations.confirm, number, actor, Context(LATER, DEFAULT_SETTINGS))


def test_an_account_is_deleted_when_it_is_confirmed(session, people):
    with pytest.raises(InvalidInput):
        erase(session, people, "ada@example.test")
    number = erase(session, people).number
    assert session.get_one(Learner, people["Eve"]).email == "eve@example.test"
    confirm_erasing(session, people["Grace"], number)
    assert session.get_one(Learner, people["Eve"], populate_existing=True).email == ""
    assert [action for action, *_ in recorded(session)] == ["confirmation.ask", "learner.erase", "confirmation.confirm"]
    assert all(event.after is None or "eve" not in str(event.after) for event in session.scalars(select(AuditEvent)))


def test_an_account_with_another_address_or_deleted_meanwhile_is_not_deleted(session, people):
    number = erase(session, people).number
    session.get_one(Learner, people["Eve"]).email = "other@example.test"
    session.flush()
    with pytest.raises(Conflict, match="has changed since it was asked for"):
        confirm_erasing(session, people["Grace"], number)
    assert session.get_one(Learner, people["Eve"], populate_existing=True).email == "other@example.test"


@pytest.mark.each_database
def test_of_two_who_decide_at_once_one_does(database: Database):
    with database.write_session() as session:
        found = {name: factories.learner(session, name=name).id for name in ("Ada", "Grace", "Linus", "Eve")}
        for name in ("Ada", "Grace", "Linus"):
            factories.staff(session, found[name], "administrator")
        number = give(session, found["Ada"], found["Eve"]).number
    gate = Barrier(2)

    def decide(name: str) -> str:
        actor = factories.actor(found[name], at=LATER)
        gate.wait()
        try:
            database.write_as_sync(actor, confirmations.confirm, number, actor, None)
        except Conflict as conflict:
            return str(conflict)
        return name

    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(decide, ("Grace", "Linus")))
    (won,) = [answer for answer in answers if answer in found]
    (second,) = [answer for answer in answers if answer not in found]
    assert second.startswith(f"{won} has confirmed it on")
    with database.read_session() as session:
        actions = [event.action for event in session.scalars(select(AuditEvent).order_by(AuditEvent.number))]
        assert (roles_of(session, found["Eve"]), actions) == (
            ("administrator",),
            ["confirmation.ask", "staff.add", "confirmation.confirm"],
        )
