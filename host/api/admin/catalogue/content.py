"""Calls about the written pages: a preview of a text, and publishing it."""

from typing import Annotated

from aiohttp import web
from pydantic import Field

from domain.errors import NotFound
from domain.permissions import Permission
from domain.publishing.editing import content_pages
from domain.publishing.editing.content_pages import PageEdit, PageText, PageVersion
from domain.publishing.editing.stored_course import NewerVersion
from host import content
from host.api.admin.actions import MARKDOWN, FormField, action
from host.api.admin.outcome import ActionPreview, StaffOutcome
from host.api.fields import SAFE, WHOLE, Strict
from host.app_keys import DATABASE
from host.http import request_keys
from host.http.problems import Problem, version_conflict
from host.rendering.markdown import markdown_to_html
from host.site_state import SITE

Kind = Annotated[str, Field(max_length=40)]
Days = Annotated[int, Field(ge=0, le=content_pages.MAX_REFUND_DAYS), WHOLE]
Body = Annotated[str, Field(max_length=100_000)]
REFUND_TERMS = "Refund terms: days in which a refund may be requested. The text above must say the same"
WRITE = Permission.CONTENT_WRITE


class ContentChange(Strict):
    """`version`: the one that was changed, 0 for the first of a page. `body`: Markdown. `refundDays`: of the refund
    policy, by kind of purchase."""

    version: Annotated[int, Field(ge=0, le=SAFE), WHOLE]
    title: Annotated[str, Field(max_length=content_pages.MAX_TITLE_LENGTH), FormField("Title")]
    description: Annotated[
        str,
        Field(max_length=content_pages.MAX_DESCRIPTION_LENGTH),
        FormField("Description", "text", "One or two sentences for search engines.", rows=2),
    ]
    body: Annotated[Body, FormField("Text", "markdown", MARKDOWN, rows=18)]
    refundDays: Annotated[
        dict[Kind, Days],
        Field(max_length=20),
        FormField("{}: days", "number", group=REFUND_TERMS),
    ] = Field(default_factory=dict)


class ContentPublished(StaffOutcome):
    """`version`: to send with the next change."""

    version: int


@action(
    "admin/content/{slug}",
    ContentChange,
    "Text",
    "Publish",
    method="PUT",
    permission=WRITE,
    refusals=(409,),
    has_text_ids=True,
    is_editor=True,
    reply=ContentPublished,
)
async def publish_content(request: web.Request, body: ContentChange) -> ContentPublished:
    """Publish a new version of a page. 409 with what somebody else has published since `version`."""
    slug, actor, db = _slug(request), request[request_keys.ACTOR], request.app[DATABASE]
    first = content.first_version(slug)
    stored = (await db.read(content_pages.current)).get(slug, first)
    terms = content_pages.with_days(stored.text.refund, body.refundDays)
    text = PageText(" ".join(body.title.split()), " ".join(body.description.split()), body.body.strip(), terms)
    try:
        edit = PageEdit(slug, body.version, text, first)
        version = await db.write_as(actor, content_pages.publish, actor, edit)
    except NewerVersion:
        raise await _conflict(request, slug, first) from None
    # So that whoever published sees it at once.
    await request.app[SITE].refresh()
    return ContentPublished(version=version, text="The page is published.")


@publish_content.preview("typed")
async def preview_content(request: web.Request, body: ContentChange) -> ActionPreview:
    """What the shop would show of a text. Stores nothing."""
    _slug(request)
    return ActionPreview(html={"body": markdown_to_html(body.body)})


def _slug(request: web.Request) -> str:
    """Raises NotFound."""
    slug = request[request_keys.PATH_IDS]["slug"]
    if slug not in content.EDITABLE:
        raise NotFound("There is no such page.")
    return slug


async def _conflict(request: web.Request, slug: str, first: PageVersion) -> Problem:
    stored = await request.app[DATABASE].read(content_pages.versions, slug)
    newest = stored[0] if stored else first
    days = {f"refundDays.{kind}": number for kind, number in content_pages.days_of(newest.text.refund).items()}
    values = {"title": newest.text.title, "description": newest.text.description, "body": newest.text.body, **days}
    editor = newest.published_by or "A deleted account"
    return version_conflict(newest.number, editor, newest.published_at, values)
