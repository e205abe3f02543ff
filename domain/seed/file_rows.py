"""Rows of files whose contents `prepare` stores beside the database."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import File


@dataclass(frozen=True)
class DemoFile:
    name: str
    media_type: str
    content: bytes
    kind: str


def add(session: Session, file: DemoFile, at: datetime) -> File:
    """The row of these contents: the stored one, else a new one."""
    sha256 = hashlib.sha256(file.content).hexdigest()
    stored = session.scalar(select(File).where(File.sha256 == sha256))
    if stored is not None:
        return stored
    row = File(sha256=sha256, name=file.name, media_type=file.media_type, kind=file.kind)
    row.bytes, row.created_at = len(file.content), at
    session.add(row)
    session.flush()
    return row
