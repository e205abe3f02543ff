"""All data stored on one person as plain JSON values: times in ISO 8601, money as decimal text."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Row, Select, case, func, select
from sqlalchemy.orm import Session

from domain.account import learning, organisations, purchases
from domain.identity.roles import roles_of
from domain.learning.reviews import own_data as own_reviews
from domain.money import Currency, to_text
from domain.quotes import own_quotes
from domain.reports.attribution import own_data as order_touchpoints
from domain.reports.saved_views import own_data as own_views
from domain.reports.visit_reports import accesses
from domain.seats import own_data as own_seats
from domain.tables import (
    Cart,
    CartLine,
    Coupon,
    Learner,
    LearnerIdentity,
    LearnerSession,
    Product,
    Reservation,
    Visit,
    WishlistEntry,
)
from domain.visits import link_counts, touchpoints
from domain.visits.touchpoints import LearnerTouchpoint

# Only the newest visits are exported, for the sake of memory; `visitCount` is the number of all.
MAX_VISITS = 20_000
ExportedData = dict[str, Any]
ExportedTable = Select[*tuple[Any, ...]]
# Name in the exported file -> its rows for a learner, besides those that `export` reads itself.
EXPORTED = {
    **organisations.EXPORTED,
    **purchases.EXPORTED,
    **learning.EXPORTED,
    **own_reviews.EXPORTED,
    **own_seats.EXPORTED,
    **own_quotes.EXPORTED,
    **link_counts.EXPORTED,
    **touchpoints.EXPORTED,
    **accesses.EXPORTED,
    **own_views.EXPORTED,
    **order_touchpoints.EXPORTED,
}


def export(session: Session, learner_id: int, at: datetime, currency: Currency) -> ExportedData:
    """Raises NoResultFound for an unknown learner."""
    learner = session.get_one(Learner, learner_id)
    data = {
        "exportedAt": _json_value(at),
        "profile": _profile(session, learner),
        "signIns": _rows(session, _sign_ins(learner_id)),
        "cart": {"lines": _rows(session, _lines(learner_id)), "coupon": session.scalar(_cart_coupon(learner_id))},
        "wishes": _rows(session, _wishes(learner_id)),
        **{name: _rows(session, table(learner_id)) for name, table in EXPORTED.items()},
        "quizAttempts": [learning.with_option_texts(row) for row in _rows(session, learning.attempts(learner_id))],
        "coupons": _rows(session, _coupons(learner_id)),
        "visitCount": session.scalar(select(func.count()).select_from(Visit).where(Visit.learner_id == learner_id)),
        "visits": _rows(session, _visits(learner_id)),
        "touchpoints": [_touchpoint(found) for found in touchpoints.of_learners(session, {learner_id})],
    }
    exported: ExportedData = _with_texts(data, currency)
    return exported


def _profile(session: Session, learner: Learner) -> ExportedData:
    identities = select(
        LearnerIdentity.issuer, LearnerIdentity.subject, LearnerIdentity.created_at.label("since")
    ).where(LearnerIdentity.learner_id == learner.id)
    return {
        "id": learner.id,
        "name": learner.name,
        "email": learner.email,
        "isEmailVerified": learner.email_verified,
        "studentNumber": learner.student_number.upper(),
        "roles": list(roles_of(session, learner.id)),
        "since": _json_value(learner.created_at),
        "identities": _rows(session, identities.order_by(LearnerIdentity.id)),
    }


def _with_texts(value: Any, currency: Currency) -> Any:
    """The value with every amount as text."""
    match value:
        case Decimal():
            return to_text(value, currency)
        case dict():
            return {name: _with_texts(member, currency) for name, member in value.items()}
        case list():
            return [_with_texts(item, currency) for item in value]
        case _:
            return value


def _rows(session: Session, query: ExportedTable) -> list[ExportedData]:
    return [_record(row) for row in session.execute(query)]


def _record(row: Row[Any]) -> ExportedData:
    return {name: _json_value(value) for name, value in row._mapping.items()}


def _json_value(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
        case date():
            return value.isoformat()
        case _:
            return value


def _sign_ins(learner_id: int) -> ExportedTable:
    columns = (
        LearnerSession.area,
        LearnerSession.browser,
        LearnerSession.created_at.label("createdAt"),
        LearnerSession.expires_at.label("expiresAt"),
        LearnerSession.revoked_at.label("endedAt"),
    )
    return select(*columns).where(LearnerSession.learner_id == learner_id).order_by(LearnerSession.id)


def _lines(learner_id: int) -> ExportedTable:
    columns = (
        Product.id,
        Product.name,
        CartLine.quantity,
        Coupon.display_code.label("code"),
        CartLine.seen_price.label("seenPrice"),
        CartLine.is_saved.label("isSavedForLater"),
        CartLine.is_gift.label("isGift"),
        CartLine.added_at.label("addedAt"),
    )
    query = select(*columns).select_from(CartLine).join(Product, Product.id == CartLine.product_id)
    query = query.outerjoin(Coupon, Coupon.id == CartLine.coupon_id)
    return query.where(CartLine.learner_id == learner_id).order_by(CartLine.id)


def _cart_coupon(learner_id: int) -> ExportedTable:
    return select(Coupon.display_code).join(Cart, Cart.coupon_id == Coupon.id).where(Cart.learner_id == learner_id)


def _wishes(learner_id: int) -> ExportedTable:
    columns = (
        Product.id,
        Product.name,
        WishlistEntry.seen_price.label("seenPrice"),
        WishlistEntry.added_at.label("addedAt"),
    )
    query = select(*columns).select_from(WishlistEntry).join(Product, Product.id == WishlistEntry.product_id)
    return query.where(WishlistEntry.learner_id == learner_id).order_by(WishlistEntry.id)


def _coupons(learner_id: int) -> ExportedTable:
    """`courseId` null: on the whole cart."""
    columns = (
        Coupon.display_code.label("code"),
        Reservation.product_id.label("courseId"),
        # Exported files keep the words that earlier ones use.
        case((Reservation.state == "reserved", "held"), else_=Reservation.state).label("state"),
        Reservation.reserved_at.label("at"),
    )
    is_own = (Reservation.learner_id == learner_id, Reservation.kind == "coupon")
    query = select(*columns).select_from(Reservation).join(Coupon, Coupon.id == Reservation.resource_id)
    return query.where(*is_own).order_by(Reservation.id)


def _visits(learner_id: int) -> ExportedTable:
    """Visits that a token proved to be this learner's; claimed ids are not proof."""
    columns = (
        Visit.visited_at.label("at"),
        Visit.url,
        Visit.session_id.label("sessionId"),
        Visit.referrer,
        Visit.referral_id.label("referralId"),
        Visit.partner,
        Visit.campaign,
        Visit.coupon_id.label("couponId"),
        Visit.student_number.label("studentNumber"),
        Visit.agent,
        Visit.address,
    )
    query = select(*columns).where(Visit.learner_id == learner_id).order_by(Visit.visited_at.desc(), Visit.id.desc())
    return query.limit(MAX_VISITS)


def _touchpoint(found: LearnerTouchpoint) -> ExportedData:
    row = found.row
    return {
        "at": _json_value(found.at),
        **{name: getattr(row, name) for name in ("channel", "source", "campaign", "term", "content", "referrer")},
        **{"landing": row.landing, "sessionId": row.session_id, "wasAnonymous": row.was_anonymous},
        **{"coupon": row.coupon, "specialOffer": row.special, "studentNumber": row.student, "partner": row.partner},
    }
