"""Calls about categories and instructors."""

from datetime import datetime
from typing import Annotated

from aiohttp import web
from pydantic import Field
from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.images.image_rows import MAX_ALT_LENGTH
from domain.permissions import Permission
from domain.publishing.editing.stored_course import NewerVersion
from domain.publishing.entries import category_edits, entry_images
from domain.publishing.entries.category_edits import (
    CATEGORY,
    INSTRUCTOR,
    CategoryTexts,
    EntryKind,
    InstructorTexts,
    Texts,
)
from domain.publishing.entries.entry_images import ImageChoice
from domain.staff.recorded_events import subject_entries
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import StaffOutcome
from host.api.fields import SAFE, WHOLE, Id, Strict
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys
from host.http.problems import Problem, version_conflict

Name = Annotated[str, Field(max_length=255)]
Version = Annotated[int, Field(ge=0, le=SAFE), WHOLE]
WRITE = Permission.CATALOGUE_WRITE
SHORT_NAME = "The short name is made of it, and never changes: addresses contain it."
SHOWN = "Shown above its list and in search results. Empty: the shop counts what it has."
LOWEST = "The lowest comes first."


class NewCatalogueEntry(Strict):
    name: Annotated[Name, FormField("Name", hint=SHORT_NAME)]


class CategoryChange(Strict):
    """`position`: its place among the categories."""

    version: Version
    name: Annotated[Name, FormField("Name")]
    description: Annotated[str, Field(max_length=500), FormField("Text", "text", SHOWN, is_required=False, rows=4)]
    position: Annotated[int, Field(ge=0, le=SAFE), WHOLE, FormField("Place among the categories", hint=LOWEST)]


class InstructorChange(Strict):
    version: Version
    name: Annotated[Name, FormField("Name")]
    title: Annotated[Name, FormField("What they are", hint="Such as: chartered accountant.", is_required=False)]
    bio: Annotated[str, Field(max_length=20_000), FormField("About them", "text", is_required=False, rows=6)]


class CatalogueEntryImage(Strict):
    """`imageId` null: no picture any more. `alt`: what it shows."""

    imageId: Id | None
    alt: Annotated[str, Field(max_length=MAX_ALT_LENGTH)] = ""


class CatalogueEntrySaved(StaffOutcome):
    """`version`: made of the contents, to send with the next change."""

    id: int
    version: int


@action(
    "admin/categories",
    NewCatalogueEntry,
    "Name",
    "Create category",
    status=201,
    permission=WRITE,
    reply=CatalogueEntrySaved,
)
async def create_category(request: web.Request, body: NewCatalogueEntry) -> CatalogueEntrySaved:
    """Create a category. 422 for a name whose short one another has."""
    return await _create(request, CATEGORY, body.name)


@action(
    "admin/categories/{id}",
    CategoryChange,
    "Texts",
    "Save category",
    method="PUT",
    permission=WRITE,
    refusals=(409,),
    reply=CatalogueEntrySaved,
    is_editor=True,
)
async def change_category(request: web.Request, body: CategoryChange) -> CatalogueEntrySaved:
    """Store name, text and place of a category. 409 with what somebody else has stored since `version`."""
    texts = CategoryTexts(body.name, body.description, body.position)
    return await _change(request, CATEGORY, body.version, texts)


@action(
    "admin/instructors",
    NewCatalogueEntry,
    "Name",
    "Create instructor",
    status=201,
    permission=WRITE,
    reply=CatalogueEntrySaved,
)
async def create_instructor(request: web.Request, body: NewCatalogueEntry) -> CatalogueEntrySaved:
    """Create an instructor. 422 for a name whose short one another has."""
    return await _create(request, INSTRUCTOR, body.name)


@action(
    "admin/instructors/{id}",
    InstructorChange,
    "Texts",
    "Save instructor",
    method="PUT",
    permission=WRITE,
    refusals=(409,),
    reply=CatalogueEntrySaved,
    is_editor=True,
)
async def change_instructor(request: web.Request, body: InstructorChange) -> CatalogueEntrySaved:
    """Store the texts of an instructor. 409 with what somebody else has stored since `version`."""
    texts = InstructorTexts(body.name, body.title, body.bio)
    return await _change(request, INSTRUCTOR, body.version, texts)


@call("admin/categories/{id}/image", CatalogueEntryImage, StaffOutcome, permission=WRITE)
async def set_category_image(request: web.Request, body: CatalogueEntryImage) -> StaffOutcome:
    """Show a picture of the category, or none. A former one that nothing else shows is deleted."""
    return await _set_image(request, CATEGORY, body)


@call("admin/instructors/{id}/image", CatalogueEntryImage, StaffOutcome, permission=WRITE)
async def set_instructor_image(request: web.Request, body: CatalogueEntryImage) -> StaffOutcome:
    """Show a picture of the instructor, or none. A former one that nothing else shows is deleted."""
    return await _set_image(request, INSTRUCTOR, body)


async def _set_image(request: web.Request, kind: EntryKind, body: CatalogueEntryImage) -> StaffOutcome:
    actor, key = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    choice = ImageChoice(body.imageId, body.alt)
    await request.app[DATABASE].write_as(actor, entry_images.set_image, kind, key, choice)
    return StaffOutcome(text="There is no picture any more." if body.imageId is None else "The picture is in use.")


_lists = {CATEGORY.noun: "admin/categories", INSTRUCTOR.noun: "admin/instructors"}


async def _create(request: web.Request, kind: EntryKind, name: str) -> CatalogueEntrySaved:
    key = await request.app[DATABASE].write_as(request[request_keys.ACTOR], category_edits.create, kind, name)
    version = category_edits.version_of(await _texts(request, kind, key))
    text, href = f"The {kind.noun} is created.", f"/{_lists[kind.noun]}/{key}"
    return CatalogueEntrySaved(id=key, version=version, text=text, href=href)


async def _change(request: web.Request, kind: EntryKind, version: int, texts: Texts) -> CatalogueEntrySaved:
    actor, key = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    try:
        saved = await request.app[DATABASE].write_as(actor, category_edits.change, kind, key, version, texts)
    except NewerVersion:
        raise await _conflict(request, Subject(kind.noun, key), await _texts(request, kind, key)) from None
    return CatalogueEntrySaved(id=key, version=saved, text=f"The {kind.noun} is saved.")


async def _texts(request: web.Request, kind: EntryKind, key: int) -> Texts:
    return category_edits.texts_of(await request.app[DATABASE].read(category_edits.entry, kind, key))


async def _conflict(request: web.Request, subject: Subject, stored: Texts) -> Problem:
    at = request[request_keys.ACTOR].at

    def read(session: Session) -> tuple[str, datetime]:
        newest = next(iter(subject_entries(session, subject)), None)
        return category_edits.last_editor(session, subject), at if newest is None else newest.occurred_at

    editor, changed_at = await request.app[DATABASE].read(read)
    return version_conflict(category_edits.version_of(stored), editor, changed_at, dict(vars(stored)))
