"""Everything we hold on one person, as plain values of JSON: times in ISO 8601, money as decimal text."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import Session

from domain import sign_ins
from domain.tables import (
    Cart,
    CartLine,
    Coupon,
    CouponUse,
    Enrolment,
    Learner,
    LearnerIdentity,
    LearnerSession,
    Membership,
    Organisation,
    Product,
    Visit,
    Wish,
)

# The newest; `visitCount` says how many there are. What is older stands in nobody's way but memory's.
MOST_VISITS = 20_000
Exported = dict[str, Any]
Wanted = Select[*tuple[Any, ...]]


def export(session: Session, learner_id: int, at: datetime) -> Exported:
    """Raises NoResultFound for a learner there is not."""
    learner = session.get_one(Learner, learner_id)
    return {
        "exportedAt": _plain(at),
        "profile": _profile(session, learner),
        "organisations": _rows(session, _memberships(learner_id)),
        "signIns": _rows(session, _sign_ins(learner_id)),
        "cart": {"lines": _rows(session, _lines(learner_id)), "coupon": session.scalar(_cart_coupon(learner_id))},
        "wishes": _rows(session, _wishes(learner_id)),
        "enrolments": _rows(session, _enrolments(learner_id)),
        "coupons": _rows(session, _coupons(learner_id)),
        "visitCount": session.scalar(select(func.count()).select_from(Visit).where(Visit.learner_id == learner_id)),
        "visits": _rows(session, _visits(learner_id)),
    }


def _profile(session: Session, learner: Learner) -> Exported:
    identities = select(
        LearnerIdentity.issuer, LearnerIdentity.subject, LearnerIdentity.created_at.label("since")
    ).where(LearnerIdentity.learner_id == learner.id)
    return {
        "id": learner.id,
        "name": learner.name,
        "email": learner.email,
        "studentNumber": learner.student_number.upper(),
        "roles": list(sign_ins.roles_of(session, learner)),
        "since": _plain(learner.created_at),
        "identities": _rows(session, identities.order_by(LearnerIdentity.id)),
    }


def _rows(session: Session, wanted: Wanted) -> list[Exported]:
    return [_record(row) for row in session.execute(wanted)]


def _record(row: Row[Any]) -> Exported:
    return {name: _plain(value) for name, value in row._mapping.items()}


def _plain(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
        case Decimal():
            return str(value)
        case _:
            return value


def _memberships(learner_id: int) -> Wanted:
    columns = (Organisation.name, Membership.role, Membership.joined_at.label("joinedAt"))
    wanted = select(*columns).join(Organisation, Organisation.id == Membership.organisation_id)
    return wanted.where(Membership.learner_id == learner_id).order_by(Membership.id)


def _sign_ins(learner_id: int) -> Wanted:
    columns = (
        LearnerSession.area,
        LearnerSession.browser,
        LearnerSession.created_at.label("createdAt"),
        LearnerSession.expires_at.label("expiresAt"),
        LearnerSession.revoked_at.label("endedAt"),
    )
    return select(*columns).where(LearnerSession.learner_id == learner_id).order_by(LearnerSession.id)


def _lines(learner_id: int) -> Wanted:
    columns = (
        Product.id,
        Product.name,
        CartLine.quantity,
        Coupon.shown.label("code"),
        CartLine.seen_price.label("seenPrice"),
        CartLine.is_saved.label("isSavedForLater"),
        CartLine.added_at.label("addedAt"),
    )
    wanted = select(*columns).select_from(CartLine).join(Product, Product.id == CartLine.product_id)
    wanted = wanted.outerjoin(Coupon, Coupon.id == CartLine.coupon_id)
    return wanted.where(CartLine.learner_id == learner_id).order_by(CartLine.id)


def _cart_coupon(learner_id: int) -> Wanted:
    return select(Coupon.shown).join(Cart, Cart.coupon_id == Coupon.id).where(Cart.learner_id == learner_id)


def _wishes(learner_id: int) -> Wanted:
    columns = (Product.id, Product.name, Wish.seen_price.label("seenPrice"), Wish.added_at.label("addedAt"))
    wanted = select(*columns).select_from(Wish).join(Product, Product.id == Wish.product_id)
    return wanted.where(Wish.learner_id == learner_id).order_by(Wish.id)


def _enrolments(learner_id: int) -> Wanted:
    columns = (
        Product.id,
        Product.name,
        Enrolment.source,
        Enrolment.enrolled_at.label("enrolledAt"),
        Enrolment.progress,
        Enrolment.completed_at.label("completedAt"),
        Enrolment.certificate,
    )
    wanted = select(*columns).select_from(Enrolment).join(Product, Product.id == Enrolment.product_id)
    return wanted.where(Enrolment.learner_id == learner_id).order_by(Enrolment.id)


def _coupons(learner_id: int) -> Wanted:
    """`courseId` null: on the whole cart."""
    columns = (
        Coupon.shown.label("code"),
        func.nullif(CouponUse.product_id, 0).label("courseId"),
        CouponUse.state,
        CouponUse.held_at.label("at"),
    )
    wanted = select(*columns).select_from(CouponUse).join(Coupon, Coupon.id == CouponUse.coupon_id)
    return wanted.where(CouponUse.learner_id == learner_id).order_by(CouponUse.id)


def _visits(learner_id: int) -> Wanted:
    """Those that a token proved to be this learner's; what others claimed is none of theirs."""
    columns = (
        Visit.at,
        Visit.url,
        Visit.session_id.label("sessionId"),
        Visit.referrer,
        Visit.campaign,
        Visit.coupon_id.label("couponId"),
        Visit.student_number.label("studentNumber"),
        Visit.agent,
        Visit.address,
    )
    newest = select(*columns).where(Visit.learner_id == learner_id).order_by(Visit.at.desc(), Visit.id.desc())
    return newest.limit(MOST_VISITS)
