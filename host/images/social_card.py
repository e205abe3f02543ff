"""What a picture shows, and its address, which changes with what it shows: so it may be kept for ever."""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

import orjson

from domain.catalogue import CategoryCount
from domain.publishing.texts import ITEM_KINDS, LEVELS
from host.settings import Settings

# Moves with every change of drawing.py that people can see.
DESIGN = 1


@dataclass(frozen=True)
class Subject:
    """What is known of a course or item; `sort` is the level of one, the kind of the other."""

    kind: str
    id: int
    name: str
    slug: str
    sort: str | None
    category: str
    category_name: str


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
    logo: str

    @property
    def version(self) -> str:
        return _version(self)

    @property
    def path(self) -> str:
        return f"/og/{self.kind}/{self.key}-{self.version}.png"


@lru_cache(4096)
def _version(facts: Facts) -> str:
    return sha256(orjson.dumps([DESIGN, facts])).hexdigest()[:10]


def _shop(settings: Settings) -> dict[str, str]:
    return {"brand": settings.site_name, "tagline": settings.site_tagline, "logo": settings.site_logo}


def of_product(settings: Settings, subject: Subject) -> Facts:
    is_course = subject.kind == "course"
    sort = LEVELS.get(subject.sort or "all", "") if is_course else ITEM_KINDS.get(subject.sort or "", "")
    words = (subject.category_name, sort) if is_course else (sort, subject.category_name)
    art = ("course" if is_course else subject.sort or "physical", subject.category, subject.slug)
    label = " · ".join(word for word in words if word)
    return Facts(subject.kind, str(subject.id), subject.name, label, art, **_shop(settings))


def of_category(settings: Settings, category: CategoryCount) -> Facts:
    art = ("course", category.slug, f"{category.slug}-all")
    return Facts("category", str(category.id), category.name, "Courses and materials", art, **_shop(settings))


def of_page(settings: Settings, page: str, title: str) -> Facts:
    """`page`: its id in routes.json. What the shop says of itself stands there once."""
    art = ("course", "accounting", f"page-{page}")
    shop = _shop(settings)
    if title == settings.site_tagline:
        shop["tagline"] = ""
    return Facts("page", page, title, "", art, **shop)
