"""A stored course as the record that the writer takes: an editor changes some of its fields and puts it again."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import DomainError, NotFound
from domain.permissions import Actor
from domain.publishing import publish_rules
from domain.publishing.product_changes import COURSES, PRODUCTS
from domain.publishing.records import CourseRecord, Json
from domain.publishing.writer import put_course
from domain.tables import Category, Course, CourseInstructor, Instructor, Product

# An editor's record names no successor: it has a call of its own.
_PRESERVED = frozenset({"successor_id"})


class NewerVersion(DomainError):
    """Somebody else has saved the product since it was read."""

    def __init__(self) -> None:
        super().__init__("Somebody else has saved a newer version.")


@dataclass(frozen=True)
class Edit:
    """Who changes which product. `version`: the one that they have seen; None: whichever it has. `kind`: course or
    item, of calls that are about one of them; None: either. `lesson`: the title of the only lesson that is changed;
    `package`: the name of the file from which lessons come."""

    actor: Actor
    product_id: int
    version: int | None = None
    kind: str | None = None
    lesson: str = ""
    package: str = ""


@dataclass(frozen=True)
class StoredCourse:
    """`row`: the columns of both tables, as publish rules read them."""

    product: Product
    course: Course
    record: CourseRecord
    row: Json

    @property
    def missing(self) -> tuple[str, ...]:
        return publish_rules.missing_requirements(self.row)


def stored_course(session: Session, course_id: int) -> StoredCourse:
    """Raises NotFound."""
    return _stored(session, course_id, locks=False)


def locked_course(session: Session, course_id: int, version: int | None = None) -> StoredCourse:
    """The course while nobody else can change it; `version` None: whichever it has. Raises NotFound, NewerVersion."""
    stored = _stored(session, course_id, locks=True)
    if version is not None and stored.product.version != version:
        raise NewerVersion
    return stored


def put(session: Session, record: CourseRecord, at: datetime) -> int:
    """Write the record; returns the product's version afterwards."""
    course_id = put_course(session, record, at)
    return session.scalars(select(Product.version).where(Product.id == course_id)).one()


def _stored(session: Session, course_id: int, *, locks: bool) -> StoredCourse:
    product = session.get(Product, course_id, with_for_update=True if locks else None, populate_existing=locks)
    if product is None or product.kind != "course":
        raise NotFound("There is no such course.")
    course = session.get_one(Course, course_id)
    category = session.scalars(select(Category.slug).where(Category.id == product.category_id)).one()
    instructors = session.scalars(
        select(Instructor.slug)
        .join(CourseInstructor, CourseInstructor.instructor_id == Instructor.id)
        .where(CourseInstructor.course_id == course_id)
        .order_by(CourseInstructor.position)
    )
    row: Json = {column.key: getattr(course, column.key) for column in COURSES.columns}
    row |= {column.key: getattr(product, column.key) for column in PRODUCTS.columns}
    return StoredCourse(product, course, _record(row, category, tuple(instructors)), row)


def _record(row: Json, category: str, instructors: tuple[str, ...]) -> CourseRecord:
    names = CourseRecord.__dataclass_fields__.keys() & row.keys()
    values = {name: row[name] for name in names - {"featured", "image", "image_alt"}}
    is_generated_picture = row["image"].startswith("/pictures/")
    return CourseRecord(
        **values,
        category=category,
        instructors=instructors,
        featured=bool(row["featured"]),
        # A generated picture follows the category and the name.
        image="" if is_generated_picture else row["image"],
        image_alt="" if is_generated_picture else row["image_alt"],
        preserved_fields=_PRESERVED,
    )
