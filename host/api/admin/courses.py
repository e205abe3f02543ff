"""Calls about courses: texts with a preview, creating, copying, renaming, and the states of publication."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from aiohttp import web
from pydantic import Field
from sqlalchemy.orm import Session

from domain.display_text import count_text
from domain.permissions import Permission
from domain.publishing.editing import course_list, course_texts, publication
from domain.publishing.editing.course_texts import CourseLists, CourseTexts
from domain.publishing.editing.stored_course import Edit, NewerVersion, StoredCourse, stored_course
from domain.publishing.editing.stored_product import StoredProduct, stored_product
from host.api.admin.actions import COURSES, INSTRUCTORS, MARKDOWN, FormField, action
from host.api.admin.outcome import ActionPreview, StaffOutcome
from host.api.fields import SAFE, WHOLE, EmptyRequest, Instant, Strict
from host.app_keys import DATABASE
from host.http import request_keys
from host.http.problems import Problem, version_conflict
from host.rendering.markdown import markdown_to_html

Name = Annotated[str, Field(max_length=255)]
Slug = Annotated[str, Field(max_length=191)]
LongText = Annotated[str, Field(max_length=100_000)]
ListText = Annotated[str, Field(max_length=20_000)]
Minutes = Annotated[int, Field(ge=0, le=SAFE), WHOLE]
Version = Annotated[int, Field(ge=0, le=SAFE), WHOLE]
Reason = Annotated[str, Field(max_length=500)]
StoredValues = Callable[[Session, Any], dict[str, Any]]
TIMED = "Its page needs one; timed lessons set it too."
ONE_A_LINE = "One a line."
QUESTIONS = "A question, its answer on the next lines, then an empty line before the next question."
ADDRESS = "Lowercase letters and digits, joined by hyphens. The former address redirects for ever."
# What a course without lessons of its own is to those who buy it.
OUTLINE = "It has no lessons of its own: buyers get a study guide made of its texts, and its page says so."
RECORDED = "It is recorded for good."
RETIRED = "Nobody can buy it any more, and carts lose it."
# The refund promise of the shop (templates/content/refund-grievance-policy.md) ends before.
RECENT = timedelta(days=60)
WRITE, PUBLISH = Permission.CATALOGUE_WRITE, Permission.CATALOGUE_PUBLISH


class CourseTextChange(Strict):
    """Texts of a course. `description`: Markdown; `instructors`: their short names."""

    version: Version
    name: Annotated[Name, FormField("Name")]
    subtitle: Annotated[str, Field(max_length=500), FormField("Subtitle", is_required=False)]
    description: Annotated[LongText, FormField("Description", "markdown", MARKDOWN, is_required=False, rows=12)]
    category: Annotated[Slug, FormField("Category", "choice")]
    level: Annotated[str, Field(max_length=20), FormField("Level", "choice", is_required=False)]
    language: Annotated[str, Field(max_length=10), FormField("Language", "choice", is_required=False)]
    durationMinutes: Annotated[Minutes, FormField("Duration in minutes", hint=TIMED, is_required=False)]
    provider: Annotated[Name, FormField("Provider", hint="Empty: the shop itself offers it.", is_required=False)]
    instructors: Annotated[list[Slug], Field(max_length=100), FormField("Instructors", source=INSTRUCTORS)]

    @property
    def texts(self) -> CourseTexts:
        values = self.model_dump(exclude={"version", "durationMinutes", "instructors"})
        return CourseTexts(**values, duration_min=self.durationMinutes, instructors=tuple(self.instructors))


class CourseListChange(Strict):
    """Lists of a course, one entry a line. `faq`: a question, its answer on the next lines, then an empty line."""

    version: Version
    outcomes: Annotated[
        ListText, FormField("What learners will be able to do", "text", ONE_A_LINE, is_required=False, rows=6)
    ]
    prerequisites: Annotated[
        ListText, FormField("What they should know before", "text", ONE_A_LINE, is_required=False, rows=4)
    ]
    audience: Annotated[ListText, FormField("Whom it is for", "text", ONE_A_LINE, is_required=False, rows=4)]
    faq: Annotated[LongText, FormField("Questions and answers", "text", QUESTIONS, is_required=False, rows=10)]


class NewCourse(Strict):
    name: Annotated[Name, FormField("Name", hint="Its address is made of the name.")]
    category: Annotated[Slug, FormField("Category", "choice")]


class CourseAddress(Strict):
    slug: Annotated[Slug, FormField("Address", hint=ADDRESS)]


class CoursePublication(Strict):
    """`startsAt` null: now. `isOutlineMeant`: a course without lessons of its own is published as it is."""

    version: Version
    startsAt: Annotated[Instant | None, FormField("Publish at", is_required=True)] = None
    isOutlineMeant: Annotated[
        bool, FormField("Publish it without lessons of its own", hint=OUTLINE, is_required=True)
    ] = False


class CourseVersion(Strict):
    version: Version


class CourseRetirement(Strict):
    """`successor`: the slug of another course, "" for none. `reason`: why, for the record."""

    version: Version
    successor: Annotated[Slug, FormField("Successor", "pick", "A part of its name. Empty: none.", source=COURSES)] = ""
    reason: Annotated[Reason, FormField("Reason", hint=RECORDED)]


class CourseSaved(StaffOutcome):
    """`version`: to send with the next change."""

    id: int
    version: int


@action(
    "admin/courses",
    NewCourse,
    "Name and category",
    "Create draft",
    status=201,
    permission=WRITE,
    refusals=(404,),
    reply=CourseSaved,
)
async def create_course(request: web.Request, body: NewCourse) -> CourseSaved:
    """Create a draft. 422 for a name whose address another course has or had, 404 for an unknown category."""
    actor = request[request_keys.ACTOR]
    course_id = await request.app[DATABASE].write_as(actor, publication.create, actor, body.name, body.category)
    return await _saved(request, course_id, "The draft is created.", f"/admin/courses/{course_id}")


@action(
    "admin/courses/{id}/texts",
    CourseTextChange,
    "Texts",
    "Save texts",
    method="PUT",
    permission=WRITE,
    refusals=(409,),
    reply=CourseSaved,
    is_editor=True,
)
async def change_texts(request: web.Request, body: CourseTextChange) -> CourseSaved:
    """Store the texts of a course. 409 with what somebody else has stored since `version`."""
    change = ProductChange("The texts are saved.", course_texts.change_texts, stored_texts)
    return await change_product(request, body.version, change, body.texts)


@change_texts.preview("typed")
async def preview_texts(request: web.Request, body: CourseTextChange) -> ActionPreview:
    """What the shop would show of these texts, and what the course would lack. Stores nothing."""
    stored = await request.app[DATABASE].read(stored_course, request[request_keys.PATH_ID])
    missing = course_texts.missing_with(stored, body.texts)
    return ActionPreview(html={"description": markdown_to_html(body.description)}, lacks=list(missing))


@action(
    "admin/courses/{id}/lists",
    CourseListChange,
    "Outcomes and questions",
    "Save lists",
    method="PUT",
    permission=WRITE,
    refusals=(409,),
    reply=CourseSaved,
    is_editor=True,
)
async def change_lists(request: web.Request, body: CourseListChange) -> CourseSaved:
    """Store outcomes, prerequisites, audience and questions of a course. 409 as for its texts."""
    lists = CourseLists(**body.model_dump(exclude={"version"}))
    change = ProductChange("The lists are saved.", course_texts.change_lists, stored_lists)
    return await change_product(request, body.version, change, lists)


@action(
    "admin/courses/{id}/duplicate",
    EmptyRequest,
    "Duplicate",
    "Duplicate this course",
    status=201,
    permission=WRITE,
    reply=CourseSaved,
    text="A draft with the same texts and price, without lessons, reviews and learners.",
)
async def duplicate_course(request: web.Request, body: EmptyRequest) -> CourseSaved:
    """A draft with the same texts, lists and price; without lessons, reviews and learners."""
    actor, course_id = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    copy_id = await request.app[DATABASE].write_as(actor, publication.duplicate, Edit(actor, course_id))
    return await _saved(request, copy_id, "This is the copy.", f"/admin/courses/{copy_id}")


@action("admin/courses/{id}/rename", CourseAddress, "Address", "Change address", permission=PUBLISH, reply=CourseSaved)
async def rename_course(request: web.Request, body: CourseAddress) -> CourseSaved:
    """Give a course a new address; the former one redirects to it for ever. 403 for an address that is taken."""
    actor, course_id = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    edit = Edit(actor, course_id, kind="course")
    await request.app[DATABASE].write_as(actor, publication.change_address, edit, body.slug)
    return await _saved(request, course_id, "The address is changed. The former one redirects to it.")


@action(
    "admin/courses/{id}/publish",
    CoursePublication,
    "Publish",
    "Publish now",
    permission=PUBLISH,
    refusals=(409,),
    reply=CourseSaved,
)
async def publish_course(request: web.Request, body: CoursePublication) -> CourseSaved:
    """Publish a course now or at a time. 403 with what it lacks, and where it has no lessons of its own and nobody has
    confirmed that."""
    done = "It is published." if body.startsAt is None else "The publication is planned."
    change = ProductChange(done, publication.publish, stored_state)
    arguments = (body.startsAt, body.isOutlineMeant)
    return await change_product(request, body.version, change, *arguments, kind="course")


@action(
    "admin/courses/{id}/withdraw",
    CourseVersion,
    "Not yet",
    "Make it a draft again",
    permission=PUBLISH,
    refusals=(409,),
    reply=CourseSaved,
)
async def withdraw_course(request: web.Request, body: CourseVersion) -> CourseSaved:
    """Make a scheduled course a draft again."""
    change = ProductChange("It is a draft again.", publication.make_draft, stored_state)
    return await change_product(request, body.version, change, kind="course")


@action(
    "admin/courses/{id}/retire",
    CourseRetirement,
    "Retire",
    "Retire the course",
    permission=PUBLISH,
    refusals=(409,),
    reply=CourseSaved,
    is_dangerous=True,
    text=RETIRED,
)
async def retire_course(request: web.Request, body: CourseRetirement) -> CourseSaved:
    """Sell a course no more; its owners keep it."""
    change = ProductChange("The course is retired.", publication.retire, stored_state)
    arguments = (body.successor, body.reason)
    return await change_product(request, body.version, change, *arguments, kind="course")


@dataclass(frozen=True)
class ProductChange:
    """A change of a course or item. `done`: says it. `make` gets the session, the Edit and what is changed. `stored`:
    what a conflict says of the stored product."""

    done: str
    make: Callable[..., int]
    stored: StoredValues


async def change_product(
    request: web.Request,
    version: int,
    change: ProductChange,
    *arguments: Any,
    kind: str | None = None,
) -> CourseSaved:
    """Make a change with these arguments. `kind`: of the call, where courses and items are changed alike."""
    edit = Edit(request[request_keys.ACTOR], request[request_keys.PATH_ID], version, kind)
    try:
        saved = await request.app[DATABASE].write_as(edit.actor, change.make, edit, *arguments)
    except NewerVersion:
        raise await product_conflict(request, edit.product_id, change.stored) from None
    return CourseSaved(id=edit.product_id, version=saved, text=change.done)


async def product_conflict(request: web.Request, product_id: int, values: StoredValues) -> Problem:
    """409: what somebody else has stored, and who."""

    def read(session: Session) -> tuple[int, str, datetime, dict[str, Any]]:
        stored = stored_product(session, product_id)
        editor = course_list.last_editor(session, stored.product)
        return stored.product.version, editor, stored.product.updated_at, values(session, stored)

    return version_conflict(*await request.app[DATABASE].read(read))


@retire_course.preview("confirmed")
async def preview_retirement(request: web.Request, body: CourseRetirement) -> ActionPreview:
    """What the retirement of a course would do. 422 for a successor that is no published course."""
    return await retirement_effects(request, body)


async def retirement_effects(request: web.Request, body: CourseRetirement) -> ActionPreview:
    """What is said of the retirement of a course or item before it is confirmed."""
    product_id, actor = request[request_keys.PATH_ID], request[request_keys.ACTOR]

    def read(session: Session) -> list[str]:
        product = stored_product(session, product_id).product
        publication.successor_id(session, product, body.successor)
        owners = course_list.count_owners(session, product_id) if product.kind == "course" else None
        recent = course_list.count_recent_buyers(session, product_id, actor.at - RECENT)
        leads = f"Its page leads to the {product.kind} {body.successor}." if body.successor else "Nothing succeeds it."
        return [RETIRED, *([] if owners is None else [_owners_text(owners)]), _buyers_text(recent), leads]

    return ActionPreview(effects=await request.app[DATABASE].read(read))


def _owners_text(count: int) -> str:
    return "1 learner owns it and keeps it." if count == 1 else f"{count_text(count)} learners own it and keep it."


def _buyers_text(count: int) -> str:
    if count == 0:
        return f"Nobody has bought it within the last {RECENT.days} days."
    people = "1 person has" if count == 1 else f"{count_text(count)} people have"
    return f"{people} bought it within the last {RECENT.days} days, and may still ask for their money back."


async def _saved(request: web.Request, course_id: int, done: str, href: str | None = None) -> CourseSaved:
    stored = await request.app[DATABASE].read(stored_course, course_id)
    return CourseSaved(id=course_id, version=stored.product.version, text=done, href=href)


def stored_texts(session: Session, stored: StoredCourse) -> dict[str, Any]:
    """The texts of a course by the names of its call, with the names of its instructors."""
    values = dict(vars(course_texts.texts_of(stored.record)))
    names = {choice.slug: choice.name for choice in course_list.instructors(session)}
    instructors = [{"value": slug, "text": names.get(slug, slug)} for slug in values["instructors"]]
    return values | {"durationMinutes": values.pop("duration_min"), "instructors": instructors}


def stored_lists(_session: Session, stored: StoredCourse) -> dict[str, Any]:
    return dict(vars(course_texts.lists_of(stored.record)))


def stored_state(_session: Session, stored: StoredProduct) -> dict[str, Any]:
    return {"status": stored.product.status}
