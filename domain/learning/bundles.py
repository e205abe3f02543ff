"""Which courses a product opens."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import BundleCourse, Product


def course_ids(session: Session, product_id: int) -> tuple[int, ...]:
    """The course itself, or the courses of a bundle in their order; nothing for other items."""
    if session.scalar(select(Product.kind).where(Product.id == product_id)) == "course":
        return (product_id,)
    query = select(BundleCourse.course_id).where(BundleCourse.item_id == product_id)
    return tuple(session.scalars(query.order_by(BundleCourse.position, BundleCourse.course_id)))


def put_courses(session: Session, item_id: int, ids: Sequence[int]) -> None:
    """Make a bundle open these courses, in this order."""
    stored = session.scalars(select(BundleCourse).where(BundleCourse.item_id == item_id))
    present = {row.course_id: row for row in stored}
    for course_id in present.keys() - set(ids):
        session.delete(present[course_id])
    for position, course_id in enumerate(ids):
        if course_id in present:
            present[course_id].position = position
        else:
            session.add(BundleCourse(item_id=item_id, course_id=course_id, position=position))
    session.flush()
