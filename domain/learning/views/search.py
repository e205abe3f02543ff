"""Searching the lessons of one course: every word must be there, in its folded form."""

import re
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from domain.learning import lesson_bodies
from domain.learning.views.outlines import LessonFacts
from domain.learning.views.records import OwnCourse
from domain.search.tokenizer import MAX_QUERY_LENGTH, index_tokens, query_of
from domain.tables import LessonBody

MAX_LENGTH = MAX_QUERY_LENGTH
MAX_HITS = 50
MAX_SENTENCE = 300
_SENTENCE_END = re.compile(r"(?<=[.!?。])\s+|\n{2,}")


@dataclass(frozen=True)
class Hit:
    """`sentence`: plain text; "" when the words stand in the title alone."""

    lesson: LessonFacts
    sentence: str


def search(session: Session, course: OwnCourse, text: str) -> tuple[tuple[Hit, ...], bool]:
    """Lessons of the outline that hold all words, in their order, at most MAX_HITS; and whether there are more. Nothing
    while the learner has no access. The last word may be the beginning of one."""
    words = [token.text for token in query_of(text).words]
    if not words or not course.has_access:
        return (), False
    matches = _matches(session, course, words)
    hits = [lesson for lesson in course.outline.lessons if _holds_all(lesson, words, matches.get(lesson.id))]
    shown = hits[:MAX_HITS]
    query = select(LessonBody.lesson_id, LessonBody.body).where(LessonBody.lesson_id.in_([row.id for row in shown]))
    bodies = {row.lesson_id: row.body for row in session.execute(query)} if shown else {}
    return tuple(Hit(row, _sentence(bodies.get(row.id) or {}, words)) for row in shown), len(hits) > MAX_HITS


def _matches(session: Session, course: OwnCourse, words: list[str]) -> dict[int, tuple[bool, ...]]:
    """Lesson -> whether its text has each word."""
    columns: list[ColumnElement[Any]] = [func.instr(LessonBody.search_text, f" {word}") > 0 for word in words]
    ids = [lesson.id for lesson in course.outline.lessons]
    query = select(LessonBody.lesson_id, *columns).where(LessonBody.lesson_id.in_(ids))
    return {row[0]: tuple(bool(found) for found in row[1:]) for row in session.execute(query)}


def _holds_all(lesson: LessonFacts, words: list[str], found: tuple[bool, ...] | None) -> bool:
    title = _folded(lesson.title)
    in_text = found or (False,) * len(words)
    return all(is_found or f" {word}" in title for word, is_found in zip(words, in_text, strict=True))


def _sentence(body: dict[str, Any], words: list[str]) -> str:
    """The first sentence with most of the words."""
    best, most = "", 0
    for sentence in _SENTENCE_END.split(lesson_bodies.plain_text(body)):
        folded = _folded(sentence)
        count = sum(f" {word}" in folded for word in words)
        if count > most:
            best, most = " ".join(sentence.split()), count
    return best if len(best) <= MAX_SENTENCE else f"{best[:MAX_SENTENCE].rsplit(' ', 1)[0]} …"


def _folded(text: str) -> str:
    return "".join(f" {token.text}" for token in index_tokens(text))
