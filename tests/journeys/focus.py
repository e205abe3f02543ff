"""Going through a page by keyboard: the focus is always visible."""

from playwright.async_api import Page

# The ring may be around what has the focus, drawn in a layer behind it, or around the frame that a field stands in.
STOP = """(selector) => {
    const element = document.activeElement;
    const places = [[element, null], [element, '::after'], [element.parentElement, null]];
    const isVisible = places.some(([place, layer]) => {
        const style = getComputedStyle(place, layer);
        return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
    });
    return [isVisible, element.matches(selector), element.outerHTML.slice(0, 200)];
}"""


async def tab_to(page: Page, selector: str, most: int = 120) -> None:
    """Tabs on until the focus is on what the selector names; every stop on the way must show a ring. The page must have
    settled: a link that is replaced loses the focus."""
    for _ in range(most):
        await page.keyboard.press("Tab")
        is_visible, is_reached, stop = await page.evaluate(STOP, selector)
        assert is_visible, f"no focus ring on {stop}"
        if is_reached:
            return
    raise AssertionError(f"{most} tabs do not reach {selector}")


# Where a Tab led: to the end of the page, to a stop with a ring, or nowhere. Parts of a day are stops of one field.
NEXT_STOP = """(() => {
    const element = document.activeElement;
    const isSame = self.formerStop === element && !element.type?.startsWith('date');
    self.formerStop = element;
    return [element === document.body, isSame, ...(%s)('*')];
})()"""


async def tab_through(page: Page, stops: int = 25) -> int:
    """Goes on from the beginning of the content by Tab: every stop shows a ring, and none holds the focus. Returns the
    number of stops, which is smaller where the page ends before."""
    await page.evaluate("document.getElementById('main').focus()")
    for number in range(stops):
        await page.keyboard.press("Tab")
        is_end, is_same, is_visible, _, stop = await page.evaluate(NEXT_STOP % STOP)
        if is_end:
            return number
        assert is_visible, f"no focus ring on {stop}"
        assert not is_same, f"Tab does not leave {stop}"
    return stops
