"""A learner's own review through the calls, and what pages say of it after the next count of stars."""

import pytest
from sqlalchemy import func, select, update

from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.learning.reviews import counting
from domain.tables import Enrolment, Outbox, Review, ReviewReport
from tests.host.signing import Learner, learner
from tests.support.factories import NOON

COURSE = "/course-details?course=course-01"
TEXT = {"rating": 4, "title": "Clear", "text": "It helped me at work."}


def studying(site, name: str = "Ada Lovelace") -> tuple[Learner, int]:
    """A learner who has completed a course that nobody has reviewed, and the course."""
    who, course = learner(site, name), site.id_of("course-01")
    with site.db.write_session() as session:
        grants.grant(session, who.id, [course], GrantSource("order", who.id), NOON)
        session.execute(update(Enrolment).values(completed_at=NOON))
    return who, course


def rows(site, table) -> int:
    with site.db.read_session() as session:
        return session.scalars(select(func.count()).select_from(table)).one()


@pytest.mark.each_database
async def test_a_review_is_written_changed_and_deleted(each_site):
    ada, course = studying(each_site)
    name = f"learning/courses/{course}/review"
    status, answer = await ada.call(name, "PUT", **TEXT)
    own = answer["own"]
    assert (status, answer["refusal"]) == (200, None)
    assert {field: own[field] for field in TEXT} == TEXT
    assert (own["state"], own["author"], own["editedAt"], own["hiddenReason"]) == ("published", "Ada L.", None, "")
    _, changed = await ada.call(name, "PUT", **{**TEXT, "rating": 2})
    assert (changed["own"]["rating"], changed["own"]["id"], changed["own"]["reviewedAt"]) == (
        *(2, own["id"]),
        own["reviewedAt"],
    )
    assert await ada.call(name, "DELETE") == (200, {"refusal": None, "own": None})
    assert rows(each_site, Review) == 2


async def test_the_page_its_stars_and_its_structured_data_follow_the_count(own_site):
    ada, course = studying(own_site)
    assert "aggregateRating" not in (await own_site.document(COURSE)).json_ld_of("Course")
    await ada.call(f"learning/courses/{course}/review", "PUT", **TEXT)
    await own_site.db.write(counting.update_ratings)
    rating = (await own_site.document(COURSE)).json_ld_of("Course")["aggregateRating"]
    assert (rating["ratingValue"], rating["reviewCount"]) == (4, 1)
    props = (await own_site.data(COURSE))["props"]
    assert (props["rating"], props["ratingCount"], props["reviews"]["counts"]) == (4, 1, [0, 0, 0, 1, 0])
    (shown,) = props["reviews"]["items"]
    assert (shown["author"], shown["isVerified"], shown["editedAt"], shown["body"]) == (
        "Ada L.",
        True,
        None,
        TEXT["text"],
    )
    await ada.call(f"learning/courses/{course}/review", "DELETE")
    await own_site.db.write(counting.update_ratings)
    assert "aggregateRating" not in (await own_site.document(COURSE)).json_ld_of("Course")


REFUSED = [
    ({"rating": 0}, 422),
    ({"rating": 6}, 422),
    ({"rating": "5"}, 422),
    ({"rating": 5, "title": "x" * 121}, 422),
    ({"rating": 5, "text": "x" * 4001}, 422),
    ({"rating": 5, "author": "Somebody else"}, 422),
    ({}, 422),
]


@pytest.mark.parametrize(("body", "status"), REFUSED)
async def test_what_is_not_a_review_is_refused_and_stores_nothing(bare_site, body, status):
    ada, course = studying(bare_site)
    assert (await ada.call(f"learning/courses/{course}/review", "PUT", **body))[0] == status
    assert rows(bare_site, Review) == 2


async def test_strangers_and_half_a_sign_in_change_nothing(bare_site):
    ada, course = studying(bare_site)
    grace = learner(bare_site, "Grace Hopper")
    name = f"learning/courses/{course}/review"
    unknown = await grace.call("learning/courses/999999/review", "PUT", **TEXT)
    foreign = await grace.call(name, "PUT", **TEXT)
    assert (unknown[0], foreign[0], unknown[1]["detail"]) == (404, 404, foreign[1]["detail"])
    for headers in ({}, ada.bearer, ada.cookie):
        assert (await bare_site.call(name, TEXT, headers, method="PUT"))[0] == 401
    with bare_site.db.read_session() as session:
        review = session.scalars(select(Review.id)).first()
    for headers in ({}, ada.bearer, ada.cookie):
        assert (await bare_site.call(f"reviews/{review}/report", {}, headers))[0] == 401
    assert (rows(bare_site, Review), rows(bare_site, ReviewReport)) == (2, 0)


async def test_a_review_is_reported_once_by_each_learner(bare_site):
    with bare_site.db.read_session() as session:
        review = session.scalars(select(Review.id)).first()
    ada = learner(bare_site)
    for _ in range(2):
        answer = await ada.call(f"reviews/{review}/report", reason="An advertisement")
        assert answer == (200, {"status": "success", "message": ""})
    assert (rows(bare_site, ReviewReport), rows(bare_site, Outbox)) == (1, 0)
    assert (await ada.call("reviews/999999/report"))[0] == 404
