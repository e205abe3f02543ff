"""What lessons teach, as all their learners read it: cached with their courses (shared_courses.py).

To read a text from its row costs more than to find the lesson: it is JSON, and is searched for the files it names.
"""

import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.learning import lesson_bodies
from domain.tables import LessonBody

# Memory for all texts in the cache.
MAX_CACHED_BYTES = 8 * 2**20
# Memory of an entry beside its text: its key, its size and their places.
ENTRY_BYTES = 250


class LessonText(NamedTuple):
    """`body`: the form of its kind, not to be changed. `files`: SHA-256 of those that it names."""

    body: dict[str, object]
    is_generated: bool
    files: tuple[str, ...]


def _lesson_text(cells: Iterable[Any]) -> LessonText:
    body, is_generated = cells
    return LessonText(body, is_generated, lesson_bodies.file_digests(body))


_bodies = LessonBody.__table__.c
_TEXT = PreparedSelect(
    select(_bodies.body, _bodies.is_generated).where(_bodies.lesson_id == bindparam("lesson")), _lesson_text
)


class TextCache:
    """The texts of lessons: they hold at most MAX_CACHED_BYTES of memory, the oldest goes first."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[LessonText, int]] = {}
        self.bytes = 0

    def read(self, session: Session, lesson_id: int) -> LessonText | None:
        if (cached := self._texts.get(lesson_id)) is not None:
            return cached[0]
        for text in _TEXT.all(session, lesson=lesson_id):
            self._add(lesson_id, text)
            return text
        return None

    def _add(self, lesson_id: int, text: LessonText) -> None:
        size = ENTRY_BYTES + _held_bytes(text, set())
        self._texts[lesson_id] = (text, size)
        self.bytes += size
        while self.bytes > MAX_CACHED_BYTES:
            _, dropped = self._texts.pop(next(iter(self._texts)))
            self.bytes -= dropped


def _held_bytes(value: object, seen: set[int]) -> int:
    """What a value takes in memory, each of its objects once: questions and cues of videos take several times as much
    as their JSON, and characters beyond Latin-1 make each of a text take two or four bytes."""
    if id(value) in seen:
        return 0
    seen.add(id(value))
    parts: Iterable[object] = ()
    if isinstance(value, dict):
        parts = (*value.keys(), *value.values())
    elif isinstance(value, (list, tuple)):
        parts = value
    return sys.getsizeof(value) + sum(_held_bytes(part, seen) for part in parts)
