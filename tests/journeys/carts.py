"""What journeys about the cart do and look at again and again."""

import json
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from playwright.async_api import Locator, Page, expect

from tests.journeys.conftest import Visitor, hydrated
from tests.support.site import Site

CLEAR_QUESTION = "Are you sure deleted your all cart items ?"


@dataclass(frozen=True)
class Product:
    """Something the shop sells, as its records have it; prices in minor units."""

    id: int
    slug: str
    name: str
    href: str
    price: int

    @property
    def major(self) -> float:
        return self.price / 100


def find_product(site: Site, slug: str) -> Product:
    [(number, kind, name, listed)] = site.query("SELECT id, kind, name, list_price FROM products WHERE slug = ?", slug)
    href = f"/course-details?course={slug}" if kind == "course" else f"/shop-details/{number}"
    # SQLite stores thousandths.
    return Product(number, slug, name, href, listed // 10)


def products(site: Site, kind: str) -> list[Product]:
    """Courses or shop items ("course", "item") that cost something, are not on sale, and are always in stock; no
    bundles, which are bought once."""
    statement = """
        SELECT slug FROM products LEFT JOIN shop_items USING (id)
        WHERE kind = ? AND status = 'published' AND list_price > 0 AND sale_price IS NULL AND stock IS NULL
        AND item_kind IS NOT 'bundle'
        ORDER BY products.id DESC
    """
    return [find_product(site, slug) for (slug,) in site.query(statement, kind)]


def money(minor: int) -> str:
    return f"${minor // 100:,}.{minor % 100:02d}"


def wire_line(product: Product, **changes: Any) -> dict[str, Any]:
    """The line of a guest as it is just after adding: specification §3."""
    line = {"ID": product.id, "Name": product.name, "Price": product.major, "DiscountPrice": -1, "orderQuantity": 1}
    return {**line, "orderDiscount": -1, "orderDiscountCode": "", "checkflag": 0, **changes}


async def stored(page: Page, key: str = "cart_products") -> Any:
    """What the browser stores under a key; None when there is nothing."""
    text = await page.evaluate("(key) => localStorage.getItem(key)", key)
    return None if text is None else json.loads(text)


async def store(visitor: Visitor, key: str, value: object) -> None:
    """Leaves a value in the browser's storage before any page of the site runs, once."""
    text = value if isinstance(value, str) else json.dumps(value)
    mark = f"sessionStorage.getItem({json.dumps('stored ' + key)})"
    once = f"sessionStorage.setItem({json.dumps('stored ' + key)}, '1')"
    put = f"localStorage.setItem({json.dumps(key)}, {json.dumps(text)})"
    await visitor.context.add_init_script(f"if (!{mark}) {{ {once}; {put}; }}")


async def set_cookies(visitor: Visitor, **cookies: str) -> None:
    origin = f"http://localhost:{visitor.site.port}"
    await visitor.context.add_cookies(
        [{"name": name, "value": value, "url": origin} for name, value in cookies.items()]
    )


async def cookies_of(visitor: Visitor) -> dict[str, str]:
    return {cookie.get("name", ""): cookie.get("value", "") for cookie in await visitor.context.cookies()}


async def sign_in(visitor: Visitor, name: str) -> int:
    """The two session cookies of a session that `dev token` opened; the learner's number."""
    token = json.loads(visitor.site.dev("token", name))
    user = {"AAUserID": token["AAUserID"], "Email": f"{name}@example.test"}
    info = json.dumps({"accessToken": token["accessToken"], "user": user}, separators=(",", ":"))
    cookie, _, value = token["cookie"].partition("=")
    await set_cookies(visitor, userInfo=quote(info), **{cookie: value})
    return int(token["AAUserID"])


def add_button(page: Page) -> Locator:
    """On the page of a course or shop item; those of its cards are named after their product."""
    return page.get_by_role("button", name="Add to cart", exact=True)


def in_cart_link(page: Page) -> Locator:
    """On the page of a course or shop item that is in the cart: the link that stands where the button was."""
    return page.get_by_role("link", name="In your cart", exact=True)


async def add(page: Page, product: Product) -> None:
    """From the page of a course or shop item into the cart; returns when the toast is shown."""
    await page.goto(product.href)
    await hydrated(page)
    await add_button(page).click()
    await expect_toast(page, f"{product.name} added to cart")


def toasts(page: Page) -> Locator:
    return page.locator(".Toastify__toast")


async def expect_toast(page: Page, text: str) -> None:
    """A toast with exactly this text."""
    await expect(toasts(page).get_by_text(text, exact=True).last).to_be_visible()


def cart_link(page: Page) -> Locator:
    return page.get_by_role("link", name=re.compile(r"^Cart( \d+ items?)?$"))


async def expect_count(page: Page, count: int) -> None:
    name = "Cart" if count == 0 else f"Cart {count} {'item' if count == 1 else 'items'}"
    await expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()


def cart_lines(page: Page) -> Locator:
    return page.get_by_role("region", name="Items").get_by_role("listitem")


def line_names(page: Page) -> Locator:
    return page.get_by_role("region", name="Items").get_by_role("heading", level=3)


def line_of(page: Page, product: Product) -> Locator:
    return cart_lines(page).filter(has=page.get_by_role("heading", name=product.name))


def total(scope: Page | Locator) -> Locator:
    return scope.locator("dl > div", has_text=re.compile("^Total")).locator("dd")
