"""The markup of pages as the browser has it, to be held to html-validate."""

from pathlib import Path

from playwright.async_api import Page


async def save(page: Page, folder: Path, name: str) -> None:
    """For `html_findings` of tests/host/rendering/test_html.py, once all pages of a journey are there."""
    (folder / f"{name}.html").write_text(await page.content(), "utf-8")
