"""What a picture shows, and its address, which changes with what it shows: so it may be kept for ever."""

from dataclasses import asdict, dataclass
from hashlib import sha256

import orjson

from domain.catalogue import CategoryCount
from domain.publishing.texts import ITEM_KINDS, LEVELS
from host.settings import Settings

# Moves with every change of drawing.py that people can see.
DESIGN = 1
WIDTH, HEIGHT = 1200, 630


@dataclass(frozen=True)
class Facts:
    """`key` tells pictures of one kind apart. `art`: kind, category and slug of the drawn cover beside the text.

    No price on purpose: others keep the picture longer than we keep the price.
    """

    kind: str
    key: str
    title: str
    label: str
    art: tuple[str, str, str]
    brand: str
    tagline: str

    @property
    def version(self) -> str:
        return sha256(orjson.dumps([DESIGN, asdict(self)])).hexdigest()[:10]

    @property
    def path(self) -> str:
        return f"/og/{self.kind}/{self.key}-{self.version}.png"


def of_course(settings: Settings, key: int, name: str, slug: str, level: str | None, shelf: tuple[str, str]) -> Facts:
    """`shelf`: slug and name of the category."""
    label = " · ".join(part for part in (shelf[1], LEVELS.get(level or "all", "")) if part)
    art = ("course", shelf[0], slug)
    return Facts("course", str(key), name, label, art, settings.site_name, settings.site_tagline)


def of_item(settings: Settings, key: int, name: str, slug: str, kind: str | None, shelf: tuple[str, str]) -> Facts:
    label = " · ".join(part for part in (ITEM_KINDS.get(kind or "", ""), shelf[1]) if part)
    art = (kind or "physical", shelf[0], slug)
    return Facts("item", str(key), name, label, art, settings.site_name, settings.site_tagline)


def of_category(settings: Settings, category: CategoryCount) -> Facts:
    art = ("course", category.slug, f"{category.slug}-all")
    name, tagline = settings.site_name, settings.site_tagline
    return Facts("category", str(category.id), category.name, "Courses and materials", art, name, tagline)


def of_page(settings: Settings, page: str, title: str) -> Facts:
    """`page`: its id in routes.json."""
    art = ("course", "accounting", f"page-{page}")
    return Facts("page", page, title, settings.site_tagline, art, settings.site_name, settings.site_tagline)
