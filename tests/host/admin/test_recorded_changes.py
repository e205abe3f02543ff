"""Calls of staff and organisations change nothing without an event, and no event says who somebody is."""

import inspect
import re
import sys
from typing import Any

import pytest
from sqlalchemy import delete
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.database import database_url
from domain.tables import ContactMessage, Invitation
from host.api.registry import CALLS
from tests.host.recorded_values import personal_values
from tests.host.signing import learner
from tests.host.site import Site
from tests.support import factories
from tests.support.factories import NOON

# `write_as` and `write_as_sync` refuse to commit what was not recorded.
UNRECORDED = re.compile(r"\.write(?:_sync|_session)?\(")
# Parts of a file, and what is only read: nothing that an event could be about.
NOT_CHANGES: set[str] = set()


async def test_no_module_of_calls_of_an_area_writes_without_an_event():
    """What is written otherwise by a handler would leave none."""
    calls = [call for call in CALLS.values() if call.policy.area is not None and call.method != "GET"]
    modules = {call.handler.__module__ for call in calls}
    assert len(modules) > 25
    found = {name for name in modules if UNRECORDED.search(inspect.getsource(sys.modules[name]))}
    assert found == NOT_CHANGES


def found_in(site: Site) -> list[str]:
    return personal_values(database_url(site.settings.database, site.settings.var_dir))


def rename(site: Site, learner_id: int) -> None:
    """Every site is checked at its end."""
    with site.db.write_session() as session:
        row = session.get_one(factories.Learner, learner_id)
        row.name, row.email, row.student_number = "Somebody Else", "nobody@example.test", "renamed"


NAMING: dict[str, dict[str, Any]] = {
    "a field that is not known as personal": {"after": {"title": "For Ada Lovelace"}},
    "a reason": {"reason": "Ada Lovelace asked for it by telephone."},
    "what it is about": {"subject": Subject("course", "ada lovelace")},
}


@pytest.mark.parametrize("about", NAMING.values(), ids=NAMING)
async def test_an_event_that_names_somebody_is_found(each_site, about):
    """The negative control of the check at the end of every site."""
    ada = learner(each_site, "Ada Lovelace", area="admin", roles=["administrator"])
    actor, course = factories.actor(ada.id), Subject("course", 1)
    for entry in ({"after": {"title": "Payroll"}}, about):
        values = {"subject": course, **entry}
        each_site.db.write_as_sync(actor, recording.record, "course.edit", values.pop("subject"), **values)
    found = found_in(each_site)
    rename(each_site, ada.id)
    assert (found, found_in(each_site)) == (["course.edit: ada lovelace"], [])


FOUND = {"For Zo\u00eb Lovelace.": True, "ZO\u00cb LOVELACE": True, "Zo\u00eb Lovelaces": False, "zo\u00eb": False}


@pytest.mark.parametrize("title", FOUND)
async def test_a_name_is_found_in_values_as_whole_words(open_site, title):
    site = await open_site()
    ada = learner(site, "Zo\u00eb Lovelace", area="admin", roles=["administrator"])
    after = {"parts": [{"title": title}]}
    site.db.write_as_sync(factories.actor(ada.id), recording.record, "course.edit", Subject("course", 1), after=after)
    found = found_in(site)
    rename(site, ada.id)
    assert found == ["course.edit: zo\u00eb lovelace"] * FOUND[title]


async def test_names_of_fields_are_nobody(open_site):
    site = await open_site()
    ada = learner(site, "Support", area="admin", roles=["administrator"])
    actor, after = factories.actor(ada.id), {"support": "none", "parts": {"support": 1}}
    site.db.write_as_sync(actor, recording.record, "course.edit", Subject("course", 1), after=after)
    assert found_in(site) == []


def _invitation(session: Session) -> Invitation:
    own = factories.organisation(session)
    about = {"organisation_id": own.id, "contract_id": factories.contract(session, own.id).id}
    return Invitation(**about, email_key="ines@own.example", sent_at=NOON, expires_at=NOON)


def _message(_session: Session) -> ContactMessage:
    return ContactMessage(sent_at=NOON, name="Ines", email="Ines@own.example", subject="", message="")


@pytest.mark.parametrize("make", [_invitation, _message])
@pytest.mark.each_database
async def test_the_address_of_somebody_without_an_account_is_found_like_that_of_an_account(each_site, make):
    ada = learner(each_site, "Ada Lovelace", area="admin", roles=["administrator"])
    with each_site.db.write_session() as session:
        row = make(session)
        session.add(row)
    actor, after = factories.actor(ada.id), {"title": "Ines@own.example is invited"}
    each_site.db.write_as_sync(actor, recording.record, "course.edit", Subject("course", 1), after=after)
    found = found_in(each_site)
    with each_site.db.write_session() as session:
        # Every site is checked at its end.
        session.execute(delete(type(row)))
    assert found == ["course.edit: ines@own.example"]
