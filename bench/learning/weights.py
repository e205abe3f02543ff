"""L5: the bytes of scripts and styles that the pages of learning load, and what moves on them meanwhile."""

import json
import shutil
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from playwright.sync_api import Browser, sync_playwright

from bench.comparison import ResultLine
from bench.learning.school import FEW, WRITTEN, School, school
from bench.processes import ROOT

KB = 1024
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
SHIFTS = """
    self.shifts = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) self.shifts.push(entry.value);
    }).observe({ type: 'layout-shift', buffered: true });
"""
WIDTHS = (390, 1280)


@dataclass(frozen=True)
class Opened:
    """What a page has loaded once it is at rest. `shift`: the cumulative layout shift."""

    scripts: frozenset[str]
    styles: frozenset[str]
    shift: float


def l5() -> list[ResultLine]:
    with school(FEW) as few, sync_playwright() as playwright:
        binary = next(filter(None, map(shutil.which, BROWSERS)))
        browser = playwright.chromium.launch(executable_path=binary, args=["--no-sandbox", "--disable-gpu"])
        pages = _pages(few)
        opened = {name: [_open(browser, few, path, width) for width in WIDTHS] for name, path in pages.items()}
        browser.close()
    text, first = opened["text"][0], _first_view()
    later = {kind: _packed(opened[kind][0].scripts - text.scripts) for kind in ("quiz", "video")}
    rest = f"{_packed(text.scripts - first) / KB:.1f} KB"
    learning = [address for address in text.styles if "/learning-" in address]
    shift = max(page.shift for widths in opened.values() for page in widths)
    return [
        _line("JavaScript of /user-dashboard, brotli", _packed(first), 95),
        ResultLine("L5", "what a text lesson loads after it", "", rest, "", None, None),
        *(_line(f"JavaScript of a {kind}, later", size, 8) for kind, size in later.items()),
        _line("learning.css, brotli", _packed(learning), 4),
        ResultLine("L5", f"layout shift of {len(pages)} pages, 2 widths", "0", f"{shift:.3f}", "", None, shift < 0.001),
    ]


def _line(what: str, size: int, limit_kb: int) -> ResultLine:
    is_reached = size <= limit_kb * KB
    return ResultLine("L5", what, f"<= {limit_kb} KB", f"{size / KB:.1f} KB", "", None, is_reached)


def _first_view() -> frozenset[str]:
    """As P5 measures /shop: what the page needs before it can be used."""
    files: list[str] = json.loads((ROOT / "static/dist/assets.json").read_text())["preload"]["user-dashboard"]
    return frozenset(files)


def _pages(own: School) -> dict[str, str]:
    query = (
        "SELECT l.id, l.kind FROM lessons l JOIN products p ON p.id = l.course_id WHERE p.slug = ? ORDER BY l.id DESC"
    )
    lessons = {kind: lesson_id for lesson_id, kind in own.site.query(query, WRITTEN)}
    course = f"/user-dashboard?course={WRITTEN}"
    kinds = {kind: f"{course}&lesson={lessons[kind]}" for kind in ("text", "quiz", "video")}
    return {"dashboard": "/user-dashboard", "course": course, **kinds}


def _open(browser: Browser, own: School, path: str, width: int) -> Opened:
    url = f"http://localhost:{own.site.port}"
    context = browser.new_context(viewport={"width": width, "height": 800}, base_url=url)
    cookies = (part.split("=", 1) for part in own.cookie.split("; "))
    context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies])
    page = context.new_page()
    page.add_init_script(SHIFTS)
    requested: dict[str, set[str]] = {"script": set(), "stylesheet": set()}
    page.on("request", lambda request: requested.get(request.resource_type, set()).add(urlsplit(request.url).path))
    page.goto(path, wait_until="networkidle")
    shift = page.evaluate("self.shifts.reduce((sum, shift) => sum + shift, 0)")
    context.close()
    return Opened(frozenset(requested["script"]), frozenset(requested["stylesheet"]), float(shift))


def _packed(addresses: Collection[str]) -> int:
    return sum((ROOT / f"{address.lstrip('/')}.br").stat().st_size for address in addresses)
