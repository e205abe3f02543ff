"""Messages from visitors: the rules shared with the browser, and storing one together with its mail."""

import json

import pytest
from sqlalchemy import func, select

from config.settings import ROOT
from domain import contact
from domain.database.database import Database
from domain.errors import InvalidInput
from domain.tables import ContactMessage, Outbox
from tests.support.agreement_cases import cases
from tests.support.factories import NOON

GOOD = {"name": "Ada", "email": "ada@example.test", "subject": "Payroll", "message": "Which course comes first?"}


def errors_of(values):
    try:
        contact.validate(values)
    except InvalidInput as error:
        return error.errors
    return {}


@pytest.mark.parametrize("case", cases("contact.json", "both"))
def test_host_and_browser_report_the_same_errors(case):
    assert errors_of(case["values"]) == case["errors"]


@pytest.mark.parametrize("case", cases("contact.json", "host"))
def test_a_field_has_a_maximum_length(case):
    field = case["field"]
    errors = errors_of({**GOOD, field: "x" * case["length"]})
    assert errors == ({} if case["error"] is None else {field: case["error"]})


@pytest.mark.parametrize("case", cases("contact.json", "addresses"))
def test_the_host_refuses_addresses_that_no_mail_server_takes(case):
    asked = {} if case["accepted"] else {"email": "Enter an email address in the form name@example.com."}
    assert errors_of({**GOOD, "email": case["name"]}) == asked


@pytest.mark.parametrize("case", cases("contact.json", "too_many"))
def test_the_error_beyond_the_limit_says_when_to_try_again(case):
    assert contact.limit_exceeded(case["retry_after_s"]) == case["text"]


def test_the_limits_are_those_of_the_contract():
    contract = json.loads((ROOT / "contracts" / "cases" / "contact.json").read_text("utf-8"))
    assert (contract["lengths"], contract["shortest_message"]) == (contact.LENGTHS, contact.MIN_MESSAGE_LENGTH)


def test_accepted_values_are_trimmed_and_other_fields_dropped():
    values = {**{name: f"  {text}\n" for name, text in GOOD.items()}, "website": "x", "id": "7"}
    assert contact.validate(values) == GOOD


def test_missing_fields_count_as_empty():
    assert errors_of({}).keys() == contact.LENGTHS.keys()


@pytest.mark.each_database
def test_a_message_and_its_mail_are_stored_together(session):
    number = contact.store_message(session, GOOD, NOON)
    message = session.scalars(select(ContactMessage)).one()
    assert (message.id, message.sent_at) == (number, NOON)
    assert {name: getattr(message, name) for name in GOOD} == GOOD
    mail = session.scalars(select(Outbox)).one()
    assert (mail.topic, mail.kind, mail.body) == ("mail", "mail.contact_confirmation", {"message_id": number, "v": 1})
    assert (mail.attempts, mail.next_at, mail.done_at) == (0, NOON, None)


def test_a_message_is_not_stored_without_its_mail(database: Database):
    def store_and_fail(session):
        contact.store_message(session, GOOD, NOON)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), database.write_session() as session:
        store_and_fail(session)
    with database.read_session() as session:
        assert [session.scalar(select(func.count()).select_from(table)) for table in (ContactMessage, Outbox)] == [0, 0]
