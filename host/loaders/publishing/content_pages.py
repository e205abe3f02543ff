"""/admin/content, and the page of each written page: its text as a form, and its earlier versions."""

from dataclasses import dataclass

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.errors import NotFound
from domain.publishing.editing import content_pages
from domain.publishing.editing.content_pages import PageText, PageVersion
from domain.routes import Page
from domain.typed_values import is_number
from host import content
from host.api.admin.actions import Action, FormEntry, FormOptions
from host.api.admin.catalogue.content import publish_content
from host.loaders.areas import area_page
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import DetailProps, ShortTable, short_table
from host.loaders.ui.table_cells import Column
from host.rendering.markdown import markdown_to_html
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/admin/content"
# By the key of the terms.
KINDS = {
    "course": "Courses",
    "bundle": "Bundles",
    "download": "Digital books",
    "voucher": "Examination vouchers",
    "seats": "Seats of organisations",
    "goods": "Physical goods",
    "withdrawn_days": "Courses that are withdrawn",
}
SINCE = {"payment": "from the payment", "delivery": "from the delivery"}
CONDITIONS = {
    "certificate": "unless a certificate was issued",
    "used": "unless it was used",
    "deleted": "if the buyer has deleted the copies",
    "returned": "if the goods come back",
}


class ContentEditProps(TypedDict):
    """`version`: the published one. `shownVersion`: the one whose text the form has; another than `version` for an
    earlier text that is to be published again."""

    title: str
    heading: str
    backHref: str
    slug: str
    publicHref: str
    version: int
    shownVersion: int
    form: Action
    html: str
    versions: ShortTable


@dataclass(frozen=True)
class _Row:
    slug: str
    version: PageVersion


_PAGES: tuple[Column[_Row], ...] = (
    cells.link("title", "Page", lambda row: (row.version.text.title, f"{PATH}/{row.slug}")),
    cells.link("address", "Address", lambda row: (f"/{row.slug}", f"/{row.slug}") if row.version.number else None),
    cells.count("version", "Version", lambda row: row.version.number),
    cells.time("at", "Published", lambda row: row.version.published_at if row.version.number else None),
)
_VERSIONS: tuple[Column[_Row], ...] = (
    cells.link(
        "version", "Version", lambda row: (f"Version {row.version.number}", _href(row.slug, row.version.number))
    ),
    cells.time("at", "Published", lambda row: row.version.published_at),
    cells.text("by", "By", lambda row: row.version.published_by or None),
    cells.text("title", "Title", lambda row: row.version.text.title),
)


@page("admin-content")
async def load(request: PageRequest, route: Page) -> PageResult[DetailProps]:
    """Raises ServiceUnavailable."""
    stored = await request.db.read(content_pages.current)
    rows = [_Row(slug, stored.get(slug) or content.first_version(slug)) for slug in content.EDITABLE]
    props: DetailProps = {
        "title": route.title,
        "heading": route.title,
        "backHref": "/admin",
        "backText": "Overview",
        "facts": [],
        "tables": [short_table("pages", "Pages", "The shop has no written pages.", _PAGES, rows)],
    }
    return area_page.page(request, route, props)


@page("admin-content-page")
async def load_one(request: PageRequest, route: Page) -> PageResult[ContentEditProps]:
    """With `version`, the form has the text of that version. Raises NotFound, ServiceUnavailable."""
    slug = request.values["slug"]
    if slug not in content.EDITABLE:
        raise NotFound("There is no such page.")
    first, number = content.first_version(slug), version_number(request.query.get("version"))

    def read(session: Session) -> ContentEditProps:
        stored = [*content_pages.versions(session, slug)]
        versions = stored or ([first] if first.number else [])
        newest = versions[0] if versions else first
        shown = newest if number in (None, newest.number) else content_pages.version(session, slug, number or 0)
        return {
            "title": route.title,
            "heading": newest.text.title,
            "backHref": PATH,
            "slug": slug,
            "publicHref": f"/{slug}",
            "version": newest.number,
            "shownVersion": shown.number,
            "form": _form(slug, newest, shown),
            "html": markdown_to_html(shown.text.body),
            "versions": short_table(
                "versions", "Versions", "No version yet.", _VERSIONS, [_Row(slug, version) for version in versions]
            ),
        }

    return area_page.page(request, route, await request.db.read(read))


def version_number(text: str | None) -> int | None:
    """The version that an address asks for. Raises NotFound."""
    if not text:
        return None
    if not is_number(text, 9):
        raise NotFound("There is no such version of this page.")
    return int(text)


def _href(slug: str, number: int) -> str:
    return f"{PATH}/{slug}?version={number}"


def _form(slug: str, newest: PageVersion, shown: PageVersion) -> Action:
    """What is typed for one version is not that of another."""
    text, number = shown.text, newest.number
    days = content_pages.days_of(text.refund)
    options: FormOptions = {
        "id": f"version-{shown.number}",
        "version": number,
        "values": {"title": text.title, "description": text.description, "body": text.body},
        "entries": {
            "refundDays": {
                kind: FormEntry(name, _hint(text, kind), days[kind]) for kind, name in KINDS.items() if kind in days
            }
        },
        "button": f"Publish version {number + 1}",
    }
    if shown.number != number:
        options["leads_to"] = f"{PATH}/{slug}"
    return publish_content.form(slug, **options)


def _hint(text: PageText, kind: str) -> str:
    terms = text.refund[kind]
    if isinstance(terms, int):
        return "Who bought a course may have it refunded if it is withdrawn within so many days."
    condition = CONDITIONS.get(terms.get("unless") or terms.get("confirm") or "")
    return ", ".join(filter(None, (SINCE[terms["from"]].capitalize(), condition))) + "."
