"""Messages of visitors are answered by mail, once each, and closed."""

import pytest
from sqlalchemy import func, select

from contracts.tasks import OutboxKind
from domain import mail as domain_mail
from domain.audit.recording import Subject
from domain.errors import InvalidInput, NotFound
from domain.mail import MailSite
from domain.outbox.leases import Lease
from domain.staff.recorded_events import subject_entries
from domain.support import messages
from domain.tables import ContactMessage, Outbox
from tests.support import factories
from tests.support.factories import NOON

SITE = MailSite("Coursefront", "https://shop.test", "staff@shop.test")


@pytest.fixture
def world(database):
    with database.write_session() as session:
        learner = factories.learner(session, name="Grace Hopper")
        message = ContactMessage(
            sent_at=NOON, name="Ada", email="ada@example.test", subject="Tax", message="A question"
        )
        session.add(message)
        session.flush()
        return database, factories.actor(learner.id), message.id


def answer(world, text: str) -> None:
    database, actor, message_id = world
    database.write_as_sync(actor, messages.answer, message_id, text, actor.learner_id, NOON)


def thread(world) -> messages.Thread:
    with world[0].read_session() as session:
        return messages.thread(session, world[2])


def queued(world) -> int:
    with world[0].read_session() as session:
        kind = Outbox.kind == str(OutboxKind.CONTACT_REPLY)
        return session.scalar(select(func.count()).select_from(Outbox).where(kind))


@pytest.mark.each_database
def test_an_answer_is_kept_with_its_author_and_sent_once(world):
    for _ in range(2):
        answer(world, "  Yes.\r\nAsk again.  ")
    found = thread(world)
    assert [(reply.author, reply.text) for reply in found.replies] == [("Grace Hopper", "Yes.\nAsk again.")]
    assert (found.message.state, queued(world)) == ("answered", 1)


def test_the_mail_quotes_the_message_and_goes_to_its_sender(world):
    answer(world, "Yes.")
    with world[0].read_session() as session:
        row = session.scalars(select(Outbox).where(Outbox.kind == str(OutboxKind.CONTACT_REPLY))).one()
        mail = domain_mail.compose(session, Lease(row.id, row.kind, row.body, NOON, 1, ""), SITE)
    assert (mail.to, mail.template) == ("ada@example.test", "contact_reply")
    assert (mail.values["reply"], mail.values["message"], mail.values["subject"]) == ("Yes.", "A question", "Tax")


@pytest.mark.parametrize("text", ["", " \n ", "x" * 5001])
def test_an_empty_or_endless_answer_is_refused_and_sends_nothing(world, text):
    with pytest.raises(InvalidInput):
        answer(world, text)
    assert (thread(world).message.state, queued(world)) == ("new", 0)


def test_a_closed_message_can_be_reopened_and_each_change_is_recorded_without_its_text(world):
    database, actor, message_id = world
    answer(world, "Yes, Ada.")
    for change in (messages.close, messages.close, messages.reopen):
        database.write_as_sync(actor, change, message_id)
    with database.read_session() as session:
        events = [
            (event.action, event.before, event.after)
            for event in subject_entries(session, Subject("message", message_id))
        ]
    assert events == [
        ("message.reopen", {"state": "closed"}, {"state": "new"}),
        ("message.close", {"state": "answered"}, {"state": "closed"}),
        ("message.answer", {"state": "new"}, {"state": "answered"}),
    ]


def test_an_unknown_message_is_not_found(world):
    database, actor, message_id = world
    with pytest.raises(NotFound):
        database.write_as_sync(actor, messages.close, message_id + 1)
