"""What a social card shows, and its URL, which changes with that: so clients may cache it for ever."""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

import orjson
from typing_extensions import TypedDict

from config.settings import Settings
from domain.catalogue.listing import CategoryCount
from domain.publishing.snippet_store import ITEM_KINDS, LEVELS
from host.urls import Picture

# Raise it with every visible change of social_card_svg.py.
DESIGN = 2


@dataclass(frozen=True)
class CardSubject:
    """A course or item; `sort` is the level of a course, the kind of an item."""

    kind: str
    id: int
    name: str
    slug: str
    sort: str | None
    category: str
    category_name: str


@dataclass(frozen=True)
class SocialCard:
    """`key` is unique within a kind. `art`: kind, category and slug of the cover beside the text.

    It has no price on purpose: others cache the card longer than a price is valid.
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
def _version(card: SocialCard) -> str:
    return sha256(orjson.dumps([DESIGN, card])).hexdigest()[:10]


def _shop(settings: Settings) -> dict[str, str]:
    return {"brand": settings.site_name, "tagline": settings.site_tagline, "logo": settings.site_logo}


def of_product(settings: Settings, subject: CardSubject) -> SocialCard:
    is_course = subject.kind == "course"
    sort = LEVELS.get(subject.sort or "all", "") if is_course else ITEM_KINDS.get(subject.sort or "", "")
    words = (subject.category_name, sort) if is_course else (sort, subject.category_name)
    art = ("course" if is_course else subject.sort or "physical", subject.category, subject.slug)
    label = " · ".join(word for word in words if word)
    return SocialCard(subject.kind, str(subject.id), subject.name, label, art, **_shop(settings))


def of_category(settings: Settings, category: CategoryCount) -> SocialCard:
    art = ("course", category.slug, f"{category.slug}-all")
    return SocialCard("category", str(category.id), category.name, "Courses and materials", art, **_shop(settings))


def of_page(settings: Settings, page: str, title: str) -> SocialCard:
    """`page`: its id in routes.json. The tagline is not repeated below a title that is the tagline."""
    art = ("course", "accounting", f"page-{page}")
    shop = _shop(settings)
    if title == settings.site_tagline:
        shop["tagline"] = ""
    return SocialCard("page", page, title, "", art, **shop)


class SharedImage(TypedDict):
    """The image in a page's head: its address and its size in pixels."""

    image: str
    image_size: tuple[int, int]


def shared_image(settings: Settings, card: SocialCard, picture: Picture) -> SharedImage:
    """What others show of a product: the picture that staff chose for it, else its card."""
    if picture["src"].startswith("/files/"):
        size = (picture["width"], picture["height"])
        return {"image": settings.site_origin + picture["src"], "image_size": size}
    return {"image": settings.site_origin + card.path, "image_size": (1200, 630)}
