"""/llms.txt (llmstxt.org): the shop, its pages and its data in Markdown, for programs that read for a person."""

import re

from config.settings import Settings
from domain.cart.lines import MAX_QUANTITY
from domain.checkout.cart_links import MAX_PROMISED_LINES
from host.content import EDITABLE, POLICY
from host.site_state import SiteState

_MARKUP = re.compile(r"([\\`*_\[\]<>#])")


def text(settings: Settings, site: SiteState) -> str:
    sections = (
        _about(settings, site),
        _section("Catalogue", [("/shop", "Courses and shop", "everything that is sold, with filters")]),
        _categories(settings, site),
        _data(settings),
        _buying(settings),
        _section("About the shop", _written_pages(site)),
    )
    return "\n\n".join(section.replace("](/", f"]({settings.site_origin}/") for section in sections if section) + "\n"


def _about(settings: Settings, site: SiteState) -> str:
    """Whose shop it is, and what holds for its prices."""
    shop, days = settings.shop, site.content(POLICY).refund_days
    tax = "Prices include tax." if shop.price_mode == "inclusive" else "Tax is added at the checkout."
    notes = [
        f"- Prices are in {shop.currency.code}. {tax} Delivery of goods is added at the checkout.",
        "- Courses are online and bought once; an account is needed to buy. A person pays, on the payment page.",
    ]
    if days is not None:
        notes.append(f"- Refunds can be asked for within {days} days: see the [policy](/{POLICY}).")
    return "\n".join([f"# {plain(settings.site_name)}", "", f"> {plain(settings.site_tagline)}", "", *notes])


def _categories(settings: Settings, site: SiteState) -> str:
    links = [(link["href"], link["name"], "") for link in site.props["categories"]]
    return _section("Categories", links)


def _data(settings: Settings) -> str:
    entries = [
        (
            "/products.jsonl",
            "Products as JSON Lines",
            "one product a line: title, description, prices, availability, address. The parameter since takes the "
            "header X-Feed-Cursor of an earlier answer, and gives only what changed, removed products included",
        ),
        ("/products.csv", "Products as CSV", "the same in the columns of the common shopping feeds"),
        ("/sitemap.xml", "Sitemap", "every page for search engines, with the time of its last change"),
        ("/openapi.json", "OpenAPI document", "every call of this site"),
    ]
    limit = settings.feeds_per_address_minute
    note = f"Both files have an ETag; each address may ask {limit} times a minute." if limit else "Both have an ETag."
    return f"{_section('Data', entries)}\n\n{note}"


def _buying(settings: Settings) -> str:
    limit = settings.program_links_per_address_minute
    often = f" At most {limit} links a minute." if limit else ""
    body = '{"lines": [{"id": 12, "quantity": 1}]}'
    return f"""## Buying for a person

`POST {settings.site_origin}/api/cart/links` with `{body}` makes a link that shows a person these products.
Ids are those of the feed: up to {MAX_PROMISED_LINES} products, up to {MAX_QUANTITY} of each; courses are bought once.
No account and no key is needed.{often}

- The list and sale prices of the answer are kept for 24 hours for whoever opens the link and signs in.
  If a price has fallen by then, the lower one holds.
- The link carries no coupon and reserves no stock. It shows what has changed since: prices, and what is sold out or no
  longer sold.
- Nothing is bought by the link: the person looks, signs in, and pays."""


def _written_pages(site: SiteState) -> list[tuple[str, str, str]]:
    pages = [(page, site.content(page)) for page in EDITABLE if site.has_page(page)]
    return [(f"/{page}", content.title, content.description) for page, content in pages]


def _section(heading: str, links: list[tuple[str, str, str]]) -> str:
    """A list of links: address, name, and what is there. "" without links."""
    lines = [
        f"- [{plain(name)}]({address})" + (f": {plain(about).rstrip('.')}" if about else "")
        for address, name, about in links
    ]
    return f"## {heading}\n\n" + "\n".join(lines) if lines else ""


def plain(text: str) -> str:
    """Text as Markdown that means nothing but itself, on one line."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
