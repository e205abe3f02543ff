"""/: the shop's front."""

from urllib.parse import quote

from domain import catalogue
from domain.page_texts import DESCRIPTION_ROOM, TITLE_ROOM, cut
from host import seo
from host.loaders import Answer, Asked, Loaded, Props, content
from host.loaders.cards import COURSE_PATH, cards
from host.loaders.course import review_props
from host.og import facts
from host.shell import Head
from host.site import shelf_link


async def load(asked: Asked) -> Answer:
    front = await asked.db.read(catalogue.front, asked.only)
    settings = asked.settings
    featured = cards(front.featured, asked.site.by_id, asked.at)
    proof = front.proof
    props: Props = {
        "featured": featured,
        "newest": cards(front.newest, asked.site.by_id, asked.at),
        "categories": [
            {**shelf_link(one), "description": one.description, "count": one.count}
            for one in asked.site.categories
            if one.count
        ],
        "proof": {
            "courses": proof["courses"],
            "learners": proof["learners"],
            "instructors": proof["instructors"],
            "rating": proof["rating"],
            "ratingCount": proof["ratings"],
        },
        "quotes": [
            {"review": review_props(review), "course": name, "href": COURSE_PATH + quote(slug)}
            for review, name, slug in front.quotes
        ],
    }
    refund_days = content.read("refund-grievance-policy").refund_days
    blocks = [seo.organization(settings, refund_days), seo.website(settings)]
    if len(featured) >= seo.LIST_LEAST:
        blocks.append(seo.item_list(settings, "Featured courses", featured))
    head = Head(
        title=cut(f"{settings.site_name}: {settings.site_tagline}", TITLE_ROOM),
        description=_description(settings.site_name, proof["courses"], [one.name for one in asked.site.categories]),
        canonical=settings.site_origin + "/",
        image=settings.site_origin + facts.of_page(settings, "home", settings.site_tagline).path,
        json_ld=tuple(blocks),
    )
    return Loaded("home", head, props)


def _description(name: str, courses: int, categories: list[str]) -> str:
    subjects = ", ".join(categories[:4])
    text = f"{name}: {courses} online courses for working professionals in {subjects} and more."
    return cut(text, DESCRIPTION_ROOM)
