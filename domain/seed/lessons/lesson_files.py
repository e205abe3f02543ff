"""Files of the written lessons: their rows, and where their contents are for `prepare` to store."""

from datetime import datetime
from pathlib import Path

from sqlalchemy.orm import Session

from domain.seed import file_rows
from domain.seed.file_rows import DemoFile
from domain.seed.lessons import bodies

KIND = "lesson"


def paths() -> tuple[Path, ...]:
    return tuple(path for course in bodies.courses() for path in bodies.files_of(course))


def add(session: Session, at: datetime) -> None:
    for path in paths():
        file = DemoFile(path.name, bodies.MEDIA_TYPES[path.suffix], path.read_bytes(), KIND)
        file_rows.add(session, file, at)
