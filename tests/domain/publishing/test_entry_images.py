"""Pictures of categories and instructors: shown where they are, deleted once nothing shows them, on both databases."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, select
from sqlalchemy.orm import Session

from adapters.images.process import convert
from domain.audit import recording
from domain.catalogue import details as catalogue_details
from domain.catalogue import listing as catalogue_listing
from domain.errors import InvalidInput, NotFound
from domain.images import image_rows
from domain.images.image_rows import NewImage
from domain.publishing import product_images
from domain.publishing.entries import category_edits, entry_images
from domain.publishing.entries.category_edits import CATEGORY, INSTRUCTOR
from domain.publishing.entries.entry_images import ImageChoice
from domain.tables import AuditEvent, CatalogueVersion, CourseInstructor, Image
from tests.adapters.images.pictures import encoded, plain, write
from tests.support import factories
from tests.support.factories import NOON

KINDS = pytest.mark.parametrize("kind", [CATEGORY, INSTRUCTOR], ids=["category", "instructor"])


@pytest.fixture
def image(session, tmp_path):
    """1000 by 500 pixels."""
    renditions = convert(write(tmp_path, encoded(plain(), "PNG")), tmp_path)
    new = NewImage("a.png", "Sent", factories.learner(session, "Sam Sender").id)
    return image_rows.store(session, tmp_path / "files", renditions, new, NOON)


@pytest.fixture
def editor(session):
    return factories.actor(factories.learner(session).id, "editor", at=NOON)


def act(session, editor, function, *arguments):
    return recording.run(session, editor, function, *arguments)


def new_entry(session, editor, kind, name="Ada Lovelace"):
    return act(session, editor, category_edits.create, kind, name)


def put(session, editor, place, image, alt="A desk"):
    """`place`: a kind, and the id of one."""
    choice = ImageChoice(None if image is None else image.id, alt)
    act(session, editor, entry_images.set_image, *place, choice)


@KINDS
def test_a_picture_is_stored_with_its_description_counted_as_a_change_and_recorded(session, editor, image, kind):
    key = new_entry(session, editor, kind)
    version = session.scalars(select(CatalogueVersion.number)).one()
    for _again in range(2):
        put(session, editor, (kind, key), image, " A desk ")
    stored = category_edits.entry(session, kind, key).image
    assert stored == {"src": image.src, "width": 1000, "height": 500, "alt": "A desk"}
    assert session.scalars(select(CatalogueVersion.number)).one() == version + 1
    events = session.scalars(select(AuditEvent.action).order_by(AuditEvent.number)).all()
    assert events == [f"{kind.noun}.create", f"{kind.noun}.set_image"]


def test_the_shop_shows_the_pictures_of_its_categories_and_of_whoever_teaches_a_course(session, editor, image):
    category, person = new_entry(session, editor, CATEGORY, "Law"), new_entry(session, editor, INSTRUCTOR)
    course = factories.course(session, category, "gdpr")
    session.add(CourseInstructor(course_id=course.id, instructor_id=person, position=0))
    session.flush()
    put(session, editor, (CATEGORY, category), image)
    put(session, editor, (INSTRUCTOR, person), image, "Ada at work")
    [law] = [row for row in catalogue_listing.categories(session) if row.slug == "law"]
    [ada] = catalogue_details.course(session, "gdpr").instructors
    assert (law.image["src"], law.image["alt"], law.count) == (image.src, "A desk", 1)
    assert (ada.image["src"], ada.image["alt"]) == (image.src, "Ada at work")


@KINDS
def test_a_picture_that_is_taken_away_is_at_no_address_without_a_look_at_lessons(session, editor, image, kind):
    key = new_entry(session, editor, kind)
    put(session, editor, (kind, key), image)
    digests = session.get_one(Image, image.id).sizes.values()
    with read_tables(session) as read:
        put(session, editor, (kind, key), None)
    assert [image_rows.public_file(session, digest, None) for digest in digests] == [None] * 3
    assert (session.scalars(select(Image.id)).all(), category_edits.entry(session, kind, key).image) == ([], None)
    assert "images" in read
    assert "lesson_bodies" not in read


@contextmanager
def read_tables(session: Session) -> Iterator[set[str]]:
    """The tables that are read meanwhile."""
    read: set[str] = set()

    def hook(_connection: Any, _cursor: Any, statement: str, *_about: Any) -> None:
        read.update(re.findall(r"FROM (\w+)", statement))

    bind = session.get_bind()
    event.listen(bind, "before_cursor_execute", hook)
    try:
        yield read
    finally:
        event.remove(bind, "before_cursor_execute", hook)


@pytest.mark.each_database
def test_a_picture_that_something_else_shows_stays(session, editor, image):
    person, other = new_entry(session, editor, INSTRUCTOR), new_entry(session, editor, INSTRUCTOR, "Bo Sand")
    course = factories.course(session, new_entry(session, editor, CATEGORY, "Law"), "gdpr")
    put(session, editor, (INSTRUCTOR, person), image)
    put(session, editor, (INSTRUCTOR, other), image)
    put(session, editor, (INSTRUCTOR, person), None)
    act(session, editor, product_images.set_image, course.id, image.id, "A desk", NOON)
    put(session, editor, (INSTRUCTOR, other), None)
    assert image_rows.public_file(session, image_rows.digest_of(image.src), None) is not None


@KINDS
def test_a_picture_needs_a_description_and_to_be_there(session, editor, image, kind):
    key = new_entry(session, editor, kind)
    with pytest.raises(InvalidInput):
        put(session, editor, (kind, key), image, " ")
    with pytest.raises(NotFound):
        act(session, editor, entry_images.set_image, kind, key, ImageChoice(999, "A desk"))
    with pytest.raises(NotFound):
        put(session, editor, (kind, 999), image)
    assert category_edits.entry(session, kind, key).image is None
