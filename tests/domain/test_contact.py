"""Messages from visitors: the rules shared with the browser, and storing one together with its mail."""

import json
from pathlib import Path

import pytest
from sqlalchemy import func, select

from domain import contact
from domain.db import Database
from domain.errors import InvalidInput
from domain.tables import ContactMessage, Outbox
from tests import agreements
from tests.agreements import cases
from tests.factories import NOON

GOOD = {"name": "Ada", "email": "ada@example.test", "subject": "Payroll", "message": "Which course comes first?"}


def errors_of(values):
    try:
        contact.checked(values)
    except InvalidInput as error:
        return error.errors
    return {}


@pytest.mark.parametrize("case", cases("contact.json", "both"))
def test_host_and_browser_ask_for_the_same(case):
    assert errors_of(case["values"]) == case["errors"]


@pytest.mark.parametrize("case", cases("contact.json", "host"))
def test_a_field_may_have_so_many_characters(case):
    field = case["field"]
    found = errors_of({**GOOD, field: "x" * case["length"]})
    assert found == ({} if case["error"] is None else {field: case["error"]})


@pytest.mark.parametrize("case", cases("contact.json", "too_many"))
def test_beyond_the_limit_people_read_when_to_go_on(case):
    assert contact.too_many(case["retry_after_s"]) == case["text"]


def test_the_limits_are_those_that_were_agreed():
    agreed = json.loads((Path(agreements.__file__).parent / "contact.json").read_text("utf-8"))
    assert (agreed["lengths"], agreed["shortest_message"]) == (contact.LENGTHS, contact.SHORTEST_MESSAGE)


def test_accepted_values_are_trimmed_and_nothing_else_is_kept():
    asked = {**{name: f"  {text}\n" for name, text in GOOD.items()}, "website": "x", "id": "7"}
    assert contact.checked(asked) == GOOD


def test_missing_fields_are_empty_ones():
    assert errors_of({}).keys() == contact.LENGTHS.keys()


def test_a_message_and_its_mail_are_stored_together(session):
    number = contact.store(session, GOOD, NOON)
    kept = session.scalars(select(ContactMessage)).one()
    assert (kept.id, kept.at) == (number, NOON)
    assert {name: getattr(kept, name) for name in GOOD} == GOOD
    mail = session.scalars(select(Outbox)).one()
    assert (mail.task, mail.body, mail.done_at) == ("mail.contact_confirmation", {"message_id": number}, None)


def test_without_its_mail_a_message_is_not_stored_either(database: Database):
    def break_off(session):
        contact.store(session, GOOD, NOON)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), database.session() as session:
        break_off(session)
    with database.reading() as session:
        assert [session.scalar(select(func.count()).select_from(one)) for one in (ContactMessage, Outbox)] == [0, 0]
