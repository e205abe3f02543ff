"""The written pages, such as /about, /contact and /terms: texts in Markdown, which staff write (host/content.py)."""

from collections.abc import Mapping
from typing import cast

from typing_extensions import TypedDict

from domain.catalogue import details as catalogue_details
from domain.contact import LENGTHS
from host.content import LEGAL, Content
from host.images import social_card
from host.loaders.crumbs import HOME, Crumb
from host.loaders.errors import not_found
from host.rendering.markdown import markdown_to_html
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import LoaderResult, PageResult
from host.rendering.shell import Head
from host.seo import head_texts


class ContactValues(TypedDict):
    name: str
    email: str
    subject: str
    message: str


EMPTY_FORM: ContactValues = {"name": "", "email": "", "subject": "", "message": ""}


class ArticleProps(TypedDict):
    title: str
    html: str
    crumbs: list[Crumb]


class ContentProps(ArticleProps):
    updatedAt: str
    refundDays: int | None


class ContactForm(TypedDict):
    """Filled when the form was sent without JavaScript; `errors` by field, those of the whole form under `form`."""

    values: ContactValues
    errors: dict[str, str]
    sent: bool


class ContactProps(ArticleProps):
    form: ContactForm


def _article_props(content: Content, path: str) -> ArticleProps:
    return {
        "title": content.title,
        "html": markdown_to_html(content.text),
        "crumbs": [HOME, {"name": content.title, "href": path}],
    }


def _head(request: PageRequest, content: Content, path: str, props: ArticleProps) -> Head:
    settings = request.settings
    return Head(
        title=head_texts.title(settings, content.title),
        description=content.description,
        canonical=settings.site_origin + path,
        image=settings.site_origin + social_card.of_page(settings, path.lstrip("/"), content.title).path,
        json_ld=(head_texts.breadcrumbs(settings, props["crumbs"]),),
    )


@page("about")
async def load_about(request: PageRequest) -> LoaderResult[ContentProps]:
    return _article(request, "about", "/about")


@page("refund-grievance-policy")
async def load_policy(request: PageRequest) -> LoaderResult[ContentProps]:
    return _article(request, "refund-grievance-policy", "/refund-grievance-policy")


@page(*LEGAL)
async def load_legal(request: PageRequest) -> LoaderResult[ContentProps]:
    """Not found until the shop has written it."""
    page = request.path.lstrip("/")
    return _article(request, page, request.path) if request.site.has_page(page) else await not_found(request)


def _article(request: PageRequest, page: str, path: str) -> PageResult:
    content = request.site.content(page)
    props: ContentProps = {
        **_article_props(content, path),
        "updatedAt": f"{content.updated}T00:00:00Z",
        "refundDays": content.refund_days,
    }
    return PageResult(page, _head(request, content, path, props), props)


@page("contact")
async def load_contact(request: PageRequest) -> LoaderResult[ContactProps]:
    """With ?about={slug} the subject names that course or shop item."""
    slug = request.query.get("about", "")
    name = await request.db.read(catalogue_details.name_of, slug) if slug else None
    values = {**EMPTY_FORM, "subject": "" if name is None else f"About: {name}"[: LENGTHS["subject"]]}
    return contact(request, cast("ContactValues", values), {}, sent="sent" in request.query)


def contact(
    request: PageRequest, values: ContactValues, errors: Mapping[str, str], *, sent: bool, status: int = 200
) -> PageResult:
    """The contact page, also as the response to a form that was sent without JavaScript, with the `status` of that."""
    content = request.site.content("contact")
    props: ContactProps = {
        **_article_props(content, "/contact"),
        "form": {"values": values, "errors": dict(errors), "sent": sent},
    }
    return PageResult("contact", _head(request, content, "/contact", props), props, status=status)
