"""Going through a page by keyboard: the focus is always visible."""

from playwright.async_api import Page

# The ring may be around what has the focus, drawn in a layer behind it, or around the frame that a field stands in.
RING = """() => {
    const element = document.activeElement;
    return [[element, null], [element, '::after'], [element.parentElement, null]].some(([element, layer]) => {
        const style = getComputedStyle(element, layer);
        return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
    });
}"""


async def tab_to(page: Page, selector: str, most: int = 120) -> None:
    """Tabs on until the focus is on what the selector names; every stop on the way must show a ring."""
    for _ in range(most):
        await page.keyboard.press("Tab")
        stop = await page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        assert await page.evaluate(RING), f"no focus ring on {stop}"
        if await page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{most} tabs do not reach {selector}")
