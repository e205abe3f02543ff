"""/shop-details/{id}: a book, exam voucher, bundle or physical item."""

from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain import money
from domain.catalogue import details as catalogue_details
from domain.catalogue import listing as catalogue_listing
from domain.catalogue import redirects
from domain.catalogue import scope as catalogue_scope
from domain.catalogue.details import ItemDetail
from domain.catalogue.listing import ItemKind
from domain.catalogue.redirects import RedirectTarget
from domain.catalogue.stock import shown_stock
from host.content import POLICY
from host.images import social_card as og
from host.images.social_card import CardSubject
from host.loaders.cards import Card, LowestPrice, lowest_price, related_now
from host.loaders.cards import related as related_cards
from host.loaders.course import category_link_of, iso_utc, sale_start
from host.loaders.crumbs import CATALOGUE, HOME, Crumb, category_crumb
from host.loaders.errors import gone, not_found
from host.page_cache import page_data
from host.rendering import deferred
from host.rendering.markdown import markdown_to_html
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import DeferredPart, LoaderResult, PageResult, Redirect
from host.rendering.shell import Head
from host.seo import head_texts, structured_data
from host.seo.structured_data import OfferContext
from host.site_state import CategoryRef
from host.urls import ITEM_PATH, Picture, href_of, picture


class ItemProps(LowestPrice):
    """`descriptionHtml` is sanitised. `stock`: how many are left if these are few, 0 sold out; null: enough."""

    id: int
    slug: str
    name: str
    subtitle: str
    descriptionHtml: str
    itemKind: ItemKind
    sku: str
    category: CategoryRef
    listPrice: int
    price: int
    saleUntil: str | None
    pictures: list[Picture]
    stock: int | None
    delivery: str
    crumbs: list[Crumb]


class ItemDeferred(TypedDict):
    related: list[Card]


@page("shop-details", deferred=ItemDeferred)
async def load(request: PageRequest) -> LoaderResult[ItemProps]:
    text = request.values["id"]
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        return await not_found(request)
    key = f"item {text}"
    composed = await page_data.find(request, key)
    return await _load(request, text, key) if composed is None else composed


async def _load(request: PageRequest, text: str, key: str) -> LoaderResult:
    found = await request.db.read_inline(_load_item, int(text), request, deferred.reads_at_once(request))
    if found is None:
        return await not_found(request)
    product = found.detail.product
    if product.status == "retired":
        if found.successor is None or product.retirement_choice == "gone":
            return await gone(request, "This item is no longer sold.")
        return Redirect(href_of(found.successor.kind, found.successor.id, found.successor.slug))
    if text != str(product.id):
        return Redirect(f"{ITEM_PATH}{product.id}")
    props = item_props(request, found.detail)
    parts, later = (found.parts, {}) if found.parts else ({}, _deferred(request, product))
    result = PageResult("shop-details", _head(request, found.detail, props), {**props, **parts}, deferred=later)
    return page_data.compose(request, key, result, product, found.detail.version)


def _deferred(request: PageRequest, product: Any) -> dict[str, DeferredPart]:
    async def related() -> list[Card]:
        return await request.db.read_inline(related_now, request, product)

    return {"related": related}


@dataclass(frozen=True)
class LoadedItem:
    """An item with, if it is withdrawn, its visible successor. `parts` None: they are deferred."""

    detail: ItemDetail
    successor: RedirectTarget | None
    parts: ItemDeferred | None


def _load_item(session: Session, key: int, request: PageRequest, reads_parts: bool) -> LoadedItem | None:
    detail, scope = catalogue_details.item(session, key), request.scope
    if detail is None or not catalogue_scope.is_in_scope(session, scope, key):
        return None
    successor = redirects.successor(session, detail.product)
    is_visible = successor is not None and catalogue_scope.is_in_scope(session, scope, successor.id)
    parts: ItemDeferred | None = None
    if reads_parts:
        parts = {"related": related_cards(session, request, detail.product, detail.version)}
    return LoadedItem(detail, successor if is_visible else None, parts)


def item_props(request: PageRequest, detail: ItemDetail) -> ItemProps:
    product, item = detail.product, detail.item
    on_sale = catalogue_listing.is_on_sale(product.sale_price, product.sale_from, product.sale_until, request.at)
    link = category_link_of(request, detail)
    pictures = cast("list[Picture]", item.images) or [
        picture(product.image, product.image_width, product.image_height, product.image_alt)
    ]
    return {
        "id": product.id,
        "slug": product.slug,
        "name": product.name,
        "subtitle": product.subtitle,
        "descriptionHtml": markdown_to_html(item.description),
        "itemKind": cast("ItemKind", product.item_kind),
        "sku": item.sku,
        "category": link,
        "listPrice": money.to_minor(product.list_price, request.site.currency),
        "price": money.to_minor(catalogue_listing.price_now(product, request.at), request.site.currency),
        "saleUntil": iso_utc(product.sale_until) if on_sale and product.sale_until else None,
        "pictures": pictures,
        "stock": shown_stock(item.stock),
        "delivery": item.delivery,
        "crumbs": [
            HOME,
            CATALOGUE,
            category_crumb(link),
            {"name": product.name, "href": f"{ITEM_PATH}{product.id}"},
        ],
        **lowest_price(product, request.site, request.at),
    }


def _head(request: PageRequest, detail: ItemDetail, props: ItemProps) -> Head:
    settings, product, texts = request.settings, detail.product, detail.texts
    context = OfferContext(
        f"{settings.site_origin}{ITEM_PATH}{product.id}", texts.description, sale_start(product, request.at)
    )
    in_category = (detail.category.slug, detail.category.name)
    shared = og.of_product(
        settings, CardSubject("item", product.id, product.name, product.slug, product.item_kind, *in_category)
    )
    refund_days = request.site.content(POLICY).refund_days
    return Head(
        title=head_texts.title(settings, texts.title),
        description=texts.description,
        canonical=context.url,
        type="product",
        **og.shared_image(settings, shared, props["pictures"][0]),
        json_ld=(
            structured_data.product(settings, props, context, refund_days),
            head_texts.breadcrumbs(settings, props["crumbs"]),
        ),
    )
