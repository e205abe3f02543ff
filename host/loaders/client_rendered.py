"""Pages that the browser draws: the host gives the shell, and nothing in it is anybody's own."""

from domain.pages import Page
from host import seo
from host.loaders import Asked, Loaded
from host.shell import Head

ABOUT = {
    "cart": "What you chose, what it costs, and the codes that lower it.",
    "wishlist": "What you like, kept until its time or its price has come.",
}


async def load(asked: Asked, page: Page) -> Loaded:
    """`title` is the heading until the browser has drawn the page; `html` is for the plain page alone."""
    about = ABOUT.get(page.id, page.title)
    head = Head(title=seo.title(asked.settings, page.title), description=about, robots="noindex, follow")
    return Loaded(page.id, head, {"title": page.title, "html": ""})
