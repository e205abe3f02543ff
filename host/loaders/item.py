"""/shop-details/{id}: a book, voucher, bundle or thing."""

from sqlalchemy.orm import Session

from domain import addresses, catalogue, money, page_texts
from domain.addresses import Address
from domain.catalogue import Narrowed
from domain.page_texts import Texts
from domain.tables import Category, Product, ShopItem
from host import seo, structured_data
from host.loaders import Answer, Asked, Loaded, Moved, Props, content
from host.loaders.cards import ITEM_PATH, href_of, picture
from host.loaders.cards import related as others
from host.loaders.course import sale_start, shelf_of, stamp
from host.loaders.errors import gone, not_found
from host.markup import html_of
from host.og import facts as og
from host.og.facts import Subject
from host.shell import Head
from host.structured_data import About


async def load(asked: Asked) -> Answer:
    text = asked.values["id"]
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        return await not_found(asked)
    found = await asked.db.glance(_found, int(text), asked.only)
    if found is None:
        return await not_found(asked)
    product, detail, category, texts, following = found
    if product.status == "retired":
        if following is None:
            return await gone(asked, "This item is no longer sold.")
        return Moved(href_of(following.kind, following.id, following.slug))
    if text != str(product.id):
        return Moved(f"{ITEM_PATH}{product.id}")
    on_sale = catalogue.is_on_sale(product.sale_price, product.sale_from, product.sale_until, asked.at)
    shelf = shelf_of(asked, category)
    pictures = detail.images or [picture(product.image, product.image_width, product.image_height, product.image_alt)]
    props: Props = {
        "id": product.id,
        "slug": product.slug,
        "name": product.name,
        "subtitle": product.subtitle,
        "descriptionHtml": html_of(detail.description),
        "itemKind": product.item_kind,
        "sku": detail.sku,
        "category": shelf,
        "listPrice": money.to_minor(product.list_price),
        "price": money.to_minor(catalogue.price_now(product, asked.at)),
        "saleUntil": stamp(product.sale_until) if on_sale and product.sale_until else None,
        "pictures": pictures,
        "stock": detail.stock,
        "delivery": detail.delivery,
        "crumbs": [
            {"name": "Home", "href": "/"},
            {"name": "Catalogue", "href": "/shop"},
            {name: value for name, value in shelf.items() if name != "slug"},
            {"name": product.name, "href": f"{ITEM_PATH}{product.id}"},
        ],
    }

    async def related() -> list[Props]:
        return await asked.db.glance(
            others, asked.site, (product.id, product.category_id, "item"), asked.only, asked.at
        )

    head = _head(asked, product, category, texts, props)
    return Loaded("shop-details", head, props, deferred={"related": related})


def _found(
    session: Session, key: int, only: Narrowed | None
) -> tuple[Product, ShopItem, Category, Texts, Address | None] | None:
    """The item with its texts; of a withdrawn one, what is sold in its place."""
    found = catalogue.item(session, key)
    if found is None or not catalogue.within(session, only, key):
        return None
    product, detail, category = found
    texts = page_texts.of_product(session, key) or page_texts.made_up(product.name, product.subtitle)
    following = addresses.successor(session, product)
    is_seen = following is not None and catalogue.within(session, only, following.id)
    return product, detail, category, texts, following if is_seen else None


def _head(asked: Asked, product: Product, category: Category, texts: Texts, props: Props) -> Head:
    settings = asked.settings
    about = About(f"{settings.site_origin}{ITEM_PATH}{product.id}", texts.description, sale_start(product, asked.at))
    place = (category.slug, category.name)
    shared = og.of_product(settings, Subject("item", product.id, product.name, product.slug, product.item_kind, *place))
    refund_days = content.read("refund-grievance-policy").refund_days
    return Head(
        title=seo.title(settings, texts.title),
        description=texts.description,
        canonical=about.url,
        type="product",
        image=settings.site_origin + shared.path,
        json_ld=(
            structured_data.product(settings, props, about, refund_days),
            seo.breadcrumbs(settings, props["crumbs"]),
        ),
    )
