"""/: the home page."""

from urllib.parse import quote

from typing_extensions import TypedDict

from domain.catalogue import details as catalogue_details
from domain.catalogue.details import ShopStats
from domain.catalogue.listing import CategoryCount
from domain.catalogue.search_snippets import MAX_DESCRIPTION_WIDTH, MAX_TITLE_WIDTH, truncate
from domain.text_direction import isolated
from host.content import POLICY
from host.images import social_card
from host.loaders.cards import Card, cards
from host.loaders.course import review_props
from host.loaders.course_props import Review
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import LoaderResult, PageResult
from host.rendering.shell import Head
from host.seo import head_texts
from host.site_state import CategoryRef, category_link
from host.urls import COURSE_PATH, LIST_WIDTH, Picture, entry_picture


class CategoryTile(CategoryRef):
    description: str
    count: int
    picture: Picture | None


class HomeStats(TypedDict):
    """Numbers of the whole shop."""

    courses: int
    learners: int
    instructors: int
    rating: float | None
    ratingCount: int


class Testimonial(TypedDict):
    review: Review
    course: str
    href: str


class HomeProps(TypedDict):
    featured: list[Card]
    newest: list[Card]
    categories: list[CategoryTile]
    stats: HomeStats
    testimonials: list[Testimonial]


@page("home")
async def load(request: PageRequest) -> LoaderResult[HomeProps]:
    home = await request.db.read(catalogue_details.home_data, request.scope)
    settings = request.settings
    featured = cards(home.featured, request.site, request.at)
    stats = await _stats(request)
    props: HomeProps = {
        "featured": featured,
        "newest": cards(home.newest, request.site, request.at),
        "categories": [_tile(category) for category in request.site.categories if category.count],
        "stats": {
            "courses": stats.courses,
            "learners": stats.learners,
            "instructors": stats.instructors,
            "rating": stats.rating,
            "ratingCount": stats.ratings,
        },
        "testimonials": [
            {"review": review_props(review), "course": name, "href": COURSE_PATH + quote(slug)}
            for review, name, slug in home.testimonials
        ],
    }
    refund_days = request.site.content(POLICY).refund_days
    blocks = [head_texts.organization(settings, refund_days), head_texts.website(settings)]
    if len(featured) >= head_texts.MIN_LIST_ITEMS:
        blocks.append(head_texts.item_list(settings, "Featured courses", featured))
    head = Head(
        title=truncate(f"{isolated(settings.site_name)}: {settings.site_tagline}", MAX_TITLE_WIDTH),
        description=_description(settings.site_name, stats.courses, request.site.categories),
        canonical=settings.site_origin + "/",
        image=settings.site_origin + social_card.of_page(settings, "home", settings.site_tagline).path,
        json_ld=tuple(blocks),
    )
    return PageResult("home", head, props)


async def _stats(request: PageRequest) -> ShopStats:
    if request.scope is not None:
        return await request.db.read(catalogue_details.shop_stats, request.scope)
    return await request.site.counts.stats(request.db)


def _tile(category: CategoryCount) -> CategoryTile:
    return {
        **category_link(category),
        "description": category.description,
        "count": category.count,
        "picture": entry_picture(category.image, LIST_WIDTH),
    }


def _description(name: str, courses: int, categories: tuple[CategoryCount, ...]) -> str:
    subjects = ", ".join(category.name for category in categories[:4])
    text = f"{isolated(name)}: {courses} online courses for working professionals in {subjects} and more."
    return truncate(text, MAX_DESCRIPTION_WIDTH)
