"""What staff see of the events: filtered, the newest first, with names."""

from datetime import timedelta

import pytest

from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.list_page import ListQuery, read_list_page
from domain.errors import NotFound
from domain.permissions import SystemActor
from domain.staff import recorded_events as events
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database


@pytest.fixture
def world(session):
    ada = factories.learner(session, name="Ada")
    organisation = factories.organisation(session)
    of_ada, tomorrow = factories.actor(ada.id), factories.actor(ada.id, at=NOON + timedelta(days=1))
    command = SystemActor("command", NOON)
    for actor, action, subject in (
        (of_ada, "course.publish", Subject("course", 1)),
        (command, "staff.add", Subject("staff", ada.id)),
        (tomorrow, "course.publish", Subject("course", 12)),
        (tomorrow, "coursework.open", Subject("order", "A_1")),
    ):
        recording.run(session, actor, recording.record, action, subject, organisation_id=organisation.id)
    return ada


FILTERS: dict[str, tuple[dict[str, str], list[int]]] = {
    "all": ({}, [4, 3, 2, 1]),
    "a command": ({"actor": "command"}, [2]),
    "nobody": ({"actor": "S-0000-0000"}, []),
    "an action": ({"action": "course.publish"}, [3, 1]),
    "actions of a noun": ({"action": "Course"}, [3, 1]),
    "a kind of subject": ({"subject": "course"}, [3, 1]),
    "one subject": ({"subject": "course 1"}, [1]),
    "a code": ({"subject": "order:A_1"}, [4]),
    "days": ({"since": "2026-03-02", "until": "2026-03-02"}, [4, 3]),
    "until a day": ({"until": "2026-03-01", "action": "course"}, [1]),
}


def test_events_are_filtered_and_the_newest_comes_first(session, world):
    pages = {
        name: read_list_page(session, events.EVENTS, ListQuery(size=10, filters=filters))
        for name, (filters, _) in FILTERS.items()
    }
    assert {name: page.keys for name, page in pages.items()} == {name: found for name, (_, found) in FILTERS.items()}
    theirs = read_list_page(session, events.EVENTS, ListQuery(size=1, filters={"actor": world.student_number.upper()}))
    assert (theirs.keys, theirs.total, theirs.has_older) == ([4], 3, True)


def test_an_event_names_who_acted_and_whose_it_is(session, world):
    first, second = events.entry(session, 1), events.entry(session, 2)
    assert (first.actor, first.actor_number) == ("Ada", world.student_number.upper())
    assert (first.organisation, first.subject) == ("Northwind", Subject("course", "1"))
    assert (second.actor, second.actor_number, second.area) == (None, None, "command")
    with pytest.raises(NotFound):
        events.entry(session, 5)


def test_an_event_names_what_it_is_about_but_no_person(session):
    category, ada = factories.category(session), factories.learner(session)
    named = {
        "course": (factories.course(session, category.id, name="Payroll Basics").id, "Payroll Basics"),
        "coupon": (factories.coupon(session).id, "SPRING"),
        "category": (category.id, "Tax"),
        "organisation": (factories.organisation(session).id, "Northwind"),
        "learner": (ada.id, None),
        "order": ("BADECUFIGOHAKELIMONU", None),
        "item": (99, None),
    }
    for kind, (subject_id, _) in named.items():
        recording.run(session, factories.actor(ada.id), recording.record, f"{kind}.create", Subject(kind, subject_id))
    shown = [events.entry(session, number) for number in range(1, len(named) + 1)]
    assert [entry.subject_name for entry in shown] == [name for _, name in named.values()]
    assert [entry.text for entry in shown[:2]] == ["Created course “Payroll Basics”", "Created coupon “SPRING”"]


def test_a_subject_has_its_newest_events(session, world):
    recording.run(session, factories.actor(world.id), recording.record, "course.retire", Subject("course", 1))
    found = [(entry.number, entry.action) for entry in events.subject_entries(session, Subject("course", 1))]
    assert found == [(5, "course.retire"), (1, "course.publish")]
