"""One course by its slug or id, as far as a learner may see it, and a lesson of it with its text."""

from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain.catalogue import redirects
from domain.catalogue.redirects import RedirectTarget
from domain.catalogue.scope import CatalogueScope, is_in_scope
from domain.database.prepared_select import PreparedSelect, first_number
from domain.errors import NotFound
from domain.learning import files
from domain.learning.views.courses import own_course_of_id, own_course_of_slug
from domain.learning.views.outlines import LessonFacts
from domain.learning.views.records import (
    ForeignCourse,
    LessonContent,
    LessonProgressRow,
    MovedCourse,
    OwnCourse,
    StudiedCourse,
    with_progress,
)
from domain.tables import Lesson, Product

NO_COURSE, NO_LESSON = "There is no such course.", "There is no such lesson."

_lessons = Lesson.__table__.c
_COURSE_ID = PreparedSelect(select(_lessons.course_id).where(_lessons.id == bindparam("lesson")), first_number)


def by_slug(
    session: Session, learner_id: int, slug: str, at: datetime, scope: CatalogueScope | None = None
) -> OwnCourse | ForeignCourse | MovedCourse:
    """The learner's course; else what the catalogue shows of it, within `scope`. Raises NotFound for an unknown one and
    one that is not public."""
    own = own_course_of_slug(session, learner_id, slug, at)
    # MariaDB ignores trailing spaces in comparisons.
    if own is not None and own.facts.slug == slug:
        return own
    product = session.scalar(select(Product).where(Product.kind == "course", Product.slug == slug))
    if product is None or product.slug != slug:
        moved = redirects.redirect_target(session, "course", slug)
        if moved is None:
            raise NotFound(NO_COURSE)
        return MovedCourse(moved.slug)
    if product.status not in ("published", "retired") or not is_in_scope(session, scope, product.id):
        raise NotFound(NO_COURSE)
    columns = ForeignCourse.__dataclass_fields__
    return ForeignCourse(**{name: getattr(product, name) for name in columns})


def by_id(session: Session, learner_id: int, course_id: int, at: datetime) -> OwnCourse:
    """A course that the learner has or had. Raises NotFound for every other id."""
    own = own_course_of_id(session, learner_id, course_id, at)
    if own is None:
        raise NotFound(NO_COURSE)
    return own


def successor_of(session: Session, course: OwnCourse) -> tuple[RedirectTarget, str] | None:
    """What replaces a retired course in the catalogue, and its name."""
    if course.facts.successor_id is None or course.facts.status != "retired":
        return None
    target = redirects.successor(session, course.facts)
    return None if target is None else (target, session.get_one(Product, target.id).name)


def lesson_of(session: Session, course: OwnCourse, lesson_id: int) -> LessonContent:
    """A lesson with its text. Raises NotFound for one of another course, one that was withdrawn before the learner
    began it, and while they have no access."""
    return lesson_content(session, course, lesson_id, course.progress.get(lesson_id))


def lesson_content(
    session: Session, course: StudiedCourse, lesson_id: int, progress: LessonProgressRow | None
) -> LessonContent:
    """A lesson with its text and the learner's `progress` in it. Raises NotFound as `lesson_of` does."""
    place = course.outline.places.get(lesson_id)
    if place is None:
        lesson = next((row for row in course.withdrawn if row.id == lesson_id), None)
    else:
        lesson = course.outline.lessons[place]
    if lesson is None or not course.has_access:
        raise NotFound(NO_LESSON)
    text = course.shared.lesson_text(session, lesson_id)
    return LessonContent(
        course=course,
        lesson=with_progress(lesson, progress),
        body=None if text is None else text.body,
        is_generated=text is not None and text.is_generated,
        number=0 if place is None else place + 1,
        files=files.by_digests(session, text.files) if text is not None and text.files else {},
        previous=_neighbour(course, place, -1),
        next=_neighbour(course, place, 1),
    )


def lesson_by_id(session: Session, learner_id: int, lesson_id: int, at: datetime) -> LessonContent:
    """A lesson of one of the learner's courses. Raises NotFound as `lesson_of`, and for an unknown id."""
    course_ids = _COURSE_ID.all(session, lesson=lesson_id)
    own = own_course_of_id(session, learner_id, course_ids[0], at) if course_ids else None
    if own is None:
        raise NotFound(NO_LESSON)
    return lesson_of(session, own, lesson_id)


def _neighbour(course: StudiedCourse, place: int | None, step: int) -> LessonFacts | None:
    lessons = course.outline.lessons
    return None if place is None or not 0 <= place + step < len(lessons) else lessons[place + step]
