"""Outlines that change under learners: progress follows the lesson's id, and completed stays completed."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from domain.publishing.records import LessonRecord
from domain.tables import Certificate, Enrolment
from tests.domain.learning import outline_world
from tests.domain.learning.outline_world import ALL, DAY, ONE, THREE, TWO, World
from tests.support.factories import NOON

# What an import brings, one after the other.
IMPORTS = {
    "the same": ALL,
    "renamed": (replace(ONE, title="First"), TWO, THREE),
    "reordered": (THREE, TWO, ONE),
    "with another key": (replace(ONE, source_key="one"), TWO, THREE),
    "without it": (TWO, THREE),
    "with another in its place": (LessonRecord("Four", 5, source_key="4"), TWO, THREE),
    "with it again": ALL,
}


@pytest.fixture
def world(session) -> World:
    return outline_world.fill(session)


@pytest.mark.each_database
def test_progress_follows_the_lesson_through_every_import(world):
    world.finish("One")
    one = world.ids["One"]
    for name, outline in IMPORTS.items():
        world.put(*outline)
        assert (name, world.done()) == (name, {one})
        is_there = name not in ("without it", "with another in its place")
        assert (name, one in world.shown()) == (name, is_there)


def test_completed_stays_completed_with_its_certificate_through_every_import(world):
    world.finish("One", "Two", "Three")
    enrolment = world.session.scalars(select(Enrolment)).one()
    code = world.session.scalars(select(Certificate.code)).one()
    for day, (name, outline) in enumerate(IMPORTS.items(), start=1):
        world.put(*outline, at=NOON + day * DAY)
        world.finish("Two", at=NOON + day * DAY)
        world.session.refresh(enrolment)
        assert (name, enrolment.completed_at) == (name, NOON)
        assert world.session.scalars(select(Certificate.code)).one() == code


def test_without_keys_a_renamed_lesson_would_begin_anew(world):
    """The negative control: by its title alone the renamed lesson is another one."""
    world.finish("One")
    world.put(replace(ONE, title="First", source_key=""), TWO, THREE)
    assert world.ids["One"] not in world.shown()
