"""What journeys about the cart do and look at again and again."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from playwright.async_api import Page, expect

from tests.journeys.conftest import Visitor
from tests.site import Site

CLEAR_QUESTION = "Are you sure deleted your all cart items ?"


@dataclass(frozen=True)
class Title:
    """Something the shop sells, as its records have it; prices in minor units."""

    id: int
    name: str
    href: str
    price: int

    @property
    def major(self) -> float:
        return self.price / 100


def title(site: Site, slug: str) -> Title:
    [(number, kind, name, listed)] = site.query("SELECT id, kind, name, list_price FROM products WHERE slug = ?", slug)
    href = f"/course-details?course={slug}" if kind == "course" else f"/shop-details/{number}"
    return Title(number, name, href, listed)


def wire_line(one: Title, **given: Any) -> dict[str, Any]:
    """The line of a guest who has just added it: specification §3."""
    line = {"ID": one.id, "Name": one.name, "Price": one.major, "DiscountPrice": -1, "orderQuantity": 1}
    return {**line, "orderDiscount": -1, "orderDiscountCode": "", "checkflag": 0, **given}


async def kept(page: Page, key: str = "cart_products") -> Any:
    """What the browser keeps under a key; None when there is nothing."""
    text = await page.evaluate("(key) => localStorage.getItem(key)", key)
    return None if text is None else json.loads(text)


async def keep(visitor: Visitor, key: str, value: object) -> None:
    """Leaves a value in the browser's storage before any page of the site runs."""
    text = value if isinstance(value, str) else json.dumps(value)
    mark = f"sessionStorage.getItem({json.dumps('kept ' + key)})"
    once = f"sessionStorage.setItem({json.dumps('kept ' + key)}, '1')"
    put = f"localStorage.setItem({json.dumps(key)}, {json.dumps(text)})"
    await visitor.context.add_init_script(f"if (!{mark}) {{ {once}; {put}; }}")


async def set_cookies(visitor: Visitor, **cookies: str) -> None:
    origin = f"http://localhost:{visitor.site.port}"
    await visitor.context.add_cookies(
        [{"name": name, "value": value, "url": origin} for name, value in cookies.items()]
    )


async def cookies_of(visitor: Visitor) -> dict[str, str]:
    return {one.get("name", ""): one.get("value", "") for one in await visitor.context.cookies()}


async def sign_in(visitor: Visitor, name: str) -> int:
    """The two halves of a session that `dev token` opened; the learner's number."""
    token = json.loads(visitor.site.dev("token", name))
    user = {"AAUserID": token["AAUserID"], "Email": f"{name}@example.test"}
    info = json.dumps({"accessToken": token["accessToken"], "user": user}, separators=(",", ":"))
    half, _, value = token["cookie"].partition("=")
    await set_cookies(visitor, userInfo=quote(info), **{half: value})
    return int(token["AAUserID"])


async def add(page: Page, one: Title) -> None:
    """From the page of a course or shop item into the cart; returns when the toast has said so."""
    await page.goto(one.href, wait_until="networkidle")
    await page.locator(".add--wide").click()
    await told(page, f"{one.name} added to cart")


async def told(page: Page, text: str) -> None:
    """A toast with exactly this text."""
    await expect(page.locator(".Toastify__toast").get_by_text(text, exact=True).last).to_be_visible()


async def expect_count(page: Page, count: int) -> None:
    badge = page.locator(".cart-button__count")
    if count:
        await expect(badge).to_have_text(f"{count} {'item' if count == 1 else 'items'}")
    else:
        await expect(badge).to_have_count(0)
