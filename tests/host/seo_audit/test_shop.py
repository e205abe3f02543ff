"""The audit of single pages of the real application: none breaks a rule as it is, and every break of its templates or
its markup is found."""

import pytest

from host.seo import head_texts, structured_data
from seo_audit.breaches import Contract, Report
from seo_audit.crawl import RULES
from seo_audit.page import Page
from tests.host.site import ORIGIN

COURSE, LIST = "/course-details?course=vat-fundamentals-finance-teams", "/shop?category=data"
CANONICAL = '<link rel="canonical" href="{{ head.canonical }}">'
TITLE = "<title>{{ head.title }}</title>"
DESCRIPTION = '<meta name="description" content="{{ head.description }}">'
ROBOTS = '<meta name="robots" content="{{ head.robots }}">'
HREF, BLOCK, BODY = '"{{ head.canonical }}"', "{{ block }}", "<!--root-->"
CARD = '<meta property="og:{}" content="{{{{ {} }}}}">'.format

# Rule that is broken, page where it shows, words of templates/page.html, and what stands there instead.
HEAD = [
    ("canonical-present", COURSE, CANONICAL, ""),
    ("canonical-present", COURSE, CANONICAL, CANONICAL * 2),
    ("canonical-absolute", COURSE, HREF, '"{{ head.canonical.removeprefix(settings.site_origin) }}"'),
    ("canonical-self", COURSE, HREF, '"{{ settings.site_origin }}/about"'),
    ("canonical-params", COURSE, HREF, '"{{ head.canonical }}&amp;utm_source=x"'),
    ("canonical-params", "/shop", HREF, '"{{ head.canonical }}?page=1"'),
    ("canonical-form", "/about", HREF, '"{{ head.canonical }}/"'),
    ("canonical-form", "/about", HREF, '"{{ head.canonical|replace("about", "About") }}"'),
    ("title-present", COURSE, TITLE, ""),
    ("title-length", COURSE, TITLE, f"<title>{'{{ head.title }} ' * 5}</title>"),
    ("description-present", COURSE, DESCRIPTION, ""),
    ("description-present", COURSE, DESCRIPTION, DESCRIPTION * 2),
    ("description-length", LIST, "{{ head.description }}", "{{ head.description * 5 }}"),
    ("robots-agree", "/about", ROBOTS, ""),
    ("robots-agree", "/search?q=vat", ROBOTS, '<meta name="robots" content="index, follow">'),
    ("robots-agree", "/about", ROBOTS, '<meta name="robots" content="noindex">'),
    *(
        ("social-card", COURSE, CARD(name, value), "")
        for name, value in (
            ("title", "head.title"),
            ("type", "head.type"),
            ("image", "head.image"),
            ("url", "head.canonical"),
            ("site_name", "settings.site_name"),
            ("description", "head.description"),
            ("locale", "settings.card_locale"),
        )
    ),
    ("social-card", COURSE, '<meta name="twitter:card" content="summary_large_image">', ""),
    ("social-card", COURSE, CARD("url", "head.canonical"), CARD("url", "settings.site_origin")),
    ("social-picture-size", COURSE, "{{ head.image_size[1] }}", "600"),
    ("language", COURSE, ' lang="{{ settings.language }}"', ""),
    ("language", COURSE, "{{ settings.language }}", "de"),
    ("no-hreflang", COURSE, "</head>", '<link rel="alternate" hreflang="en" href="/"></head>'),
    ("markup-readable", COURSE, BLOCK, "{{ block }}}"),
    ("markup-readable", "/", BLOCK, '{{ block|replace("https://schema.org\\",\\"@type", "x\\",\\"@type") }}'),
    ("markup-types", COURSE, "{% for block in json_ld %}", "{% for block in json_ld[1:] %}"),
    ("markup-types", COURSE, "{% for block in json_ld %}", "{% for block in json_ld[:1] %}"),
    ("markup-types", "/", "{% for block in json_ld %}", "{% for block in json_ld[1:] %}"),
]
BODY_OF_PAGE = [
    ("one-heading", COURSE, BODY, f"<h1>VAT</h1>{BODY}"),
    ("pictures", COURSE, BODY, f'<img src="/a.svg" width="8" height="8">{BODY}'),
    ("pictures", COURSE, BODY, f'<img src="/a.svg" alt="">{BODY}'),
    ("link-form", COURSE, BODY, f'<a href="/About">a</a>{BODY}'),
    ("link-form", COURSE, BODY, f'<a href="/about/">a</a>{BODY}'),
    ("link-tracking", COURSE, BODY, f'<a href="/about?utm_source=shop">a</a>{BODY}'),
    ("size", COURSE, BODY, f"<p>{{{{ 'a' * 2097152 }}}}</p>{BODY}"),
    ("markup-price", COURSE, BODY, f'<b data-price="8100">$81.00</b>{BODY}'),
]
# Rule, page, and what is changed of the block that host/seo/structured_data.py makes.
PRODUCT = "/shop-details/{item}"
MARKUP = [
    ("markup-course", COURSE, "course", {"description": ""}),
    ("markup-course", COURSE, "course", {"provider": {"@type": "Organization", "name": "Shop"}}),
    ("markup-course", COURSE, "course", {"url": ORIGIN + "/"}),
    ("markup-course", COURSE, "course", {"image": "/a.svg"}),
    ("markup-course", COURSE, "course", {"hasCourseInstance": None}),
    ("markup-course", COURSE, "course", {"hasCourseInstance": {"courseMode": "Online"}}),
    ("markup-course", COURSE, "course", {"hasCourseInstance": {"courseMode": "Online", "courseWorkload": "95"}}),
    ("markup-rating", COURSE, "course", {"aggregateRating": {"ratingValue": 4.5, "reviewCount": 0}}),
    ("markup-rating", COURSE, "course", {"aggregateRating": {"ratingValue": 45, "reviewCount": 2}}),
    ("markup-price", COURSE, "course", {"offers": None}),
    ("markup-product", PRODUCT, "product", {"sku": ""}),
    ("markup-product", PRODUCT, "product", {"image": ["/a.svg"]}),
    ("markup-product", PRODUCT, "product", {"offers": {"price": "19.90", "priceCurrency": "$"}}),
]
LISTS = [
    ("markup-breadcrumbs", COURSE, "breadcrumbs", lambda block: block["itemListElement"].pop(0)),
    ("markup-breadcrumbs", COURSE, "breadcrumbs", lambda block: block["itemListElement"][0].pop("name")),
    ("markup-list", "/shop", "item_list", lambda block: block.update(numberOfItems=99)),
    ("markup-list", "/shop", "item_list", lambda block: block["itemListElement"][1].update(url="/a")),
    ("markup-shop", "/", "organization", lambda block: block.pop("logo")),
    ("markup-shop", "/", "website", lambda block: block.pop("url")),
]
# A word of templates/plain.html: what stands on a page that no worker drew.
PLAIN = [
    ("rendered", COURSE, "", ""),
    ("complete", COURSE, '<main id="main">', '<div id="main">'),
    ("complete", COURSE, '<strong data-price="{{ props.price }}">', "<strong>"),
    ("markup-price", COURSE, "{{ price(props.price) }}", "{{ price(props.price + 1) }}"),
    ("one-heading", COURSE, "<h1>{{ props.name }}</h1>", "<p>{{ props.name }}</p>"),
]


