"""axe-core in the visitor's page: evaluated as text, which the script policy allows a test and nobody else."""

from functools import lru_cache
from typing import Any

from playwright.async_api import Page

from host.settings import ROOT

_RUN = """async (options) => {
    const found = await axe.run(document, { resultTypes: ['violations'], ...options });
    return found.violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary.split('\\n')[1]?.trim()}`));
}"""


# What still moves while axe looks is judged by where it was: fonts and first pictures have to be there.
_STILL = """async () => {
    const first = [...document.images].filter((one) => one.loading !== 'lazy' && !one.complete);
    const shown = first.map((one) => new Promise((done) => { one.onload = one.onerror = done; }));
    await Promise.all([document.fonts.ready, ...shown]);
    for (const _ of [1, 2]) await new Promise((done) => requestAnimationFrame(done));
}"""


@lru_cache(1)
def _script() -> str:
    return (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


async def violations(page: Page, **rules: bool) -> list[str]:
    """What axe finds, all its rules on, as "rule: element: reason". `rules` switches single ones (_ stands for -)."""
    if not await page.evaluate("'axe' in self"):
        await page.evaluate(_script())
    await page.evaluate(_STILL)
    chosen = {name.replace("_", "-"): {"enabled": is_on} for name, is_on in rules.items()}
    options: dict[str, Any] = {"rules": chosen} if chosen else {}
    found: list[str] = await page.evaluate(_RUN, options)
    return found
