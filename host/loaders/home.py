"""/: the shop's front."""

from urllib.parse import quote

from domain import catalogue
from host import seo
from host.loaders import Answer, Asked, Loaded, Props
from host.loaders.cards import COURSE_PATH, cards
from host.loaders.course import review_props
from host.shell import Head


async def load(asked: Asked) -> Answer:
    front = await asked.db.read(catalogue.front)
    settings = asked.settings
    featured = cards(front.featured, asked.site.by_id, asked.at)
    proof = front.proof
    props: Props = {
        "featured": featured,
        "newest": cards(front.newest, asked.site.by_id, asked.at),
        "categories": [
            {
                "slug": one.slug,
                "name": one.name,
                "description": one.description,
                "href": f"/shop?category={quote(one.slug)}",
                "count": one.count,
            }
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
    blocks = [seo.organization(settings), seo.website(settings)]
    if len(featured) >= 3:
        blocks.append(seo.item_list(settings, "Featured courses", featured))
    head = Head(
        title=f"{settings.site_name}: {settings.site_tagline}",
        description=_description(settings.site_name, proof["courses"], [one.name for one in asked.site.categories]),
        canonical=settings.site_origin + "/",
        image=seo.absolute(settings, settings.site_logo),
        json_ld=tuple(blocks),
    )
    return Loaded("home", head, props)


def _description(name: str, courses: int, categories: list[str]) -> str:
    subjects = ", ".join(categories[:4])
    return f"{name}: {courses} online courses for working professionals in {subjects} and more."
