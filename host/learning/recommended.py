"""Recommended courses with the prices that the learner pays."""

from collections.abc import Sequence
from datetime import datetime

from domain import money
from domain.account.current_session import CurrentSession
from domain.database.database import Database
from domain.learning.views.recommendations import Recommendation
from domain.organisations.prices import ProductPrice, member_prices
from domain.shop_settings.shop import ShopSettings
from host.learning.dashboard_schemas import RecommendedCourse
from host.learning.dashboard_view import recommended_course


async def recommended_courses(
    db: Database, session: CurrentSession, found: Sequence[Recommendation], at: datetime, shop: ShopSettings
) -> list[RecommendedCourse]:
    """Members of organisations see their own prices, as in the shop. Raises ServiceUnavailable while the database does
    not answer in time."""
    rows = [recommended_course(row, at, shop.currency) for row in found]
    if not rows or not session.organisations:
        return rows
    priced = [ProductPrice(row["id"], "course", money.from_minor(row["price"], shop.currency)) for row in rows]
    own = await db.read(member_prices, session.auth.learner_id, priced, at, shop)
    for row in rows:
        if row["id"] in own:
            row["price"] = money.to_minor(own[row["id"]], shop.currency)
    return rows
