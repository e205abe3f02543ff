"""Files of pictures that are deleted: found and deleted later, because looking for other uses reads every lesson."""

from collections.abc import Collection
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.learning import files, lesson_bodies
from domain.learning.files import PICTURE_KIND
from domain.tables import File, Image, ItemFile, LessonBody

# So many are deleted in one transaction, which locks their rows.
BATCH = 50
_BODIES_AT_ONCE = 500


def find(session: Session) -> list[str]:
    """SHA-256 of the files of pictures that no picture, lesson or download has. Lessons are read only if need be, all
    once."""
    stored = session.execute(select(File.id, File.sha256).where(File.kind == PICTURE_KIND)).all()
    named = _digests_of_pictures(session)
    unnamed = {key: sha256 for key, sha256 in stored if sha256 not in named}
    if not unnamed:
        return []
    unused = set(unnamed.values()) - _digests_of_downloads(session, unnamed)
    return sorted(unused - _digests_of_lessons(session)) if unused else []


def delete(session: Session, digests: Collection[str], files_dir: Path) -> int:
    """Delete those of these files that are unused still; returns their number.

    The rows are locked before any plain reading: whoever stores the same picture waits, or is finished and found. The
    contents go while they are locked: whoever waited stores its own anew (`files.store`). For a lesson a file gets
    another kind (`files.add_row`).
    """
    query = select(File).where(File.sha256.in_(digests), File.kind == PICTURE_KIND).order_by(File.id)
    rows = session.scalars(query.with_for_update()).all()
    named = _digests_of_pictures(session) | _digests_of_downloads(session, [row.id for row in rows])
    unused = [row for row in rows if row.sha256 not in named]
    for row in unused:
        files.path_of(files_dir, row.sha256).unlink(missing_ok=True)
        session.delete(row)
    return len(unused)


def _digests_of_pictures(session: Session) -> set[str]:
    return {digest for sizes in session.scalars(select(Image.sizes)) for digest in sizes.values()}


def _digests_of_downloads(session: Session, file_ids: Collection[int]) -> set[str]:
    query = select(File.sha256).join(ItemFile, ItemFile.file_id == File.id).where(File.id.in_(file_ids))
    return set(session.scalars(query))


def _digests_of_lessons(session: Session) -> set[str]:
    bodies = session.scalars(select(LessonBody.body).execution_options(yield_per=_BODIES_AT_ONCE))
    return {digest for body in bodies for digest in lesson_bodies.file_digests(body)}
