"""GET /og/{kind}/{key}-{version}.png"""

from aiohttp import web
from sqlalchemy.orm import Session

from config.settings import ROOT, Settings
from domain import routes
from domain.catalogue import labels as catalogue_labels
from host.app_keys import DATABASE, SETTINGS
from host.content import EDITABLE
from host.http.file_response import FileResponse
from host.images import social_card
from host.images.social_card import CardSubject, SocialCard
from host.images.social_card_store import SOCIAL_CARDS
from host.site_state import SITE, SiteState

FALLBACK = ROOT / "static" / "images" / "sharing.png"
MAX_ID_LENGTH = 15


async def picture(request: web.Request) -> web.StreamResponse:
    """The card; a redirect from an older version; a picture without text when the card cannot be rendered."""
    kind, key = request.match_info["kind"], request.match_info["key"]
    card = await _card(request, kind, key)
    if card is None:
        raise web.HTTPNotFound(headers={"Cache-Control": "no-store"})
    if request.match_info["version"] != card.version:
        raise web.HTTPFound(card.path, headers={"Cache-Control": "no-cache"})
    path = await request.app[SOCIAL_CARDS].get(card)
    if path is None:
        return FileResponse(FALLBACK, headers={"Cache-Control": "no-store"})
    return FileResponse(path, headers={"Cache-Control": "public, max-age=31536000, immutable"})


async def _card(request: web.Request, kind: str, key: str) -> SocialCard | None:
    settings, site = request.app[SETTINGS], request.app[SITE].state
    if kind == "page":
        return of_page(settings, site, key)
    if not key.isdigit() or len(key) > MAX_ID_LENGTH:
        return None
    if kind == "category":
        category = site.by_id.get(int(key))
        return None if category is None else social_card.of_category(settings, category)
    return await request.app[DATABASE].read_inline(_of_product, settings, kind, int(key))


def of_page(settings: Settings, site: SiteState, page: str) -> SocialCard | None:
    """The card of a page that is not a product: with its title, or the shop's tagline."""
    if page not in routes.by_id() or not site.has_page(page):
        return None
    if page in EDITABLE:
        return social_card.of_page(settings, page, site.content(page).title)
    return social_card.of_page(settings, page, "The catalogue" if page == "shop" else settings.site_tagline)


def _of_product(session: Session, settings: Settings, kind: str, key: int) -> SocialCard | None:
    product = catalogue_labels.product_label(session, kind, key)
    if product is None:
        return None
    sort = product.level if kind == "course" else product.item_kind
    subject = CardSubject(kind, key, product.name, product.slug, sort, product.category, product.category_name)
    return social_card.of_product(settings, subject)
