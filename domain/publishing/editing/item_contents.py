"""What the buyer of a shop item gets: the courses that a bundle opens, and the files of a download."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.catalogue.changes import bump_version
from domain.crawlers import page_changes
from domain.errors import InvalidInput, Refused
from domain.learning import bundles
from domain.publishing.editing.stored_course import Edit
from domain.publishing.editing.stored_item import StoredItem
from domain.publishing.editing.stored_product import StoredProduct, locked_product
from domain.tables import File, ItemFile, Product

MAX_COURSES, MAX_FILES = 100, 50
NOTHING = {
    "courses": "This bundle opens no course yet: choose its courses under Stock and delivery.",
    "download": "This item has no file yet: send its files under Stock and delivery.",
}


class ContentCourse(NamedTuple):
    id: int
    slug: str
    name: str


class ContentFile(NamedTuple):
    sha256: str
    name: str
    media_type: str
    bytes: int


def courses_of(session: Session, item_id: int) -> list[ContentCourse]:
    """In the order in which the bundle opens them."""
    ids = bundles.course_ids(session, item_id)
    columns = select(Product.id, Product.slug, Product.name).where(Product.id.in_(ids))
    found = {row.id: ContentCourse(*row) for row in session.execute(columns)} if ids else {}
    return [found[key] for key in ids]


def files_of(session: Session, item_id: int) -> list[ContentFile]:
    """In the order in which buyers see them."""
    columns = select(File.sha256, File.name, File.media_type, File.bytes)
    query = columns.join(ItemFile, ItemFile.file_id == File.id).where(ItemFile.item_id == item_id)
    return [ContentFile(*row) for row in session.execute(query.order_by(ItemFile.position, File.id))]


def change_courses(session: Session, edit: Edit, slugs: Sequence[str]) -> int:
    """Make a bundle open these courses from now on, in this order; whoever bought it keeps what they have. Returns the
    new version. Raises NotFound, NewerVersion, InvalidInput."""
    stored = _locked(session, edit, "courses", "Only a bundle opens courses.")
    wanted = list(dict.fromkeys(slugs))
    rows = session.execute(select(Product.slug, Product.id).where(Product.slug.in_(wanted), Product.kind == "course"))
    ids = dict(rows.all())
    if unknown := [slug for slug in wanted if slug not in ids]:
        raise InvalidInput({"courses": f"There is no course {unknown[0]}."})
    if not 0 < len(wanted) <= MAX_COURSES:
        raise InvalidInput({"courses": f"Choose 1 to {MAX_COURSES} courses."})
    before = [course.slug for course in courses_of(session, edit.product_id)]
    bundles.put_courses(session, edit.product_id, [ids[slug] for slug in wanted])
    return _changed(session, edit, stored, {"courses": before}, {"courses": wanted})


def change_files(session: Session, edit: Edit, digests: Sequence[str]) -> int:
    """Give the buyers of a download these files, in this order, also those who bought it before. Returns the new
    version. `digests`: SHA-256 of files that are stored. Raises NotFound, NewerVersion, InvalidInput."""
    stored = _locked(session, edit, "download", "Only an item that is downloaded has files.")
    wanted = list(dict.fromkeys(digests))
    rows = {row.sha256: row for row in session.scalars(select(File).where(File.sha256.in_(wanted)))}
    if len(rows) < len(wanted):
        raise InvalidInput({"files": "A file is not stored any more. Send it again."})
    if len(wanted) > MAX_FILES:
        raise InvalidInput({"files": f"At most {MAX_FILES} files."})
    before = [file.name for file in files_of(session, edit.product_id)]
    present = {row.file_id: row for row in session.scalars(select(ItemFile).where(ItemFile.item_id == edit.product_id))}
    for position, digest in enumerate(wanted):
        row = present.pop(rows[digest].id, None)
        if row is None:
            session.add(ItemFile(item_id=edit.product_id, file_id=rows[digest].id, position=position))
        else:
            row.position = position
    for row in present.values():
        session.delete(row)
    session.flush()
    return _changed(session, edit, stored, {"files": before}, {"files": [rows[digest].name for digest in wanted]})


def require_contents(session: Session, stored: StoredProduct) -> None:
    """Raises Refused for an item that would give its buyers nothing."""
    if not isinstance(stored, StoredItem):
        return
    read = {"courses": courses_of, "download": files_of}.get(stored.item.fulfilment)
    if read is not None and not read(session, stored.product.id):
        raise Refused(NOTHING[stored.item.fulfilment])


def _locked(session: Session, edit: Edit, fulfilment: str, refusal: str) -> StoredItem:
    stored = locked_product(session, edit.product_id, edit.version, "item")
    if not isinstance(stored, StoredItem):
        raise TypeError("an item was locked as a course")
    if stored.item.fulfilment != fulfilment:
        raise Refused(refusal)
    return stored


def _changed(
    session: Session, edit: Edit, stored: StoredItem, before: dict[str, list[str]], after: dict[str, list[str]]
) -> int:
    if before == after:
        recording.no_change(session)
        return stored.product.version
    stored.product.version += 1
    stored.product.updated_at = edit.actor.at
    session.flush()
    page_changes.note_content(session, [edit.product_id], edit.actor.at)
    recording.record(session, "item.edit", Subject("item", edit.product_id), before=before, after=after)
    bump_version(session)
    return stored.product.version
