"""A small site that keeps the whole SEO contract, made of strings, so that a test can break one thing of it."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

ORIGIN = "https://shop.example"
COURSE, ITEM, LIST, OTHER = (
    "/course-details?course=vat",
    "/shop-details/7",
    "/shop?category=tax",
    "/course-details?course=gst",
)
COURSES = {"vat": "VAT basics", "gst": "GST basics", "customs": "Customs"}
LASTMOD = "2026-03-01T12:00:00Z"


@dataclass(frozen=True)
class Answer:
    status: int = 200
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)


def crumbs(*pairs: tuple[str, str]) -> dict[str, Any]:
    entries = [
        {"@type": "ListItem", "position": at, "name": name, "item": ORIGIN + path}
        for at, (name, path) in enumerate((("Home", "/"), *pairs), 1)
    ]
    return {"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": entries}


def offer(price: str) -> dict[str, Any]:
    stock = "https://schema.org/InStock"
    return {"@type": "Offer", "price": price, "priceCurrency": "USD", "availability": stock}


def course(slug: str) -> dict[str, Any]:
    return {
        "@context": "https://schema.org",
        "@type": "Course",
        "name": COURSES[slug],
        "description": f"All of {slug}.",
        "url": f"{ORIGIN}/course-details?course={slug}",
        "image": f"{ORIGIN}/{slug}.svg",
        "provider": {"@type": "Organization", "name": "Shop", "sameAs": ORIGIN + "/"},
        "offers": offer("129.00") | {"category": "Paid"},
        "hasCourseInstance": {"@type": "CourseInstance", "courseMode": "Online", "courseWorkload": "PT1H30M"},
        "aggregateRating": {"@type": "AggregateRating", "ratingValue": 4.5, "reviewCount": 2},
    }


POLICY = {
    "@type": "MerchantReturnPolicy",
    "applicableCountry": "US",
    "returnPolicyCategory": "https://schema.org/MerchantReturnFiniteReturnWindow",
}
PRODUCT = {
    "@context": "https://schema.org",
    "@type": "Product",
    "name": "Tax tables",
    "description": "A book.",
    "image": [f"{ORIGIN}/book.svg"],
    "sku": "B-7",
    "brand": {"@type": "Brand", "name": "Shop"},
    "offers": offer("129.00") | {"hasMerchantReturnPolicy": POLICY},
}
LISTED = {
    "@context": "https://schema.org",
    "@type": "ItemList",
    "numberOfItems": 3,
    "itemListElement": [
        {"@type": "ListItem", "position": at, "url": f"{ORIGIN}/course-details?course={slug}"}
        for at, slug in enumerate(COURSES, 1)
    ],
}
SHOP = {
    "@context": "https://schema.org",
    "@type": "Organization",
    "name": "Shop",
    "url": ORIGIN + "/",
    "logo": f"{ORIGIN}/logo.svg",
    "contactPoint": {"@type": "ContactPoint", "email": "a@b.example"},
    "hasMerchantReturnPolicy": POLICY,
}
WEBSITE = {"@context": "https://schema.org", "@type": "WebSite", "name": "Shop", "url": ORIGIN + "/"}

LINKS = ["/", "/shop", LIST, "/about", *(f"/course-details?course={slug}" for slug in COURSES), ITEM]
PRICE = '<strong data-price="12900">$129.00</strong>'


def page(path: str, title: str, blocks: list[dict[str, Any]], body: str = "", robots: str = "index, follow") -> Answer:
    scripts = "".join(f'<script type="application/ld+json">{json.dumps(block)}</script>' for block in blocks)
    canonical = f'<link rel="canonical" href="{ORIGIN}{path}">' if path else ""
    told = f"{title}: what stands on this page, said in a sentence of its own."
    cards = {
        "og:title": title,
        "og:type": "website",
        "og:image": f"{ORIGIN}/og.png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:url": ORIGIN + path,
        "og:site_name": "Shop",
        "og:description": told,
        "og:locale": "en_US",
    }
    metas = "".join(f'<meta property="{name}" content="{value}">' for name, value in cards.items())
    links = "".join(f'<a href="{href}">{href}</a> ' for href in LINKS)
    html = f"""<!DOCTYPE html><html lang="en-US"><head><title>{title}</title>
