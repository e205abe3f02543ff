"""/shop-details/{id}: a book, exam voucher, bundle or physical item."""

from typing import cast

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain import catalogue, money
from domain.catalogue import CatalogueScope, Category, ItemKind, Product, ShopItem, redirects, search_snippets
from domain.catalogue.redirects import RedirectTarget
from domain.catalogue.search_snippets import Snippet
from domain.catalogue.stock import shown_stock
from host.content import read as read_content
from host.images import social_card as og
from host.images.social_card import CardSubject
from host.loaders.cards import Card
from host.loaders.cards import related as related_cards
from host.loaders.course import category_link_of, iso_utc, sale_start
from host.loaders.crumbs import CATALOGUE, HOME, Crumb, category_crumb
from host.loaders.errors import gone, not_found
from host.rendering.markdown import markdown_to_html
from host.rendering.page_request import PageRequest
from host.rendering.page_result import LoaderResult, PageResult, Redirect
from host.rendering.shell import Head
from host.seo import head_texts, structured_data
from host.seo.structured_data import OfferContext
from host.site_state import CategoryRef
from host.urls import ITEM_PATH, Picture, href_of, picture


class ItemProps(TypedDict):
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


async def load(request: PageRequest) -> LoaderResult:
    text = request.values["id"]
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        return await not_found(request)
    found = await request.db.read_inline(_load_item, int(text), request.scope)
    if found is None:
        return await not_found(request)
    product, detail, category, texts, successor = found
    if product.status == "retired":
        if successor is None:
            return await gone(request, "This item is no longer sold.")
        return Redirect(href_of(successor.kind, successor.id, successor.slug))
    if text != str(product.id):
        return Redirect(f"{ITEM_PATH}{product.id}")
    props = _props(request, product, detail, category)

    async def related() -> list[Card]:
        return await request.db.read_inline(
            related_cards, request.site, (product.id, product.category_id, "item"), request.scope, request.at
        )

    head = _head(request, product, category, texts, props)
    return PageResult("shop-details", head, props, deferred={"related": related})


def _load_item(
    session: Session, key: int, scope: CatalogueScope | None
) -> tuple[Product, ShopItem, Category, Snippet, RedirectTarget | None] | None:
    """The item with its head texts and, if it is withdrawn, its visible successor."""
    found = catalogue.item(session, key)
    if found is None or not catalogue.is_in_scope(session, scope, key):
        return None
    product, detail, category = found
    texts = search_snippets.of_product(session, key) or search_snippets.fallback_snippet(product.name, product.subtitle)
    successor = redirects.successor(session, product)
    is_visible = successor is not None and catalogue.is_in_scope(session, scope, successor.id)
    return product, detail, category, texts, successor if is_visible else None


def _props(request: PageRequest, product: Product, detail: ShopItem, category: Category) -> ItemProps:
    on_sale = catalogue.is_on_sale(product.sale_price, product.sale_from, product.sale_until, request.at)
    link = category_link_of(request, category)
    pictures = cast("list[Picture]", detail.images) or [
        picture(product.image, product.image_width, product.image_height, product.image_alt)
    ]
    return {
        "id": product.id,
        "slug": product.slug,
        "name": product.name,
        "subtitle": product.subtitle,
        "descriptionHtml": markdown_to_html(detail.description),
        "itemKind": cast("ItemKind", product.item_kind),
        "sku": detail.sku,
        "category": link,
        "listPrice": money.to_minor(product.list_price, request.site.currency),
        "price": money.to_minor(catalogue.price_now(product, request.at), request.site.currency),
        "saleUntil": iso_utc(product.sale_until) if on_sale and product.sale_until else None,
        "pictures": pictures,
        "stock": shown_stock(detail.stock),
        "delivery": detail.delivery,
        "crumbs": [
            HOME,
            CATALOGUE,
            category_crumb(link),
            {"name": product.name, "href": f"{ITEM_PATH}{product.id}"},
        ],
    }


def _head(request: PageRequest, product: Product, category: Category, texts: Snippet, props: ItemProps) -> Head:
    settings = request.settings
    context = OfferContext(
        f"{settings.site_origin}{ITEM_PATH}{product.id}", texts.description, sale_start(product, request.at)
    )
    in_category = (category.slug, category.name)
    shared = og.of_product(
        settings, CardSubject("item", product.id, product.name, product.slug, product.item_kind, *in_category)
    )
    refund_days = read_content("refund-grievance-policy").refund_days
    return Head(
        title=head_texts.title(settings, texts.title),
        description=texts.description,
        canonical=context.url,
        type="product",
        image=settings.site_origin + shared.path,
        json_ld=(
            structured_data.product(settings, props, context, refund_days),
            head_texts.breadcrumbs(settings, props["crumbs"]),
        ),
    )
