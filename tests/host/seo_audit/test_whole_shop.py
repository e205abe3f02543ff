"""The audit of the whole real application: no breach as it is, and what is broken at its source is found."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial

import pytest

from domain.routes import by_id
from host import page_handler
from host.images import social_card, social_card_store
from host.loaders import errors
from host.seo import robots, sitemap_handlers, sitemap_xml, sitemaps
from seo_audit import sitemaps as audited_sitemaps
from seo_audit.breaches import Report
from seo_audit.crawl import Options, Progress, audit
from tests.host.pages import PAGES, replace_loader
from tests.host.seo_audit.audited import png
from tests.host.seo_audit.test_shop import BODY, DESCRIPTION, TITLE
from tests.host.site import ORIGIN


@pytest.fixture(autouse=True)
def quick_pictures(monkeypatch):
    """Pictures for shared links are not drawn, which takes a process a second each: tests/host/images draws them."""

    async def render(_card):
        return png(1200, 630).encode("latin-1")

    monkeypatch.setattr(social_card_store, "render_png", render)


@pytest.fixture
def broken_site(open_site, shop_file, tmp_path, node_worker, monkeypatch):
    """`await broken_site()`: the small shop as it is broken by then, with few of its plain courses: a crawl fetches
    every page. Whether sitemaps are known by their date is not waited for."""
    shutil.copy(shop_file, tmp_path / "coursefront.db")
    with closing(sqlite3.connect(tmp_path / "coursefront.db")) as database, database:
        database.execute("UPDATE products SET status = 'draft' WHERE slug LIKE 'course-__' AND slug > 'course-03'")
    monkeypatch.setattr(audited_sitemaps, "SETTLE_S", 0.0)
    return partial(open_site, node_worker.address, PAGE_CACHE="on", LIMITS="off", SSR_FIRST_MS="20000")


async def crawled(site) -> set[tuple[str, str]]:
    """(rule, page) of every breach of the whole site."""
    breaches = []
    await audit(Options(f"http://127.0.0.1:{site.port}", locale="en-US"), Report(breaches.append), Progress())
    return {(breach.rule, breach.page) for breach in breaches}


async def test_the_whole_shop_keeps_the_contract(open_shop, node_worker):
    assert await crawled(await open_shop(node_worker.address, PAGE_CACHE="on")) == set()


async def test_breaches_across_pages_are_found_in_a_broken_template(broken_site, break_template):
    links = "".join(
        f'<a href="{path}">a</a>' for path in ("/no", "/shop/", "/shop?level=beginner", "/shop?sort=newest")
    )
    break_template("page.html", TITLE, "<title>{{ settings.site_name }}</title>")
    break_template("page.html", DESCRIPTION, '<meta name="description" content="{{ settings.site_tagline }}">')
    break_template("page.html", BODY, links + BODY)
    found = await crawled(await broken_site())
    assert {rule for rule, _ in found} >= {"title-unique", "description-unique"}
    assert found >= {
        ("link-broken", "/no"),
        ("link-redirect", "/shop/"),
        ("link-noindex", "/shop?level=beginner"),
        ("link-blocked", "/shop?sort=newest"),
    }


def loads(monkeypatch, page, change):
    """What the loader of a page makes is changed from now on."""
    load = PAGES[page].load

    async def changed(asked):
        answer = await load(asked)
        return replace(answer, **change(answer))

    replace_loader(monkeypatch, page, changed)


def says(**changes):
    """Another head for a page."""
    return lambda answer: {"head": replace(answer.head, **changes)}


async def test_wrong_responses_are_found(broken_site, monkeypatch):
    loads(monkeypatch, "about", says(robots="noindex"))
    loads(monkeypatch, "contact", says(title="Error Page"))
    loads(monkeypatch, "refund-grievance-policy", lambda answer: {"status": 500})
    loads(monkeypatch, "search", says(robots="index, follow"))
    loads(monkeypatch, "home", says(canonical=f"{ORIGIN}/?utm_source=x"))
    loads(monkeypatch, "shop", lambda answer: {"status": 200, **says(robots="index, follow")(answer)})
    monkeypatch.setattr(page_handler, "normalised_path", lambda path: None)
    assert await crawled(await broken_site()) >= {
        ("sitemap-noindex", "/about"),
        ("soft-404", "/contact"),
        ("status", "/refund-grievance-policy"),
        ("sitemap-status", "/refund-grievance-policy"),
        ("private", "/search?q=no-such-thing-0c5e1d"),
        ("tracking", "/?utm_source=x&coupon=y"),
        ("facets", "/shop?level=beginner"),
        ("exact-form", "/SHOP"),
    }


async def test_broken_sitemaps_robots_pictures_and_error_pages_are_found(broken_site, monkeypatch):
    error = errors.error
    monkeypatch.setattr(errors, "error", lambda asked, _status, *rest: error(asked, 200, *rest))
    fixed, entry = by_id(), sitemap_xml.entry
    monkeypatch.setattr(sitemaps, "_fixed_pages", lambda _site: [fixed["home"], fixed["contact"], fixed["contact"]])
    monkeypatch.setattr(sitemap_xml, "entry", lambda *about: entry(*about).replace("<lastmod>20", "<lastmod>120"))
    monkeypatch.setattr(robots, "_CLOSED_LISTS", ("/contact",))
    monkeypatch.setattr(sitemap_handlers, "is_not_modified", lambda *about: False)
    monkeypatch.setattr(social_card.SocialCard, "path", "/og/none.png")
    assert await crawled(await broken_site()) >= {
        ("sitemap-misses", "/about"),
        ("sitemap-repeats", "/contact"),
        ("sitemap-blocked", "/contact"),
        ("robots", "/robots.txt"),
        ("lastmod", "/contact"),
        ("sitemap-conditional", "/sitemap.xml"),
        ("social-picture", "/"),
        ("not-found", "/no-such-thing-0c5e1d"),
    }
