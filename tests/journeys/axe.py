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


@lru_cache(1)
def _script() -> str:
    return (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


async def violations(page: Page, **rules: bool) -> list[str]:
    """What axe finds, all its rules on, as "rule: element: reason". `rules` switches single ones (_ stands for -)."""
    if not await page.evaluate("'axe' in self"):
        await page.evaluate(_script())
    chosen = {name.replace("_", "-"): {"enabled": is_on} for name, is_on in rules.items()}
    options: dict[str, Any] = {"rules": chosen} if chosen else {}
    found: list[str] = await page.evaluate(_RUN, options)
    return found
