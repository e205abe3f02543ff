"""The HTML of one page of each kind, held to the `standard` preset of html-validate: valid, not styled."""

import asyncio
import json
import subprocess

import pytest

from config.settings import ROOT
from tests.conftest import missing
from tests.host.site import SHARED

pytestmark = SHARED

CHECKER = ROOT / "node_modules" / ".bin" / "html-validate"
RULES = {"root": True, "extends": ["html-validate:standard"]}
PAGES = {
    "home": "/",
    "shop": "/shop",
    "category": "/shop?category=data",
    "filtered": "/shop?category=data&level=beginner",
    "empty": "/shop?price=over-300",
    "course": "/course-details?course=vat-basics",
    "hostile": "/course-details?course=script-course",
    "retired": "/course-details?course=old-course",
    "item": "/shop-details/{item}",
    "search": "/search?q=course",
    "search-mended": "/search?q=basisc",
    "search-partial": "/search?q=vat+qwrtz",
    "search-nothing": "/search?q=qwrtz",
    "search-empty": "/search",
    "about": "/about",
    "contact": "/contact",
    "policy": "/refund-grievance-policy",
    "cart": "/cart",
    "wishlist": "/wishlist",
    "error": "/nothing",
}


def html_findings(folder) -> list[str]:
    """The findings of html-validate for the pages in a folder: page, rule and message."""
    if not CHECKER.exists():
        missing("html-validate (npm ci)")
    (folder / "rules.json").write_text(json.dumps(RULES))
    command = [CHECKER, "--config", folder / "rules.json", "--formatter", "json", *sorted(folder.glob("*.html"))]
    result = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=120)
    pages = json.loads(result.stdout)
    return [
        f"{page['filePath'].rpartition('/')[2]}: {finding['ruleId']}: {finding['message']}"
        for page in pages
        for finding in page["messages"]
    ]


@pytest.mark.asyncio(loop_scope="function")
@pytest.mark.parametrize("mode", ["whole", "stream"])
async def test_every_kind_of_page_is_valid_html(open_site, node_worker, tmp_path, mode):
    site = await open_site(node_worker.address, RENDER=mode, SSR_FIRST_MS="10000")
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, path in PAGES.items():
        answer = await site.get(path.format(item=site.id_of("tax-tables")))
        (folder / f"{name}.html").write_text(await answer.text(), "utf-8")
    assert await asyncio.to_thread(html_findings, folder) == []


async def test_a_plain_page_is_valid_html(plain_site, tmp_path):
    for name in ("home", "shop", "course", "item", "search", "search-nothing", "about", "error"):
        answer = await plain_site.get(PAGES[name].format(item=plain_site.id_of("tax-tables")))
        (tmp_path / f"{name}.html").write_text(await answer.text(), "utf-8")
    assert await asyncio.to_thread(html_findings, tmp_path) == []


async def test_invalid_html_is_reported(tmp_path):
    (tmp_path / "bad.html").write_text("<!DOCTYPE html><html lang=en><title>A page</title><p id=a><p id=a>")
    assert any("no-dup-id" in finding for finding in await asyncio.to_thread(html_findings, tmp_path))
