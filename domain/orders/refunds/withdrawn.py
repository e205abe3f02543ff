"""The order by which a learner may have a course refunded that was withdrawn soon after they bought it."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.orders.refund_rules import first_refusal, is_withdrawn
from domain.orders.refunds.purchases import purchases
from domain.orders.settings import Context
from domain.tables import Enrolment, EnrolmentGrant, Order, OrderLine


def refundable_order(session: Session, learner_id: int, course_id: int, context: Context) -> str | None:
    """The code of the newest order whose line for this course is refunded for that reason; None for none."""
    is_own = (Enrolment.learner_id == learner_id, Enrolment.product_id == course_id)
    query = (
        select(OrderLine, Order)
        .join(Order, Order.id == OrderLine.order_id)
        .join(EnrolmentGrant, (EnrolmentGrant.source == "order") & (EnrolmentGrant.source_id == OrderLine.id))
        .join(Enrolment, Enrolment.id == EnrolmentGrant.enrolment_id)
        .where(*is_own, EnrolmentGrant.ended_at.is_(None), Order.state == "paid")
        .order_by(Order.id.desc())
    )
    for line, order in session.execute(query):
        [(_, bought)] = purchases(session, order, [line])
        if is_withdrawn(bought) and first_refusal(bought, context) is None:
            return str(order.code)
    return None
