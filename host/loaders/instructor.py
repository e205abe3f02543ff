"""/instructors/{slug}: an instructor and their courses on sale."""

from urllib.parse import quote, urlencode

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.catalogue import instructors
from domain.catalogue.instructors import InstructorDetail
from domain.text_direction import isolated
from host.images import social_card
from host.loaders.cards import Card, cards_by_id
from host.loaders.crumbs import CATALOGUE, HOME, Crumb
from host.loaders.errors import not_found
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import LoaderResult, PageResult, Redirect
from host.rendering.shell import Head
from host.seo import head_texts, structured_data
from host.urls import INSTRUCTOR_PATH, LIST_WIDTH, Picture, entry_picture

SLUG_LENGTH = 191
NO_PICTURE: Picture = {"src": "", "width": 0, "height": 0, "alt": ""}


class InstructorProps(TypedDict):
    """`bio`: plain text. `courseCount`: also those that are not among the `cards`, which `allHref` then leads to."""

    name: str
    title: str
    bio: str
    picture: Picture | None
    rating: float | None
    ratingCount: int
    courseCount: int
    cards: list[Card]
    allHref: str | None
    crumbs: list[Crumb]


@page("instructor")
async def load(request: PageRequest) -> LoaderResult[InstructorProps]:
    """An instructor of a course on sale. Slugs are in lower case: one typed in capitals leads there too."""
    slug = request.values["slug"][:SLUG_LENGTH]
    found = await request.db.read(_load_instructor, slug, request)
    if found is None:
        lower = slug.lower()
        known = None if lower == slug else await request.db.read(_load_instructor, lower, request)
        return await not_found(request) if known is None else Redirect(INSTRUCTOR_PATH + quote(lower))
    detail, cards = found
    props = _props(detail, cards)
    return PageResult("instructor", _head(request, detail, props), props)


def _load_instructor(session: Session, slug: str, request: PageRequest) -> tuple[InstructorDetail, list[Card]] | None:
    detail = instructors.instructor(session, slug, request.scope)
    if detail is None:
        return None
    return detail, cards_by_id(session, request.site, detail.version, detail.course_ids, request.at)


def _props(detail: InstructorDetail, cards: list[Card]) -> InstructorProps:
    person = detail.person
    return {
        "name": person.name,
        "title": person.title,
        "bio": person.bio,
        "picture": entry_picture(person.image, LIST_WIDTH),
        "rating": None if detail.rating is None else round(detail.rating, 1),
        "ratingCount": detail.rating_count,
        "courseCount": detail.course_count,
        "cards": cards,
        # The search finds courses by the names of their instructors.
        "allHref": f"/search?{urlencode({'q': person.name})}" if detail.course_count > len(cards) else None,
        "crumbs": [HOME, CATALOGUE, {"name": person.name, "href": INSTRUCTOR_PATH + quote(person.slug)}],
    }


def _head(request: PageRequest, detail: InstructorDetail, props: InstructorProps) -> Head:
    settings, person = request.settings, detail.person
    url = settings.site_origin + INSTRUCTOR_PATH + quote(person.slug)
    lists = [head_texts.item_list(settings, f"Courses by {isolated(person.name)}", props["cards"])]
    card = social_card.of_page(settings, "instructor", settings.site_tagline)
    return Head(
        title=head_texts.title(settings, person.name),
        description=head_texts.instructor_description(settings, person, detail.course_count),
        canonical=url,
        type="profile",
        **social_card.shared_image(settings, card, props["picture"] or NO_PICTURE),
        json_ld=(
            structured_data.profile(settings, props, url),
            head_texts.breadcrumbs(settings, props["crumbs"]),
            *(lists if len(props["cards"]) >= head_texts.MIN_LIST_ITEMS else []),
        ),
    )
