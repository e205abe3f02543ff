"""/shop-details/{id}: a book, voucher, bundle or thing."""

from urllib.parse import quote

from domain import catalogue, money
from host import seo
from host.loaders import Answer, Asked, Loaded, Moved, Props
from host.loaders.cards import COURSE_PATH, ITEM_PATH, cards, picture
from host.loaders.course import stamp
from host.loaders.errors import error, not_found
from host.markup import html_of
from host.shell import Head


async def load(asked: Asked) -> Answer:
    text = asked.values["id"]
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        return await not_found(asked)
    found = await asked.db.read(catalogue.item, int(text))
    if found is None:
        return await not_found(asked)
    product, detail, category = found
    if product.status == "retired":
        return await _withdrawn(asked, product.successor_id)
    if text != str(product.id):
        return Moved(f"{ITEM_PATH}{product.id}")
    on_sale = catalogue.is_on_sale(product.sale_price, product.sale_from, product.sale_until, asked.at)
    category_href = f"/shop?category={quote(category.slug)}"
    pictures = detail.images or [picture(product.image, product.image_width, product.image_height, product.image_alt)]
    props: Props = {
        "id": product.id,
        "slug": product.slug,
        "name": product.name,
        "subtitle": product.subtitle,
        "descriptionHtml": html_of(detail.description),
        "itemKind": product.item_kind,
        "sku": detail.sku,
        "category": {"slug": category.slug, "name": category.name, "href": category_href},
        "listPrice": money.to_minor(product.list_price),
        "price": money.to_minor(catalogue.price_now(product, asked.at)),
        "saleUntil": stamp(product.sale_until) if on_sale and product.sale_until else None,
        "pictures": pictures,
        "stock": detail.stock,
        "delivery": detail.delivery,
        "crumbs": [
            {"name": "Home", "href": "/"},
            {"name": "Catalogue", "href": "/shop"},
            {"name": category.name, "href": category_href},
            {"name": product.name, "href": f"{ITEM_PATH}{product.id}"},
        ],
    }

    async def related() -> list[Props]:
        rows = await asked.db.read(catalogue.related, product.id, product.category_id, "item")
        return cards(rows, asked.site.by_id, asked.at)

    return Loaded("shop-details", _head(asked, props), props, deferred={"related": related})


async def _withdrawn(asked: Asked, successor_id: int | None) -> Answer:
    """301 to the successor, else gone for good."""
    if successor_id is None:
        return error(asked, 410, "This item is no longer sold.", (await not_found(asked)).props["suggestions"])
    slug = await asked.db.read(catalogue.slug_of, successor_id, "course")
    return Moved(f"{ITEM_PATH}{successor_id}" if slug is None else COURSE_PATH + quote(slug))


def _head(asked: Asked, props: Props) -> Head:
    settings = asked.settings
    url = f"{settings.site_origin}{ITEM_PATH}{props['id']}"
    return Head(
        title=seo.title(settings, props["name"]),
        description=props["subtitle"],
        canonical=url,
        type="product",
        image=seo.absolute(settings, props["pictures"][0]["src"]),
        json_ld=(seo.product(settings, props, url), seo.breadcrumbs(settings, props["crumbs"])),
    )
