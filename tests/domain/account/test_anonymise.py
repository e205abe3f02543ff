"""A deleted account leaves nothing that identifies the person, also where something could not be done."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from contracts.payloads import VisitBatch, encode
from domain.account.anonymise import anonymise_account
from domain.orders.settings import Context
from domain.outbox.outbox_rows import ERASED
from domain.tables import DeadLetter, Outbox, Visit
from domain.visits import dead_letters
from domain.visits.visits import NewVisit
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database


@pytest.fixture
def learner(session) -> int:
    return factories.learner(session, email="ada@example.test").id


def visit(number: int, **about) -> dict:
    event = f"00000000-0000-4000-8000-{number:012}"
    found = NewVisit(event, NOON.isoformat(), session_id="s-1", address="192.0.2.0/24", url=f"/shop?n={number}")
    return found.as_dict() | about


def add_letter(session, body) -> DeadLetter:
    letter = DeadLetter(failed_at=NOON, task="visits.store", body=body, error="TypeError: of learner 7")
    session.add(letter)
    session.flush()
    return letter


@pytest.mark.parametrize("field", ["learner_id", "claimed_id"])
def test_a_dead_letter_no_longer_names_the_learner_and_can_still_be_replayed(session, learner, field):
    letter = add_letter(session, visit(1, **{field: learner}))
    anonymise_account(session, learner, "ada@example.test", Context(NOON))
    assert letter.error == "TypeError"
    assert dead_letters.replay(session, None, NOON).stored == 1
    (stored,) = session.scalars(select(Visit))
    assert (stored.url, stored.learner_id, stored.claimed_id, stored.session_id, stored.address) == (
        "/shop?n=1",
        None,
        None,
        "",
        "",
    )


def test_in_a_batch_only_the_visits_of_the_learner_change(session, learner):
    other = visit(2, learner_id=learner * 10)
    letter = add_letter(session, encode(VisitBatch(rows=[visit(1, learner_id=learner), other, "nonsense"])))
    anonymise_account(session, learner, "ada@example.test", Context(NOON))
    mine, *rest = letter.body["rows"]
    assert (mine["learner_id"], mine["address"], mine["url"]) == (None, "", "/shop?n=1")
    assert rest == [other, "nonsense"]


def test_letters_of_others_stay_as_they_are(session, learner):
    letter = add_letter(session, visit(1, learner_id=learner * 10, url=f'/x?"learner_id": {learner}'))
    before = dict(letter.body)
    anonymise_account(session, learner, "ada@example.test", Context(NOON))
    assert (letter.body, letter.error) == (before, "TypeError: of learner 7")


def test_the_error_of_a_mail_no_longer_names_the_address(session, learner):
    errors = ["550 <Ada@example.test> is unknown", "550 <eve@example.test> is unknown", None]
    for error in errors:
        at = {"created_at": NOON, "dead_at": NOON + timedelta(hours=1)}
        session.add(Outbox(topic="mail", kind="mail.contact_confirmation", body={}, attempts=1, error=error, **at))
    session.flush()
    anonymise_account(session, learner, "ada@example.test", Context(NOON))
    session.expire_all()
    assert list(session.scalars(select(Outbox.error).order_by(Outbox.id))) == [ERASED, *errors[1:]]
