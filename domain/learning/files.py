"""Files that lessons show or offer: rows with their facts, contents in a folder under their SHA-256."""

import hashlib
import re
import shutil
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.database.database import insert_ignoring
from domain.tables import File

# The kind of files of pictures: once nothing names one, it is deleted (domain/images/unused_files.py).
PICTURE_KIND = "image"
_DIGEST = re.compile(r"[0-9a-f]{64}")


class LessonFileRow(NamedTuple):
    id: int
    sha256: str
    name: str
    media_type: str
    bytes: int


@dataclass(frozen=True)
class FileFacts:
    """What is known of a file beside its contents. `kind`: what it is for, such as lesson. `width` and `height` in
    pixels; `created_by`: the learner who brought it."""

    name: str
    media_type: str
    kind: str
    width: int | None = None
    height: int | None = None
    duration_s: int | None = None
    created_by: int | None = None


def store(session: Session, files_dir: Path, content: bytes, facts: FileFacts, at: datetime) -> File:
    """The row of the file; of the same contents there is one, with the facts that came first. The contents are written
    before the row: a row without them would be shown as missing."""
    row = add_row(session, write_content(files_dir, content), len(content), facts, at)
    # Again: they were there before, and whoever deleted them held the lock of the row for which this one waited.
    write_content(files_dir, content)
    return row


def add_row(session: Session, sha256: str, size: int, facts: FileFacts, at: datetime) -> File:
    """The row of a file whose contents are in their place; of the same contents there is one. That of a picture which
    gets another use is no longer deleted with the picture."""
    row = {"sha256": sha256, "bytes": size, "created_at": at, **vars(facts)}
    insert_ignoring(session, File, [row])
    stored = session.scalars(select(File).where(File.sha256 == sha256)).one()
    if stored.kind == PICTURE_KIND:
        stored.kind = facts.kind
    return stored


def adopt_content(files_dir: Path, source: Path) -> str:
    """Put a copy of a file of any size in its place, a part at a time; its SHA-256. Takes seconds for gigabytes."""
    with source.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    path = path_of(files_dir, sha256)
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        new = _new_beside(path)
        # A copy: the upload is deleted by itself later, and may be asked for again until then.
        shutil.copyfile(source, new)
        new.replace(path)
    return sha256


def place_content(files_dir: Path, sha256: str, chunks: Iterable[bytes]) -> None:
    """Put contents that come in parts in their place, unless they are there. Raises ValueError when they are others
    than their digest says."""
    path = path_of(files_dir, sha256)
    if path.is_file():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    new, digest = _new_beside(path), hashlib.sha256()
    try:
        with new.open("wb") as file:
            for chunk in chunks:
                digest.update(chunk)
                file.write(chunk)
        if digest.hexdigest() != sha256:
            raise ValueError("these contents have another digest")
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def by_digests(session: Session, digests: Collection[str]) -> dict[str, LessonFileRow]:
    """The files that are known, by their SHA-256. One statement, none for no digests."""
    if not digests:
        return {}
    query = select(*(File.__table__.c[name] for name in LessonFileRow._fields)).where(File.sha256.in_(digests))
    return {row.sha256: LessonFileRow._make(row) for row in session.execute(query)}


def by_id(session: Session, file_id: int) -> LessonFileRow | None:
    query = select(*(File.__table__.c[name] for name in LessonFileRow._fields)).where(File.id == file_id)
    row = session.execute(query).one_or_none()
    return None if row is None else LessonFileRow._make(row)


def is_digest(text: str) -> bool:
    """Whether this is a SHA-256 in hexadecimal, which is the name of a file."""
    return _DIGEST.fullmatch(text) is not None


def path_of(files_dir: Path, sha256: str) -> Path:
    """Where the contents with this digest are. Raises ValueError for what is no digest, such as part of a path."""
    if not is_digest(sha256):
        raise ValueError("not a SHA-256 in hexadecimal")
    return files_dir / sha256[:2] / sha256


def _new_beside(path: Path) -> Path:
    """A name that no other thread or process writes to: the same contents are sent twice at the same time."""
    return path.with_name(f"{path.name}.{uuid4().hex}.new")


def write_content(files_dir: Path, content: bytes) -> str:
    """Write a file; its SHA-256. Writing the same contents again changes nothing."""
    sha256 = hashlib.sha256(content).hexdigest()
    path = path_of(files_dir, sha256)
    if path.is_file():
        return sha256
    path.parent.mkdir(parents=True, exist_ok=True)
    new = _new_beside(path)
    new.write_bytes(content)
    new.replace(path)
    return sha256
