"""Pages that the browser renders: the host serves the shell, which is the same for everyone."""

from typing_extensions import TypedDict

from domain.routes import Page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.rendering.shell import Head
from host.seo import head_texts

DESCRIPTIONS = {
    "cart": "The courses and items you chose, their prices and your discount codes.",
    "wishlist": "The courses and items you saved for later.",
}


# For pages whose address is a secret from a mail: nothing stores them, no other site learns the address.
SECRET_ADDRESS_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}


class WaitingProps(TypedDict):
    """`title` is the heading until the browser has rendered the page; only the plain page uses `html`."""

    title: str
    html: str


async def load(request: PageRequest, page: Page) -> PageResult[WaitingProps]:
    props: WaitingProps = {"title": page.title, "html": ""}
    headers = SECRET_ADDRESS_HEADERS if "{token}" in page.path else {}
    shown = head(request, page, page.title, DESCRIPTIONS.get(page.id, page.title))
    return PageResult(page.id, shown, props, headers=headers)


def head(request: PageRequest, page: Page, title: str, description: str) -> Head:
    return Head(head_texts.title(request.settings, title), description, robots="noindex, follow")
