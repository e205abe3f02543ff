"""Applications of organisations: who may apply, what is asked and answered, and how they are decided."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from adapters import mail_templates
from contracts.tasks import OutboxKind
from domain import mail as domain_mail
from domain.audit.recording import Subject
from domain.database.database import Database
from domain.errors import InvalidInput, NotFound, Refused
from domain.mail import MailSite
from domain.organisations.applications import applying, deciding, working_days
from domain.organisations.applications import thread as application_thread
from domain.organisations.applications.applying import NewApplication
from domain.outbox.leases import Lease
from domain.staff.recorded_events import subject_entries
from domain.tables import Learner, Membership, Organisation, Outbox
from tests.support import factories
from tests.support.factories import NOON

SITE = MailSite("Coursefront", "https://shop.test", "staff@shop.test")
NEW = NewApplication(
    name="Northwind Foods",
    slug="northwind",
    website="https://northwind.example",
    size=120,
    domains=("northwind.example",),
    request="Food safety for 40 people, from May.",
)
WRONG = {
    "name": {"name": " x "},
    "slug": {"slug": "North wind"},
    "website": {"website": "javascript:alert(1)"},
    "size": {"size": 0},
    "domains": {"domains": ("gmail.com",)},
    "request": {"request": "Courses."},
}


@dataclass(frozen=True)
class World:
    database: Database
    applicant: int
    staff: int

    def apply(self, at: datetime = NOON, **about) -> int:
        actor = factories.actor(self.applicant, area="learner", at=at)
        return self.database.write_as_sync(actor, applying.apply, self.applicant, replace(NEW, **about), at)

    def answer(self, number: int, text: str, learner_id: int | None = None) -> None:
        who = learner_id or self.applicant
        self.database.write_as_sync(factories.actor(who, area="learner"), applying.answer, who, number, text, NOON)

    def decide(self, change, number: int, *about, **options) -> None:
        self.database.write_as_sync(factories.actor(self.staff), change, number, *about, self.staff, NOON, **options)

    def state(self, number: int) -> str:
        with self.database.read_session() as session:
            return session.get_one(Organisation, number).state

    def mails(self) -> list[tuple[str, str]]:
        """Kind and recipient of all that wait, the oldest first."""
        found = []
        with self.database.read_session() as session:
            for row in session.scalars(select(Outbox).order_by(Outbox.id)):
                lease = Lease(row.id, row.kind, row.body, row.created_at, 0, token="")
                mail = domain_mail.compose(session, lease, SITE)
                found.append((mail.template, mail.to))
        return found


@pytest.fixture
def world(database):
    with database.write_session() as session:
        applicant = factories.learner(session, name="Ada", email="ada@example.test", email_verified=True)
        staff = factories.learner(session, name="Selma", email="selma@example.test")
        return World(database, applicant.id, staff.id)


@pytest.mark.each_database
def test_an_application_is_submitted_with_the_applicant_as_owner(world):
    number = world.apply()
    with world.database.read_session() as session:
        row = session.get_one(Organisation, number)
        owner = session.scalars(select(Membership).where(Membership.organisation_id == number)).one()
        assert (row.state, row.requested_domains, row.domains) == ("submitted", ["northwind.example"], [])
        assert (owner.learner_id, owner.role) == (world.applicant, "owner")
    assert world.mails() == [("staff_application", "staff@shop.test"), ("application_received", "ada@example.test")]


@pytest.mark.parametrize("field", WRONG)
def test_a_wrong_field_is_named_and_nothing_is_stored(world, field):
    with pytest.raises(InvalidInput) as raised:
        world.apply(**WRONG[field])
    assert list(raised.value.errors) == [field]
    assert world.mails() == []


@pytest.mark.each_database
def test_a_short_name_belongs_to_one_organisation(world):
    world.apply()
    with pytest.raises(InvalidInput) as raised:
        world.apply()
    assert list(raised.value.errors) == ["slug"]


def test_nobody_applies_without_a_verified_address_or_more_than_three_times_a_day(world):
    for number in range(3):
        world.apply(slug=f"northwind-{number}")
    with pytest.raises(Refused):
        world.apply(slug="northwind-4")
    assert world.apply(NOON + timedelta(days=1), slug="northwind-4")
    with world.database.write_session() as session:
        session.get_one(Learner, world.applicant).email_verified = False
    with pytest.raises(Refused):
        world.apply(NOON + timedelta(days=9), slug="northwind-5")


def test_it_is_asked_answered_and_approved_each_step_by_mail(world):
    number = world.apply()
    world.decide(deciding.ask, number, "Which sites?")
    assert world.state(number) == "information"
    world.answer(number, "Oslo and Bergen.")
    assert world.state(number) == "submitted"
    world.decide(deciding.approve, number, has_domains=True)
    assert world.state(number) == "approved"
    assert [kind for kind, _ in world.mails()[2:]] == [
        "application_question",
        "staff_application",
        "application_approved",
    ]
    with world.database.read_session() as session:
        shown = application_thread.thread_of(session, number)
        assert [(message.is_staff, message.text) for message in shown.messages] == [
            (True, "Which sites?"),
            (False, "Oslo and Bergen."),
        ]
        assert (shown.domains, shown.requested_domains) == (("northwind.example",), ())
        actions = [entry.action for entry in subject_entries(session, Subject("organisation", number))]
        assert sorted(actions) == [
            "organisation.answer",
            "organisation.apply",
            "organisation.approve",
            "organisation.ask",
        ]


def test_a_declined_one_is_changed_and_sent_again_by_its_applicant_alone(world):
    number = world.apply()
    world.decide(deciding.decline, number, "We need a real website.")
    for change in (deciding.ask, deciding.decline):
        with pytest.raises(Refused):
            world.decide(change, number, "Once more")
    stranger = factories.actor(world.staff, area="learner")
    changed = replace(NEW, website="https://www.northwind.example")
    with pytest.raises(NotFound):
        world.database.write_as_sync(stranger, applying.resubmit, world.staff, number, changed, NOON)
    actor = factories.actor(world.applicant, area="learner")
    world.database.write_as_sync(actor, applying.resubmit, world.applicant, number, changed, NOON)
    assert world.state(number) == "submitted"
    with pytest.raises(Refused):
        world.database.write_as_sync(actor, applying.resubmit, world.applicant, number, changed, NOON)


def test_others_can_neither_answer_nor_read_an_application(world):
    number = world.apply()
    with pytest.raises(NotFound):
        world.answer(number, "Hello", world.staff)
    with world.database.read_session() as session:
        assert application_thread.newest_of(session, world.staff, None) is None
        with pytest.raises(NotFound):
            application_thread.newest_of(session, world.staff, number)
        assert application_thread.newest_of(session, world.applicant, None).id == number


def test_the_promise_counts_from_the_last_word_of_the_applicant(world):
    number = world.apply(NOON - timedelta(days=7))
    with world.database.read_session() as session:
        assert application_thread.thread_of(session, number).due_at < NOON
    world.decide(deciding.ask, number, "Which sites?")
    with world.database.read_session() as session:
        assert application_thread.thread_of(session, number).due_at is None
    world.answer(number, "Oslo")
    with world.database.read_session() as session:
        assert application_thread.thread_of(session, number).due_at == working_days.due_at(NOON)


def test_every_kind_of_mail_about_an_application_has_its_template():
    about = {"name": "Northwind", "text": "Why", "due": "May 4", "link": "https://x.test"}
    for kind in (kind for kind in OutboxKind if "application" in kind):
        rendered = mail_templates.render(kind.partition(".")[2], {"site": SITE, "organisation": about})
        assert "Northwind" in rendered.subject
        assert "https://x.test" in rendered.text
