"""Reading an uploaded course package: what it would bring into the outline of a course, before anything is stored."""

import asyncio
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, cast

from aiohttp import web
from pydantic import BaseModel

from domain.course_packages import course_import, formats
from domain.course_packages.archive import PackageRefused, open_archive
from domain.course_packages.course_import import ComingLesson, PackageSource
from domain.course_packages.package import CoursePackage
from domain.errors import InvalidInput, Refused
from domain.permissions import Permission
from domain.uploads import upload_rows
from domain.uploads.upload_rows import MIB, UploadView
from host.api.fields import Id, Strict
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys
from host.rate_limits import policies

MAX_PACKAGE_BYTES = 256 * MIB
# Reading one takes seconds of a processor and its texts in memory: one after the other in each process.
READING = web.AppKey("reading_packages", asyncio.Lock)


class SentPackage(Strict):
    uploadId: Id


class ComingLessonView(BaseModel):
    """`ref`: for the outline's draft. `id`: of the lesson of the course whose contents it would replace; null for a new
    one, or for one that `returns` with what learners did in it, after it was taken out. `lost`: sentences on what does
    not come along."""

    ref: str
    id: int | None
    returns: bool
    title: str
    kind: Literal["text", "video", "quiz", "file"]
    minutes: int
    isRequired: bool
    isPreview: bool
    lost: list[str]


class ComingSectionView(BaseModel):
    title: str
    lessons: list[ComingLessonView]


class CoursePackageView(BaseModel):
    """What a package would bring. `uploadId`: to send with the outline. `lost`: what does not come along and belongs to
    no lesson."""

    uploadId: int
    name: str
    format: str
    title: str
    sections: list[ComingSectionView]
    lost: list[str]


@call(
    "admin/courses/{id}/package",
    SentPackage,
    CoursePackageView,
    permission=Permission.CATALOGUE_WRITE,
    refusals=(404, 429, 503),
)
async def preview_package(request: web.Request, body: SentPackage) -> CoursePackageView:
    """Read an uploaded course package. Stores nothing. 403 while it is not complete, 404 for that of somebody else, 422
    with what to do about a file that cannot be read."""
    await policies.limit(request, "upload_parts_per_learner_minute")
    upload = await own_package(request, body.uploadId)
    package = (await read_package(request, upload, ())).package
    course_id = request[request_keys.PATH_ID]
    sections = await request.app[DATABASE].read(course_import.coming_sections, course_id, package)
    return CoursePackageView(
        uploadId=upload.id,
        name=upload.name,
        format=package.format,
        title=package.title,
        sections=[
            ComingSectionView(title=section.title, lessons=[_lesson(lesson) for lesson in section.lessons])
            for section in sections
        ],
        lost=list(package.lost),
    )


async def own_package(request: web.Request, upload_id: int) -> UploadView:
    """Raises NotFound, Refused, and InvalidInput for one that is too large."""
    learner_id = request[request_keys.ACTOR].learner_id
    upload = await request.app[DATABASE].read(upload_rows.own_upload, upload_id, learner_id, datetime.now(UTC))
    if upload.purpose != "lesson" or not upload.is_complete:
        raise Refused("This file is not complete.")
    if upload.bytes > MAX_PACKAGE_BYTES:
        most = f"A course package has at most {MAX_PACKAGE_BYTES // MIB} MiB."
        raise InvalidInput({"uploadId": f"{most} Take videos out of it, and add them to their lessons afterwards."})
    return upload


async def read_package(request: web.Request, upload: UploadView, refs: Collection[str]) -> PackageSource:
    """The package, with the files of the lessons that `refs` name in their place. Raises InvalidInput."""
    folder = request.app[SETTINGS].files_folder
    path = upload_rows.path_of(folder, upload.id)
    try:
        async with request.app[READING]:
            return await asyncio.to_thread(_read, path, folder, refs)
    except PackageRefused as error:
        raise InvalidInput({"uploadId": str(error)}) from error


def _read(path: Path, folder: Path, refs: Collection[str]) -> PackageSource:
    with open_archive(path) as archive:
        package: CoursePackage = formats.read(archive)
        return PackageSource(package, course_import.place_files(archive, package, refs, folder), folder)


def _lesson(coming: ComingLesson) -> ComingLessonView:
    lesson, own = coming.lesson, coming.lesson.own
    return ComingLessonView(
        ref=lesson.ref,
        id=coming.id,
        returns=coming.returns,
        title=lesson.title,
        kind=cast("Literal['text']", lesson.kind),
        minutes=lesson.minutes,
        isRequired=lesson.is_required,
        isPreview=own is not None and own.is_preview,
        lost=list(lesson.lost),
    )