<meta name="description" content="{told}"><meta name="robots" content="{robots}">{canonical}{metas}
<meta name="twitter:card" content="summary_large_image">{scripts}</head><body><div id="root"><main><h1>{title}</h1>
<img src="/a.svg" width="80" height="45" alt="">{body}{links}<a rel="nofollow" href="/shop?sort=newest">Newest</a>
</main></div></body></html>"""
    headers = {"Content-Type": "text/html; charset=utf-8"} | (
        {"X-Robots-Tag": "noindex"} if "noindex" in robots else {}
    )
    return Answer(200, html, headers)


def png(width: int, height: int) -> str:
    """The beginning of a picture, a letter for each byte."""
    size = width.to_bytes(4) + height.to_bytes(4)
    return "\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + size.decode("latin-1")


def _error() -> Answer:
    return replace(page("", "Error Page", [], robots="noindex, follow"), status=404)


def _xml(inside: str, kind: str) -> Answer:
    text = f'<{kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{inside}</{kind}>'
    return Answer(200, text, {"Content-Type": "application/xml"})


def _urls(*paths: str) -> str:
    return "".join(f"<url><loc>{ORIGIN}{path}</loc><lastmod>{LASTMOD}</lastmod></url>" for path in paths)


ROBOTS = "\n".join(
    [
        "User-agent: *",
        *(f"Disallow: {path}" for path in ("/api/", "/data/", "/shop?*sort=", "/shop?*&level=", "/shop?*&category=")),
        f"Sitemap: {ORIGIN}/sitemap.xml",
    ]
)


def good() -> dict[str, Answer]:
    """Path and query -> its answer. What is not there is the error page."""
    written = "".join('<li class="review">Good.</li>' for _ in range(2))
    made = {
        "/": page("/", "Shop: courses", [SHOP, WEBSITE, LISTED]),
        "/shop": page("/shop", "Everything", [LISTED, crumbs(("Catalogue", "/shop"))]),
        LIST: page(LIST, "Tax courses", [LISTED, crumbs(("Catalogue", "/shop"), ("Tax", LIST))]),
        "/about": page("/about", "About us", [crumbs(("About", "/about"))]),
        ITEM: page(ITEM, "Tax tables", [PRODUCT, crumbs(("Tax tables", ITEM))], PRICE),
        "/shop?sort=newest": page("/shop", "By age", [], robots="noindex, follow"),
        "/shop?level=beginner": page("/shop", "For beginners", [], robots="noindex, follow"),
        "/og.png": Answer(200, png(1200, 630), {"Content-Type": "image/png"}),
        "/robots.txt": Answer(200, ROBOTS, {"Content-Type": "text/plain"}),
        "/shop/": Answer(301, "", {"Location": "/shop"}),
        "/SHOP": Answer(301, "", {"Location": "/shop"}),
        "//about/": Answer(301, "", {"Location": "/about"}),
    }
    for slug, name in COURSES.items():
        path = f"/course-details?course={slug}"
        made[path] = page(path, name, [course(slug), crumbs((name, path))], PRICE + written)
    made["/?utm_source=x&coupon=y"] = made["/"]
    made["/shop?utm_source=x&session_id=1"] = made["/shop"]
    files = ("pages", "courses-0")
    index = "".join(
        f"<sitemap><loc>{ORIGIN}/sitemaps/{name}.xml</loc><lastmod>{LASTMOD}</lastmod></sitemap>" for name in files
    )
    made["/sitemap.xml"] = _xml(index, "sitemapindex")
    made["/sitemaps/pages.xml"] = _xml(_urls("/", "/shop", LIST, "/about"), "urlset")
    made["/sitemaps/courses-0.xml"] = _xml(
        _urls(*(f"/course-details?course={slug}" for slug in COURSES), ITEM), "urlset"
    )
    return made


Change = Callable[[dict[str, Answer]], None]


def application(answers: dict[str, Answer]) -> web.Application:
    async def answer(request: web.Request) -> web.Response:
        found = answers.get(request.raw_path, _error())
        headers = {"Last-Modified": "Sun, 01 Mar 2026 12:00:00 GMT", "ETag": f'"{hash(found.body)}"', **found.headers}
        headers = {name: value for name, value in headers.items() if value}
        body = found.body.replace("{now}", datetime.now(UTC).isoformat())
        is_known = request.headers.get("If-None-Match") == headers.get("ETag", "none")
        if found.status == 200 and (is_known or "If-Modified-Since" in request.headers) and "X-Never" not in headers:
            return web.Response(status=304, headers=headers)
        if found.headers.get("Content-Type") == "image/png":
            return web.Response(status=found.status, body=body.encode("latin-1"), headers=headers)
        return web.Response(status=found.status, text=body, headers=headers)

    app = web.Application()
    app.router.add_get(r"/{tail:[\s\S]*}", answer)
    return app
