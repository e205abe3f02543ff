"""Calls of pictures: re-encode an uploaded one, look how far it is, and show it at a product."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from domain.errors import InvalidInput, Refused
from domain.images import job
from domain.images.image_rows import MAX_ALT_LENGTH
from domain.images.job import ImageInput
from domain.jobs import job_rows
from domain.jobs.job_rows import JobState, JobView, NewJob
from domain.permissions import Permission
from domain.publishing import product_images
from domain.uploads import upload_rows
from host.api.fields import EmptyRequest, Id, Strict
from host.api.registry import call, query
from host.app_keys import DATABASE
from host.http import request_keys

Key = Annotated[str, Field(min_length=16, max_length=100, pattern="^[!-~]+$")]
Alt = Annotated[str, Field(max_length=MAX_ALT_LENGTH)]


class ImageRequest(Strict):
    """`alt`: what the picture shows, in words. The same `idempotencyKey` starts nothing again."""

    uploadId: Id
    alt: Alt
    idempotencyKey: Key


class SentImage(BaseModel):
    """A picture that can be used. `src`: its address; `width`, `height` in pixels."""

    id: int
    src: str
    width: int
    height: int
    alt: str


class ImageStatus(BaseModel):
    """`image` once the picture is re-encoded; `error`: why it cannot be used, in a sentence."""

    id: int
    state: JobState
    image: SentImage | None
    error: str | None


class ProductImage(Strict):
    imageId: Id
    alt: Alt


class ProductImageSet(BaseModel):
    """`id`: of the product."""

    id: int


@call("admin/images", ImageRequest, ImageStatus, status=201, permission=Permission.CATALOGUE_WRITE)
async def send_image(request: web.Request, body: ImageRequest) -> ImageStatus:
    """Re-encode an uploaded picture, of which nothing but the pixels stays. 403 while the file is not complete, 404 for
    that of somebody else, 422 without a description."""
    actor, at, db = request[request_keys.ACTOR], datetime.now(UTC), request.app[DATABASE]
    if not body.alt.strip():
        raise InvalidInput({"alt": "Say what the picture shows, for people who cannot see it."})
    upload = await db.read(upload_rows.own_upload, body.uploadId, actor.learner_id, at)
    if upload.purpose != "image" or not upload.is_complete:
        raise Refused("This file is not complete.")
    source = ImageInput(upload.id, upload.name, body.alt.strip(), actor.learner_id)
    new = NewJob(job.KIND, source.as_json(), f"{actor.learner_id}:{body.idempotencyKey}", actor.learner_id)
    return await _status(request, await db.write_as(actor, job_rows.start_as_staff, new, at))


@query("admin/images/{id}", EmptyRequest, ImageStatus, permission=Permission.CATALOGUE_WRITE)
async def read_image(request: web.Request, _body: EmptyRequest) -> ImageStatus:
    """Whether a picture is ready; `id` is that of the answer of admin/images."""
    return await _status(request, request[request_keys.PATH_ID])


@call("admin/products/{id}/image", ProductImage, ProductImageSet, permission=Permission.CATALOGUE_WRITE)
async def set_product_image(request: web.Request, body: ProductImage) -> ProductImageSet:
    """Show a picture on the page of a course or shop item and in lists. 404 for an unknown product or picture."""
    actor, product_id = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    write = request.app[DATABASE].write_as
    await write(actor, product_images.set_image, product_id, body.imageId, body.alt, datetime.now(UTC))
    return ProductImageSet(id=product_id)


async def _status(request: web.Request, job_id: int) -> ImageStatus:
    """Raises NotFound."""
    return image_status(await request.app[DATABASE].read(job_rows.job_view, job_id, [job.KIND]))


def image_status(view: JobView) -> ImageStatus:
    found = view.report.get("image")
    image = None if found is None else SentImage.model_validate(found)
    return ImageStatus(id=view.id, state=view.state, image=image, error=view.report.get("error"))
