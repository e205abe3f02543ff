"""Going through a page by keyboard: the focus is always visible."""

import asyncio

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


IS_IN = "(selector) => document.activeElement.closest(selector) !== null"


async def tab_out_of(page: Page, selector: str, most: int = 120) -> None:
    """Tabs into what the selector names, and on until the focus is beyond it."""
    was_in = False
    for _ in range(most):
        await page.keyboard.press("Tab")
        is_in = await page.evaluate(IS_IN, selector)
        if was_in and not is_in:
            return
        was_in = is_in
    raise AssertionError(f"{most} tabs do not lead through {selector}")


# Where links that get the focus do not fetch their pages.
SAVE_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })"
# Where each Tab led, noted when its key is released: to the end of the page, to the stop before it, or to a stop with
# a ring or without one. Parts of a day are stops of one field.
NOTE_STOPS = """() => {
    let former = document.activeElement;
    self.stops = [];
    self.noteStop = () => {
        const element = document.activeElement;
        const isSame = former === element && !element.type?.startsWith('date');
        former = element;
        self.stops.push([element === document.body, isSame, ...self.readStop('*')]);
    };
    addEventListener('keyup', self.noteStop, true);
}"""
TAB = {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
# Stops whose keys are sent without a wait for each of them.
TOGETHER = 50


async def tab_through(page: Page, stops: int = 25) -> int:
    """Goes on from the beginning of the content by Tab: every stop shows a ring, and none holds the focus. Returns the
    number of stops, which is smaller where the page ends before."""
    await page.evaluate("document.getElementById('main').focus()")
    await page.evaluate(f"void {SAVE_DATA}")
    await page.evaluate(f"void (self.readStop = {STOP})")
    await page.evaluate(NOTE_STOPS)
    devtools = await page.context.new_cdp_session(page)
    done = 0
    while done < stops:
        count = min(TOGETHER, stops - done)
        keys = [{"type": kind, **TAB} for _ in range(count) for kind in ("rawKeyDown", "keyUp")]
        await asyncio.gather(*(devtools.send("Input.dispatchKeyEvent", key) for key in keys))
        noted = await page.evaluate("self.stops.splice(0)")
        for number, (is_end, is_same, is_visible, _, stop) in enumerate(noted):
            if is_end:
                return done + number
            assert is_visible, f"no focus ring on {stop}"
            assert not is_same, f"Tab does not leave {stop}"
        assert len(noted) == count, f"{count} keys were pressed, and {len(noted)} came"
        done += count
    return stops
