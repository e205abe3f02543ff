"""The HTML of one page of each kind, held to the `standard` preset of html-validate: valid, not styled."""

import asyncio
import json
import subprocess

from config.settings import ROOT
from tests.conftest import missing
from tests.rendered_pages import rendered_pages

CHECKER = ROOT / "node_modules" / ".bin" / "html-validate"
RULES = {"root": True, "extends": ["html-validate:standard"]}
# More of what a page may show.
STATES = {
    "category": "/shop?category=data",
    "filtered": "/shop?category=data&level=beginner",
    "empty": "/shop?price=over-300",
    "hostile": "/course-details?course=script-course",
    "retired": "/course-details?course=old-course",
    "search-found": "/search?q=course",
    "search-mended": "/search?q=basisc",
    "search-partial": "/search?q=vat+qwrtz",
    "search-nothing": "/search?q=qwrtz",
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


BAD = "<!DOCTYPE html><html lang=en><title>A page</title><p id=a><p id=a>"
PLAIN = ("home", "shop", "course-details", "shop-details", "search-found", "search-nothing", "about", "error")


async def test_every_kind_of_page_is_valid_html_whole_streamed_and_plain(open_site, node_worker, tmp_path):
    """Beside an invalid page, which shows that the checker finds something: it takes long to start."""
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "bad.html").write_text(BAD)
    sites = {
        mode: await open_site(node_worker.address, RENDER=mode, SSR_FIRST_MS="10000") for mode in ("whole", "stream")
    }
    sites["plain"] = await open_site()
    for mode, site in sites.items():
        pages = {**rendered_pages({"course": "vat-basics", "item": site.id_of("tax-tables")}), **STATES}
        for name in PLAIN if mode == "plain" else pages:
            answer = await site.get(pages[name])
            (folder / f"{mode}-{name}.html").write_text(await answer.text(), "utf-8")
    findings = await asyncio.to_thread(html_findings, folder)
    assert [finding for finding in findings if not finding.startswith("bad.html")] == []
    assert any("no-dup-id" in finding for finding in findings)
