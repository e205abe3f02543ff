"""GET /og/{kind}/{key}-{version}.png"""

from aiohttp import web
from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import pages
from domain.tables import Category, Product
from host import keys
from host.loaders.content import read as read_content
from host.og import facts
from host.og.facts import Facts, Subject
from host.settings import ROOT, Settings

FALLBACK = ROOT / "static" / "images" / "sharing.png"
WRITTEN = ("about", "contact", "refund-grievance-policy")
LONGEST_NUMBER = 15


async def picture(request: web.Request) -> web.StreamResponse:
    """The picture; to an older address of it the present one; and when it cannot be drawn, one without words."""
    kind, key = request.match_info["kind"], request.match_info["key"]
    found = await _facts(request, kind, key)
    if found is None:
        raise web.HTTPNotFound(headers={"Cache-Control": "no-store"})
    if request.match_info["version"] != found.version:
        raise web.HTTPFound(found.path, headers={"Cache-Control": "no-cache"})
    path = await request.app[keys.PICTURES].find(found)
    if path is None:
        return web.FileResponse(FALLBACK, headers={"Cache-Control": "no-store"})
    return web.FileResponse(path, headers={"Cache-Control": "public, max-age=31536000, immutable"})


async def _facts(request: web.Request, kind: str, key: str) -> Facts | None:
    settings, site = request.app[keys.SETTINGS], request.app[keys.SITE].state
    if kind == "page":
        return of_page(settings, key)
    if not key.isdigit() or len(key) > LONGEST_NUMBER:
        return None
    if kind == "category":
        category = site.by_id.get(int(key))
        return None if category is None else facts.of_category(settings, category)
    return await request.app[keys.DATABASE].glance(_of_product, settings, kind, int(key))


def of_page(settings: Settings, page: str) -> Facts | None:
    """Pages that are no product: their own words, or the shop's."""
    if page not in pages.by_id():
        return None
    if page in WRITTEN:
        return facts.of_page(settings, page, read_content(page).title)
    return facts.of_page(settings, page, "The catalogue" if page == "shop" else settings.site_tagline)


def _of_product(session: Session, settings: Settings, kind: str, key: int) -> Facts | None:
    columns = (Product.name, Product.slug, Product.level, Product.item_kind, Category.slug, Category.name)
    row = session.execute(
        select(*columns)
        .join(Category, Category.id == Product.category_id)
        .where(Product.id == key, Product.kind == kind, Product.status.in_(("published", "retired")))
    ).one_or_none()
    if row is None:
        return None
    name, slug, level, item_kind, *shelf = row
    sort = level if kind == "course" else item_kind
    return facts.of_product(settings, Subject(kind, key, name, slug, sort, *shelf))