async def rules_broken(site, path) -> set[str]:
    """The names of the rules that one page breaks."""
    path = path.format(item=site.id_of("tax-terms-flash-cards"))
    answer = await site.get(path)
    assert answer.status < 500
    breaches = []
    page = Page(path, answer.status, answer.headers, await answer.read(), ORIGIN)
    Report(breaches.append).check(page, Contract(ORIGIN, "en-US"), RULES)
    return {breach.rule for breach in breaches}


def by_rule(*cases):
    """A parameter for each case. After the first of its rule a case is for the night: test_rules.py has all breaches
    of a rule, these show that the rule reads what our templates write."""
    seen, parameters = set(), []
    for at, case in enumerate(cases):
        parameters.append(pytest.param(case, id=f"{case[0]} {at}", marks=[pytest.mark.soak] if case[0] in seen else []))
        seen.add(case[0])
    return parameters


async def test_an_unchanged_page_keeps_every_rule(open_shop, node_worker):
    site = await open_shop(node_worker.address)
    paths = (COURSE, LIST, PRODUCT, "/", "/shop", "/about", "/search?q=vat")
    assert {path: await rules_broken(site, path) for path in paths} == {path: set() for path in paths}


@pytest.mark.parametrize("case", by_rule(*HEAD, *BODY_OF_PAGE))
async def test_a_broken_template_is_found(open_shop, node_worker, break_template, case):
    rule, path, old, new = case
    break_template("page.html", old, new)
    site = await open_shop(node_worker.address)
    assert rule in await rules_broken(site, path)


@pytest.mark.parametrize("case", by_rule(*PLAIN))
async def test_a_broken_plain_template_is_found(open_shop, break_template, case):
    rule, path, old, new = case
    break_template("plain.html", old, new)
    assert rule in await rules_broken(await open_shop(), path)


@pytest.mark.parametrize("case", by_rule(*MARKUP))
async def test_broken_markup_of_a_product_is_found(open_shop, node_worker, monkeypatch, case):
    rule, path, block, changes = case
    make = getattr(structured_data, block)
    monkeypatch.setattr(structured_data, block, lambda *about: make(*about) | changes)
    site = await open_shop(node_worker.address)
    assert rule in await rules_broken(site, path)


@pytest.mark.parametrize("case", by_rule(*LISTS))
async def test_a_broken_list_or_home_page_is_found(open_shop, node_worker, monkeypatch, case):
    rule, path, block, change = case
    make = getattr(head_texts, block)

    def broken(*about):
        made = make(*about)
        change(made)
        return made

    monkeypatch.setattr(head_texts, block, broken)
    site = await open_shop(node_worker.address)
    assert rule in await rules_broken(site, path)


def test_every_rule_of_a_page_is_broken_in_a_template_or_the_markup():
    broken = {rule for rule, *_ in (*HEAD, *BODY_OF_PAGE, *PLAIN, *MARKUP, *LISTS)}
    assert broken == {rule.name for rule in RULES}
