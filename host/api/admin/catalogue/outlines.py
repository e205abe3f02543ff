"""Calls about the outline of a course and the rule by which it is completed."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from aiohttp import web
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session

from domain.learning.completion import CompletionRule
from domain.permissions import Permission
from domain.publishing.editing import course_outline
from domain.publishing.editing.course_outline import (
    MAX_LESSONS,
    MAX_SECTIONS,
    MAX_TITLE_LENGTH,
    EditedLesson,
    EditedOutline,
    EditedSection,
)
from domain.publishing.editing.stored_course import StoredCourse
from host.api.admin.courses import CourseSaved, ProductChange, change_product
from host.api.fields import SAFE, WHOLE, Id, Strict, named_as_sent
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys
from host.publishing.outline_values import effects_values, outline_values

Title = Annotated[str, Field(max_length=MAX_TITLE_LENGTH)]
Count = Annotated[int, Field(ge=0, le=SAFE), WHOLE]
WRITE = Permission.CATALOGUE_WRITE
# Names in the body of the rule's columns.
FIELDS = {
    "required_percent": "rule.requiredPercent",
    "pass_mark": "rule.passMark",
    "valid_months": "rule.validMonths",
}


class OutlineLessonDraft(Strict):
    """`id` null: a new one."""

    id: Id | None
    title: Title
    minutes: Count
    isRequired: bool
    isPreview: bool


class OutlineSectionDraft(Strict):
    title: Title
    lessons: Annotated[list[OutlineLessonDraft], Field(max_length=MAX_LESSONS)]


class OutlineRuleDraft(Strict):
    """When the course is completed. `passMark` and `requiredPercent` in percent; `validMonths` null: no end."""

    requiredPercent: Count
    quizzes: Literal["passed", "attempted", "none"]
    passMark: Count
    hasCertificate: bool
    validMonths: Count | None


class OutlineDraft(Strict):
    sections: Annotated[list[OutlineSectionDraft], Field(max_length=MAX_SECTIONS)]
    rule: OutlineRuleDraft

    @property
    def edited(self) -> EditedOutline:
        sections = tuple(
            EditedSection(section.title, tuple(_lesson(lesson) for lesson in section.lessons))
            for section in self.sections
        )
        rule = CompletionRule(
            required_percent=self.rule.requiredPercent,
            quizzes=self.rule.quizzes,
            pass_mark=self.rule.passMark,
            has_certificate=self.rule.hasCertificate,
            valid_months=self.rule.validMonths,
        )
        return EditedOutline(sections, rule)


class OutlineChange(OutlineDraft):
    version: Count


class OutlinePreview(BaseModel):
    """What saving would do. `rule`: in words. `owners`: learners who have the course; `completed`: those who have
    completed it. `completing`: how many more would; `isAll` false: at least so many."""

    rule: str
    lessons: int
    minutes: int
    owners: int
    completed: int
    completing: int
    isAll: bool


@call("admin/courses/{id}/outline", OutlineChange, CourseSaved, method="PUT", permission=WRITE, refusals=(409,))
async def put_outline(request: web.Request, body: OutlineChange) -> CourseSaved:
    """Store sections, lessons and rule of a course. A lesson that is left out is deleted, or withdrawn where somebody
    has begun it. 409 with what somebody else has stored since `version`."""
    with named_as_sent(FIELDS):
        change = ProductChange("The lessons are saved.", course_outline.change_outline, _stored_values)
        return await change_product(request, body.version, change, body.edited)


@call("admin/courses/{id}/outline-preview", OutlineDraft, OutlinePreview, permission=WRITE)
async def preview_outline(request: web.Request, body: OutlineDraft) -> OutlinePreview:
    """The rule in words, and whom this outline would let complete the course. Stores nothing."""
    course_id = request[request_keys.PATH_ID]
    with named_as_sent(FIELDS):
        effects = await request.app[DATABASE].read(course_outline.effects, course_id, body.edited, datetime.now(UTC))
    return OutlinePreview(**effects_values(effects))


def _stored_values(session: Session, stored: StoredCourse) -> dict[str, Any]:
    return dict(outline_values(course_outline.read_outline(session, stored.product.id)))


def _lesson(lesson: OutlineLessonDraft) -> EditedLesson:
    return EditedLesson(lesson.id, lesson.title, lesson.minutes, lesson.isRequired, lesson.isPreview)
