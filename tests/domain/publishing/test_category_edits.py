"""Categories and instructors that staff create and write, on both databases."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from domain.audit import recording
from domain.errors import InvalidInput, NotFound
from domain.publishing.editing.stored_course import NewerVersion
from domain.publishing.entries import category_edits
from domain.publishing.entries.category_edits import CATEGORY, INSTRUCTOR, CategoryTexts
from domain.tables import AuditEvent, CatalogueVersion
from tests.support import factories
from tests.support.factories import NOON


@pytest.fixture
def editor(session):
    return factories.actor(factories.learner(session).id, "editor", at=NOON)


def act(session, editor, function, *arguments):
    return recording.run(session, editor, function, *arguments)


def actions(session):
    return [*session.scalars(select(AuditEvent.action).order_by(AuditEvent.number))]


@pytest.fixture
def category(session, editor):
    key = act(session, editor, category_edits.create, CATEGORY, "Payroll & Wages")
    return category_edits.entry(session, CATEGORY, key)


@pytest.mark.each_database
def test_a_category_gets_a_short_name_that_stays(session, editor, category):
    texts = category_edits.texts_of(category)
    wanted = CategoryTexts("Wages", "All about pay.", 0)
    version = category_edits.version_of(texts)
    before = session.scalars(select(CatalogueVersion.number)).one()
    act(session, editor, category_edits.change, CATEGORY, category.id, version, wanted)
    assert (category.slug, category_edits.texts_of(category)) == ("payroll-and-wages", wanted)
    assert session.scalars(select(CatalogueVersion.number)).one() == before + 1
    assert actions(session) == ["category.create", "category.edit"]


def test_of_two_who_write_a_category_the_second_is_refused(session, editor, category):
    texts = category_edits.texts_of(category)
    version = category_edits.version_of(texts)
    theirs = replace(texts, description="Theirs")
    act(session, editor, category_edits.change, CATEGORY, category.id, version, theirs)
    with pytest.raises(NewerVersion):
        act(session, editor, category_edits.change, CATEGORY, category.id, version, replace(texts, description="Mine"))
    assert category.description == "Theirs"


def test_the_same_texts_again_are_no_event(session, editor, category):
    texts = category_edits.texts_of(category)
    version = category_edits.version_of(texts)
    assert act(session, editor, category_edits.change, CATEGORY, category.id, version, texts) == version
    assert actions(session) == ["category.create"]


@pytest.mark.parametrize("name", ["…", "Payroll and Wages"])
def test_a_name_without_a_free_short_one_is_refused(session, editor, category, name):
    with pytest.raises(InvalidInput) as refusal:
        act(session, editor, category_edits.create, CATEGORY, name)
    assert [*refusal.value.errors] == ["name"]


def test_an_instructor_is_written_and_an_unknown_one_is_not_found(session, editor):
    key = act(session, editor, category_edits.create, INSTRUCTOR, "Ada Lovelace")
    row = category_edits.entry(session, INSTRUCTOR, key)
    wanted = category_edits.InstructorTexts("Ada Lovelace", "Analyst", "She wrote the first program.")
    version = category_edits.version_of(category_edits.texts_of(row))
    act(session, editor, category_edits.change, INSTRUCTOR, key, version, wanted)
    assert category_edits.texts_of(row) == wanted
    with pytest.raises(NotFound):
        act(session, editor, category_edits.change, INSTRUCTOR, 999, version, wanted)
