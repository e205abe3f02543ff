"""Calls about the outline of a course and the rule by which it is completed, also with lessons of a course package."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from aiohttp import web
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session

from domain.course_packages import course_import
from domain.errors import InvalidInput, NotFound
from domain.learning.completion import CompletionRule
from domain.learning.files import path_of
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
from domain.publishing.editing.stored_course import Edit, StoredCourse
from host.api.admin.catalogue.packages import own_package, read_package
from host.api.admin.courses import CourseSaved, ProductChange, change_product
from host.api.fields import SAFE, WHOLE, Id, Strict, named_as_sent
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys
from host.publishing.outline_values import effects_values, outline_values

Title = Annotated[str, Field(max_length=MAX_TITLE_LENGTH)]
Count = Annotated[int, Field(ge=0, le=SAFE), WHOLE]
WRITE = Permission.CATALOGUE_WRITE
PACKAGE_GONE = (
    "The course package is no longer here: a file that was sent stays for a day. Send it again, and take its lessons "
    "over once more."
)
# Names in the body of the rule's columns.
FIELDS = {
    "required_percent": "rule.requiredPercent",
    "pass_mark": "rule.passMark",
    "valid_months": "rule.validMonths",
}


class PackagedContents(Strict):
    """What a lesson teaches is that of a lesson of the package: `ref` as reading the package names it. `kind`: for the
    preview alone; the package decides."""

    ref: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
    kind: Literal["text", "video", "quiz", "file"]


class OutlineLessonDraft(Strict):
    """`id` null: a new one. `contents` null: what is stored stays, and a new lesson begins as a study sheet."""

    id: Id | None
    title: Title
    minutes: Count
    isRequired: bool
    isPreview: bool
    contents: PackagedContents | None = None


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
    """`packageId`: of the upload from which the lessons with `contents` come; null without any."""

    version: Count
    packageId: Id | None = None


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
        if body.packageId is None:
            if any(lesson.ref for lesson in body.edited.lessons):
                raise InvalidInput({"form": PACKAGE_GONE})
            change = ProductChange("The lessons are saved.", course_outline.change_outline, _stored_values)
            return await change_product(request, body.version, change, body.edited)
        return await _put_with_package(request, body, body.packageId)


async def _put_with_package(request: web.Request, body: OutlineChange, package_id: int) -> CourseSaved:
    """The contents of files are in their place before their rows are. What is deleted meanwhile, because it was one of
    a picture without use, is put there again."""
    refs = {lesson.ref for lesson in body.edited.lessons if lesson.ref}
    try:
        upload = await own_package(request, package_id)
    except NotFound:
        raise InvalidInput({"form": PACKAGE_GONE}) from None
    source = await read_package(request, upload, refs)

    def save(session: Session, edit: Edit, edited: EditedOutline) -> int:
        return course_import.change_outline(session, replace(edit, package=upload.name), edited, source)

    change = ProductChange("The lessons are saved.", save, _stored_values)
    saved = await change_product(request, body.version, change, body.edited)
    if any(not path_of(source.folder, file.sha256).is_file() for file in source.files):
        await read_package(request, upload, refs)
    return saved


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
    edited = EditedLesson(lesson.id, lesson.title, lesson.minutes, lesson.isRequired, lesson.isPreview)
    contents = lesson.contents
    return edited if contents is None else replace(edited, kind=contents.kind, ref=contents.ref)
