"""A picture of an instructor and of a category: sent, on the public page, replaced, and taken away again."""

import pytest
from playwright.async_api import FilePayload, Page, expect

from tests.adapters.images.pictures import encoded, plain
from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.identity import sign_in
from tests.support.waiting import LIMIT_S, until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

# The picture is made by another process.
LIMIT_MS = 2 * LIMIT_S * 1000
INSTRUCTOR = """
    SELECT instructors.id, instructors.name, products.slug FROM instructors
    JOIN course_instructors ON instructor_id = instructors.id JOIN products ON products.id = course_id
    WHERE products.status = 'published' ORDER BY instructors.id LIMIT 1
"""
CATEGORY = "SELECT id, name, '' FROM categories WHERE slug = 'tax'"
FIRST, SECOND = "At a desk", "At a board"
# Kind, who it is, and the address of a public page that shows them.
SHOWN = {"instructors": (INSTRUCTOR, "/course-details?course="), "categories": (CATEGORY, "/")}


async def send(page: Page, width: int, alt: str) -> None:
    content: FilePayload = {"name": f"{width}.png", "mimeType": "image/png", "buffer": encoded(plain(width, 90), "PNG")}
    await page.locator("main input[type=file]").set_input_files(files=[content])
    await page.get_by_label("What it shows").fill(alt)
    await page.get_by_role("button", name="Use this picture").click()
    await expect(page.get_by_role("region", name="Picture").get_by_role("img")).to_have_attribute(
        "alt", alt, timeout=LIMIT_MS
    )
    await expect(page.get_by_role("button", name="Remove picture")).to_be_visible()


async def html_of(visitor: Visitor, path: str) -> str:
    return await (await visitor.context.request.get(path)).text()


async def alternatives(visitor: Visitor, path: str) -> list[str]:
    """What the pictures of a public page show, once each of them is loaded."""
    await visitor.open(path)
    images = "[...document.querySelectorAll('.instructor__picture, .tile__picture')]"
    loaded = f"Promise.all({images}.map((image) => (image.loading = 'eager', image.decode().then(() => image.alt))))"
    found: list[str] = await visitor.page.evaluate(loaded)
    return found


@pytest.mark.parametrize("kind", ["instructors", pytest.param("categories", marks=pytest.mark.soak)])
async def test_a_picture_is_shown_replaced_and_taken_away(new_visitor: NewVisitor, kind: str) -> None:
    query, public = SHOWN[kind]
    visitor, reader = [await new_visitor() for _ in range(2)]
    [(key, name, slug)] = visitor.site.query(query)
    await sign_in(visitor, "editor", return_to=f"/admin/{kind}/{key}", area="admin")
    page = visitor.page
    await expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()

    path = f"{public}{slug}"

    async def is_shown(*expected: str) -> None:
        """Cached pages follow a change of the catalogue a moment later: until then the browser would miss a file."""

        async def is_current() -> bool:
            html = await html_of(reader, path)
            return {text for text in (FIRST, SECOND) if f'alt="{text}"' in html} == {*expected}

        await until(is_current, every_s=0.2)
        assert await alternatives(reader, path) == [*expected]

    await send(page, 160, FIRST)
    await is_shown(FIRST)
    await send(page, 170, SECOND)
    await is_shown(SECOND)
    await check_page(page)
    await page.get_by_role("button", name="Remove picture").click()
    await page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    await expect(page.get_by_role("heading", name="Picture", exact=True)).to_be_focused()
    await expect(page.get_by_role("button", name="Remove picture")).to_have_count(0)
    await is_shown()
