"""Stars of a thousand reviews: what the page says, what it tells search engines, and where lists show the course."""

from collections.abc import Iterable, Mapping

from sqlalchemy import insert, select

from domain.learning.reviews import counting, ratings
from domain.learning.reviews import counting as review_counting
from domain.tables import Learner, Review
from tests.host.site import Site
from tests.support.factories import NOON

# How many learners gave each course 1, 2, … 5 stars. The mean of course-03 is 3.165: half is rounded up.
WRITTEN = {
    "course-01": (97, 83, 61, 57, 102),
    "course-02": (0, 0, 1, 97, 201),
    "course-03": (1, 98, 0, 69, 32),
    "course-04": (0, 0, 0, 0, 101),
}
# What an import brought to another course too.
IMPORTED = {"course-02": (3, 0, 0, 0, 0), "course-05": (0, 0, 1, 1, 0)}
# States of more reviews of each course: they are not shown, and must not count.
UNSHOWN = ("pending", "hidden")


def total_of(slug: str) -> list[int]:
    pairs = zip(WRITTEN.get(slug, (0,) * 5), IMPORTED.get(slug, (0,) * 5), strict=True)
    return [written + imported for written, imported in pairs]


def expected(slug: str) -> tuple[float, int]:
    """Rating of two decimals and number, by whole numbers alone."""
    counts = total_of(slug)
    number, stars = sum(counts), sum(rating * count for rating, count in enumerate(counts, 1))
    return (200 * stars + number) // (2 * number) / 100, number


def rows_of(course_id: int, counts: Iterable[int], **about: object) -> list[dict[str, object]]:
    given = [rating for rating, count in enumerate(counts, 1) for _ in range(count)]
    return [
        {"course_id": course_id, "rating": rating, "author": "Ada L.", "reviewed_at": NOON, **about} for rating in given
    ]


def write_reviews(site: Site) -> None:
    """By learners of their own, some of them not shown, and by an import."""
    ids = {slug: site.id_of(slug) for slug in {*WRITTEN, *IMPORTED}}
    with site.db.write_session() as session:
        for slug, counts in IMPORTED.items():
            session.execute(insert(Review), rows_of(ids[slug], counts))
        ratings.put_base(session, [ids[slug] for slug in IMPORTED])
        people = [
            {"issuer": "many", "subject": f"{at}", "student_number": f"s-many-{at}", "email": "", "created_at": NOON}
            for at in range(500)
        ]
        session.execute(insert(Learner), [{**row, "name": "Ada Lovelace"} for row in people])
        learners = session.scalars(select(Learner.id).where(Learner.issuer == "many")).all()
        for slug, counts in WRITTEN.items():
            rows = rows_of(ids[slug], counts, is_verified=True, state="published")
            for state in UNSHOWN:
                rows += rows_of(ids[slug], (20, 0, 0, 0, 0), is_verified=True, state=state)
            session.execute(
                insert(Review), [{**row, "learner_id": at} for row, at in zip(rows, learners, strict=False)]
            )
        for course_id in ids.values():
            counting.note_change(session, course_id, NOON)


async def stars_of_page(site: Site, slug: str) -> tuple[Mapping[str, object], object]:
    """What search engines are told, and what the page shows."""
    document = await site.document(f"/course-details?course={slug}")
    return document.json_ld_of("Course")["aggregateRating"], document.state["props"]


async def test_page_search_engines_and_lists_have_the_stars_of_all_thousand_reviews(own_site):
    assert sum(map(sum, WRITTEN.values())) == 1000
    write_reviews(own_site)
    assert await own_site.db.write(review_counting.update_ratings) == 5
    for slug in (*WRITTEN, "course-05"):
        told, shown = await stars_of_page(own_site, slug)
        assert (slug, told["ratingValue"], told["reviewCount"]) == (slug, *expected(slug))
        assert (slug, shown["rating"], shown["ratingCount"]) == (slug, *expected(slug))
        data = (await own_site.data(f"/course-details?course={slug}"))["props"]
        assert (slug, data["reviews"]["counts"]) == (slug, total_of(slug))


async def test_lists_are_in_the_order_of_these_stars(own_site):
    write_reviews(own_site)
    await own_site.db.write(review_counting.update_ratings)
    cards = (await own_site.data("/shop?sort=rating"))["props"]["cards"]
    rated = {own_site.id_of(slug): expected(slug) for slug in (*WRITTEN, "course-05")}
    shown = [(card["id"], card["rating"], card["ratingCount"]) for card in cards if card["id"] in rated]
    assert shown == [(key, *rated[key]) for key in sorted(rated, key=rated.__getitem__, reverse=True)]
