"""Every way in which a site can break the SEO contract: rule, page where it shows, and the change that does it."""

import re
from dataclasses import replace

from tests.host.seo_audit.audited import COURSE, ITEM, LASTMOD, LIST, ORIGIN, OTHER, PRICE, Change, png


def text(path: str, old: str, new: str) -> Change:
    """Replaces words of one answer; the words must be there."""

    def change(answers):
        before = answers[path]
        assert old in before.body, (path, old)
        answers[path] = replace(before, body=before.body.replace(old, new))

    return change


def pattern(path: str, expression: str, new: str) -> Change:
    def change(answers):
        body, count = re.subn(expression, new, answers[path].body)
        assert count, expression
        answers[path] = replace(answers[path], body=body)

    return change


def header(path: str, **headers: str) -> Change:
    def change(answers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answers[path] = replace(answers[path], headers=answers[path].headers | named)

    return change


def status(path: str, number: int, location: str = "") -> Change:
    def change(answers):
        answers[path] = replace(answers[path], status=number, headers={"Location": location} if location else {})

    return change


def gone(path: str) -> Change:
    return lambda answers: answers.pop(path)


def both(*changes: Change) -> Change:
    return lambda answers: [change(answers) for change in changes] and None


def moved_to(path: str, target: str) -> Change:
    """`path` shows what `target` shows."""
    return lambda answers: answers.__setitem__(path, answers[target])


ROBOTS, INDEX, PAGES, FILE = "/robots.txt", "/sitemap.xml", "/sitemaps/pages.xml", "/sitemaps/courses-0.xml"
FACET = "/shop?level=beginner"
CANONICAL = f'<link rel="canonical" href="{ORIGIN}{COURSE}">'
BROKEN: list[tuple[str, str, Change]] = [
    # the head
    ("canonical-present", COURSE, text(COURSE, CANONICAL, "")),
    ("canonical-present", COURSE, text(COURSE, CANONICAL, CANONICAL * 2)),
    ("canonical-absolute", COURSE, text(COURSE, f'href="{ORIGIN}{COURSE}"', f'href="{COURSE}"')),
    ("canonical-absolute", COURSE, text(COURSE, f'href="{ORIGIN}{COURSE}"', f'href="http://other.example{COURSE}"')),
    ("canonical-self", COURSE, text(COURSE, f'href="{ORIGIN}{COURSE}"', f'href="{ORIGIN}{OTHER}"')),
    ("canonical-params", COURSE, text(COURSE, f'href="{ORIGIN}{COURSE}"', f'href="{ORIGIN}{COURSE}&amp;utm_source=x"')),
    ("canonical-params", LIST, text(LIST, f'href="{ORIGIN}{LIST}">', f'href="{ORIGIN}/shop?page=2&amp;category=tax">')),
    ("canonical-params", "/shop", text("/shop", f'href="{ORIGIN}/shop">', f'href="{ORIGIN}/shop?page=1">')),
    ("canonical-form", "/about", text("/about", f'href="{ORIGIN}/about">', f'href="{ORIGIN}/about/">')),
    ("canonical-form", "/about", text("/about", f'href="{ORIGIN}/about">', f'href="{ORIGIN}/About">')),
    ("title-present", COURSE, text(COURSE, "<title>VAT basics</title>", "")),
    ("title-present", COURSE, text(COURSE, "<title>VAT basics</title>", "<title> </title>")),
    ("title-length", COURSE, text(COURSE, "<title>VAT basics", "<title>" + "VAT basics " * 8)),
    ("title-unique", OTHER, text(OTHER, "<title>GST basics", "<title>VAT basics")),
    ("description-present", COURSE, pattern(COURSE, '<meta name="description"[^>]*>', "")),
    (
        "description-length",
        COURSE,
        text(COURSE, 'name="description" content="', 'name="description" content="' + "a " * 90),
    ),
    ("description-length", COURSE, pattern(COURSE, '(name="description" content=")[^"]*', r"\1short")),
    ("description-unique", OTHER, pattern(OTHER, '(name="description" content=")GST', r"\1VAT")),
    ("robots-agree", COURSE, header(COURSE, X_Robots_Tag="noindex")),
    (
        "robots-agree",
        FACET,
        both(header(FACET, X_Robots_Tag=""), text("/about", "</main>", f'<a href="{FACET}">x</a></main>')),
    ),
    ("robots-agree", "/about", pattern("/about", '<meta name="robots"[^>]*>', "")),
    *(
        ("social-card", COURSE, pattern(COURSE, f'<meta property="{name}"[^>]*>', ""))
        for name in ("og:title", "og:type", "og:image", "og:url", "og:site_name", "og:description", "og:locale")
    ),
    ("social-card", COURSE, pattern(COURSE, '<meta name="twitter:card"[^>]*>', "")),
    ("social-card", COURSE, text(COURSE, f'og:url" content="{ORIGIN}{COURSE}', f'og:url" content="{ORIGIN}/')),
    ("social-card", COURSE, text(COURSE, f"{ORIGIN}/og.png", "/og.png")),
    ("social-picture-size", COURSE, text(COURSE, 'content="630"', 'content="600"')),
    ("language", COURSE, text(COURSE, ' lang="en-US"', "")),
    ("language", COURSE, text(COURSE, 'lang="en-US"', 'lang="de"')),
    ("no-hreflang", COURSE, text(COURSE, "</head>", '<link rel="alternate" hreflang="en" href="/"></head>')),
    # the body
    ("one-heading", COURSE, text(COURSE, "<h1>VAT basics</h1>", "")),
    ("one-heading", COURSE, text(COURSE, "</main>", "<h1>Two</h1></main>")),
    ("complete", COURSE, pattern(COURSE, "<(/?)main>", r"<\1div>")),
    ("complete", COURSE, pattern(COURSE, "<a href[^>]*>", "")),
    ("complete", COURSE, text(COURSE, PRICE, "")),
    ("rendered", COURSE, text(COURSE, '<div id="root">', '<div id="root" data-rendered="no">')),
    ("pictures", COURSE, text(COURSE, ' alt=""', "")),
    ("pictures", COURSE, text(COURSE, ' width="80"', "")),
    ("pictures", COURSE, text(COURSE, 'height="45"', 'height="auto"')),
    ("link-form", COURSE, text(COURSE, 'href="/about"', 'href="/about/"')),
    ("link-form", COURSE, text(COURSE, 'href="/about"', 'href="/About"')),
    ("link-tracking", COURSE, text(COURSE, 'href="/about"', 'href="/about?utm_source=home"')),
    ("size", COURSE, text(COURSE, "</main>", "<p>" + "a" * 2**21 + "</p></main>")),
    # what is said to machines
    ("markup-readable", COURSE, text(COURSE, '{"@context"', '{"@context')),
    ("markup-readable", COURSE, text(COURSE, "https://schema.org", "http://schema.example")),
    ("markup-types", COURSE, text(COURSE, '"@type": "Course"', '"@type": "Thing"')),
    ("markup-types", ITEM, text(ITEM, '"@type": "Product"', '"@type": "Thing"')),
    ("markup-types", "/", text("/", '"@type": "WebSite"', '"@type": "Thing"')),
    ("markup-types", "/about", text("/about", '"@type": "BreadcrumbList"', '"@type": "Thing"')),
    ("markup-course", COURSE, text(COURSE, '"description": "All of vat."', '"description": ""')),
    ("markup-course", COURSE, text(COURSE, '"provider"', '"supplier"')),
    ("markup-course", COURSE, text(COURSE, f'"url": "{ORIGIN}{COURSE}"', f'"url": "{ORIGIN}/"')),
    ("markup-course", COURSE, text(COURSE, f'"{ORIGIN}/vat.svg"', '"/vat.svg"')),
    ("markup-course", COURSE, text(COURSE, '"category": "Paid"', '"category": "Dear"')),
    ("markup-course", COURSE, text(COURSE, '"priceCurrency": "USD"', '"priceCurrency": "$"')),
    ("markup-course", COURSE, text(COURSE, '"price": "129.00"', '"price": "$129"')),
    ("markup-course", COURSE, text(COURSE, "https://schema.org/InStock", "yes")),
    ("markup-course", COURSE, text(COURSE, '"hasCourseInstance"', '"instance"')),
    ("markup-course", COURSE, text(COURSE, '"courseMode": "Online"', '"courseMode": "Remote"')),
    ("markup-course", COURSE, text(COURSE, '"courseWorkload": "PT1H30M"', '"courseWorkload": "90 minutes"')),
    ("markup-course", COURSE, text(COURSE, '"courseWorkload"', '"workload"')),
    ("markup-product", ITEM, text(ITEM, '"sku": "B-7"', '"sku": ""')),
    ("markup-product", ITEM, text(ITEM, '"price": "129.00"', '"price": "0.00"')),
    ("markup-product", ITEM, text(ITEM, '"hasMerchantReturnPolicy"', '"returns"')),
    ("markup-product", ITEM, text(ITEM, f'"{ORIGIN}/book.svg"', '"/book.svg"')),
    ("markup-breadcrumbs", COURSE, text(COURSE, '"position": 2', '"position": 3')),
    ("markup-breadcrumbs", COURSE, pattern(COURSE, r', \{"@type": "ListItem", "position": 2[^}]*\}', "")),
    ("markup-breadcrumbs", COURSE, text(COURSE, f'"item": "{ORIGIN}/"', '"item": "/"')),
    ("markup-breadcrumbs", COURSE, text(COURSE, '"name": "Home"', '"name": ""')),
    ("markup-list", "/shop", pattern("/shop", r', \{"@type": "ListItem", "position": 3, "url"[^}]*\}', "")),
    ("markup-list", "/shop", text("/shop", "course=gst", "course=vat")),
    ("markup-list", "/shop", text("/shop", '"numberOfItems": 3', '"numberOfItems": 24')),
    ("markup-list", "/shop", text("/shop", '"position": 3, "url"', '"position": 4, "url"')),
    ("markup-list", "/shop", text("/shop", f'"url": "{ORIGIN}/course-details?course=vat"', f'"url": "{COURSE}"')),
    ("markup-shop", "/", text("/", f'"logo": "{ORIGIN}', '"logo": "')),
    ("markup-shop", "/", text("/", '"contactPoint"', '"contact"')),
    ("markup-rating", COURSE, text(COURSE, '"reviewCount": 2', '"reviewCount": 0')),
    ("markup-rating", COURSE, text(COURSE, '"ratingValue": 4.5', '"ratingValue": 9')),
    ("markup-rating", COURSE, text(COURSE, 'class="review"', 'class="praise"')),
    ("markup-price", COURSE, text(COURSE, '"price": "129.00"', '"price": "99.00"')),
    ("markup-price", COURSE, text(COURSE, 'data-price="12900"', 'data-price="9900"')),
    ("markup-price", COURSE, text(COURSE, "$129.00", "$99.00")),
    ("markup-price", COURSE, text(COURSE, '"offers"', '"offer"')),
    # status, sitemaps and links
    ("status", COURSE, status(COURSE, 503)),
    ("sitemap-status", COURSE, status(COURSE, 410)),
    ("sitemap-status", COURSE, status(COURSE, 301, "/shop")),
    ("sitemap-noindex", COURSE, both(text(COURSE, "index, follow", "noindex"), header(COURSE, X_Robots_Tag="noindex"))),
    ("sitemap-misses", COURSE, text(FILE, f"<url><loc>{ORIGIN}{COURSE}</loc><lastmod>{LASTMOD}</lastmod></url>", "")),
    ("sitemap-repeats", COURSE, text(PAGES, "</urlset>", f"<url><loc>{ORIGIN}{COURSE}</loc></url></urlset>")),
    (
        "sitemap-blocked",
        COURSE,
        text(ROBOTS, "Disallow: /api/", "Disallow: /api/\nDisallow: /course-details?course=vat"),
    ),
    ("sitemap-form", FILE, text(FILE, "</urlset>", "")),
    ("sitemap-form", FILE, text(FILE, "sitemaps.org", "sitemaps.example")),
    ("sitemap-form", FILE, status(FILE, 404)),
    ("sitemap-form", FILE, header(FILE, Content_Type="text/html")),
    ("sitemap-form", FILE, text(FILE, f"<loc>{ORIGIN}{COURSE}", f"<loc>{COURSE}")),
    ("sitemap-conditional", FILE, header(FILE, ETag="")),
    ("sitemap-conditional", FILE, header(FILE, Last_Modified="")),
    ("sitemap-conditional", INDEX, header(INDEX, X_Never="304")),
    ("lastmod", COURSE, text(FILE, f"{COURSE}</loc><lastmod>{LASTMOD}", f"{COURSE}</loc><lastmod>yesterday")),
    ("lastmod", COURSE, text(FILE, f"{COURSE}</loc><lastmod>{LASTMOD}", f"{COURSE}</loc><lastmod>2026-13-01")),
    ("lastmod", COURSE, text(FILE, f"{COURSE}</loc><lastmod>{LASTMOD}", f"{COURSE}</loc><lastmod>2999-01-01")),
    ("lastmod", PAGES, text(INDEX, LASTMOD, "{now}")),
    ("soft-404", "/about", text("/about", "<title>About us", "<title>Error Page")),
    ("link-redirect", "/shop/", text("/about", 'href="/shop"', 'href="/shop/"')),
    ("link-broken", "/nothing", text("/about", 'href="/shop"', 'href="/nothing"')),
    ("link-noindex", FACET, text("/about", 'href="/shop"', f'href="{FACET}"')),
    ("link-blocked", "/shop?sort=newest", text("/about", 'rel="nofollow" ', "")),
    # robots.txt
    ("robots", ROBOTS, text(ROBOTS, "Disallow: /api/\n", "")),
    ("robots", ROBOTS, text(ROBOTS, "Disallow: /shop?*sort=\n", "")),
    ("robots", ROBOTS, text(ROBOTS, "Disallow: /shop?*&level=\n", "")),
    ("robots", ROBOTS, text(ROBOTS, "Disallow: /api/", "Disallow: /api/\nDisallow: /search")),
    ("robots", ROBOTS, text(ROBOTS, "Disallow: /api/", "Disallow: /api/\nDisallow: /static/")),
    ("robots", ROBOTS, text(ROBOTS, f"Sitemap: {ORIGIN}/sitemap.xml", "")),
    ("robots", ROBOTS, header(ROBOTS, Content_Type="text/html")),
    ("robots", ROBOTS, text(ROBOTS, "User-agent", "#" + "a" * 512_000 + "\nUser-agent")),
    ("robots", ROBOTS, status(ROBOTS, 404)),
    # what nobody links to
    ("not-found", "/no-such-thing-0c5e1d", moved_to("/no-such-thing-0c5e1d", "/about")),
    ("not-found", "/shop?page=999999", moved_to("/shop?page=999999", "/shop")),
    ("exact-form", "/shop/", moved_to("/shop/", "/shop")),
    ("exact-form", "/SHOP", status("/SHOP", 302, "/shop")),
    ("exact-form", "//about/", status("//about/", 301, "/about/")),
    ("facets", FACET, moved_to(FACET, "/shop")),
    ("facets", FACET, text(FACET, f'href="{ORIGIN}/shop">', f'href="{ORIGIN}{FACET}">')),
    (
        "tracking",
        "/?utm_source=x&coupon=y",
        text("/?utm_source=x&coupon=y", f'href="{ORIGIN}/">', f'href="{ORIGIN}/?coupon=y">'),
    ),
    ("private", "/cart", moved_to("/cart", "/about")),
    ("social-picture", "/", gone("/og.png")),
    ("social-picture", "/", text("/og.png", png(1200, 630), png(630, 1200))),
    ("social-picture", "/", text("/og.png", "PNG", "GIF")),
    ("conditional", "/about", header("/about", ETag="", Last_Modified="")),
    ("conditional", "/about", header("/about", X_Never="304")),
]
