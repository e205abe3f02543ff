"""axe-core in the visitor's page: evaluated as text, which the script policy allows a test and nobody else."""

import re
from functools import lru_cache
from typing import Any, Literal

from playwright.async_api import Page, expect

from config.settings import ROOT

WIDTHS = (390, 1280)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# Columns of content beyond the right edge of the window; what scrolls by itself, such as a row of cards, may be wider.
OVERFLOW = "document.scrollingElement.scrollWidth - innerWidth"
# WCAG 2.2, target size: 24 pixels for everything that is not part of a sentence.
SMALL_TARGETS = """[...document.querySelectorAll('a, button, summary, input, textarea')].filter((element) => {
    if (element.ariaHidden === 'true') return false;
    const box = (element.closest('label') ?? element).getBoundingClientRect();
    const isInText = element.closest('p, .prose, dd, li > .course-hero__rating') !== null;
    const whole = getComputedStyle(element, '::after').position === 'absolute';
    return box.width > 1 && !isInText && !whole && box.height < 24;
}).map((element) => element.outerHTML.slice(0, 120))"""

# Lines of two texts of which one covers a good part of the other; not what floats above the page.
OVERLAPPING = """(() => {
    const floats = (element) => ['fixed', 'sticky', 'absolute'].includes(getComputedStyle(element).position);
    const isApart = (element) => element !== document.body
        && (element.matches('.sr-only, svg') || floats(element) || isApart(element.parentElement));
    // Some texts end after a number of lines, some rows are wider than the window.
    const isCut = (element, x, y) => {
        if (element === document.body) return false;
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const isOut = x < left || x > right || y < top || y > bottom;
        return (isOut && getComputedStyle(element).overflow !== 'visible') || isCut(element.parentElement, x, y);
    };
    const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const lines = [];
    while (texts.nextNode()) {
        const { data, parentElement } = texts.currentNode;
        if (!data.trim() || isApart(parentElement)) continue;
        // Parts that are laid out on approach have no places yet.
        if (!parentElement.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) continue;
        range.selectNodeContents(texts.currentNode);
        for (const box of range.getClientRects()) {
            const isShown = box.width > 2 && !isCut(parentElement, box.x + box.width / 2, box.y + box.height / 2);
            if (isShown) lines.push({ node: texts.currentNode, box });
        }
    }
    lines.sort((one, other) => one.box.top - other.box.top);
    return lines.flatMap(({ node, box }, place) => {
        const found = [];
        for (const other of lines.slice(place + 1)) {
            if (other.box.top >= box.bottom) break;
            const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
            const down = Math.min(box.bottom, other.box.bottom) - other.box.top;
            const isOver = across > 2 && down > 0.4 * Math.min(box.height, other.box.height);
            if (isOver && node !== other.node) found.push(`${node.data} | ${other.node.data}`.slice(0, 120));
        }
        return found;
    });
})()"""

_RUN = """async ({ inside, ...options }) => {
    const found = await axe.run(inside ?? document, { resultTypes: ['violations'], ...options });
    return found.violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary.split('\\n')[1]?.trim()}`));
}"""
# axe judges an element by its place at that moment: fonts and first pictures have to be there.
_STILL = """async () => {
    const first = [...document.images].filter((element) => element.loading !== 'lazy' && !element.complete);
    const shown = first.map((element) => new Promise((done) => { element.onload = element.onerror = done; }));
    await Promise.all([document.fonts.ready, ...shown]);
    for (const _ of [1, 2]) await new Promise((done) => requestAnimationFrame(done));
}"""


# Private pages without script are shown at once where scripts are off, and after seconds where they have not come.
SCRIPT_HAS_NOT_COME = """document.getAnimations()
    .filter(({ animationName }) => ['no-script', 'loading-over'].includes(animationName))
    .forEach((animation) => animation.finish())"""


async def fonts_and_pictures_shown(page: Page) -> None:
    await page.evaluate(_STILL)


@lru_cache(1)
def _script() -> str:
    return (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


async def violations(page: Page, only: tuple[str, ...] = (), inside: str | None = None, **rules: bool) -> list[str]:
    """What axe finds on the page or `inside` a selector, as "rule: element: reason".

    With all its rules or `only` these; `rules` switches single ones (_ stands for -).
    """
    if not await page.evaluate("'axe' in self"):
        await page.evaluate(_script())
    await fonts_and_pictures_shown(page)
    chosen = {name.replace("_", "-"): {"enabled": is_on} for name, is_on in rules.items()}
    options: dict[str, Any] = {"rules": chosen} if chosen else {}
    if inside:
        options["inside"] = inside
    if only:
        options["runOnly"] = {"type": "rule", "values": list(only)}
    findings: list[str] = await page.evaluate(_RUN, options)
    return findings


async def check_themes(page: Page, inside: str | None = None, **rules: bool) -> None:
    """All rules in the light theme, the contrast in the dark theme: they differ in colours alone."""
    assert await violations(page, inside=inside, **rules) == [], f"{page.url}, light"
    await page.emulate_media(color_scheme="dark")
    assert await violations(page, only=("color-contrast",), inside=inside) == [], f"{page.url}, dark"
    await page.emulate_media(color_scheme="light")


async def check_page(
    page: Page, widths: tuple[int, ...] = WIDTHS, inside: str | None = None, *, is_dark: bool = False, **rules: bool
) -> None:
    """At each width nothing beyond the window, no text over another and nothing too small to touch. No finding of axe,
    on the page or `inside` a selector: all rules at the first width in the light theme, and with `is_dark` the contrast
    at the last one in the dark.

    The layouts that differ between widths have all rules at both widths: see test_accessibility.py. The contrast of
    every component in both themes is held by test_styleguide.py, that of pages by one page of each kind.
    """
    # While the next page is loaded the last one is still there, below a bar that is outside of every landmark.
    await expect(page.locator("#root > .page-progress")).to_have_count(0)
    for width in widths:
        await page.set_viewport_size({"width": width, "height": 800})
        assert await page.evaluate(OVERFLOW) <= 0, width
        targets = await page.evaluate(SMALL_TARGETS)
        assert targets == [], f"{page.url}, {width}: {targets}"
        overlapping = await page.evaluate(OVERLAPPING)
        assert overlapping == [], f"{page.url}, {width}: {overlapping}"
        if width == widths[0]:
            findings = await violations(page, inside=inside, **rules)
            assert findings == [], f"{page.url}, {width}, light: {findings}"
    if is_dark:
        await page.emulate_media(color_scheme="dark")
        assert await violations(page, only=("color-contrast",), inside=inside) == [], f"{page.url}, dark"
        await page.emulate_media(color_scheme="light")


async def check_without_script(page: Page, reader: Page, *, is_dark: bool = False) -> None:
    """`check_page` of a page without script, on which nothing can run: in `reader`, a page that runs scripts and has no
    policy, as the document stands without them."""
    html = re.sub(r"<script\b.*?</script>", "", await page.content(), flags=re.DOTALL)
    plain = re.sub(r"</?noscript>", "", html)
    await reader.route(page.url, lambda route: route.fulfill(body=plain, content_type="text/html"))
    await reader.goto(page.url)
    # The reader could run scripts: it would wait for them.
    await reader.evaluate(SCRIPT_HAS_NOT_COME)
    await check_page(reader, is_dark=is_dark)
    await reader.unroute_all()
